# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loops load rows as vectors (compiler/vector/unroll_rows.cc), and which code is there twice for
buffers that are apart (compiler/vector/apart.cc, apart_straight.cc)."""
import struct
import unittest

import common
import tap

ALONG = 'its work-items go along rows of their own'
TWICE = 'has code that gains from buffers that do not overlap'
KERNEL = 'kernel void k(global %s *a, global %s *b, global %s *c, int n) { int i = get_global_id(0); %s }'


def log_of(body, element='float', isa='x86-64-v4', restrict=False):
    pointer = element + ' *restrict' if restrict else element + ' *'
    text = KERNEL % (element, element, element, body)
    if restrict:
        text = text.replace(element + ' *', pointer + ' ')
    result = common.compile_text(text, '--isa', isa)
    assert result.status == 0, result.log
    return result.log


class Rows(unittest.TestCase):
    def test_rows(self):
        for isa in ('x86-64-v2', 'x86-64-v3', 'x86-64-v4'):
            for body, along in (
                    ('float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k]; c[i] = s;', True),
                    ('float s = 0; for (int k = 0; k < n; k++) s = max(s, a[k * n + i]); c[i] = s;', False),
                    ('float s = 0; for (int k = 0; k < n; k++) s = fma(s, s, a[i + k]); c[i] = s;', False),
                    ('float s = 0; for (int k = 0; k < a[i]; k++) s += a[i * n + k] * b[k]; c[i] = s;', False),
                    ('for (int k = 0; k < n; k++) c[k * n + i] = a[i * n + k];', False)):
                self.assertEqual(ALONG in log_of(body, isa=isa), along, (isa, body))

    def test_rows_of_rows(self):
        """Four lanes, whose lines the nearest cache holds together, if that is all that loops do."""
        body = 'float s = 0; for (int k = 0; k < n; k++) { s = a[i * n + k] + s * 0.5f; c[i * n + k] = s; }'
        for isa in 'x86-64-v2', 'x86-64-v3', 'x86-64-v4':
            self.assertIn('runs 4 work-items at once; not more: ' + ALONG, log_of(body, isa=isa))
        much = body.replace('s * 0.5f', 'exp(s) * sin(s) * cbrt(s)')
        self.assertNotIn('runs 4 work-items', log_of(much))
        more = body + ' for (int k = 0; k < n; k++) s = fma(s, s, b[k]); c[i] = s;'
        self.assertIn('runs 16 work-items at once; not more: ' + ALONG, log_of(more))
        body = 'float s = 0; for (int k = 0; k < n; k++) { s = a[k * n + i] + s * 0.5f; c[k * n + i] = s; }'
        self.assertNotIn(ALONG, log_of(body))

    def test_sums_of_integers_are_one_items(self):
        body = 'int s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k]; c[i] = s;'
        self.assertNotIn(ALONG, log_of(body, 'char'))

    def test_rows_are_no_gathers(self):
        body = 'float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k]; c[i] = s;'
        self.assertIn(', 1 gathers', log_of(body))  # of what is left of each row
        body = 'if (i < n) { float4 v = vload4(0, a + i * n); c[i] = v.x * v.y + v.z * v.w; }'
        self.assertNotIn('gathers', log_of(body))


class Apart(unittest.TestCase):
    def test_loops(self):
        for body, twice in (
                ('for (int k = 0; k < n; k++) c[i] += a[i * n + k] * b[k];', True),
                ('c[i] = 0; for (int j = 0; j < n; j++) for (int k = 0; k < j; k++) c[i] += a[k] * b[j];', True),
                ('for (int k = 0; k < n; k++) c[i * n + k] = a[i * n + k] * b[i];', True),
                ('for (int k = 0; k < n; k++) c[i] += c[i * n + k];', False),
                ('for (int k = 0; k < n; k++) c[i * n + k] = a[i * n + k] * b[k];', False),
                ('for (int k = 0; k < n; k++) { c[i] += a[k]; barrier(CLK_GLOBAL_MEM_FENCE); }', False),
                ('float s = 0; for (int k = 0; k < n; k++) s += a[k]; c[i] = s;', False),
                ('global float *p = (global float *)(ulong)n; for (int k = 0; k < n; k++) c[i] += p[k];', False)):
            self.assertEqual(TWICE in log_of(body), twice, body)

    def test_restrict_is_enough(self):
        body = 'for (int k = 0; k < n; k++) c[i] += a[i * n + k] * b[k];'
        self.assertNotIn(TWICE, log_of(body, restrict=True))

    def test_straight_code(self):
        in_turn = ' '.join('c[i * 4 + %d] = a[i * 4 + %d] * b[%d];' % (k, k, k) for k in range(4))
        for body, twice in (
                (in_turn, True),
                ('for (int j = 0; j < n; j++, i += n) { ' + in_turn + ' }', True),
                (' '.join('c[3 * i + %d] += a[3 * i + %d];' % (k, k) for k in range(3)), True),
                (in_turn.replace('a[', 'c['), True),
                (' '.join('c[i * 4 + %d] *= n;' % k for k in range(4)), False),
                (in_turn.replace(' c', ' barrier(CLK_GLOBAL_MEM_FENCE); c'), False),
                ('c[i] = a[i]; c[i + 1] = a[i + 1]; c[i + 2] = a[i + 2];', False),
                ('c[8 * i] = a[8 * i]; c[8 * i + 4] = a[8 * i + 4];', False)):
            self.assertEqual(TWICE in log_of(body), twice, body)

    def test_buffers_that_are_only_read_may_overlap(self):
        text = KERNEL % ('float', 'float', 'float', 'for (int k = 0; k < n; k++) c[i] += a[i * n + k] * b[k];')
        row = common.Image(common.compile_text(text).output).kernels()['k'][2]
        self.assertEqual(struct.unpack('<QQ', row[-24:-8]), (0b111, 0b100))

    def test_accesses_pass_what_they_do_not_touch(self):
        """Straight code needs no copy, and no gathers, where the compiler knows as much."""
        for body in (' '.join('c[i * 4 + %d] = a[i * 4 + %d] * 3;' % (k, k) for k in range(4)),
                     ' '.join('c[i * 4 + %d] *= a[i * 4 + %d];' % (k, k) for k in range(4))):
            log = log_of(body, restrict=True)
            self.assertNotIn(TWICE, log)
            self.assertNotIn('gathers', log)
            self.assertNotIn('scatters', log)
        log = log_of(' '.join('c[i * 4 + %d] = c[i * 4 + %d] * %d;' % (k, k, k + 2) for k in range(4)))
        self.assertNotIn('gathers', log)


if __name__ == '__main__':
    tap.main()
