# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The family `mixed` of random kernels: the same for the same seed, without undefined behaviour and races.

    python3 -m mixed SEED [COUNT]       prints a program (in tests/differential)

Seeds come in blocks with one version of OpenCL C each. header.py says what happens to floats,
expressions.py what to integers, together.py what to barriers, kernel.py puts it all together.
"""
from .header import HEADER
from .kernel import Generator

BLOCK = 50
LONG = 3500  # bytes


def version(seed):
    return 120 if seed // BLOCK % 5 == 4 else 200


def kernel(seed):
    """Most kernels are small; what is long is drawn again, but for each 30th seed."""
    for attempt in range(20):
        drawn = Generator(seed, version(seed), attempt).kernel()
        if len(drawn.text()) < LONG or seed % 30 == 0:
            break
    return drawn


def options(kernels):
    return '-w -cl-std=CL1.2' if kernels[0].version < 200 else '-w -cl-std=CL2.0'


def program(kernels):
    return f'{HEADER}\n' + '\n'.join(k.text() for k in kernels)
