# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which kernels are there once for each way of what arguments choose (compiler/vector/choices.cc), and
what is asked once where lanes probably lie side by side (compiler/vector/expect.cc)."""
import re
import unittest

import common
import tap

TWICE = 'is there once for each way of what its arguments choose'
KERNEL = '''kernel void k(global float *a, global float *b, int n, int m, int axis) {
    int i = get_global_id(0), j = get_global_id(1); %s }'''


def compiled(body, *words):
    result = common.compile_text(KERNEL % body, '--isa', 'x86-64-v4', *words)
    assert result.status == 0, result.log
    return result


class Choices(unittest.TestCase):
    def test_choices(self):
        for body, twice in (
                ('for (int k = 0; k < n; k++) b[i] += a[(axis ? k : i) * m + (axis ? i : k)];', True),
                ('b[i] = a[axis ? i * n + j : j * n + i];', True),
                ('int at; if (axis & 4) { at = i; b[j] = 3; } else at = i * m; b[at] += a[at];', True),
                ('for (int k = 0; k < n; k++) b[i] += a[axis ? k : j];', False),        # the same for all lanes
                ('for (int k = 0; k < n; k++) b[i] += a[i + (axis ? k : j)];', False),  # side by side
                ('b[i] = a[i & 1 ? i * n : i];', False),                                # lanes choose
                ('b[i] = a[b[0] > 1 ? i * n + j : i];', False),                         # memory does
                ('b[i] = a[axis ? i * n : i * m];', False),                             # neither way is better
                ('b[i] = axis ? i : j * n;', False)):                                   # no place
            self.assertEqual(TWICE in compiled(body).log, twice, body)

    def test_long_kernels_are_not_copied(self):
        long = ''.join(f'b[i] = b[i] * {k}.5f + a[i + {k}];' for k in range(1, 90))
        self.assertNotIn(TWICE, compiled(long + 'b[i] += a[axis ? i * n + j : j * n + i];').log)

    def test_copies_are_few(self):
        """Four choices: two of them are made where the kernel begins."""
        body = 'b[i] = ' + ' + '.join(f'a[axis & {1 << k} ? i * n + {k} : i + {k}]' for k in range(4)) + ';'
        text = compiled(body, '--dump-after', 'inline-library').text
        self.assertEqual(len(re.findall('store float', text)), 4)


class Asked(unittest.TestCase):
    def test_clamped_columns_are_asked_for_once(self):
        body = 'int x = clamp(i, 0, m - 1); float s = 0; for (int k = 0; k < n; k++) s = max(s, a[x + k * m]); b[i] = s;'
        text = compiled(body, '--dump-after', 'optimise').text
        loops = [block for block in re.split(r'\n\n(?=\d+:)', text) if 'masked.load' in block or 'gather' in block]
        self.assertTrue(loops)
        for block in loops:
            self.assertNotRegex(block, r'icmp ne <\d+ x i32>')


if __name__ == '__main__':
    tap.main()
