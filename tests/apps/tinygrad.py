#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad: a small convolutional network is trained on one batch; the losses are those of tinygrad's own
device for processors, which compiles C with clang.
"""
import json
import time

import ladder

STEPS = 20
# What tinygrad calls to get from source to a kernel; its binaries are made from source and loaded at once.
BUILDING = ('clCreateProgramWithSource', 'clBuildProgram', 'clGetProgramInfo', 'clCreateProgramWithBinary', 'clCreateKernel')


def watch_builds():
    """A list that will have the seconds of each call into OpenCL that builds: Python's share is not in it."""
    from tinygrad.runtime.autogen import opencl
    seconds = []

    def timed(function):
        def call(*arguments):
            since = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                seconds.append(time.perf_counter() - since)
        return call
    for name in BUILDING:
        setattr(opencl, name, timed(getattr(opencl, name)))
    return seconds


def train():
    """(losses, seconds of each step)"""
    import numpy
    from tinygrad import Tensor, TinyJit, nn
    from tinygrad.helpers import TRAINING
    Tensor.manual_seed(1)
    TRAINING.value = 1
    first, second, last = nn.Conv2d(1, 16, 3), nn.Conv2d(16, 32, 3), nn.Linear(32 * 5 * 5, 10)
    for layer in (first, second, last):  # weights that do not depend on a device's random numbers
        random = numpy.random.default_rng(layer.weight.shape[0])
        layer.weight.assign(Tensor(random.uniform(-0.1, 0.1, layer.weight.shape).astype('f4'))).realize()
        layer.bias.assign(Tensor(random.uniform(-0.1, 0.1, layer.bias.shape).astype('f4'))).realize()
    random = numpy.random.default_rng(0)
    images = Tensor(random.random((64, 1, 28, 28)).astype('f4')).realize()
    labels = Tensor(random.integers(0, 10, 64).astype('i4')).realize()
    optimiser = nn.optim.SGD([each for layer in (first, second, last) for each in (layer.weight, layer.bias)], lr=0.01)

    @TinyJit
    def step():
        optimiser.zero_grad()
        out = second(first(images).relu().max_pool2d()).relu().max_pool2d()
        loss = last(out.flatten(1)).sparse_categorical_crossentropy(labels).backward()
        optimiser.step()
        return loss.realize()
    losses, seconds = [], []
    for _ in range(STEPS):
        since = time.perf_counter()
        losses.append(step().item())
        seconds.append(time.perf_counter() - since)
    return losses, seconds


def inside(file, device):
    building = watch_builds() if device == 'CL' else []
    losses, seconds = train()
    if device != 'CL':
        with open(file, 'w', encoding='utf-8') as out:
            json.dump(losses, out)
        ladder.say('reference')
        return
    with open(file, encoding='utf-8') as lines:
        wanted = json.load(lines)
    error = max(abs(a - b) for a, b in zip(losses, wanted))
    good = error < 1e-3 and losses[-1] < losses[0]
    ladder.say('training step', min(seconds) * 1e3, 'ms', good, f'loss {losses[-1]:.5f}, {error:.1e} apart')
    ladder.say('first two steps', sum(seconds[:2]), 's', good)
    ladder.say('OpenCL builds', sum(building), 's', good)


def run(app):
    python = app.pip('tinygrad', 'numpy')
    reference = app.home / 'losses'
    ended = app.command(python, ladder.sys.argv[0], '--inside', reference, 'CPU', DEV='CPU')
    if not ended.good:
        raise ladder.Skipped(f'no losses to compare with: {ended.why()}')
    app.inside(python, reference, 'CL', DEV='CL')


if __name__ == '__main__':
    ladder.main(run, inside)
