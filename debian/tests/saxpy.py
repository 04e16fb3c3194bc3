# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""saxpy by PyOpenCL, with whatever device it takes first; prints its name."""
import numpy
import pyopencl as cl

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
x, y = (numpy.random.default_rng(1).random(100003, dtype=numpy.float32) for _ in range(2))
flags = cl.mem_flags
x_buffer = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x)
y_buffer = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=y)
program = cl.Program(context, '''
kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}''').build()
program.saxpy(queue, x.shape, None, numpy.float32(2.5), x_buffer, y_buffer)
result = numpy.empty_like(y)
cl.enqueue_copy(queue, result, y_buffer)
queue.finish()
assert numpy.allclose(result, numpy.float32(2.5) * x + y, rtol=1e-6)
print(context.devices[0].platform.name, '|', context.devices[0].name, '| saxpy is right')
