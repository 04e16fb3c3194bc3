# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel: its types, tables, functions, parameters, variables, body and launches."""
import dataclasses
import random

from node import Node

from .expressions import COUNTS, Variable
from .objects import Objects
from .statements import Place
from .types import FLOAT, INT, UINT, ULONG, Array, Struct, Value, leaves, mask

LOCALS = {1: ((1,), (2,), (3,), (7,), (8,), (16,), (17,), (31,), (32,), (64,), (64,), (65,), (100,), (128,)),
          2: ((8, 8), (16, 4), (3, 5), (1, 7), (5, 1), (32, 2), (4, 4), (2, 33), (1, 1), (7, 3)),
          3: ((4, 1, 7), (4, 4, 2), (2, 3, 5), (1, 1, 9), (1, 1, 1), (64, 1, 1), (4, 2, 1), (3, 1, 1), (16, 1, 2),
              (2, 1, 8), (8, 1, 3))}
MOST_ITEMS = 420


@dataclasses.dataclass
class Launch:
    size: tuple
    local: tuple
    offset: tuple
    n: int

    @property
    def items(self):
        x, y, z = self.size
        return x * y * z

    @property
    def group(self):
        x, y, z = self.local
        return x * y * z

    def text(self, kernel, dimensions):
        def three(what):
            return ' '.join(map(str, what))
        return (f'// launch {kernel} {dimensions} global {three(self.size)} offset {three(self.offset)} '
                f'local {three(self.local)} arguments')


@dataclasses.dataclass
class Parameter:
    text: str
    token: object  # a function of a launch


@dataclasses.dataclass
class Kernel:
    """`launches` are (what comes before the words, words), one word for each of `parameters`."""
    seed: int
    attribute: str
    parameters: list
    body: list
    launches: list
    version: int

    @property
    def name(self):
        return f'k{self.seed}'

    def text(self):
        head = f'kernel {self.attribute} void {self.name}({", ".join(self.parameters)})'
        *top, own = [node.text(0) for node in self.body]
        return '\n'.join([*(' '.join((start, *words)) for start, words in self.launches), *top, head, own]) + '\n'

    def fewer(self):
        """The same without one of the parameters or attributes."""
        if self.attribute:
            yield dataclasses.replace(self, attribute='')
        for k in range(1, len(self.parameters)):
            yield dataclasses.replace(self, parameters=self.parameters[:k] + self.parameters[k + 1:],
                                      launches=[(start, words[:k] + words[k + 1:]) for start, words in self.launches])


WEIGHTS = {'assignment': 12, 'byte_store': 1, 'copy': 4, 'comparison': 4, 'through': 4, 'pointer': 4, 'packed': 3,
           'halves': 2,
           'atomic': 2, 'leave': 6, 'branch': 9, 'switch': 3, 'loop': 11, 'forward': 4, 'backward': 3, 'entered': 3,
           'duff': 2, 'wait': 4, 'exchange': 4, 'neighbours': 2, 'leader': 3, 'local_atomics': 2, 'fetch': 2,
           'group_function': 4, 'sub_group_function': 2, 'meet': 2, 'barrier_loop': 8, 'common': 3, 'walk': 3,
           'image': 1, 'pipe': 1, 'call_kernel': 1}
RARE = ('image', 'pipe', 'call_kernel')


