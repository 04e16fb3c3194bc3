# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of tests/kernels and of this folder in every configuration: one test per file."""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import driver  # noqa: E402
import loops  # noqa: E402
import tap  # noqa: E402


def giant():
    """A kernel that is built with less effort (isGiant): long blocks, loads behind stores."""
    r = random.Random(1).randrange
    statements = (lambda: f'v{r(16)} = v{r(16)} * 3 + (v{r(16)} ^ {r(999)});',
                  lambda: f'out[g * 4 + {r(4)}] = v{r(16)} + in[v{r(16)} & 63];',
                  lambda: f'v{r(16)} ^= out[g * 4 + {r(4)}] + t[v{r(16)} & 15];',
                  lambda: f't[v{r(16)} & 15] = v{r(16)};')
    lines = ['kernel void giant(global int *out, global const int *in, local int *s, int n) {',
             'size_t g = get_global_linear_id();', 'int t[16];',
             *(f'int v{i} = t[{i}] = in[(g + {i}) & 63];' for i in range(16))]
    for k in range(6000):
        lines.append(statements[r(4)]())
        if k % 2000 == 0:
            lines.append(f'if (v{r(16)} & 1) v{r(16)} = n;')
    return '\n'.join([*lines, *(f'out[g * 4 + {i % 4}] ^= v{i} + t[{i}];' for i in range(16)), '}'])


def much():
    """Sixteen lanes of all these values at once would need more stack than there is."""
    count = 560
    lines = ['kernel void much(global int *out, global const int *in, local int *s, int n) {',
             'size_t g = get_global_linear_id();', 'global const int *p = in + (g & 31);', 'ulong h = n;',
             *(f'ulong v{i} = (ulong)p[{i}] * {i + 3}; h = h * 3 + v{i};' for i in range(count)),
             *(f'h = h * 3 ^ v{count - 1 - i};' for i in range(count)), 'out[g * 4] = (int)(h >> 7);', '}']
    return '\n'.join(lines)


class Kernels(unittest.TestCase):
    """One test per file, added below."""

    def test_giant(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'giant.cl'
            file.write_text(giant())
            self.check(file, [c for c in driver.configurations() if c.name in driver.levels()])

    def test_much(self):
        """Kernels that would need too much stack get fewer lanes."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'much.cl'
            file.write_text(much())
            log = subprocess.run([driver.COMPILER, '--switches', 'width=16', driver.OPTIONS, '-o', '/dev/null', file],
                                 capture_output=True, text=True, check=True).stderr
            self.assertIn('runs 8 work-items at once; not more: it would need too much stack', log)
            self.check(file, [c for c in driver.configurations() if c.name.endswith('-w16')])

    def test_loops(self):
        """An eighth of them in each configuration, another one in the next."""
        among, parts = driver.configurations(), 8
        with tempfile.TemporaryDirectory() as folder:
            for part in range(parts):
                file = pathlib.Path(folder) / f'loops{part}.cl'
                file.write_text(loops.program(part, parts))
                self.check(file, among[part::parts])

    def check(self, file, among):
        differences = driver.check(file, among)
        self.assertFalse(differences, '\n'.join(map(str, differences[:10])))


for path in sorted([*(HERE.parent / 'kernels').glob('*.cl'), *HERE.glob('*.cl')]):
    setattr(Kernels, f'test_{path.stem}',
            lambda self, path=path: self.check(path, driver.configurations()))

if __name__ == '__main__':
    tap.main()
