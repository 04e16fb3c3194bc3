# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of tests/kernels and of this folder in every configuration: one test per file.

    kernels.py [NAME...]          all, or those that are named (Kernels.test_flat)
    kernels.py --part 1/3         every third, from the second on
"""
import dataclasses
import pathlib
import random
import re
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
    """32 lanes of all these values at once would need more stack than there is."""
    count = 560
    lines = ['kernel void much(global int *out, global const int *in, local int *s, int n) {',
             'size_t g = get_global_linear_id();', 'global const int *p = in + (g & 31);', 'ulong h = n;',
             *(f'ulong v{i} = (ulong)p[{i}] * {i + 3}; h = h * 3 + v{i};' for i in range(count)),
             *(f'h = h * 3 ^ v{count - 1 - i};' for i in range(count)), 'out[g * 4] = (int)(h >> 7);', '}']
    return '\n'.join(lines)


def nested():
    """Functions that are called by one another, with frames that are small, but not all together."""
    lines = ['__attribute__((noinline)) int f0(int x, int k) { return x * 2 + k; }']
    for level in range(1, 101):
        lines.append(f'__attribute__((noinline)) int f{level}(int x, int k) {{ volatile int v[200]; '
                     f'for (int i = 0; i < 200; i++) v[i] = x ^ (i + {level}) * k; '
                     f'return f{level - 1}(v[k & 127] + 1, k) + v[k * 7 & 127]; }}')
    lines.append('kernel void nested(global int *out, global const int *in, local int *s, int n) {'
                 'size_t g = get_global_linear_id(); out[g * 4] = f100(in[g & 63], n); }')
    return '\n'.join(lines)


def deep():
    """Hundreds of functions that ask for ids, each called by two of the next level: a kernel with all of
    them in it would have 2^30 of the last. `walked` does the same by tables and says if it is the same."""
    r, levels, each = random.Random(3).randrange, 30, 10
    rows = [(r(999) * 2 + 1, r(3), r(3), r(1, 9), r(each), r(each)) for _ in range(levels * each)]
    lines = []
    for number, (factor, wide, local, shift, left, right) in enumerate(rows):
        level, place = divmod(number, each)
        calls = (f'if (x >> {level % 5} & 1) x = f{level - 1}_{left}(p, x + {place}); '
                 f'else x ^= f{level - 1}_{right}(p, x * 3);') if level else ''
        lines.append(f'uint f{level}_{place}(global const int *p, uint x) {{ x = x * {factor} + '
                     f'(uint)get_global_id({wide}); x ^= p[(x ^ get_local_id({local})) & 63] >> {shift}; {calls} '
                     'return x + (uint)get_group_id(0); }')
    for column, name in enumerate(('factors', 'wides', 'locals', 'shifts', 'lefts', 'rights')):
        lines.append(f'constant uint {name}[] = {{{", ".join(str(row[column]) for row in rows)}}};')
    lines.append(f"""
uint walked(global const int *p, uint x, int place, const uint *global_id, const uint *local_id, uint group) {{
    uint kept[{levels}];
    for (int level = {levels - 1}; level >= 0; level--) {{
        int f = level * {each} + place;
        x = x * factors[f] + global_id[wides[f]];
        x ^= p[(x ^ local_id[locals[f]]) & 63] >> shifts[f];
        bool left = x >> level % 5 & 1;
        kept[level] = left || !level ? 0 : x;
        if (level)
            x = left ? x + place : x * 3;
        place = left ? lefts[f] : rights[f];
    }}
    for (int level = 0; level < {levels}; level++)
        x = (kept[level] ^ x) + group;
    return x;
}}""")
    for number in range(4):
        call = f'f{levels - 1}_{number}(in, i) ^ f{levels - 1}_{number + 5}(in, i + {number})'
        lines.append(f"""
