# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of any type without undefined behaviour.

Each text is an operand as it stands: a name, a call, something in brackets or behind a cast, and of exactly the
type that was asked for. Floats go through `tame` (see header.py), so that nothing overflows, vanishes or is a NaN.
With `u` the value is the same for all items of a group.
"""
import dataclasses

from .types import FLOATS, INTEGERS, INT, SUFFIX, UINT, Array, Struct, Value

COUNTS = (2, 2, 3, 3, 3, 3, 4, 4, 4, 8, 16)


@dataclasses.dataclass
class Variable:
    """Something that can be read. If `form` is set, it holds `limit` elements of `type` at `form.format(index)`."""
    name: str
    type: object
    uniform: bool = False
    writable: bool = True
    wild: bool = False  # floats in it may be anything
    form: str = ''
    limit: int = 0
    space: str = 'private'  # for addresses; '' has none
    pointer: bool = False


class Expressions:
    """Needs: self.random, self.scope (variables), self.varying_ids and self.common_ids (texts of ids), self.functions."""

    nesting = 0  # of indices in indices

    # ---- drawing ------------------------------------------------------------------------------

    def one_of(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def below(self, number):
        return self.random.randrange(number)

    def scalar(self):
        return Value(self.one_of(*INTEGERS, 'int', 'int', 'uint', 'ulong', *FLOATS, 'float'))

    def any_type(self):
        t = self.scalar()
        return t.of(self.one_of(*COUNTS)) if self.chance(35) else t

    # ---- places -------------------------------------------------------------------------------

    def index(self, limit, u=False, d=1):
        if limit == 1:
            return '0'
        if self.nesting > 1 or self.chance(25):
            return str(self.below(limit))
        if not u and self.varying_ids and self.chance(35):
            i, t = self.random.choice(self.varying_ids)
            if limit == 256 and self.chance(60):
                return f'(uchar)({i} * {self.one_of(1, 1, 3, 5, 77)} + {self.below(256)})'
            if self.chance(30):
                return f'{limit - 1} - (uint){i} % {limit}u'
            return f'(uint)({i} {self.one_of("+", "*", "^")} {self.below(9) + 1}) % {limit}u'
        self.nesting += 1
        i = self.value(self.one_of(INT, UINT, UINT, Value('ulong'), Value('uchar')), d - 1, u)
        self.nesting -= 1
        if limit & (limit - 1) == 0:
            return f'{i} & {limit - 1}'
        return f'(uint){i} % {limit}u'

    def places(self, u, writable):
        return [v for v in self.scope if (not u or v.uniform) and (not writable or (v.writable and v.uniform == u))]

    def inside(self, text, t, u, aggregate=False):
        """A value in an aggregate: (text, type)."""
        while not isinstance(t, Value):
            if aggregate and self.chance(30):
                break
            if isinstance(t, Array):
                text, t = f'{text}[{self.index(t.length, u)}]', t.of
            else:
                name, member, _ = self.random.choice(t.fields)
                text, t = f'{text}.{name}', member
        return text, t

    def within(self, v, u):
        return v.form.format(self.index(v.limit, u)) if v.form else v.name

    def place(self, u=False, writable=False, wanted=None):
        """(text, type, wild) of something to read or write, or None."""
        among = self.places(u, writable)
        if not among:
            return None
        best = None
        if not u and self.chance(60):  # rather what differs from item to item
            among = [v for v in among if not v.uniform] or among
        for _ in range(3 if wanted else 1):
            v = self.random.choice(among)
            text, t = self.inside(self.within(v, u), v.type, u)
            best = best or (text, t, v.wild)
            if t == wanted:
                return text, t, v.wild
        text, t, wild = best
        if t.vector and self.chance(40):
            if t.count > 2 and self.chance(30):
                count = self.one_of(*(c for c in (2, 3, 4) if c < t.count))
                lanes = self.random.sample(range(t.count), count)
                return f'{text}.s{"".join(f"{k:x}" for k in lanes)}', t.of(count), wild
            return f'{text}.{t.lane(self.below(t.count))}', t.element, wild
        return text, t, wild

    # ---- conversions --------------------------------------------------------------------------

    def convert(self, text, a, b):
        if a == b:
            return text
        if a.count != b.count:
            if not a.vector:
                return f'({b.name})({self.convert(text, a, b.element)})'
            if a.count < b.count or not b.vector:
                part = f'({text}).{a.lane(self.below(a.count))}'
                return self.convert(part, a.element, b)
            lanes = ''.join(f'{self.below(a.count):x}' for _ in range(b.count))
            return self.convert(f'({text}).s{lanes}', a.of(b.count), b)
        if b.floating:
            return f'tame(convert_{b.name}({text}))'
        if a.floating:
            return f'convert_{b.name}_sat{self.one_of("", "", "_rtz", "_rte", "_rtp", "_rtn")}({text})'
        if a.bits == b.bits and self.chance(50):
            return f'as_{b.name}({text})'
        if not a.vector and self.chance(50):
            return f'({b.name}){text}'
        return f'convert_{b.name}{self.one_of("", "_sat")}({text})'

    def literal(self, t):
        if t.vector:
            if self.chance(50):
                return f'({t.name})({self.literal(t.element)})'
            return f'({t.name})({", ".join(self.literal(t.element) for _ in range(t.count))})'
        if t.floating:
            return self.one_of('1.0', '0.5', '2.0', '3.25', '100.0', '0.001') + SUFFIX.get(t.base, '')
        number = self.one_of(0, 1, 1, 2, 3, self.below(100), self.below(100))
        if self.chance(5):
            name = {'char': 'CHAR', 'short': 'SHRT', 'int': 'INT', 'long': 'LONG'}.get(t.base.lstrip('u'))
            name = f'U{name}_MAX' if not t.signed else f'{name}_{self.one_of("MIN", "MAX")}'
            return f'({t.name}){name}'
        if t.signed and self.chance(20):
            return f'({t.name})(-{number})'
        return f'({t.name}){number}' if t.bits < 32 else f'{number}{SUFFIX.get(t.base, "")}'

    # ---- values -------------------------------------------------------------------------------

    def leaf(self, t, u):
        kind = self.below(20)
        if kind < 3:
            return self.literal(t)
        if kind < 8 and (self.common_ids if u else self.varying_ids):
            text, a = self.random.choice(self.common_ids if u else self.varying_ids)
            return self.convert(text, a, t)
        found = self.place(u, wanted=t)
        if not found:
            return self.literal(t)
        text, a, wild = found
        return self.convert(f'tame({text})' if a.floating and wild else text, a, t)

    def value(self, t, d=2, u=False):
        if d <= 0 or self.chance(30):
            return self.leaf(t, u)
        if self.functions and not u and self.chance(12):
            text = self.call(t, d)
            if text:
                return text
        return self.floating(t, d - 1, u) if t.floating else self.integer(t, d - 1, u)

    def arithmetic(self, t, op, a, b):
        """+, - or * that wrap around."""
        if t.vector:
            if t.signed:
                return f'as_{t.name}(as_{t.unsigned.name}({a}) {op} as_{t.unsigned.name}({b}))'
            return f'({a} {op} {b})'
        if t.bits < 32:
            return f'({t.name})((uint){a} {op} (uint){b})' if t.base == 'ushort' else f'({t.name})({a} {op} {b})'
        if t.signed:
            return f'({t.name})(({t.unsigned.name}){a} {op} ({t.unsigned.name}){b})'
        return f'({a} {op} {b})'

    def exact(self, t, text):
        """A scalar operator promotes what is shorter than an int."""
        return f'({t.name})({text})' if not t.vector and t.bits < 32 else f'({text})'

    def shift(self, t, op, a, b):
        if not (t.bits >= 32 or t.vector) or self.chance(70):
            b = f'({b} & {self.literal_mask(t)})'
        if op == '<<' and t.signed:
            if t.vector:
                return f'as_{t.name}(as_{t.unsigned.name}({a}) << as_{t.unsigned.name}({b}))'
            return f'({t.name})(({"ulong" if t.bits == 64 else "uint"}){a} << {b})'
        if op == '<<' and t.bits < 32 and not t.vector:
            return f'({t.name})((uint){a} << {b})'
        return self.exact(t, f'{a} {op} {b}')

    def literal_mask(self, t):
        return f'({t.name})({t.bits - 1})' if t.vector or t.bits < 32 else str(t.bits - 1)

    def reinterpreted(self, t, d, u):
        """The same bits as another type."""
        bits = t.bits * t.count
        among = [Value(n, c) for n in INTEGERS for c in (1, 2, 4, 8, 16) if Value(n).bits * c == bits]
        among = [a for a in among if a.base.lstrip('u') != t.base.lstrip('u')]
        if t.count == 3:
            among = [t.of(4)]
        if not among:
            return self.value(t, d, u)
        return f'as_{t.name}({self.value(self.random.choice(among), d, u)})'

    def byte(self, t, u):
        """A byte of a variable."""
        among = [v for v in self.places(u, False) if isinstance(v.type, Value) and not v.form and v.space == 'private']
        if not among:
            return self.leaf(t, u)
        v = self.random.choice(among)
        size = v.type.bits // 8 * v.type.count
        return self.convert(f'((private {self.one_of("uchar", "const uchar")} *)&{v.name})[{self.index(size, u)}]',
                            Value('uchar'), t)

    def integer(self, t, d, u):
        kind = self.below(26)
        if kind == 24:
            return self.reinterpreted(t, d, u)
        if kind == 25:
            return self.byte(t, u) if self.chance(40) else self.bit(t, d, u)
        if kind == 0:
            return self.shuffled(t, d, u)
        if kind == 1:
            a = self.any_type()
            return self.convert(self.value(a, d, u), a, t)
        if kind == 2:
            return self.truth_of(t, d, u)
        if kind == 3 and t.bits > 8:
            half = Value({16: 'char', 32: 'short', 64: 'int'}[t.bits], t.count)
            high = half if t.signed else half.unsigned
            return f'upsample({self.value(high, d, u)}, {self.value(half.unsigned, d, u)})'
        a, b = self.value(t, d, u), self.value(t, d - 1, u)
        if kind < 10:
            return self.arithmetic(t, self.one_of('+', '-', '*', '+'), a, b)
        if kind < 14:
            return self.exact(t, f'{a} {self.one_of("&", "|", "^")} {b}')
        if kind < 16:
            return self.shift(t, self.one_of('<<', '>>', '>>'), a, b)
        if kind < 19:
            return self.choice(t, a, b, d, u)
        op = self.one_of('/', '%')
        return (lambda: self.exact(t, f'{a} {op} (({b} & {self.cast(t, 7)}) | {self.cast(t, 1)})'),
                lambda: f'{self.one_of("min", "max", "rotate", "add_sat", "sub_sat", "hadd", "rhadd")}({a}, {b})'
                if self.chance(85) else f'mad_sat({a}, {b}, {self.value(t, d - 1, u)})',
                lambda: f'{self.one_of("popcount", "clz")}({a})',
                lambda: f'mul_hi({a}, {b})',
                lambda: f'bitselect({a}, {b}, {self.value(t, d - 1, u)})')[kind - 19]()

    def bit(self, t, d, u):
        """One bit of something, or a choice by it."""
        a = self.any_type()
        if a.floating:
            a = INT.of(a.count)
        bit = f'({self.value(a, d, u)} & {self.cast(a, 1 << self.below(min(a.bits, 31)) if a.bits >= 32 else 1)})'
        if a.count == t.count and a.vector and a.bits == t.bits:
            return f'({bit} != {self.cast(a, 0)} ? {self.value(t, d, u)} : {self.value(t, d - 1, u)})'
        return self.convert(self.exact(a, bit), a, t)

    def cast(self, t, number):
        return f'({t.name})({number})'

    def shuffled(self, t, d, u):
        """Parts of vectors put together."""
        if not t.vector:
            a = t.of(self.one_of(*COUNTS))
            return f'({self.value(a, d, u)}).{a.lane(self.below(a.count))}'
        if t.count in (2, 4, 8, 16) and t.bits in (32, 16) and self.chance(40):
            return f'shuffle({self.value(t, d, u)}, {self.value(t.unsigned, d, u)})'
        if t.count == 3:
            # Behind a cast, as Clang 22 does not end with (float3)((float2)(1.0f), f(x).s2).
            return f'({t.name})({self.value(t.of(2), d, u)}, ({t.base})({self.value(t.element, d, u)}))'
        half = t.of(t.count // 2)
        return f'({t.name})({self.value(half, d, u)}, {self.value(half, d, u)})'

    def relation(self, bits, count, d, u):
        """A comparison of two vectors with so many bits and elements, or of scalars."""
        names = [n for n in (*INTEGERS, *FLOATS) if Value(n).bits == bits]
        t = Value(self.one_of(*names), count)
        return f'({self.value(t, d, u)} {self.one_of("<", ">", "==", "!=", "<=", ">=")} {self.value(t, d - 1, u)})'

    def truth_of(self, t, d, u):
        if not t.vector:
            return f'({t.name}){self.condition(d, u)}'
        text = self.relation(t.bits, t.count, d, u)
        return text if t.signed else f'as_{t.name}({text})'

    def choice(self, t, a, b, d, u):
        if not t.vector:
            return self.exact(t, f'{self.condition(d, u)} ? {a} : {b}')
        if self.chance(50):
            return f'({self.relation(t.bits, t.count, d, u)} ? {a} : {b})'
        return f'select({a}, {b}, {self.relation(t.bits, t.count, d, u)})'

    def floating(self, t, d, u):
        kind = self.below(16)
        if kind == 0:
            return self.shuffled(t, d, u)
        if kind < 3:
            a = self.any_type()
            return self.convert(self.value(a, d, u), a, t)
        a, b = self.value(t, d, u), self.value(t, d - 1, u)
        if kind < 9:
            return f'tame({a} {self.one_of("+", "-", "*", "/")} {b})'
        if kind < 11:
            return self.choice(t, a, b, d, u)
        return (lambda: f'tame(fma({a}, {b}, {self.value(t, d - 1, u)}))',
                lambda: f'{self.one_of("fmin", "fmax")}({a}, {b})',
                lambda: f'tame(sqrt(fabs({a})))' if t.base == 'double' else f'tame(copysign({a}, {b}))',
                lambda: f'tame({self.one_of("floor", "ceil", "trunc", "rint", "fabs", "round")}({a}))',
                lambda: f'tame(mad_exact({a}, {b}))')[kind - 11]()

    # ---- conditions ---------------------------------------------------------------------------

    def condition(self, d=1, u=False):
        """A scalar that says yes or no."""
        kind = self.below(12)
        if not u and self.varying_ids and self.chance(40):
            i, t = self.random.choice(self.varying_ids)
            return self.one_of(f'(({i} & {self.one_of(1, 1, 2, 3, 4)}) {self.one_of("==", "!=")} 0)',
                               f'({i} % {self.one_of(3, 5, 7)} {self.one_of("==", "!=", ">")} {self.below(3)})',
                               f'({self.leaf(t, u)} {self.one_of("<", ">", "<=")} {i})')
        if d > 0 and kind == 0:
            return f'({self.condition(d - 1, u)} {self.one_of("&&", "||")} {self.condition(d - 1, u)})'
        if kind == 1:
            return f'(!{self.condition(d - 1, u)})'
        if kind < 4:
            t = Value(self.one_of('int', 'long', 'char', 'short'), self.one_of(2, 3, 4))
            return f'{self.one_of("any", "all")}({self.relation(t.bits, t.count, d, u)})'
        if kind < 7:
            return f'(({self.leaf(self.one_of(INT, UINT), u)} & {self.one_of(1, 1, 2, 3)}) {self.one_of("==", "!=")} 0)'
        if kind < 8 and not u:
            return f'({self.value(UINT, 0)} % {self.one_of(3, 5, 7)}u == {self.below(3)}u)'
        return self.relation(self.one_of(8, 16, 32, 32, 64), 1, d, u)

    # ---- calls --------------------------------------------------------------------------------

    def call(self, t, d):
        among = [f for f in self.functions if isinstance(f.type, Value)]
        if not among:
            return None
        f = self.random.choice(among)
        arguments = self.arguments(f, d)
        return arguments and self.convert(f'{f.name}({arguments})', f.type, t)

    def arguments(self, function, d):
        texts = []
        for parameter in function.parameters:
            text = self.argument(parameter, d)
            if text is None:
                return None
            texts.append(text)
        return ', '.join(texts) or ' '

    def argument(self, parameter, d):
        if parameter.form:
            return self.address(parameter.type, parameter.limit, parameter.space, not parameter.writable)
        if isinstance(parameter.type, Value):
            return self.value(parameter.type, d)
        same = self.aggregates(parameter.type)
        return self.random.choice(same) if same else None

    def aggregates(self, t, writable=False):
        """Texts of all aggregates of this type."""
        found = []
        for v in self.places(False, writable):
            found += self.matching(self.within(v, False), v.type, t)
        return found

    def matching(self, text, t, wanted):
        if t == wanted:
            return [text]
        if isinstance(t, Array):
            return self.matching(f'{text}[{self.index(t.length)}]', t.of, wanted)
        if isinstance(t, Struct):
            return [m for name, member, _ in t.fields for m in self.matching(f'{text}.{name}', member, wanted)]
        return []

    def address(self, t, limit, space, constant=False):
        """Where `limit` elements of type `t` are that the item may change, or at least read, or None."""
        found = []
        generic = space in ('', 'generic')
        for v in self.scope:
            if not constant and (not v.writable or v.uniform) or (v.space == '' if generic else v.space != space):
                continue
            if v.form and v.type == t and v.limit >= limit and '{}' in v.form and v.form.endswith('{}]'):
                found.append('&' + v.form.format(self.below(v.limit - limit + 1)))
            elif not v.form:
                found += self.addresses(v.name, v.type, t, limit)
        return self.random.choice(found) if found else None

    def addresses(self, text, t, wanted, limit):
        if isinstance(t, Array) and t.of == wanted and t.length >= limit:
            return [f'&{text}[{self.below(t.length - limit + 1)}]']
        if t == wanted and limit == 1:
            return [f'&{text}']
        if isinstance(t, Array):
            return self.addresses(f'{text}[{self.index(t.length)}]', t.of, wanted, limit)
        if isinstance(t, Struct) and not t.union:
            return [a for name, member, _ in t.fields for a in self.addresses(f'{text}.{name}', member, wanted, limit)]
        return []