class Generator(Objects):
    def __init__(self, seed, version, attempt=0):
        self.random = random.Random(f'mixed {seed} {attempt}')
        self.seed = seed
        self.version = version
        self.numbers = self.own_numbers = {}
        self.scope, self.declarations, self.parameters, self.locals = [], [], [], []
        self.functions, self.changers, self.pickers, self.meetings = [], [], [], []
        self.top, self.tables, self.structs, self.cells, self.shared = [], [], [], [], []
        self.inputs, self.half_buffers = [], []
        self.called = None
        self.local_room = 16000  # bytes
        self.common_ids, self.varying_ids = [], []
        # Each kernel has only some kinds of statements: so these meet more often.
        self.weights = {kind: weight * self.one_of(1, 1, 3) for kind, weight in WEIGHTS.items()
                        if kind == 'assignment' or self.chance(12 if kind in RARE else 55)}
        for kind in RARE:
            if kind in self.weights:
                self.weights[kind] *= 10
        # Many faults want a loop, a barrier and nothing else that keeps values alive.
        self.tiny = self.chance(25)
        self.flat = self.chance(25)
        if self.flat:
            for kind in self.TOGETHER:
                self.weights.pop(kind, None)

    # ---- launches -----------------------------------------------------------------------------

    def draw_launches(self):
        self.dimensions = self.one_of(1, 1, 1, 2, 2, 3, 3)
        self.even = self.version < 200 or self.chance(65)
        required = self.random.choice(LOCALS[self.dimensions]) if self.chance(35) else None
        self.attribute = ''
        self.launches = []
        if required:
            self.even = True
            self.attribute = f'__attribute__((reqd_work_group_size({", ".join(map(str, (*required, 1, 1)[:3]))})))'
        for _ in range(self.one_of(1, 1, 2, 2, 3)):
            local = required or self.random.choice(LOCALS[self.dimensions])
            size, room = [], MOST_ITEMS
            for k in local:
                room //= k
                groups = self.one_of(*range(1, max(1, min(3, room)) + 1))
                room //= groups
                extra = self.below(k) if not self.even and self.chance(50) else 0
                size.append(max(1, k * groups - extra))
            offset = [self.one_of(0, 0, 1, 3, 7) for _ in size] if self.chance(35) else [0] * len(size)
            self.launches.append(Launch(three(size), three(local), three(offset, 0), self.below(6)))
        if not self.attribute and self.chance(25):
            hint = ', '.join(map(str, three(self.random.choice(LOCALS[self.dimensions]))))
            self.attribute = f'__attribute__((work_group_size_hint({hint})))'
        if self.chance(15):
            self.attribute += f' __attribute__((vec_type_hint({self.any_type().name})))'
        self.most_items = max(launch.group for launch in self.launches)
        self.most = max(launch.items for launch in self.launches)

    # ---- types and tables ---------------------------------------------------------------------

    def member(self, depth):
        kind = self.below(10)
        t = self.scalar()
        if kind < 3:
            t = t.of(3)
        elif kind < 5:
            t = t.of(self.one_of(*COUNTS))
        if self.chance(30):
            return Array(t, self.one_of(2, 3, 4))
        if depth and self.structs and self.chance(35):
            inner = self.random.choice(self.structs)
            return Array(inner, 2) if self.chance(30) else inner
        return t

    def draw_structs(self):
        for _ in range(self.one_of(0, 0, 0, 1, 1, 2)):
            name = f'S{len(self.structs)}_{self.seed}'
            if self.chance(15):
                members = self.one_of(('uint', 'float', 'uchar4', 'short2'),
                                      ('ulong', 'double', 'uint2', 'float2', 'ushort4'),
                                      ('uint4', 'float4', 'long2', 'uchar16'))
                fields = tuple((f'f{k}', parse(m), 0) for k, m in enumerate(members))
                new = Struct(name, fields, union=True)
            else:
                fields = tuple((f'f{k}', self.member(1), self.one_of(16, 32, 64) if self.chance(8) else 0)
                               for k in range(self.below(4) + 1))
                fields = tuple((n, t, a if a >= t.align else 0) for n, t, a in fields)
                new = Struct(name, fields, self.one_of(16, 32, 64, 128) if self.chance(15) else 0)
            if new.size <= 600:
                self.structs.append(new)
                self.top.append(Node(new.text(), kept=True))

    def draw_tables(self):
        for _ in range(self.one_of(0, 0, 1, 2)):
            t = self.one_of(INT, UINT, Value('uchar'), Value('ushort'), ULONG, FLOAT, Value('int', 3), Value('float', 3))
            limit = self.one_of(4, 8, 5)
            name = f'T{len(self.scope)}_{self.seed}'
            how = 'constant' if self.version < 200 or self.chance(60) else self.one_of('global const', 'global')
            self.top.append(Node(f'{how} {t.declare(f"{name}[{limit}]")} = '
                                 f'{{{", ".join(self.literal(t) for _ in range(limit))}}};'))
            v = Variable(name, t, True, False, form=name + '[{}]', limit=limit, space='')
            self.scope.append(v)
            if not t.vector and not t.floating:
                self.tables.append(v)

    # ---- parameters ---------------------------------------------------------------------------

    def parameter_of(self, text, token):
        self.parameters.append(Parameter(text, token))

    def pointer_words(self):
        return self.one_of('', '', '', 'restrict ', 'restrict ')

    def fill(self, t):
        base = t.base if isinstance(t, Value) else ''
        return {'float': 'f', 'double': 'd'}.get(base) or self.one_of('u', 's')

    def draw_parameters(self):
        self.parameters.append(Parameter('global ulong *hash', lambda launch: f'o{self.slots(launch) * 8}u'))
        if self.chance(60):
            self.parameters.append(Parameter('int n', lambda launch: f'v{launch.n}'))
            self.common_ids.append(('n', INT))
        else:
            self.declarations.append(Node('int n = (int)get_num_groups(0);'))
        for k in range(self.one_of(0, 1, 1, 2)):
            self.draw_output(k)
        for k in range(self.one_of(0, 1, 1, 2)):
            self.draw_input(k)
        for k in range(self.one_of(0, 0, 1, 2)):
            self.draw_value(k)
        if not self.flat and self.chance(35):
            self.draw_own_local()
        if not self.flat and self.chance(20):
            self.draw_shared_local()
        if self.chance(15):
            self.draw_halves()
        self.draw_images()
        self.draw_pipes()
        if self.called:
            t = self.called.type
            self.parameter_of(f'global {t.name} *called', lambda launch, t=t: f'o{self.slots(launch) * t.size}u{mask(t)}')
        if 'neighbours' in self.weights and self.even:
            t = self.any_type()
            self.parameters.append(Parameter(f'global {t.name} *{self.pointer_words()}x0',
                                             lambda launch, t=t: f'o{self.slots(launch) * t.size}u{mask(t)}'))
            self.shared.append(Variable('x0', t))
        if 'atomic' in self.weights:
            t = self.one_of(INT, UINT)
            self.parameters.append(Parameter(f'volatile global {t.name} *cells', lambda launch: f'o{16 * 4 * 4}z'))
            self.cells.append(Variable('cells', t))

    def draw_output(self, k):
        t = self.any_type()
        if self.structs and self.chance(20):
            t = self.random.choice(self.structs)
        each = self.one_of(1, 2, 4, 4, 8)
        name = f'out{k}'
        if each > 1 and self.chance(50):
            stride = self.most_slots()
            form = f'{name}[({{}}) * {stride} + slot]'
            bytes_ = (lambda launch: ((each - 1) * stride + self.slots(launch)) * t.size)
        elif len({self.slots(launch) for launch in self.launches}) == 1 and self.chance(40):  # backwards
            form = f'{name}[({self.most_slots() - 1} - slot) * {each} + ({{}})]'
            bytes_ = (lambda launch: self.slots(launch) * each * t.size)
        else:
            form = f'{name}[slot * {each} + ({{}})]' if each > 1 else f'{name}[slot]'
            bytes_ = (lambda launch: self.slots(launch) * each * t.size)
        fill = self.fill(t)
        first = 'volatile ' if self.chance(6) else ''
        self.parameters.append(Parameter(f'{first}global {t.name} *{self.pointer_words()}{name}',
                                         lambda launch: f'o{bytes_(launch)}{fill}{mask(t)}'))
        self.scope.append(Variable(name, t, wild=True, form=form, limit=each, space='' if first else 'global'))

    def draw_input(self, k):
        t = self.any_type()
        if self.structs and self.chance(20):
            t = self.random.choice(self.structs)
        limit = self.one_of(1, 5, 16, 64, 61, 100, 256, self.most_slots(), self.most_slots())
        fill = self.fill(t)
        constant = self.chance(25)
        words = 'constant' if constant else 'global const'
        self.parameters.append(Parameter(f'{words} {t.name} *{"" if constant else self.pointer_words()}in{k}',
                                         lambda launch: f'i{limit * t.size}{fill}'))
        v = Variable(f'in{k}', t, True, False, wild=True, form=f'in{k}[{{}}]', limit=limit,
                     space='' if constant else 'global')
        self.scope.append(v)
        if limit == self.most_slots():  # each item's own, in either direction, and its neighbours'
            for form in (f'in{k}[slot]', f'in{k}[{limit - 1} - slot]', f'in{k}[slot / 2]',
                         f'in{k}[slot < {limit - 1} ? slot + 1 : 0]'):
                if self.chance(60):
                    self.scope.append(dataclasses.replace(v, uniform=False, form=form, limit=1))
        if not constant:
            self.inputs.append(v)

    def draw_value(self, k):
        name = f'arg{k}'
        t = self.random.choice(self.structs) if self.structs and self.chance(60) else self.any_type()
        fill = self.fill(t)
        writable = self.chance(50)
        self.parameters.append(Parameter(t.declare(name), lambda launch: f'b{t.size}{fill}'))
        self.scope.append(Variable(name, t, not writable, writable, wild=True))

    def draw_own_local(self):
        each = self.one_of(1, 2, 4, 4)
        t = self.local_type(each * self.most_items)
        self.parameters.append(Parameter(f'local {t.name} *lb', lambda launch: f'l{launch.group * each * t.size}'))
        self.own_local = [Node(f'lb[li * {each} + {k}] = {self.value(t, 1)};', kept=True) for k in range(each)]
        form = f'lb[li * {each} + ({{}})]' if each > 1 else 'lb[li]'
        self.scope.append(Variable('lb', t, form=form, limit=each, space='local'))

    def draw_shared_local(self):
        """Memory of the group that each item has written before anything else, and all only read."""
        t = self.local_type(self.most_items)
        name = self.local_memory(t, self.most_items)
        self.own_local.append(Node(f'{name}[li] = {self.value(t, 1)};\n{self.barrier("CLK_LOCAL_MEM_FENCE")}', kept=True))
        self.scope.append(Variable(name, t, True, False, form=f'{name}[(uint)({{}}) % {self.items}]', limit=64, space=''))

    def draw_halves(self):
        if self.chance(50):
            self.parameters.append(Parameter('global const half *inh', lambda launch: 'i128h'))
            self.half_buffers.append(('inh[{}]', 64, False))
        self.parameters.append(Parameter('global half *outh', lambda launch: f'o{self.slots(launch) * 8}h'))
        self.half_buffers.append(('outh[slot * 4 + {}]', 4, True))

    def local_type(self, count):
        """A type of which the group's memory has room for so many."""
        t = self.any_type()
        while count * t.size > self.local_room:
            t = t.of(t.count // 2 if t.count != 3 else 1) if t.vector else Value('uchar')
            if t.size == 1:
                break
        self.local_room -= count * t.size
        return t

    def local_memory(self, t, count, inside=False):
        """Memory of the group; `count` is for the largest group if it may be a parameter."""
        if not inside and self.chance(50):
            name = self.fresh('lp')
            self.parameters.append(Parameter(f'local {t.name} *{name}', lambda launch: f'l{launch.group * t.size}'))
            return name
        name = self.fresh('lm')
        self.locals.append(Node(f'local {t.declare(f"{name}[{count}]")};'))
        return name

    # ---- who am I -----------------------------------------------------------------------------

    def slots(self, launch):
        return launch.items + (launch.offset[0] if self.raw else 0)

    def most_slots(self):
        return max(self.slots(launch) for launch in self.launches)

    def draw_ids(self):
        """gx, li, ls and slot, each item's own number below the count of items."""
        self.raw = self.dimensions == 1 and self.chance(50)
        whole = self.one_of('int', 'uint', 'uint', 'size_t', 'ulong')
        lines = [f'{whole} gx = get_global_id(0);']
        self.varying_ids.append(('gx', Value('ulong' if whole == 'size_t' else whole)))
        linear = self.version >= 200 and self.chance(30)
        li = {1: 'get_local_id(0)', 2: 'get_local_id(1) * get_local_size(0) + get_local_id(0)',
              3: '(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)'}
        t = self.one_of('uint', 'uint', 'int')
        lines.append(f'{t} li = {"get_local_linear_id()" if linear else li[self.dimensions]};')
        self.varying_ids.append(('li', Value(t)))
        lines.append(f'{t} ls = {" * ".join(f"get_local_size({k})" for k in range(self.dimensions))};')
        self.common_ids.append(('ls', Value(t)))
        self.items = '(uint)ls'
        t = self.one_of('uint', 'uint', 'int', 'size_t')
        lines.append(f'{t} slot = {self.slot_text()};')
        self.varying_ids.append(('slot', Value('ulong' if t == 'size_t' else t)))
        for k in range(self.dimensions):
            self.varying_ids.append((f'get_local_id({k})', ULONG))
            self.common_ids += [(f'get_group_id({k})', ULONG), (f'get_local_size({k})', ULONG)]
        self.varying_ids.append((f'get_global_id({self.dimensions - 1})', ULONG))
        self.common_ids.append((f'get_num_groups({self.dimensions - 1})', ULONG))
        # Ids that go round their end between two items.
        factor = self.one_of('3', '77', '0x18000001UL', '0x80000001UL', '0xffffffffUL')
        t = self.one_of('uchar', 'ushort', 'uint', 'char', 'short')
        self.varying_ids.append((f'(({t})(get_global_id(0) * {factor}))', Value(t)))
        if self.flat:  # who asks for these is not flat
            self.varying_ids = [v for v in self.varying_ids if 'local' not in v[0] and v[0] != 'li']
            self.common_ids = [v for v in self.common_ids if 'g' not in v[0] and v[0] != 'ls']
            lines = [line for line in lines if ' li =' not in line and ' ls =' not in line]
        return [Node('\n'.join(lines), kept=True)]

    def slot_text(self):
        if self.raw:
            return 'get_global_id(0)'
        if self.version >= 200 and 'neighbours' not in self.weights and self.chance(20):
            return 'get_global_linear_id()'
        group = {1: 'get_group_id(0)', 2: '(get_group_id(1) * get_num_groups(0) + get_group_id(0))',
                 3: '((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0))'}
        same = len({launch.group for launch in self.launches}) == 1
        if self.needs_groups():
            return f'{group[self.dimensions]} * {self.launches[0].group if same and self.chance(60) else "ls"} + li'
        x, y, z = (f'(get_global_id({k}) - get_global_offset({k}))' for k in range(3))
        return {1: x, 2: f'{y} * get_global_size(0) + {x}',
                3: f'({z} * get_global_size(1) + {y}) * get_global_size(0) + {x}'}[self.dimensions]

    def needs_groups(self):
        """Where the items of a group must have neighbouring slots."""
        return self.even and not self.flat and ('neighbours' in self.weights or self.chance(50))

    # ---- variables ----------------------------------------------------------------------------

    def initial(self, t):
        if isinstance(t, Value):
            return self.value(t, self.one_of(0, 0, 1))
        if isinstance(t, Array):
            count = t.length if self.chance(70) else self.below(t.length) + 1
            count = min(count, 16)
            return f'{{{", ".join(self.initial(t.of) for _ in range(count))}}}'
        fields = t.fields[:1] if t.union else t.fields
        return f'{{{", ".join(self.initial(member) for _, member, _ in fields)}}}'

    def draw_variables(self):
        if self.tiny:
            for _ in range(self.one_of(0, 0, 1, 2)):
                t = self.any_type()
                self.scope.append(self.declare(*self.one_of(('v', t, self.value(t, 1)), ('w', t, self.value(t, 1, True)))))
                self.scope[-1].uniform = self.scope[-1].name[0] == 'w'
            return
        for _ in range(self.one_of(0, 1, 1, 2, 3)):
            t = self.any_type()
            self.scope.append(self.declare('v', t, self.value(t, 1)))
        for _ in range(self.one_of(0, 1, 1, 2)):
            t = Value(self.one_of('int', 'uint', 'uint', 'long', 'uchar', 'float', 'uint'), self.one_of(1, 1, 1, 3))
            self.scope.append(self.declare('w', t, self.value(t, 1, True), uniform=True))
        for _ in range(self.one_of(0, 0, 0, 1, 1, 2)):
            t = Array(self.scalar() if self.chance(60) else self.scalar().of(3), self.one_of(2, 4, 4, 8, 16, 5))
            t = Array(Array(t.of, 3), 4) if self.chance(12) else t
            t = Array(t.of, self.one_of(40, 70, 300)) if self.chance(6) and isinstance(t.of, Value) else t
            self.scope.append(self.declare('a', t, self.initial(t)))
        for t in self.structs:
            for _ in range(self.one_of(0, 1, 1, 2)):
                self.draw_aggregate(t)
        for _ in range(self.one_of(0, 0, 1, 2)):
            self.draw_pointer()
        if self.chance(8):
            t = self.scalar()
            name = self.fresh('vv')
            self.declarations.append(Node(f'volatile {t.name} {name} = {self.value(t, 1)};'))
            self.scope.append(Variable(name, t, space=''))

    def draw_aggregate(self, t):
        if self.chance(10):
            t = Array(t, 2)
        sources = self.aggregates(t)
        makers = [f for f in self.functions if f.type == t]
        arguments = makers and self.arguments(makers[0], 1)
        if sources and self.chance(40):
            value = self.random.choice(sources)
            if isinstance(t, Array):
                value = self.initial(t)
        elif arguments and self.chance(70):
            value = f'{makers[0].name}({arguments})'
        elif isinstance(t, Struct) and not t.union and self.chance(25):
            name = self.fresh('s')
            self.declarations.append(Node('\n'.join([f'{t.name} {name};', *(
                f'{name}{path} = {self.value(member, 0)};' for path, member in leaves(t))])))
            self.scope.append(Variable(name, t, wild=has_union(t)))
            return
        else:
            value = self.initial(t)
        self.scope.append(self.declare('s', t, value, wild=True))

    def draw_pointer(self):
        """An address that is kept: in a variable, an array of pointers or a structure."""
        values = [v for v in self.scope if v.space == 'private' and v.writable and not v.uniform and not v.pointer]
        if not values:
            return
        v = self.random.choice(values)
        t = v.type
        while not isinstance(t, Value):
            t = t.of if isinstance(t, Array) else self.random.choice(t.fields)[1]
        limit = self.one_of(1, 1, 2)
        where = self.address(t, limit, 'private')
        if not where:
            limit, where = 1, self.address(t, 1, 'private')
        if not where:
            return
        space = 'private ' if self.version < 200 or self.chance(50) else ''
        name, kind = self.fresh('p'), self.below(3)
        if kind == 0:
            self.declarations.append(Node(f'{space}{t.name} *{name} = {where};'))
            names = [name]
        elif kind == 1:
            self.declarations.append(Node(f'{space}{t.name} *{name}[2] = {{{where}, {self.address(t, limit, "private")}}};'))
            names = [f'{name}[0]', f'{name}[1]']
            if self.chance(50):
                names.append(f'{name}[{self.index(2)}]')
        else:
            self.declarations.append(Node(f'struct {{ int a; {space}{t.name} *at; }} {name} = '
                                          f'{{{self.value(INT, 1)}, {where}}};'))
            names = [f'{name}.at']
        for each in names:
            self.scope.append(Variable(each, t, wild=True, form=each + '[{}]', limit=limit, pointer=True,
                                       space=space.strip() or 'generic'))

    # ---- the end ------------------------------------------------------------------------------

    def hashed(self, text, t):
        if t.vector:
            lanes = range(t.count) if t.count <= 4 else self.random.sample(range(t.count), 3)
            return [line for k in lanes for line in self.hashed(f'{text}.{t.lane(k)}', t.element)]
        if t.floating:
            return [f'h = h * 31 + as_{t.unsigned.name}({text});']
        return [f'h = h * 31 + (ulong){text};']

    def epilogue(self):
        """What is kept of the variables: some of all."""
        nodes = []
        if self.chance(40):
            text, t = self.random.choice(self.varying_ids)
            nodes += [Node(line) for line in self.hashed(text, t)]
        for v in self.scope:
            if v.form and not v.pointer or v.name[0] in 'ioT' or not self.chance(80):
                continue
            many = isinstance(v.type, Array) and isinstance(v.type.of, Value)
            if many and (v.type.length > 16 or self.chance(50)):
                body = [Node(line) for line in self.hashed(f'{v.name}[k]', v.type.of)]
                nodes.append(Node(f'for (int k = 0; k < {v.type.length}; ++k) {{', body, '}'))
                continue
            found = list(leaves(v.type, self.within(v, False)))
            for text, t in self.random.sample(found, min(len(found), 3)):
                nodes += [Node(line) for line in self.hashed(text, t)]
        return nodes

    def draw_body(self):
        """The body and what comes behind it: sometimes all is stored before the last barrier."""
        place = Place(not self.flat)
        if self.flat and self.chance(30):
            place = Place(False, exits=(('return;', False),))
        store = [Node('hash[slot] = h;', kept=True)]
        if self.tiny:
            kind = self.barrier_loop if not self.flat and self.chance(70) else self.statement
            body = [kind(place), *self.block(place, 0, self.one_of(0, 0, 1))]
            return body, [*(self.epilogue() if self.chance(50) else []), *store]
        body = self.block(place, *self.one_of((1, 1), (1, 2), (2, 3), (2, 4), (3, 6)))
        ending = self.below(10)
        if ending == 0:
            return body, [Node('hash[slot] = 7UL;', kept=True)]
        if ending < 3 and not self.flat:
            last = [self.one_of(self.wait, self.barrier_loop)(place)]
            before = [*self.epilogue(), *store]
            return ([*before, *body], last) if ending == 1 else (body, [*before, *last])
        return body, [*self.epilogue(), *store]

    def kernel(self):
        self.draw_launches()
        self.draw_tables()
        if not self.tiny:
            self.draw_structs()
        ids = self.draw_ids()
        outer, self.scope = self.scope, []
        if not self.tiny or self.chance(25):
            self.draw_functions(outer)
        self.scope = outer
        self.own_local = []
        self.draw_parameters()
        self.draw_variables()
        body, end = self.draw_body()
        used = ' '.join(node.text() for node in [*body, *end, *self.own_local, *self.declarations])
        own = self.own_local if 'lb[' in used or 'lp' in used or 'lm' in used else []
        top = [*self.locals, *ids, Node('ulong h = 7;', kept=True), *own, *self.declarations]
        first, *rest = self.parameters
        self.random.shuffle(rest)
        parameters = [first, *rest]
        launches = [(launch.text(f'k{self.seed}', self.dimensions), [p.token(launch) for p in parameters])
                    for launch in self.launches]
        return Kernel(self.seed, self.attribute, [p.text for p in parameters],
                      [*self.top, Node('{', [*top, *body, *end], '}', kept=True)], launches, self.version)


def three(some, fill=1):
    return (*some, fill, fill)[:3]


def has_union(t):
    if isinstance(t, Array):
        return has_union(t.of)
    return isinstance(t, Struct) and (t.union or any(has_union(m) for _, m, _ in t.fields))


def parse(name):
    base = name.rstrip('0123456789')
    return Value(base, int(name[len(base):] or 1))