kernel void deep{number}(global int *out, global const int *in, local int *s, int n) {{
    uint global_id[3], local_id[3], i = get_global_linear_id(), group = get_group_id(0);
    for (int d = 0; d < 3; d++) {{
        global_id[d] = get_global_id(d);
        local_id[d] = get_local_id(d);
    }}
    uint wanted = walked(in, i, {number}, global_id, local_id, group) ^
                  walked(in, i + {number}, {number + 5}, global_id, local_id, group);
    out[i] = ({call}) == wanted ? 4711 : -1;
}}""")
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
            log = subprocess.run([driver.COMPILER, '--isa', 'x86-64-v4', '--switches', 'width=32', driver.OPTIONS,
                                  '-o', '/dev/null', file],
                                 capture_output=True, text=True, check=True).stderr
            self.assertRegex(log, 'runs 16 work-items at once.*; not more: it would need too much stack')
            self.check(file, [driver.Configuration(f'{isa}-w32', (('WEFT_ISA', isa), ('WEFT_WIDTH', '32')),
                                                   driver.OPTIONS) for isa in driver.levels()])

    def test_nested(self):
        """Where calls are nested deeply, even the small frames of functions are not on the stack."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'nested.cl'
            file.write_text(nested())
            self.check(file, [c for c in driver.configurations()
                              if c.name in driver.levels() or c.name == 'opt-disable'])

    def test_deep(self):
        """Functions that ask for ids stay functions where kernels would be too large with them."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'deep.cl'
            file.write_text(deep())
            log = subprocess.run([driver.COMPILER, '--switches', 'remarks', driver.OPTIONS, '-o', '/dev/null', file],
                                 capture_output=True, text=True, check=True, timeout=120).stderr
            self.assertEqual(log.count('functions that ask for ids stay functions: it would be too large'), 4)
            outcome = driver.run(driver.Configuration('usual', ()), file, '--dump', folder)
            self.assertEqual((outcome.hashes, outcome.end), (driver.run(driver.REFERENCE, file).hashes, ''))
            self.assertGreater(len(outcome.hashes), 4)
            for kernel, shape in outcome.hashes:
                values = driver.floats(pathlib.Path(folder) / f'{kernel}-{shape}')
                self.assertIn(4711, values)
                self.assertNotIn(-0x7fffffff, values)  # -1

    def test_loops(self):
        """An eighth of them in each configuration, another one in the next."""
        among, parts = driver.configurations(), 8
        with tempfile.TemporaryDirectory() as folder:
            for part in range(parts):
                file = pathlib.Path(folder) / f'loops{part}.cl'
                file.write_text(loops.program(part, parts))
                self.check(file, among[part::parts])

    def test_sizes_that_are_known(self):
        """As in OpenCL 1.2, no group at an edge is smaller: required sizes are constants."""
        among = [dataclasses.replace(each, options=each.options + ' -cl-uniform-work-group-size')
                 for each in driver.configurations()]
        self.check(HERE / 'known_sizes.cl', among)
        whole = (HERE / 'whole.cl').read_text()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / 'whole.cl'
            file.write_text(re.sub(r'// launch smaller_at_the_edge.*?\n}\n', '', whole, flags=re.S))
            self.check(file, among)

    def check(self, file, among):
        differences = driver.check(file, among)
        self.assertFalse(differences, '\n'.join(map(str, differences[:10])))


for path in sorted([*(HERE.parent / 'kernels').glob('*.cl'), *HERE.glob('*.cl')]):
    setattr(Kernels, f'test_{path.stem}',
            lambda self, path=path: self.check(path, driver.configurations()))


def names_of_part(part):
    """Of "1/3" every third test, from the second on."""
    number, parts = map(int, part.split('/'))
    return [f'Kernels.{name}' for name in unittest.TestLoader().getTestCaseNames(Kernels)[number::parts]]


if __name__ == '__main__':
    if sys.argv[1:2] == ['--part']:
        sys.argv[1:] = names_of_part(sys.argv[2])
    tap.main()
