# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements: assignments, branches, loops, jumps. What needs all items of a group is in together.py.

A statement is drawn for a place. `uniform`: all items of the group come here together. `exits` are jumps that
are allowed from here: (text, whether all items must take it together).
"""
import dataclasses

from node import Node

from .expressions import Expressions, Variable
from .types import FLOAT, INT, UINT, Array, Struct, Value

COUNTERS = ('int', 'int', 'int', 'uint', 'uchar', 'char', 'short', 'ushort', 'long', 'ulong', 'size_t')


@dataclasses.dataclass(frozen=True)
class Place:
    uniform: bool = True
    exits: tuple = ()
    depth: int = 0

    def deeper(self, uniform, keep=True, new=()):
        """Inside of a statement that `uniform` items enter together; `keep` keeps break and continue."""
        exits = tuple(e for e in self.exits if (uniform or not e[1]) and (keep or not e[0].startswith(('break', 'cont'))))
        return Place(uniform, exits + tuple(new), self.depth + 1)


class Statements(Expressions):
    """Needs besides: self.declarations (nodes at the beginning of the function), self.weights."""

    def fresh(self, prefix):
        self.numbers[prefix] = self.numbers.get(prefix, -1) + 1
        return f'{prefix}{self.numbers[prefix]}'

    def declare(self, prefix, t, value, **more):
        """A new variable at the beginning of the function, not yet in scope."""
        name = self.fresh(prefix)
        self.declarations.append(Node(f'{t.declare(name)} = {value};'))
        return Variable(name, t, **more)

    # ---- assignments --------------------------------------------------------------------------

    def assignment(self, place):
        u = place.uniform and self.chance(15)
        found = self.place(u, writable=True)
        if not found:
            return Node(';')
        text, t, wild = found
        kind = self.below(8)
        if self.chance(45):  # what it was counts, so that it shows how often this runs
            value = self.value(t, 1, u)
            if t.floating:
                return Node(f'{text} = tame({f"tame({text})" if wild else text} + {value});')
            return Node(f'{text} = {self.arithmetic(t, "+", self.arithmetic(t, "*", text, self.cast(t, 3)), value)};')
        if kind == 0 and not t.floating and not t.signed:
            return Node(f'{text} {self.one_of("+=", "-=", "*=")} {self.value(t, 1, u)};')
        if kind == 1 and not t.floating:
            return Node(f'{text} {self.one_of("^=", "|=", "&=")} {self.value(t, 2, u)};')
        if kind == 2 and not t.vector and not t.floating and not t.signed:
            return Node(self.one_of(f'++{text};', f'{text}++;', f'--{text};'))
        return Node(f'{text} = {self.value(t, 2, u)};')

    def byte_store(self, _place):
        """One byte of a variable."""
        among = [v for v in self.places(False, True) if isinstance(v.type, Value) and not v.form
                 and v.space == 'private' and not v.type.floating]
        if not among:
            return self.assignment(_place)
        v = self.random.choice(among)
        size = v.type.bits // 8 * v.type.count
        return Node(f'((private uchar *)&{v.name})[{self.index(size)}] = {self.value(Value("uchar"), 1)};')

    def copy(self, _place):
        """One aggregate to another."""
        targets = [v for v in self.places(False, True) if isinstance(v.type, (Struct, Array))]
        self.random.shuffle(targets)
        for v in targets:
            for _ in range(3):
                text, t = self.inside(self.within(v, False), v.type, False, aggregate=True)
                if isinstance(t, Struct):
                    sources = self.aggregates(t)
                    makers = [f for f in self.functions if f.type == t]
                    if makers and self.chance(60):
                        f = self.random.choice(makers)
                        arguments = self.arguments(f, 2)
                        if arguments:
                            return Node(f'{text} = {f.name}({arguments});')
                    return Node(f'{text} = {self.random.choice(sources)};')
        return self.assignment(_place)

    def comparison(self, place):
        """A member updated by a vector comparison."""
        for _ in range(6):
            found = self.place(False, writable=True)
            if found and found[1].vector and found[1].bits >= 32:
                text, t, _ = found
                against = self.value(t.element, 0) if self.chance(40) else self.value(t, 0)
                yes, no = self.value(t, 1), f'tame({text})' if t.floating else text
                return Node(f'{text} = {self.value(t, 0)} {self.one_of("<", ">", "!=", ">=")} {against} ? {yes} : {no};')
        return self.assignment(place)

    def through(self, place):
        """A call that changes what its arguments point to."""
        f = self.random.choice(self.changers) if self.changers else None
        arguments = f and self.arguments(f, 2)
        if not arguments:
            return self.assignment(place)
        if isinstance(f.type, Value) and self.chance(60):
            targets = [v for v in self.places(False, True) if isinstance(v.type, Value) and not v.form]
            if targets:
                v = self.random.choice(targets)
                return Node(f'{v.name} = {self.convert(f"{f.name}({arguments})", f.type, v.type)};')
        return Node(f'{f.name}({arguments});')

    def pointer(self, _place):
        """A pointer set to another variable, perhaps by some items only."""
        pointers = [v for v in self.scope if v.pointer]
        if not pointers:
            return self.assignment(_place)
        p = self.random.choice(pointers)
        where = self.address(p.type, p.limit, p.space)
        if not where:
            return self.assignment(_place)
        other = self.address(p.type, p.limit, p.space)
        if self.pickers and self.chance(30):
            picker = [f for f in self.pickers if f.type == p.type]
            if picker and p.space == 'private':
                where = f'{picker[0].name}({where}, {other}, {self.value(INT, 1)})'
        if self.chance(25):
            where = f'{self.condition()} ? {where} : {other}'
        if self.chance(40):
            return Node(f'if ({self.condition()})', [Node(f'{p.name} = {where};')])
        return Node(f'{p.name} = {where};')

    def packed(self, place):
        """vload and vstore, also of halves."""
        t = self.scalar()
        count = self.one_of(2, 3, 3, 4, 8)
        among = [v for v in self.scope if v.form.endswith('{}]') and isinstance(v.type, Value) and not v.type.vector
                 and v.limit >= count and v.space and not v.uniform]
        among += [v for v in self.scope if isinstance(v.type, Array) and isinstance(v.type.of, Value)
                  and not v.type.of.vector and v.type.length >= count]
        if not among:
            return self.assignment(place)
        v = self.random.choice(among)
        limit, t = (v.limit, v.type) if v.form else (v.type.length, v.type.of)
        text = (v.form or v.name + '[{}]').format(self.below(limit - count + 1) if self.chance(50)
                                                 else f'{self.value(UINT, 1)} % {limit - count + 1}u')
        if v.writable and self.chance(60):
            return Node(f'vstore{count}({self.value(t.of(count), 1)}, 0, &{text});')
        loaded = f'vload{count}(0, &{text})'
        found = self.place(False, writable=True)
        if not found:
            return Node(';')
        target, wanted, _ = found
        return Node(f'{target} = {self.convert(f"tame({loaded})" if t.floating else loaded, t.of(count), wanted)};')

    def halves(self, place):
        """Loads and stores of halves, which are no type to compute with."""
        if not self.half_buffers:
            return self.assignment(place)
        form, limit, writable = self.random.choice(self.half_buffers)
        t = FLOAT.of(self.one_of(1, 1, 2, 3, 4))
        count = t.count if t.vector else ''
        at = '&' + form.format(self.below(limit - t.count + 1))
        if writable and self.chance(60):
            way = self.one_of('', '_rte', '_rtz', '_rtp')
            return Node(f'vstore_half{count}{way}({self.value(t, 1)}, 0, {at});')
        found = self.place(False, writable=True)
        if not found:
            return Node(';')
        return Node(f'{found[0]} = {self.convert(f"tame(vload_half{count}(0, {at}))", t, found[1])};')

    def atomic(self, place):
        if not self.cells:
            return self.assignment(place)
        v = self.random.choice(self.cells)
        index = self.index(4)
        value = self.value(v.type, 1)
        name = self.one_of('add', 'xor', 'or', 'max', 'sub', 'inc')
        cell = {'add': 0, 'sub': 0, 'inc': 0, 'xor': 1, 'or': 2, 'max': 3}[name]
        if self.version >= 200 and name not in ('inc',) and self.chance(40):
            return Node(f'atomic_fetch_{name}_explicit((volatile global atomic_{v.type.name} *)&{v.name}[({index}) * 4 + '
                        f'{cell}], {value}, memory_order_relaxed, memory_scope_device);')
        value = '' if name == 'inc' else f', {value}'
        return Node(f'atomic_{name}(&{v.name}[({index}) * 4 + {cell}]{value});')

    # ---- branches -----------------------------------------------------------------------------

    def some(self, place, uniform=None):
        """A condition and whether all items agree on it."""
        u = place.uniform and self.chance(40) if uniform is None else uniform
        return self.condition(1, u), u

    def branch(self, place):
        condition, u = self.some(place)
        inner = place.deeper(u)
        node = Node(f'if ({condition}) {{', self.block(inner, 1, 2), '}')
        if self.chance(35):
            node = Node('{', [node, Node('else {', self.block(inner, 1, 2), '}')], '}')
        return node

    def switch(self, place):
        u = place.uniform and self.chance(40)
        inner = dataclasses.replace(place.deeper(u), exits=tuple(e for e in place.deeper(u).exits if 'break' not in e[0]))
        cases = []
        for number in self.random.sample(range(6), self.below(4) + 1):
            tail = 'break;\n}' if self.chance(70) else '}'
            cases.append(Node(f'case {number}: {{', self.block(inner, 1, 2), tail))
        if self.chance(50):
            cases.insert(self.below(len(cases) + 1), Node('default: {', self.block(inner, 1, 1), 'break;\n}'))
        t = self.one_of(INT, UINT, Value('uchar'), Value('ulong'))
        return Node(f'switch ({self.value(t, 1, u)} & {self.one_of(3, 7)}) {{', cases, '}')

    # ---- loops --------------------------------------------------------------------------------

    def bound(self, u, most):
        """A number of turns, at most `most`, known at different times."""
        kind = self.below(8)
        if kind < 3:
            return str(self.below(most) + 1)
        if kind < 5 and self.tables:
            table = self.random.choice(self.tables)
            return f'(int)((uint){table.form.format(self.index(table.limit, u))} % {most + 1}u)'
        mask = 3 if most < 7 else self.one_of(3, 7)
        return f'(int)({self.value(self.one_of(INT, UINT), 1, u)} & {mask})'

    def loop(self, place):
        u = place.uniform and self.chance(50)
        most = self.one_of(3, 4, 7) if place.depth < 1 else 3
        new = (('break;', u), ('continue;', u))
        inner = place.deeper(u, keep=False, new=new)
        c = self.fresh('i')
        t = self.one_of(*COUNTERS)
        bound = self.bound(u, most)  # without the counter, which may begin with it
        counter = Variable(c, Value('ulong' if t == 'size_t' else t), uniform=u, writable=False, space='')
        self.scope.append(counter)
        body = self.block(inner, 1, 2)
        form = self.below(8)
        if form == 7 and t in ('uchar', 'ushort'):  # round its end
            start = self.one_of(*{'uchar': (253, 254, 255, 0), 'ushort': (65533, 65535, 0)}[t])
            node = Node(f'for ({t} {c} = {start}; {c} != {self.below(4)}; ++{c}) {{', body, '}')
        elif form == 0:
            self.declarations.append(Node(f'{t} {c} = 0;'))
            node = Node(f'{c} = 0;\nwhile ({c}++ < {bound}) {{', body, '}')
        elif form == 1:
            self.declarations.append(Node(f'{t} {c} = 0;'))
            node = Node(f'{c} = 0;\ndo {{', body, f'}} while (++{c} < {bound});')
        elif form == 2:
            node = Node(f'for ({t} {c} = {bound}; {c} > 0; --{c}) {{', body, '}')
        elif form == 3:
            node = Node(f'for ({t} {c} = 1; {c} <= {bound}; {c} *= 2) {{', body, '}')
        elif form == 4:
            node = Node(f'for ({t} {c} = 0; {c} < {bound} && {self.condition(1, u)}; {c} += {self.one_of(1, 1, 2)}) {{',
                        body, '}')
        else:
            node = Node(f'for ({t} {c} = 0; {c} < {bound}; {self.one_of("++" + c, c + "++")}) {{', body, '}')
        self.scope.remove(counter)
        return node

    def walk(self, place):
        """Elements of an input one behind the other, by a pointer that moves."""
        among = [v for v in self.inputs if isinstance(v.type, Value) and v.limit > 8]
        if not among or self.numbers is not self.own_numbers:
            return self.assignment(place)
        v = self.random.choice(among)
        q, count, step = self.fresh('q'), self.one_of(1, 2, 4), self.one_of(1, 1, 2)
        u = place.uniform and self.chance(40)
        start = f'{v.name} + {self.value(UINT, 1, u)} % {v.limit - count * step}u'
        found = self.place(False, writable=True)
        read = f'tame(*{q})' if v.type.floating else f'*{q}'
        body = Node(f'{found[0]} = {self.convert(read, v.type, found[1])};') if found else Node(';')
        inner = place.deeper(False, keep=False, new=(('break;', False), ('continue;', False)))
        return Node(f'{{\nglobal const {v.type.name} *{q} = {start};\n'
                    f'for (int k = 0; k < {count}; ++k, {q} += {step}) {{',
                    [body, *self.block(inner, 0, 1)], '}\n}')

    def leave(self, place):
        """A jump to where it is allowed."""
        if not place.exits:
            return self.assignment(place)
        text, together = self.random.choice(place.exits)
        body = [self.assignment(place)] if self.chance(30) else []
        if together or self.chance(90):
            return Node(f'if ({self.condition(1, together)}) {{', body, f'{text}\n}}')
        return Node(text)

    # ---- jumps --------------------------------------------------------------------------------

    def forward(self, place):
        """Code that is jumped over, or left from anywhere inside."""
        label = self.fresh('L')
        condition, u = self.some(place)
        jump = f'goto {label};'
        inner = dataclasses.replace(place.deeper(u), exits=place.deeper(u).exits + ((jump, u),))
        return Node('', [Node(f'if ({condition}) {jump}'), *self.block(inner, 1, 3)], f'{label}:;')

    def backward(self, place):
        """A loop made by goto, perhaps with several entries."""
        u = place.uniform and self.chance(50)
        inner = place.deeper(u)
        top, middle, end = (self.fresh('L') for _ in range(3))
        fuel = self.fresh('fuel')
        self.declarations.append(Node(f'int {fuel} = 0;'))
        inner = dataclasses.replace(inner, exits=inner.exits + ((f'goto {end};', u),))
        into = [Node(f'if ({self.condition(1, u)}) goto {middle};')] if self.chance(60) else []
        back = [Node(f'if ({self.condition(1, u)}) goto {middle};')] if self.chance(30) else []
        first, second = self.block(inner, 1, 2), self.block(inner, 1, 2)
        return Node(f'{fuel} = {self.below(4) + 1};',
                    [*into, Node(f'{top}:;'), *first, Node(f'{middle}:;\nif (--{fuel} < 0) goto {end};'), *back, *second,
                     Node(f'if ({self.condition(1, u)}) goto {top};')], f'{end}:;')

    def entered(self, place):
        """A loop that is also entered in the middle."""
        u = place.uniform and self.chance(50)
        inner = place.deeper(u, keep=False, new=(('break;', u), ('continue;', u)))
        label, c = self.fresh('L'), self.fresh('i')
        self.declarations.append(Node(f'int {c} = 0;'))
        body = [*self.block(inner, 1, 2), Node(f'{label}:;'), *self.block(inner, 1, 2)]
        bound = self.below(4) + 1
        if self.chance(50):
            loop = Node(f'for ({c} = 0; {c} < {bound}; {c}++) {{', body, '}')
        else:
            loop = Node('do {', body, f'}} while (++{c} < {bound});')
        return Node(f'{c} = {self.below(2)};', [Node(f'if ({self.condition(1, u)}) goto {label};'), loop])

    def duff(self, place):
        """A switch into a loop."""
        u = place.uniform and self.chance(50)
        plain = place.deeper(u, keep=False)
        c = self.fresh('i')
        self.declarations.append(Node(f'int {c} = 0;'))
        parts = [Node(f'case {number}:', self.block(plain, 1, 1)) for number in (3, 2, 1)]
        return Node(f'{c} = {self.below(3) + 1};\nswitch ({self.value(UINT, 1, u)} & 3) {{',
                    [Node('case 0: do {', parts, f'}} while (--{c} > 0);')], '}')

    # ---- any ----------------------------------------------------------------------------------

    def statement(self, place):
        kinds = [(name, weight) for name, weight in self.weights.items()
                 if (place.uniform or name not in self.TOGETHER) and (place.depth < 3 or name in self.FLAT)
                 and not (name == 'leave' and not place.exits)]
        names, weights = zip(*kinds)
        return getattr(self, self.random.choices(names, weights)[0])(place)

    FLAT = ('assignment', 'byte_store', 'copy', 'comparison', 'through', 'pointer', 'packed', 'halves', 'atomic',
            'leave', 'image', 'call_kernel')
    TOGETHER = ()

    def block(self, place, least, most):
        return [self.statement(place) for _ in range(self.random.randint(least, most))]
