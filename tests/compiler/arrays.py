# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which private arrays become values of their elements (compiler/vector/unroll_arrays.cc)."""
import re
import unittest

import common
import tap

FUNCTIONS = '''
typedef struct { float x[4]; float p[16]; } state;
void product(const float *a, const float *b, float *c) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) sum += a[i * 4 + k] * b[k * 4 + j];
            c[i * 4 + j] = sum;
        }
}
kernel void k(global state *all, int n) {
    int id = get_global_id(0);
    state s = all[id];
    for (int t = 0; t < n; t++) {
        float a[16], b[16];
        product(s.p, s.p, a);
        product(a, s.p, b);
        for (int i = 0; i < 16; i++) s.p[i] -= b[i];
        for (int i = 0; i < 4; i++) s.x[i] += s.p[5 * i];
    }
    all[id] = s;
}'''
CARRIED = '''
kernel void k(global const short *in, global short *out, int n) {
    int id = get_global_id(0);
    short row[%d];
    for (int j = 0; j < %d; j++) row[j] = j;
    for (int t = 0; t < n; t++)
        for (int j = 1; j < %d; j++) row[j] = max(row[j], (short)(row[j - 1] + in[id + t]));
    out[id] = row[%d];
}'''

VECTORS = '''
kernel void k(global const T16 *in, local T16 *block, global uint *out, int n) {
    int l = get_local_id(0);
    uint parts[4] = {0, 0, 0, 0};
    for (int y = 0; y < 16; y++) {
        T16 d = abs_diff(block[y], in[l * n + y]);
        parts[y >> 2] += d.s0 + d.s1 * y;
    }
    barrier(1);
    for (int k = 0; k < 4; k++) out[l * 4 + k] = parts[k];
}'''


def arrays_left(text, *words):
    result = common.compile_text(text, '--dump-after', 'inline-library', *words)
    assert result.status == 0, result.log
    return re.findall(r' alloca (.*)', re.search(r'define [^\n]*@k\(.*?\n}', result.text, re.DOTALL).group())


class Arrays(unittest.TestCase):
    def test_arrays_of_functions(self):
        for isa in 'x86-64-v3', 'x86-64-v4':
            self.assertEqual(arrays_left(FUNCTIONS, '--isa', isa), [])

    def test_generic_pointers(self):
        """OpenCL C 2.0: the functions' pointers are generic, the arrays private all the same."""
        self.assertEqual(arrays_left(FUNCTIONS, '--isa', 'x86-64-v4', '-cl-std=CL2.0'), [])
        self.assertEqual(arrays_left(FUNCTIONS, '--isa', 'x86-64-v4', '-cl-std=CL3.0'), [])

    def test_what_loops_carry(self):
        """For each register twice as many elements at most, or loops would wait for what is spilled."""
        for isa, elements, left in (('x86-64-v3', 32, 0), ('x86-64-v3', 33, 1), ('x86-64-v4', 33, 0),
                                    ('x86-64-v4', 65, 1)):
            text = CARRIED % (elements, elements, elements, elements - 1)
            self.assertEqual(len(arrays_left(text, '--isa', isa)), left, (isa, elements))

    def test_what_would_be_too_large(self):
        """Unrolled sixteen times, accesses of long OpenCL vectors would keep a kernel to one item at a time."""
        for element, left, text in (('uchar16', 1, 'runs 16 work-items'), ('uchar2', 0, 'runs 16 work-items')):
            kernel = VECTORS.replace('T16', element)
            self.assertEqual(len(arrays_left(kernel, '--isa', 'x86-64-v4')), left, element)
            self.assertIn(text, common.compile_text(kernel, '--isa', 'x86-64-v4').log)


if __name__ == '__main__':
    tap.main()
