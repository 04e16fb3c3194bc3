# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of OpenCL C as the generator needs them: names, sizes, places inside."""
import dataclasses

BITS = {'char': 8, 'uchar': 8, 'short': 16, 'ushort': 16, 'int': 32, 'uint': 32, 'long': 64,
        'ulong': 64, 'half': 16, 'float': 32, 'double': 64}
INTEGERS = ('char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong')
FLOATS = ('float', 'double', 'half')
SUFFIX = {'uint': 'u', 'long': 'L', 'ulong': 'UL', 'float': 'f', 'half': 'h'}


@dataclasses.dataclass(frozen=True)
class Value:
    """A scalar (count 1) or a vector."""
    base: str
    count: int = 1

    @property
    def name(self):
        return self.base if self.count == 1 else f'{self.base}{self.count}'

    @property
    def bits(self):
        return BITS[self.base]

    @property
    def floating(self):
        return self.base in FLOATS

    @property
    def signed(self):
        return self.base[0] != 'u'

    @property
    def vector(self):
        return self.count > 1

    @property
    def element(self):
        return Value(self.base)

    @property
    def size(self):
        return self.bits // 8 * (4 if self.count == 3 else self.count)

    @property
    def align(self):
        return self.size

    @property
    def unsigned(self):
        return Value({8: 'uchar', 16: 'ushort', 32: 'uint', 64: 'ulong'}[self.bits], self.count)

    @property
    def truth(self):
        """What a comparison of two such vectors gives."""
        return Value({8: 'char', 16: 'short', 32: 'int', 64: 'long'}[self.bits], self.count)

    def of(self, count):
        return Value(self.base, count)

    def declare(self, name):
        return f'{self.name} {name}'

    def lane(self, index):
        return f's{index:x}'


@dataclasses.dataclass(frozen=True)
class Array:
    of: object
    length: int

    @property
    def size(self):
        return self.of.size * self.length

    @property
    def align(self):
        return self.of.align

    def declare(self, name):
        return self.of.declare(f'{name}[{self.length}]')


@dataclasses.dataclass(frozen=True)
class Struct:
    """Also a union. `fields` are (name, type, alignment that is asked for or 0)."""
    name: str
    fields: tuple
    asked: int = 0
    union: bool = False

    @property
    def align(self):
        return max([self.asked, *(max(t.align, a) for _, t, a in self.fields)])

    @property
    def size(self):
        if self.union:
            end = max(t.size for _, t, _ in self.fields)
        else:
            end = 0
            for _, t, asked in self.fields:
                end = up(end, max(t.align, asked)) + t.size
        return up(end, self.align)

    def declare(self, name):
        return f'{self.name} {name}'

    def text(self):
        lines = []
        for name, t, asked in self.fields:
            more = f' __attribute__((aligned({asked})))' if asked else ''
            lines.append(f'    {t.declare(name)}{more};')
        more = f' __attribute__((aligned({self.asked})))' if self.asked else ''
        kind = 'union' if self.union else 'struct'
        return '\n'.join([f'typedef {kind} {{', *lines, f'}}{more} {self.name};'])


def up(number, multiple):
    return -(-number // multiple) * multiple


def leaves(t, path=''):
    """All values inside of a type: (how to get there, type). Of a union the first member only."""
    if isinstance(t, Value):
        yield path, t
    elif isinstance(t, Array):
        for index in range(t.length):
            yield from leaves(t.of, f'{path}[{index}]')
    else:
        for name, member, _ in t.fields[:1] if t.union else t.fields:
            yield from leaves(member, f'{path}.{name}')


def spans(t, start=0):
    """(begin, end) of the bytes of a type that are values; the rest may be anything."""
    if isinstance(t, Value):
        yield start, start + t.bits // 8 * t.count
    elif isinstance(t, Array):
        for index in range(t.length):
            yield from spans(t.of, start + index * t.of.size)
    elif t.union:
        yield start, start + t.fields[0][1].size
    else:
        for _, member, asked in t.fields:
            start = up(start, max(member.align, asked))
            yield from spans(member, start)
            start += member.size


def mask(t):
    """For a launch: which bytes of each element count; nothing if all do."""
    merged = []
    for begin, end in spans(t):
        if merged and merged[-1][1] == begin:
            merged[-1][1] = end
        else:
            merged.append([begin, end])
    if merged == [[0, t.size]]:
        return ''
    return f'/{t.size}:' + ','.join(f'{begin}-{end}' for begin, end in merged)


INT, UINT, ULONG, FLOAT = Value('int'), Value('uint'), Value('ulong'), Value('float')
