# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one use of each maths function adds to a build: the lower quartile of builds of a kernel with one call, less that
of the same kernel with a sum in its place, built by turns, each time as a source that no cache has seen. Takes the first
device of the first platform that the loader finds (OCL_ICD_VENDORS=build/weft.icd)."""
import argparse
import ctypes
import os
import re
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'kernel-lib', 'build'))
import units  # noqa: E402

SOURCE = '''#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k%d(global const %s *x, global const %s *z, global %s *y) {
    size_t i = get_global_id(0);
    %s a = x[i], b = z[i], t = 0;
    int n = 0;
    y[i] = %s;
}
'''
CALLS = {'gentype': '%s(a)', 'gentype, gentype': '%s(a, b)', 'gentype, gentype|sgentype': '%s(a, b)',
         'gentype, intn': '%s(a, (int)b)', 'gentype, intn|int': '%s(a, (int)b)',
         'gentype, gentype, gentype': '%s(a, b, a)', 'gentype, gentype *': '%s(a, &t) + t',
         'gentype, intn *': '%s(a, &n) + n', 'gentype, gentype, intn *': '%s(a, b, &n) + n'}


class Device:
    """The first device of the first platform, through whatever loader there is."""

    def __init__(self):
        self.cl = ctypes.CDLL('libOpenCL.so.1')
        self.cl.clCreateContext.restype = self.cl.clCreateProgramWithSource.restype = ctypes.c_void_p
        platform, self.device, error = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
        self.cl.clGetPlatformIDs(1, ctypes.byref(platform), None)
        self.cl.clGetDeviceIDs(platform, ctypes.c_uint64(0xffffffff), 1, ctypes.byref(self.device), None)
        self.context = ctypes.c_void_p(self.cl.clCreateContext(None, 1, ctypes.byref(self.device), None, None,
                                                               ctypes.byref(error)))
        assert error.value == 0, 'no device'

    def build(self, text):
        """Milliseconds that the source takes to build, or None."""
        source, error = ctypes.c_char_p(text.encode()), ctypes.c_int()
        begin = time.perf_counter()
        program = ctypes.c_void_p(self.cl.clCreateProgramWithSource(self.context, 1, ctypes.byref(source), None,
                                                                    ctypes.byref(error)))
        status = self.cl.clBuildProgram(program, 1, ctypes.byref(self.device), b'-cl-std=CL2.0', None, None)
        spent = (time.perf_counter() - begin) * 1e3
        self.cl.clReleaseProgram(program)
        return None if status else spent


def functions():
    """(name, type, call) of each maths function."""
    for row in units.rows():
        call = CALLS.get(re.search(r'\((.*)\)', row['signature'])[1])
        if row['family'] == 'math' and call:
            for element in units.TYPES[row['types']]:
                yield row['name'], element, call % row['name']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--most', type=float, default=1.0, help='milliseconds that are too many')
    parser.add_argument('names', nargs='*', help='default: all')
    arguments = parser.parse_args()
    device, nonce, added = Device(), int(time.time()) % 100000 * 1000, {}
    for name, element, call in functions():
        if arguments.names and name not in arguments.names:
            continue
        times = {call: [], 'a + b': []}
        for _ in range(arguments.runs):
            for expression, samples in times.items():
                nonce += 1
                samples.append(device.build(SOURCE % (nonce, element, element, element, element, expression)))
        if None in times[call]:
            print(f'{name} of {element}: does not build')
            continue
        quick = {expression: statistics.quantiles(samples)[0] for expression, samples in times.items()}
        added[name, element] = (quick[call] - quick['a + b'], quick['a + b'])
    for (name, element), (more, base) in sorted(added.items(), key=lambda item: -item[1][0]):
        if more > arguments.most or len(added) < 20:
            print(f'{name} of {element}: {more:.2f} ms more than {base:.1f}')
    values = [more for more, _ in added.values()]
    print(f'{len(values)} functions add {statistics.median(values):.2f} ms (median), at most {max(values):.2f}; '
          f'{sum(value > arguments.most for value in values)} add more than {arguments.most:g}')


if __name__ == '__main__':
    main()
