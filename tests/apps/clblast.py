#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CLBlast: SGEMM and DGEMM with the kernels that it picks for the device, against numpy; and its tuners, which
run each routine's kernel in many shapes and compare each with a reference kernel (no speeds: each run draws its own).
"""
import ctypes
import re

import ladder

SIZE = 1024
# name -> of how many shapes one is drawn, by the tuner itself
TUNERS = {'copy_fast': 6, 'copy_pad': 4, 'invert': 1, 'transpose_fast': 3, 'transpose_pad': 1, 'xaxpy': 4, 'xdot': 1,
          'xgemm': 4096, 'xgemm_direct': 512, 'xgemv': 1, 'xger': 8}
ROW_MAJOR, NO_TRANSPOSE = 101, 111


def gemm(name, kind, scalar, size):
    """GFLOPS and time of the first call are what a user sees; the product is checked whole."""
    import numpy
    import pyopencl as cl
    library = ctypes.CDLL('libclblast.so.1')
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    random = numpy.random.default_rng(1)
    a, b = (random.uniform(-0.5, 0.5, (size, size)).astype(kind) for _ in range(2))
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, flags, hostbuf=array) for array in (a, b, numpy.zeros_like(a))]
    handles = [ctypes.c_void_p(buffer.int_ptr) for buffer in buffers]
    line, sizes, none = ctypes.c_void_p(queue.int_ptr), [ctypes.c_size_t(size)] * 3, ctypes.c_size_t(0)

    def once():
        status = getattr(library, f'CLBlast{name[0]}gemm')(
            ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, *sizes, scalar(1), handles[0], none, sizes[0], handles[1], none,
            sizes[0], scalar(0), handles[2], none, sizes[0], ctypes.byref(line), None)
        if status:
            raise SystemExit(f'{name}: CLBlast says {status}')
        queue.finish()
    first = ladder.best(once, 1)
    seconds = ladder.best(once)
    got = numpy.empty_like(a)
    cl.enqueue_copy(queue, got, buffers[2])
    error = abs(got - a.astype('f8') @ b.astype('f8')).max()
    good = error < (1e-3 if kind == 'f4' else 1e-11)
    ladder.say(f'{name} {size}', 2e-9 * size ** 3 / seconds, 'GFLOPS', good, f'error {error:.2g}')
    ladder.say(f'{name} {size}, first call', first, 's', good)


def inside():
    gemm('SGEMM', 'f4', ctypes.c_float, SIZE)
    gemm('DGEMM', 'f8', ctypes.c_double, SIZE)


def tune(app, tuner, precision):
    test = f'tuner/{tuner} {precision}'
    if test in app.have:
        return
    size = ('-m', '256', '-n', '256', '-k', '256') if tuner.startswith('xgemm') else ()
    ended = app.command(f'clblast_tuner_{tuner}', '-precision', precision, '-fraction', TUNERS[tuner], '-runs', '1',
                        *size, seconds=900)
    right = ended.output.count('results match')
    wrong = len(re.findall(r'^\| +\d+ \|(?!.*results match)', ended.output, re.M))
    app.result(test, passed=ended.good and right and not wrong,
               note=f'{right} shapes right, {wrong} not' + ('' if ended.good else f'; {ended.how()}'))


def run(app):
    app.apt('libclblast1', 'clblast-utils')
    app.inside(app.pip('pyopencl', 'numpy'))
    for tuner in TUNERS:
        for precision in ('32', '64'):
            tune(app, tuner, precision)


if __name__ == '__main__':
    ladder.main(run, inside)
