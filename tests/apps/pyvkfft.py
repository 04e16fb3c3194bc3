#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pyvkfft (VkFFT): transforms against numpy's, with times. (Its own tests look for GPUs only.)"""
import ladder

# shape, dimensions, type; a real type is transformed to complex numbers of half the length
TRANSFORMS = [((64, 1024), 1, 'c8'), ((64, 1000), 1, 'c8'), ((16, 4096), 1, 'c16'), ((32, 2187), 1, 'c8'),
              ((8, 1009), 1, 'c8'), ((8, 1001), 1, 'c16'), ((256, 256), 2, 'c8'), ((240, 360), 2, 'f4'),
              ((512, 512), 2, 'f4'), ((64, 64, 64), 3, 'c8'), ((48, 60, 54), 3, 'c16'), ((1 << 20,), 1, 'c8')]


def transform(queue, shape, dimensions, kind):
    """(seconds of the build and first transform, of another, error)"""
    import numpy
    import pyopencl.array
    from pyvkfft.opencl import VkFFTApp
    random = numpy.random.default_rng(1)
    real = kind.startswith('f')
    data = random.uniform(-0.5, 0.5, shape)
    data = (data if real else data + 1j * random.uniform(-0.5, 0.5, shape)).astype(kind)
    source = pyopencl.array.to_device(queue, data)
    half = (*shape[:-1], shape[-1] // 2 + 1) if real else shape
    target = pyopencl.array.zeros(queue, half, 'c16' if data.itemsize == 16 or kind == 'f8' else 'c8')

    def build():
        plan = VkFFTApp(shape, source.dtype, queue, ndim=dimensions, inplace=False, r2c=real)
        plan.fft(source, target)
        queue.finish()
        return plan
    plans = []
    first = ladder.best(lambda: plans.append(build()), 1)
    axes = tuple(range(len(shape) - dimensions, len(shape)))
    wanted = (numpy.fft.rfftn if real else numpy.fft.fftn)(data.astype('f8' if real else 'c16'), axes=axes)
    error = abs(target.get() - wanted).max() / abs(wanted).max()

    def again():
        plans[0].fft(source, target)
        queue.finish()
    return first, ladder.best(again), error


def inside():
    import pyopencl as cl
    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    for shape, dimensions, kind in TRANSFORMS:
        name = f'{"x".join(map(str, shape))} {dimensions}D {kind}'
        try:
            first, seconds, error = transform(queue, shape, dimensions, kind)
        except RuntimeError as reason:
            ladder.say(f'transform/{name}', passed=False, note=str(reason))
            continue
        good = error < (1e-13 if kind == 'c16' else 3e-6)
        ladder.say(f'transform/{name}', seconds * 1e3, 'ms', good, f'error {error:.1e}')
        ladder.say(f'build/{name}', first, 's', good)


def run(app):
    app.inside(app.pip('pyvkfft', 'pyopencl', 'numpy'))


if __name__ == '__main__':
    ladder.main(run, inside)
