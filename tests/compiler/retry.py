# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loops around a compare-and-exchange leave a kernel wide (compiler/vector/retry.cc)."""
import pathlib
import re
import unittest

import common
import tap

DIFFERENTIAL = pathlib.Path(__file__).resolve().parents[1] / 'differential'
ATTRIBUTE = '__attribute__((intel_reqd_sub_group_size(%d)))'
# One loop around the exchange, and whether items may run it in step.
BODY = 'kernel void k(global int *o, global int *x, int n) { size_t i = get_global_id(0);\n' \
       'volatile global int *p = o + x[i]; int old, now; float s = sin(x[i] * .5f) + pow(s, 3);\n' \
       '%s o[i + n] = s * cos(s) + exp(s); }\n'


def widths(log):
    """kernel -> work-items at once"""
    found = {}
    for name, text in re.findall(r"kernel '(\w+)': runs (\d+|one) work-item", log):
        found[name] = 1 if text == 'one' else int(text)
    return found


class Retry(unittest.TestCase):
    def test_required_size_is_honoured(self):
        text = (DIFFERENTIAL / 'retry.cl').read_text()
        names = re.findall(r'kernel void (\w+)', text)
        for isa in ('x86-64-v2', 'x86-64-v3', 'x86-64-v4'):
            for size in (8, 16, 32):
                result = common.compile_text(f'#define SIZE {ATTRIBUTE % size}\n{text}', '--isa', isa,
                                             '-cl-std=CL2.0')
                self.assertEqual(result.status, 0, result.log)
                self.assertEqual(widths(result.log), dict.fromkeys(names, size), isa)

    def test_locks_stay_narrow(self):
        for file in ('disguised.cl', 'locks.cl'):
            text = (DIFFERENTIAL / file).read_text()
            result = common.compile_text(text, '-cl-std=CL2.0', '--switches', 'width=16')
            self.assertEqual(result.status, 0, result.log)
            names = set(re.findall(r'kernel void (\w+)', text)) - {'exchange_until_it_holds'}
            found = widths(result.log)
            self.assertEqual({name: found[name] for name in names}, dict.fromkeys(names, 1))
            self.assertEqual(len(names), result.log.count('so items may wait for each other'))

    def test_loops(self):
        for loop, wide in (
                ('do old = *p; while (atomic_cmpxchg(p, old, old + 1) != old);', True),
                ('do old = *p & 1; while (atomic_cmpxchg(p, old, old + 1) != old);', False),
                ('do old = *p + 0 * n; while (atomic_cmpxchg(p, old, n) != old);', True),
                ('do old = p[1]; while (atomic_cmpxchg(p, old, n) != old);', False),
                ('do old = *p; while (atomic_cmpxchg(p + 1, old, n) != old);', False),
                ('old = *p; while (atomic_cmpxchg(p, old, n) != old);', False),
                ('old = *p; while ((now = atomic_cmpxchg(p, old, n)) != old) old = now;', True),
                ('old = *p; while ((now = atomic_cmpxchg(p, old, n)) != old) if (now & 1) old = now;',
                 False),
                ('now = *p; do { old = now; now = atomic_cmpxchg(p, old, n); p += n; }'
                 ' while (now != old);', False),
                ('do { old = *p; p += n; } while (atomic_cmpxchg(p - n, old, n) != old);', True),
                ('do old = *p; while (atomic_cmpxchg(p, old, n) != old || old > 3);', False),
                ('do old = *p; while (atomic_cmpxchg(p, old, n) != old && old > 3);', True),
                ('do old = *p; while (atomic_cmpxchg(p, old, n) == old);', False),
                ('do { old = *p; x[i] = old; } while (atomic_cmpxchg(p, old, n) != old);', False),
                ('do { old = *p; atomic_inc(x); } while (atomic_cmpxchg(p, old, n) != old);', False),
                ('do { old = *p; if (old > n) continue; if (atomic_cmpxchg(p, old, n) == old) break;'
                 ' } while (1);', False),
                ('do { old = *p; if (old > n) break; if (atomic_cmpxchg(p, old, n) == old) break;'
                 ' } while (1);', True),
                ('do { do old = *p; while (old > n); } while (atomic_cmpxchg(p, old, n) != old);',
                 False),
                ('do { old = *p; now = 0; while (now * now < old) now++; }'
                 ' while (atomic_cmpxchg(p, old, now) != old);', True),
                ('do { do old = *p; while (atomic_cmpxchg(p, old, n) != old); } while (old > n);',
                 False),
                ('for (int j = 0; j < x[i + 1]; j++) do old = *p;'
                 ' while (atomic_cmpxchg(p, old, n) != old);', True)):
            result = common.compile_text(BODY % loop, '--isa', 'x86-64-v3', '--switches', 'width=8')
            self.assertEqual(result.status, 0, result.log)
            self.assertEqual(widths(result.log)['k'], 8 if wide else 1, loop)

    def test_width_by_itself(self):
        """Much beside the loop: wide; nothing but updates: one at a time."""
        loop = 'do old = *p; while (atomic_cmpxchg(p, old, old + 1) != old);'
        result = common.compile_text(BODY % loop, '--isa', 'x86-64-v3')
        self.assertEqual(widths(result.log)['k'], 8)
        result = common.compile_text(
            'kernel void k(global int *o, global int *x) { volatile global int *p = o +'
            ' x[get_global_id(0)]; int old; ' + loop + '}', '--isa', 'x86-64-v3')
        self.assertIn('one work-item at a time: it does little but atomics', result.log)


if __name__ == '__main__':
    tap.main()
