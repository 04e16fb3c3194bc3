#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clFFT: 15 transforms in one to three dimensions, of radices 2 to 13, single and double, planar, inverse; against
numpy's.
"""
import ctypes
import math

import ladder

# sizes, batch, double, planar, inverse
TRANSFORMS = [
    ((1024,), 64, False, False, False), ((1024,), 64, True, False, False), ((4096,), 16, False, False, False),
    ((65536,), 2, False, False, False), ((1 << 20,), 1, False, False, False), ((243,), 64, False, False, False),
    ((3125,), 16, False, False, False), ((2401,), 8, False, False, False), ((1331,), 8, True, False, False),
    ((2197,), 8, False, False, False), ((1000,), 32, False, True, False), ((256, 256), 1, False, False, False),
    ((128, 120), 2, True, False, False), ((32, 64, 48), 1, False, False, False), ((8192,), 4, False, True, True)]
SINGLE, DOUBLE, INTERLEAVED, PLANAR, IN_PLACE, FORWARD, BACKWARD = 1, 2, 1, 2, 1, -1, 1


class Plan:
    def __init__(self, library, context, queue, sizes, batch, double, planar):
        self.library, self.queue, self.handle = library, ctypes.c_void_p(queue.int_ptr), ctypes.c_size_t()
        self.call('CreateDefaultPlan', ctypes.byref(self.handle), ctypes.c_void_p(context.int_ptr), len(sizes),
                  (ctypes.c_size_t * 3)(*sizes))
        distance, layout = ctypes.c_size_t(math.prod(sizes)), PLANAR if planar else INTERLEAVED
        self.call('SetPlanPrecision', self.handle, DOUBLE if double else SINGLE)
        self.call('SetPlanBatchSize', self.handle, ctypes.c_size_t(batch))
        self.call('SetResultLocation', self.handle, IN_PLACE)
        self.call('SetLayout', self.handle, layout, layout)
        self.call('SetPlanDistance', self.handle, distance, distance)

    def call(self, name, *arguments):
        status = getattr(self.library, f'clfft{name}')(*arguments)
        if status:
            raise RuntimeError(f'clfft{name} says {status}')

    def bake(self):
        self.call('BakePlan', self.handle, 1, ctypes.byref(self.queue), None, None)

    def run(self, direction, buffers):
        memory = (ctypes.c_void_p * 2)(*[buffer.int_ptr for buffer in buffers])
        self.call('EnqueueTransform', self.handle, direction, 1, ctypes.byref(self.queue), 0, None, None, memory, None,
                  None)


def transform(library, context, queue, sizes, batch, double, planar, inverse):
    """(seconds of the build, of a transform, error)"""
    import numpy
    import pyopencl as cl
    plan = Plan(library, context, queue, sizes, batch, double, planar)
    build = ladder.best(plan.bake, 1)
    random = numpy.random.default_rng(1)
    shape = (batch, *reversed(sizes))  # clFFT's first dimension lies closest
    data = random.uniform(-0.5, 0.5, shape) + 1j * random.uniform(-0.5, 0.5, shape)
    data = data.astype('c16' if double else 'c8')
    parts = [data.real.copy(), data.imag.copy()] if planar else [data]
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, flags, hostbuf=part) for part in parts]
    direction = BACKWARD if inverse else FORWARD
    plan.run(direction, buffers)
    got = [numpy.empty_like(part) for part in parts]
    for part, buffer in zip(got, buffers):
        cl.enqueue_copy(queue, part, buffer)
    got = got[0] + 1j * got[1] if planar else got[0]
    axes = tuple(range(1, len(shape)))
    wanted = (numpy.fft.ifftn if inverse else numpy.fft.fftn)(data.astype('c16'), axes=axes)
    error = abs(got - wanted).max() / abs(wanted).max()

    def again():
        plan.run(direction, buffers)
        queue.finish()
    return build, ladder.best(again), error


def inside():
    import pyopencl as cl
    library = ctypes.CDLL('libclFFT.so.2')
    library.clfftSetup((ctypes.c_uint64 * 3)(2 | 12 << 32, 2, 0))  # version 2.12.2, no debugging
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    for sizes, batch, double, planar, inverse in TRANSFORMS:
        name = 'x'.join(map(str, sizes)) + f' b{batch}' + ' double' * double + ' planar' * planar + ' inverse' * inverse
        try:
            build, seconds, error = transform(library, context, queue, sizes, batch, double, planar, inverse)
        except RuntimeError as reason:
            ladder.say(f'transform/{name}', passed=False, note=str(reason))
            continue
        good = error < (1e-13 if double else 2e-6)
        ladder.say(f'transform/{name}', seconds * 1e3, 'ms', good, f'error {error:.1e}')
        ladder.say(f'build/{name}', build, 's', good)


def run(app):
    app.apt('libclfft2')
    app.inside(app.pip('pyopencl', 'numpy'))


if __name__ == '__main__':
    ladder.main(run, inside)
