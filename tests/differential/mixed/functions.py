# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the program that a kernel calls."""
import dataclasses

from node import Node

from .expressions import Variable
from .statements import Place
from .together import Together
from .types import INT, UINT, ULONG, Array, Struct, Value, leaves


@dataclasses.dataclass
class Function:
    name: str
    type: object  # None for void
    parameters: list


class Functions(Together):
    def draw_functions(self, tables):
        """`tables` are what functions can read of the program's."""
        self.everywhere = list(tables)
        saved = self.weights
        self.weights = {k: w for k, w in saved.items() if k not in (*self.TOGETHER, 'atomic', 'halves', 'image', 'pipe', 'call_kernel')}
        for _ in range(self.one_of(0, 0, 0, 1, 1)):
            self.draw_function(self.any_type(), pure=True)
        for t in self.structs:
            if self.chance(40):
                self.draw_maker(t)
            if self.chance(30):
                self.draw_function(t, pure=True, first=t)
        if 'through' in saved:
            self.draw_function(self.one_of(None, self.any_type()), pure=False)
        if 'call_kernel' in saved:
            self.draw_called_kernel()
        self.weights = saved
        if 'pointer' in saved and self.chance(60):
            self.draw_picker()
        if 'meet' in saved:
            self.draw_meeting()

    def qualifier(self):
        return self.one_of('', '', 'static ', 'inline static ', '__attribute__((noinline)) ')

    def enter(self, parameters):
        """A scope of its own; gives back what to restore."""
        saved = (self.scope, self.declarations, self.varying_ids, self.common_ids, self.numbers)
        ids = [('get_global_id(0)', ULONG), ('get_local_id(0)', ULONG), ('get_global_id(1)', ULONG)]
        self.varying_ids = [] if self.flat or self.chance(60) else self.random.sample(ids, 2)
        if self.flat and self.chance(40):
            self.varying_ids = ids[:1]
        self.common_ids = []
        # Nothing is the same for all items in a function.
        self.scope = [dataclasses.replace(v, uniform=False) for v in self.everywhere] + parameters
        self.declarations, self.numbers = [], {}
        return saved

    def restore(self, saved):
        self.scope, self.declarations, self.varying_ids, self.common_ids, self.numbers = saved

    def parameter(self, k, pure):
        kind = self.below(10)
        t = self.scalar() if kind < 4 else self.any_type()
        if kind < 6 or (kind < 8 and not self.structs):
            return Variable(f'x{k}', t, wild=t.floating), t.declare(f'x{k}')
        if kind < 8:
            t = self.random.choice(self.structs)
            return Variable(f'x{k}', t, wild=True), t.declare(f'x{k}')
        space = self.one_of('private', 'private', 'global', '' if self.version >= 200 else 'private')
        limit = self.one_of(1, 1, 2, 4)
        if self.structs and self.chance(25):
            t, limit = self.random.choice(self.structs), 1
        form = f'x{k}[{{}}]'
        text = f'{space} {"const " if pure else ""}{t.name} *x{k}'.strip()
        return Variable(f'x{k}', t, writable=not pure, wild=True, form=form, limit=limit, space=space or 'any'), text

    def draw_function(self, t, pure, first=None):
        name = f'f{self.numbers.setdefault("f", 0)}_{self.seed}'
        self.numbers['f'] += 1
        drawn = [self.parameter(k + 1, pure) for k in range(self.below(3) + (not pure))]
        if first:
            drawn.insert(0, (Variable('x0', first, wild=True), first.declare('x0')))
        parameters = [v for v, _ in drawn]
        function = Function(name, t, [dataclasses.replace(v, space='' if v.space == 'any' else v.space) for v in parameters])
        saved = self.enter(parameters)
        for _ in range(self.below(2)):
            some = self.any_type()
            self.scope.append(self.declare('v', some, self.value(some, 1)))
        place = Place(False, depth=3 if self.chance(50) else 2)
        if isinstance(t, Value):
            place = dataclasses.replace(place, exits=((f'return {self.value(t, 1)};', False),))
        body = self.block(place, 0 if pure else 1, 1)
        body.append(Node(self.result(t, first), kept=True))
        head = f'{self.qualifier()}{t.name if t else "void"} {name}({", ".join(text for _, text in drawn)}) {{'
        self.top.append(Node(head, [*self.declarations, *body], '}'))
        self.restore(saved)
        (self.functions if pure else self.changers).append(function)

    def result(self, t, first):
        if t is None:
            return ';'
        return 'return x0;' if first else f'return {self.value(t, 2)};'

    def draw_maker(self, t):
        """A function that puts a structure together, member by member."""
        name = f'f{self.numbers.setdefault("f", 0)}_{self.seed}'
        self.numbers['f'] += 1
        parameters = [Variable(f'x{k}', some, wild=some.floating)
                      for k, some in enumerate(self.one_of((self.any_type(),), (self.any_type(), self.any_type())))]
        saved = self.enter(parameters)
        whole = list(leaves(t))
        if t.union or self.chance(30):
            lines = [f'{t.name} s = {self.initial(t)};']
            whole = self.random.sample(whole, min(len(whole), 2)) if not t.union else []
        else:
            lines = [f'{t.name} s;']
        lines += [f's{path} = {self.value(member, 1)};' for path, member in whole]
        head = f'{self.qualifier()}{t.name} {name}({", ".join(v.type.declare(v.name) for v in parameters)}) {{'
        self.top.append(Node(head, [Node('\n'.join([*lines, 'return s;']), kept=True)], '}'))
        self.restore(saved)
        self.functions.append(Function(name, t, parameters))

    def draw_picker(self):
        """A function that returns one of two addresses."""
        t = self.scalar()
        name = f'f{self.numbers.setdefault("f", 0)}_{self.seed}'
        self.numbers['f'] += 1
        space = 'private ' if self.version < 200 else self.one_of('private ', 'private ')
        self.top.append(Node(f'{self.qualifier()}{space}{t.name} *{name}({space}{t.name} *a, {space}{t.name} *b, int c) '
                             f'{{ return {self.one_of("c & 1", "c > 3", "c")} ? a : b; }}'))
        self.pickers.append(Function(name, t, []))

    def draw_called_kernel(self):
        """A kernel that other kernels call; nobody launches it."""
        given = self.random.choice(self.structs) if self.structs and self.chance(70) else self.any_type()
        t, name = self.any_type(), f'q_{self.seed}'
        parameters = [Variable('x', given, wild=True), Variable('at', UINT, writable=False, space='')]
        saved = self.enter(parameters)
        body = [*self.block(Place(False, depth=3), 0, 1), Node(f'p[at] = {self.value(t, 1)};')]
        self.top.append(Node(f'kernel void {name}(global {t.name} *p, {given.declare("x")}, uint at) {{',
                             [*self.declarations, *body], '}'))
        self.restore(saved)
        self.called = Function(name, t, [parameters[0]])

    def call_kernel(self, place):
        """Changes an element of the item's own by the other kernel."""
        arguments = self.called and self.arguments(self.called, 1)
        if not arguments:
            return self.assignment(place)
        return Node(f'{self.called.name}(called, {arguments}, slot);')

    def draw_meeting(self):
        """A function with a barrier, through which items exchange a value."""
        t = self.scalar()
        name = f'f{self.numbers.setdefault("f", 0)}_{self.seed}'
        self.numbers['f'] += 1
        wait = self.barrier('CLK_LOCAL_MEM_FENCE')
        self.top.append(Node(
            f'{self.qualifier()}{t.name} {name}(local {t.name} *p, {t.name} x, uint li, uint ls, uint by) {{\n'
            f'    p[li] = x;\n    {wait}\n    x = p[(li + (by & 63)) % ls];\n    {wait}\n    return x;\n}}'))
        self.meetings.append(Function(name, t, []))
