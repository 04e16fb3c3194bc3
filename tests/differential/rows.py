# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The family `rows` of random kernels: loops in which each item goes along rows of its own, with counters
and indices of all widths that wrap around or do not (docs/differential.md).

A kernel has one to three such loops, one behind or in the other; where a later row begins may hang on what
an earlier one gave. Buffers end where the last row does, so that what is read too far is noticed.
"""
import dataclasses
import random

from node import Node

BYTES = {'uint': 4, 'ulong': 8, 'float': 4, 'double': 8, 'ushort': 2, 'uchar': 1, 'int': 4}
COUNTERS = ('int', 'uint', 'uint', 'ushort', 'uchar', 'size_t', 'long', 'short')
LOOPS = ('for ({t} k = 0; k < n; k++) {{', 'for ({t} k = 0; k < n; k++) {{', 'for ({t} k = 0; k != n; k++) {{',
         'for ({t} k = 1; k < n; k++) {{', 'for ({t} k = n; k-- > 0;) {{', 'for ({t} k = 0; k < n; k += 2) {{',
         'for ({t} q = n; q > 0; q--) {{ const {t} k = n - q;', 'for ({t} q = 5; q < n + 5; q++) {{ const {t} k = q - 5;',
         '#pragma unroll 4\nfor ({t} k = 0; k < n; k++) {{', '#pragma unroll\nfor ({t} k = 0; k < n; k++) {{')
SUMS = ('sum = sum * 3 + {v};', 'sum ^= {v};', 'sum += {v};', 'sum = max(sum, {v});', 'sum = sum * 5 ^ {v};',
        'if ({v} > sum) at = k;', 'sum |= {v} & 0x55;')
GUARDS = ('', '', '', 'if (i % 3) {', 'if (i < 20) {', 'if (sum & 1) {')
MOST_TURNS = {'uchar': 200, 'short': 700}
# (text, the highest value in turns 0 to k, with s)
INNER = (('k', lambda k, s: k), ('(k & 7)', lambda k, s: min(k, 7)), ('(k & 127)', lambda k, s: min(k, 127)),
         ('(uchar)k', lambda k, s: min(k, 255)), ('(uchar)(s + k)', lambda k, s: min(s + k, 255)),
         ('(uchar)(k - s)', lambda k, s: 255), ('(uchar)(i * s + k)', lambda k, s: 255),
         ('(uchar)(k * 3)', lambda k, s: min(k * 3, 255)), ('(ushort)(k + 65530) % 4096', lambda k, s: 4095),
         ('(char)k + 128', lambda k, s: min(k + 128, 255)), ('(uint)(s + k)', lambda k, s: s + k),
         ('(uint)(k - 5 + 9)', lambda k, s: k + 4), ('(uint)k % 16', lambda k, s: min(k, 15)),
         ('((k + s) & 31)', lambda k, s: 31), ('((uint)k << 26 >> 26)', lambda k, s: min(k, 63)),
         ('(ushort)(s + k)', lambda k, s: s + k), ('(short)(k + 1)', lambda k, s: k + 1), ('(n - 1 - k)', lambda k, s: k),
         ('k * 2', lambda k, s: k * 2), ('k / 2', lambda k, s: k // 2), ('(uint)(s - 1 + k)', lambda k, s: s - 1 + k))
# (text, how far apart items are, up to so many of them)
OUTER = (('(size_t)i * 64', lambda n, s: 64, 999), ('(size_t)i * 64', lambda n, s: 64, 999),
         ('i * 33', lambda n, s: 33, 999), ('i * s', lambda n, s: s, 999), ('i * n', lambda n, s: n, 999),
         ('(i & 3) * 64', lambda n, s: 64, 3), ('(uint)i * 48', lambda n, s: 48, 999), ('0', lambda n, s: 0, 0))
BEHIND = (('(begin & 7) * n', lambda n, s: n, 7), ('(size_t)(begin & 15) * 40', lambda n, s: 40, 15), *OUTER[:5])


@dataclasses.dataclass
class Kernel:
    seed: int
    head: str
    body: list
    launches: list
    version: int = 200

    @property
    def name(self):
        return f'k{self.seed}'

    def text(self):
        return '\n'.join([*self.launches, f'{self.head} {{', *(node.text() for node in self.body), '}']) + '\n'

    def fewer(self):
        """Nothing can be left out but statements."""
        return iter(())


class Generator:
    def __init__(self, seed):
        self.random = random.Random(f'rows {seed}')
        self.buffers = []  # (type, where a row begins, where it goes)

    def load(self, behind):
        kind = self.random.choice(('uint', 'uint', 'ulong', 'float', 'double', 'ushort', 'uchar', 'int'))
        outer, inner = self.random.choice(BEHIND if behind else OUTER), self.random.choice(INNER)
        self.buffers.append((kind, outer, inner))
        text = f'a{len(self.buffers) - 1}[{outer[0]} + {inner[0]}]'
        return f'(uint)(int){text}' if kind in ('float', 'double') else f'(uint){text}'

    def loop(self, behind):
        counter = self.random.choice(COUNTERS)
        self.turns = min(self.turns, MOST_TURNS.get(counter, 999))
        return Node(self.random.choice(LOOPS).format(t=counter),
                    [Node(self.random.choice(SUMS).format(v=self.load(behind)))
                     for _ in range(self.random.choice((1, 1, 2, 3)))], '}')

    def nest(self):
        count = self.random.choice((1, 1, 2, 3))
        loops = []
        for number in range(count):
            loop, guard = self.loop(number > 0), self.random.choice(GUARDS)
            loops += [Node('begin = sum;', kept=True), Node(guard, [loop], '}') if guard else loop]
        if self.random.randrange(4):
            return loops
        return [Node('for (uint j = 0; j < 3; j++) {', loops, '}')]

    def bytes_of(self, buffer, items, n, s):
        kind, (_, distance, most), (_, highest) = buffer
        return (min(items - 1, most) * distance(n, s) + highest(max(n - 1, 0), s) + 1) * BYTES[kind]

    def launch(self, name):
        items = self.random.choice((16, 32, 33, 48, 70))
        local = self.random.choice((items, 16, 8, 1)) if items % 16 == 0 else items
        n = min(self.turns, self.random.choice((0, 1, 3, 7, 8, 9, 17, 40, 130, 300, 700)))
        s = self.random.choice((1, 3, 8, 15, 37, 100, 250))
        words = [f'i{self.bytes_of(b, items, n, s)}{b[0][0] if b[0] in ("float", "double") else "u"}' for b in self.buffers]
        return (f'// launch {name} 1 global {items} 1 1 offset 0 0 0 local {local} 1 1 arguments '
                f'o{items * 8}z {" ".join(words)} v{n} v{s}')

    def kernel(self, seed):
        self.turns = 999
        item = self.random.choice(('int', 'uint', 'size_t'))
        body = [Node(f'const {item} i = get_global_id(0);\nuint sum = 1, begin = 0;\nlong at = 0;', kept=True),
                *self.nest(), Node('out[i] = sum + (ulong)at * 7;', kept=True)]
        buffers = ''.join(f'global const {b[0]} *a{k}, ' for k, b in enumerate(self.buffers))
        return Kernel(seed, f'kernel void k{seed}(global ulong *out, {buffers}int n, int s)', body,
                      [self.launch(f'k{seed}') for _ in range(3)])


def version(seed):
    return 200


def kernel(seed):
    return Generator(seed).kernel(seed)


def options(kernels):
    return '-w -cl-std=CL2.0'


def program(kernels):
    return '\n'.join(k.text() for k in kernels)
