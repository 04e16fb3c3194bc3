# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that the kernel library names (compiler/norm/instructions.cc): they come out for whole registers, on the
levels that have them, wherever a kernel uses the function."""
import re
import unittest

import common
import tap

KERNEL = '''kernel void k(global const TYPE *a, global TYPE *out) {
    size_t i = get_global_id(0);
    TYPE x = a[i];
    %s
    out[i] = x;
}'''


def asm(body, kind, isa, *arguments):
    pragma = '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' if kind.startswith('half') else ''
    result = common.compile_text((pragma + KERNEL % body).replace('TYPE', kind), '--isa', isa, '--emit', 'asm', *arguments)
    assert result.status == 0, result.log
    return result.text


class Instructions(unittest.TestCase):
    def test_whole_registers(self):
        for body, kind, isa, expected in (
                ('x = rsqrt(x);', 'float', 'x86-64-v4', r'vrsqrt14ps\s.*%zmm'),
                ('x = rsqrt(x);', 'double', 'x86-64-v4', r'vrsqrt14pd\s.*%zmm'),
                ('x = rsqrt(x);', 'float', 'x86-64-v3', r'vrsqrtps\s.*%ymm'),
                ('x = exp(x);', 'float', 'x86-64-v4', r'vscalefps\s.*%zmm'),
                ('x = exp(x);', 'double', 'x86-64-v4', r'vscalefpd\s.*%zmm'),
                ('x = log1p(x);', 'double', 'x86-64-v4', r'vrcp14pd\s.*%zmm'),
                ('x = log1p(x);', 'double', 'x86-64-v4', r'vgetexppd\s.*%zmm')):
            with self.subTest(f'{body} of {kind} on {isa}'):
                text = asm(body, kind, isa)
                self.assertRegex(text, expected)
                self.assertNotRegex(text, r'__weft_(rsqrt|scale|reciprocal|exponent)')

    def test_in_a_branch_and_a_loop(self):
        for body in ('if (x > 2.0f) x = rsqrt(x);', 'for (int n = 0; n < (int)a[0]; n++) x = rsqrt(x + n);',
                     'for (float y = x; y > 1.0f; y *= 0.5f) x += rsqrt(y);'):
            with self.subTest(body):
                self.assertRegex(asm(body, 'float', 'x86-64-v4'), r'vrsqrt14ps\s.*%zmm')

    def test_vectors(self):
        for kind in ('float2', 'float3', 'float4', 'float16', 'double3', 'double16'):
            with self.subTest(kind):
                text = asm('x = rsqrt(x) + exp(x);', kind, 'x86-64-v4')
                self.assertRegex(text, r'vrsqrt14p[sd]\s')
                self.assertRegex(text, r'vscalefp[sd]\s')

    def test_look_up_of_sixteen_is_one_permutation(self):
        """The kernel library's pairs: their halves were looked up among 32 numbers, by two permutations and a choice."""
        for function, tables, once in (('exp2', 1, 'vscalefpd'), ('atan', 2, 'vdivpd')):
            with self.subTest(function):
                text = asm(f'x = {function}(x);', 'double', 'x86-64-v4')
                self.assertIn(once, text)
                self.assertEqual(len(re.findall(r'vperm[it]2', text)), tables * text.count(once), text)
                self.assertNotRegex(text, r'vptestmq|vpandq')

    def test_once_for_all_lanes(self):
        text = asm('x += rsqrt(a[0]);', 'float', 'x86-64-v4')
        self.assertRegex(text, r'vrsqrt14[ps]s\s.*%xmm')
        self.assertNotRegex(text, r'vrsqrt14ps\s.*%[yz]mm')

    def test_mad_of_halves(self):
        """What computes in halves does not go by way of floats, and has as many lanes as fill a register."""
        for kind, expected in (('half', r'vfmadd\d+ph\s.*%zmm'), ('half3', r'vfmadd\d+ph\s'), ('half16', r'vfmadd\d+ph\s')):
            with self.subTest(kind):
                text = asm('x = mad(x, x, x);', kind, 'x86-64-v4+avx512fp16')
                self.assertRegex(text, expected)
                self.assertNotRegex(text, r'vcvtph2ps')

    def test_gathers_of_some_lanes(self):
        """No branch for each lane: AVX2's gathers have masks."""
        text = asm('if (x > 0) x = a[(int)x * 7 & 1023];', 'float', 'x86-64-v3')
        self.assertRegex(text, r'vgatherdps\s.*%ymm')
        self.assertLess(len(re.findall(r'\tj[a-z]+\t', text)), 40)

    def test_levels_without(self):
        """Nothing is left of them, in code that nothing comes to either."""
        for isa in ('x86-64-v1', 'x86-64-v2', 'x86-64-v3'):
            for more in ((), ('--switches', 'reference'), ('-cl-opt-disable',)):
                for kind in ('float', 'double'):
                    with self.subTest(f'{isa} {more} {kind}'):
                        text = asm('x = rsqrt(x) + exp(x) + log1p(x) + ldexp(x, 3);', kind, isa, *more)
                        self.assertNotRegex(text, r'__weft_(rsqrt|scale|reciprocal|exponent)|vrsqrt14|vscalef')

    def test_local_updates_take_addresses_from_memory(self):
        """Out of a register, a histogram took 0.5 or 4.5 ns for each increment on Zen 4, by their distance in the code."""
        body = ('local uint bins[256]; uint l = get_local_id(0); bins[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);\n'
                '    for (int k = 0; k < 16; k++) %s(&bins[a[i * 16 + k] & 255]);\n'
                '    barrier(CLK_LOCAL_MEM_FENCE); x = bins[l];')
        for isa in 'x86-64-v3', 'x86-64-v4':
            for update, expected in (('atomic_inc', r'incl\s+\('), ('atomic_dec', r'decl\s+\(')):
                with self.subTest(f'{update} on {isa}'):
                    text = asm(body % update, 'uint', isa)
                    self.assertGreaterEqual(len(re.findall(expected, text)), 8)
                    self.assertNotRegex(text, r'vpextrq\s')

    def test_stores_go_upwards(self):
        """Of several registers the first is stored first: as a stream, downwards takes twice as long (backend/stores.cc)."""
        for kind, body, isa, register in (('float4', 'x *= 2;', 'x86-64-v4', 'zmm'), ('double', 'x *= 2;', 'x86-64-v3', 'ymm'),
                                          ('float8', 'x.s1 = x.s0;', 'x86-64-v3', 'ymm'), ('int4', 'x += 3;', 'x86-64-v2', 'xmm')):
            with self.subTest(f'{kind} on {isa}'):
                text = asm(body, kind, isa, '--switches', 'width=8')
                runs, last = [], None
                for line in text.splitlines():
                    found = re.match(r'\tv?mov[ua]p[sd]\t%' + register + r'\d+, (-?\d*)\((%[^)]*)\)$', line) or \
                        re.match(r'\tv?movdq[ua]\w*\t%' + register + r'\d+, (-?\d*)\((%[^)]*)\)$', line)
                    if found and '%rsp' not in line:
                        place = int(found[1] or 0)
                        if last and last[0] == found[2]:
                            runs.append(place > last[1])
                        last = found[2], place
                self.assertTrue(runs and all(runs), text)


if __name__ == '__main__':
    tap.main()
