# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all kernels of a program share."""
from .types import FLOATS, SUFFIX, Value


def tame(t):
    """Numbers that are too small, too large or none become 1: nothing vanishes, overflows or is a NaN."""
    end = SUFFIX.get(t.base, '')
    if not t.vector:
        return (f'static {t.name} OVERLOAD tame({t.name} x) {{ return fabs(x) >= 1e-4{end} && fabs(x) <= 1e6{end} '
                f'? x : 1.0{end}; }}')
    one = f'({t.name})(1.0{end})'
    return (f'static {t.name} OVERLOAD tame({t.name} x) {{ return select({one}, x, (fabs(x) >= 1e-4{end}) & '
            f'(fabs(x) <= 1e6{end})); }}')


def exact(t):
    return f'static {t.name} OVERLOAD mad_exact({t.name} a, {t.name} b) {{ return fma(a, b, a); }}'


def header():
    lines = ['// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception',
             '#pragma OPENCL EXTENSION cl_khr_fp64 : enable',
             '#pragma OPENCL FP_CONTRACT OFF',
             '#if __OPENCL_C_VERSION__ >= 200',
             '#pragma OPENCL EXTENSION cl_khr_subgroups : enable',
             '#endif',
             '#define OVERLOAD __attribute__((overloadable))']
    for base in FLOATS:
        for count in (1, 2, 3, 4, 8, 16):
            lines += [tame(Value(base, count)), exact(Value(base, count))]
    return '\n'.join(lines) + '\n'


HEADER = header()
