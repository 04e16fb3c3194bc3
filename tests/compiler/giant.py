# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of 20 000 lines: built in about as long per line as small ones, and the log says how.

The time is in units of what 2000 lines of arithmetic, which are no giant, take on the machine at hand: half a
second on a Zen 3. Limits leave room for a processor that changes its speed between two builds."""
import os
import random
import re
import resource
import unittest

import common
import tap

LINES = 20000
UNIT_LINES = 2000


def straight(r, k):
    """One block of arithmetic."""
    if k % 3 == 0:
        return f'f{r(8)} = f{r(8)} * 1.{r(100)}f + f{r(8)};'
    return f'v{r(16)} = v{r(16)} * {r(99)} + (v{r(16)} ^ {r(999)});'


def memory(r, k):
    """One block in which each store may change what each load sees."""
    if k % 4 == 0:
        return f'out[g * 16 + {r(16)}] = v{r(16)} + in[(v{r(16)} + {k}) & 1023];'
    return f'v{r(16)} = v{r(16)} * 3 + (v{r(16)} ^ {r(999)});'


def branches(r, k):
    """Ten thousand blocks."""
    if k % 4 == 0:
        return f'if (v{r(16)} > {r(99)}) v{r(16)} += v{r(16)}; else v{r(16)} ^= {r(99)};'
    return f'v{r(16)} = v{r(16)} * 3 + (v{r(16)} ^ {r(999)});'


def calls(r, k):
    """Each becomes part of the kernel; all of it was counted before each."""
    return f'v{r(16)} = mixed(v{r(16)}, v{r(16)});'


def kernel(statement, count=LINES):
    r = random.Random(1).randrange
    lines = ['int mixed(int x, int y) { return (x << 3) ^ (y + 7); }',
             'kernel void giant(global int *out, global const int *in) {',
             'int g = get_global_id(0);',
             *(f'int v{i} = in[g + {i}];' for i in range(16)),
             *(f'float f{i} = (float)in[g + {i}];' for i in range(8)),
             *(statement(r, k) for k in range(count)),
             'out[g] = ' + ' ^ '.join(f'v{i}' for i in range(16)) + ' + (int)(' +
             ' + '.join(f'f{i}' for i in range(8)) + ');', '}']
    return '\n'.join(lines)


def timed(text):
    """The build of a source, and its seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    result = common.compile_text(text, '-o', os.devnull)
    return result, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


