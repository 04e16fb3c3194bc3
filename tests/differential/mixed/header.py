# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all kernels of a program share."""
from .types import FLOATS, SUFFIX, Value


def tame(t):
    """Numbers that are too small, too large or none become 1: nothing vanishes, overflows or is a NaN."""
    end = SUFFIX.get(t.base, '')
    least, most = ('1e-2h', '1e4h') if t.base == 'half' else (f'1e-4{end}', f'1e6{end}')
    if not t.vector:
        return (f'static {t.name} OVERLOAD tame({t.name} x) {{ return fabs(x) >= {least} && fabs(x) <= {most} '
                f'? x : 1.0{end}; }}')
    one = f'({t.name})(1.0{end})'
    return (f'static {t.name} OVERLOAD tame({t.name} x) {{ return select({one}, x, (fabs(x) >= {least}) & '
            f'(fabs(x) <= {most})); }}')


def exact(t):
    return f'static {t.name} OVERLOAD mad_exact({t.name} a, {t.name} b) {{ return fma(a, b, a); }}'


def header():
    lines = ['// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception',
             '#pragma OPENCL EXTENSION cl_khr_fp64 : enable',
             '#pragma OPENCL EXTENSION cl_khr_fp16 : enable',
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
