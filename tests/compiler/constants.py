# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants of straight kernels stay in registers where instructions cannot take them from memory as vectors: a
polynomial ran at 0.67 on AVX2 when the loop over items loaded each of them anew. Where there are more than registers
hold, they are loaded where they are used and not twice: in front of a loop for nothing, and in it. On AVX2, which
multiplies and adds what one load brings, but not what is copied to all lanes, those that have no register are such loads."""
import re
import unittest

import common
import tap

SOURCE = '''kernel void polynomial(global const float *x, global float *y) {
    size_t i = get_global_id(0);
    float v = x[i], sum = 1.0f;
    #pragma unroll
    for (int k = TERMS; k > 0; k--) sum = sum * v + 1.0f / (float)k;
    y[i] = sum;
}'''

MANY = '''kernel void machine(global const float *in, global float *out) {
    size_t i = get_global_id(0);
    int value = (int)(in[i] * 1024.0f);
    uint code = 0x5d9418f3u ^ (uint)i;
    for (int k = 0; k < 20; k++) {
        switch (code & 7u) {
        case 0: value = value + 3; break;
        case 1: value = value * 2; break;
        case 2: value = value - 7; break;
        case 3: value = value / 2; break;
        case 4: value = value ^ 0x55; break;
        case 5: value = -value; break;
        case 6: value = value & 0xfff; break;
        default: value = value > 100 ? value - 100 : value + 50;
        }
        code = code * 1664525u + 0x6ea009b7u;
        code ^= code >> 11;
        value = clamp(value, -100000, 100000);
    }
    out[i] = (float)value;
}'''


class Constants(unittest.TestCase):
    def test_loop_over_items_does_not_load_them(self):
        result = common.compile_text(SOURCE, '-DTERMS=15', '--isa', 'x86-64-v3', '--emit', 'asm')
        self.assertEqual(result.status, 0, result.log)
        blocks = re.split(r'^\.LBB\S+:', result.text, flags=re.M)
        loaded = [block.count('vbroadcastss') / block.count('vfmadd') for block in blocks if block.count('vfmadd') >= 14]
        self.assertTrue(loaded, result.text)
        self.assertLess(max(loaded), 0.6, result.text)  # 16 registers do not hold all 15 beside the rest

    def test_arithmetic_of_avx2_takes_them_from_memory(self):
        result = common.compile_text(SOURCE, '-DTERMS=40', '--isa', 'x86-64-v3', '--emit', 'asm')
        self.assertEqual(result.status, 0, result.log)
        from_memory = len(re.findall(r'vfmadd\S+\t\.LCPI', result.text))
        self.assertGreater(from_memory / result.text.count('vfmadd'), 0.3, result.text)

    def test_more_than_registers_hold_are_loaded_once(self):
        result = common.compile_text(MANY, '--isa', 'x86-64-v4', '--emit', 'asm')
        self.assertEqual(result.status, 0, result.log)
        loaded = re.findall(r'vpbroadcastd\t(\.LCPI\w+)', result.text)
        self.assertGreater(len(set(loaded)), 16, result.text)
        self.assertLess(len(loaded) / len(set(loaded)), 1.5, result.text)


if __name__ == '__main__':
    tap.main()
