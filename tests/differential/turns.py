# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The family `turns` of random kernels: straight code that loads and stores in turn, each item in short rows of
its own in several buffers, which it reads back (docs/differential.md).

What may move past what is all that matters there: rows are of 4 to 32 elements, places in them constants, some by
indices that wrap around in 32 bits or by OpenCL vectors, some statements for a part of the items or in a loop.
"""
import random

from node import Node
from rows import BYTES, Kernel, options, program, version  # noqa: F401  (a family has them)

TYPES = ('uchar', 'uchar', 'ushort', 'uint', 'uint', 'ulong')  # signed ones must not wrap around
ROWS = (4, 8, 8, 16, 16, 32)
ITEMS = (16, 33, 37, 70)
OPERATORS = '+-^*|&'
VALUES = ('x', 'y', '(T)n', 'x', 'y')


class Generator:
    def __init__(self, seed):
        self.random = random.Random(f'turns {seed}')
        self.type, self.row = self.random.choice(TYPES), self.random.choice(ROWS)

    def place(self, buffer=None, width=1):
        """An element of the item's row, or where some begin."""
        buffer = buffer or self.random.choice('aabbc')
        index = self.random.randrange(self.row - width + 1)
        form = self.random.choice(('i + {k}', 'i + {k}', '(uint)i + {k}u', 'i + {k} + n - 3', '(i | {k})'))
        return f'{buffer}[{form.format(k=index)}]' if width == 1 else f'{buffer} + (i + {index})'

    def value(self):
        return self.random.choice((*VALUES, self.place(), self.place(), self.place()))

    def expression(self):
        wide = 'ulong' if self.type == 'ulong' else 'uint'
        return f'(T)(({wide}){self.value()} {self.random.choice(OPERATORS)} {self.value()})'

    def vectors(self):
        width = self.random.choice([each for each in (2, 4) if each <= self.row])
        return (f'vstore{width}(vload{width}(0, {self.place(width=width)}) {self.random.choice(OPERATORS)} '
                f'({self.type}{width})({self.value()}), 0, {self.place(self.random.choice("ab"), width)});')

    def statement(self):
        kind = self.random.randrange(12)
        if kind < 5:
            return Node(f'{self.place(self.random.choice("ab"))} = {self.expression()};')
        if kind < 7:
            return Node(f'{self.place(self.random.choice("ab"))} {self.random.choice("+-^|&")}= {self.value()};')
        if kind < 10:
            return Node(f'{self.random.choice("xy")} = {self.expression()};')
        return Node(self.vectors()) if kind == 10 else Node(self.copies())

    def copies(self):
        """Several elements in a row, as an unrolled loop has them."""
        count, into, source = self.random.randrange(2, 5), self.random.choice('ab'), self.random.choice('abc')
        first, second = (self.random.randrange(self.row - count + 1) for _ in 'ab')
        return '\n'.join(f'{into}[i + {first + k}] {self.random.choice(("", "^", "+"))}= {source}[i + {second + k}];'
                         for k in range(count))

    def body(self, depth=0):
        nodes = [self.statement() for _ in range(self.random.randrange(3, 12))]
        if depth == 0 and self.random.randrange(3) == 0:
            head = self.random.choice(('if (x & 1) {', 'for (int j = 0; j < n; j++) {', 'if (g % 3) {'))
            nodes.insert(self.random.randrange(len(nodes)), Node(head, self.body(1), '}'))
        return nodes

    def launch(self, name):
        items = self.random.choice(ITEMS)
        size = items * self.row * BYTES[self.type]
        local = self.random.choice((items, 1)) if items % 16 else self.random.choice((items, 8, 1))
        return (f'// launch {name} 1 global {items} 1 1 offset 0 0 0 local {local} 1 1 arguments '
                f'o{size}z o{size}z i{size}u v3')

    def kernel(self, seed):
        kept = self.random.choice(('', 'restrict '))
        head = (f'#undef T\n#define T {self.type}\nkernel void k{seed}(global T *{kept}a, global T *{kept}b, '
                f'global const T *{kept}c, int n)')
        body = [Node(f'const size_t g = get_global_id(0), i = g * {self.row};\nT x = c[i], y = c[i + 1];', kept=True),
                *self.body()]
        return Kernel(seed, head, body, [self.launch(f'k{seed}') for _ in range(2)])


def kernel(seed):
    return Generator(seed).kernel(seed)