class Giants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.unit = max(timed(kernel(straight, UNIT_LINES))[1] for _ in range(2))

    def check(self, statement, units):
        result, seconds = timed(kernel(statement))
        self.assertEqual(result.status, 0, result.log[:2000])
        self.assertIn("remark: kernel 'giant': has ", result.log)
        self.assertIn('built with less effort', result.log)
        self.assertLess(seconds, units * self.unit)

    def test_straight(self):
        self.check(straight, units=12)

    def test_calls(self):
        self.check(calls, units=10)

    def test_memory(self):
        self.check(memory, units=28)

    def test_branches(self):
        self.check(branches, units=22)

    def test_thousand_else_ifs(self):
        """No giant yet; LLVM's vectoriser took the square of the accesses behind conditions."""
        text = 'kernel void k(global int *p) { int i = get_global_id(0), x = p[i];\n' + ' else\n'.join(
            f'if (x * {k + 3} > p[{k}]) p[i + {k}] = x + {k * k};' for k in range(1000)) + '}'
        result, seconds = timed(text)
        self.assertEqual(result.status, 0, result.log[:2000])
        self.assertLess(seconds, 6 * self.unit)

    def test_ladder(self):
        """A kernel that takes longer than its part of the time is built with less effort."""
        seconds = max(4, round(12 * self.unit))  # half of it is enough with less effort, a quarter without is not
        result = common.compile_text(kernel(memory, LINES // 2), '-o', os.devnull, seconds=seconds)
        self.assertEqual(result.status, 0, result.log[:2000])
        self.assertIn(f"remark: kernel 'giant': was built with less effort: it took more than {seconds // 4} "
                      'seconds of processor time before', result.log)

    def test_heavy_and_light_kernels(self):
        """Heavy ones have processes of their own; all is in the image, in the source's order."""
        text = ('kernel void a(global int *p) { p[get_global_id(0)] = 1; }\n' + kernel(straight) +
                '\nkernel void z(global int *p) { p[get_global_id(0)] = 2; }')
        for processes in '1', '3':
            result = common.compile_text(text, '--processes', processes)
            self.assertEqual(result.status, 0, result.log[:2000])
            places = [result.output.find(b'\0' + name + b'\0') for name in (b'a', b'giant', b'z')]
            self.assertTrue(0 < places[0] < places[1] < places[2], places)

    def test_addresses_of_loops(self):
        # LLVM's strength reduction compared each address with all others: code generation took four times as long as all
        # stages before it, for no faster code.
        loops = ' '.join('for (int i = 0; i < n; i++) { float t = 0; ' +
                         ' '.join(f't += in[i * s{k % 4} + {60 * loop + k} * n];' for k in range(60)) +
                         f' out[i * s1 + {loop} + x] += t; }}' for loop in range(10))
        text = 'kernel void k(global const float *in, global float *out, int n, int s0, int s1, int s2, int s3) {' \
               f'int x = get_global_id(0) * n; {loops} }}'
        result = common.compile_text(text, '--isa', 'x86-64-v4', '--processes', '1', '--time', '-o', os.devnull)
        self.assertEqual(result.status, 0, result.log[:2000])
        passes, code = (int(re.search(part + r' (\d+) us', result.log)[1]) for part in ('passes', 'code generation'))
        self.assertLess(code, 2 * passes, result.log)

    def test_usual_kernels_are_none(self):
        result = common.compile_text('kernel void k(global int *p) { p[get_global_id(0)] = 3; }',
                                     '-o', os.devnull)
        self.assertEqual(result.status, 0)
        self.assertNotIn('less effort', result.log)


class Doubled(unittest.TestCase):
    """Each function calls the one before twice. Where they ask for an id only, they stay functions; those
    with a barrier are part of the kernel: what that makes is bounded, for one kernel and for all together."""
    BARRIER = 'barrier(CLK_LOCAL_MEM_FENCE); '

    def build(self, levels, kernels, before='', other='x * {0} + {0}'):
        text = f'int f0(int x) {{ {before}return (x ^ (int)get_global_id(0)) * 3; }}\n'
        text += ''.join(f'int f{i}(int x) {{ return f{i - 1}(x) + f{i - 1}({other.format(i)}); }}\n'
                        for i in range(1, levels))
        text += ''.join(f'kernel void k{i}(global int *o) {{ o[{i}] = f{levels - 1}(*o); }}\n'
                        for i in range(kernels))
        return common.compile_text(text, '-o', os.devnull)

    def log(self, levels, kernels):
        result = self.build(levels, kernels, self.BARRIER)
        self.assertEqual(result.status, 1)
        return result.log

    def test_ids(self):
        result = self.build(60, 30)
        self.assertEqual(result.status, 0, result.log[:2000])
        self.assertEqual(result.log.count('functions that ask for ids stay functions'), 30)

    def test_small_ids(self):
        result = self.build(8, 1)
        self.assertEqual(result.status, 0, result.log[:2000])
        self.assertNotIn('stay functions', result.log)

    def test_what_simplifies(self):
        """All arguments of f0 are of x ^ 0 ... x ^ 31."""
        result = self.build(30, 1, '', 'x ^ {0}')
        self.assertEqual(result.status, 0, result.log[:2000])

    def test_one(self):
        self.assertRegex(self.log(30, 1), "'f[0-9]+' is too large: more than 2000000 instructions")

    def test_all(self):
        self.assertIn('the program is too large: more than 4000000', self.log(17, 30))


if __name__ == '__main__':
    tap.main()
