# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that all items of a group reach together: barriers, exchanges, functions of groups.

An exchange is one node with all of its barriers, so that nothing that fuzz.py drops makes a race. A barrier
elsewhere orders nothing that matters, as items touch only what is their own between exchanges.
"""
import dataclasses

from node import Node

from .expressions import Variable
from .statements import COUNTERS, Statements
from .types import INT, UINT, ULONG, Value

FENCES = ('CLK_LOCAL_MEM_FENCE', 'CLK_GLOBAL_MEM_FENCE', 'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE')


class Together(Statements):
    """Needs besides: self.version, self.dimensions, self.local_memory(type, count) -> name, self.items."""

    TOGETHER = ('wait', 'exchange', 'leader', 'group_function', 'sub_group_function', 'fetch', 'local_atomics',
                'barrier_loop', 'common', 'neighbours', 'meet')

    def barrier(self, fence=None):
        fence = fence or self.one_of(*FENCES)
        if self.version < 200 or self.chance(50):
            return f'barrier({fence});'
        scope = self.one_of('', '', ', memory_scope_work_group', ', memory_scope_device')
        return f'work_group_barrier({fence}{scope});'

    def wait(self, _place):
        return Node(self.barrier())

    def target(self):
        return self.place(False, writable=True)

    def into(self, text, t):
        """A statement that changes something by a value."""
        found = self.target()
        if not found:
            return ';'
        where, wanted, _ = found
        value = self.convert(f'tame({text})' if t.floating else text, t, wanted)
        return f'{where} = {value};' if wanted.floating or self.chance(50) else f'{where} ^= {value};'

    def step(self):
        return self.one_of('1', '2', f'{self.items} - 1', f'{self.items} / 2', f'({self.value(UINT, 1)} & 63)')

    def exchange(self, _place):
        """What another item has written into local memory."""
        if self.structs and self.chance(30):
            return self.exchange_structures()
        t = self.local_type(self.most_items)
        name = self.local_memory(t, self.most_items)
        wait = self.barrier('CLK_LOCAL_MEM_FENCE')
        if self.chance(25):
            return Node(f'{name}[li] = {self.value(t)};\n{wait}\n{self.into(f"{name}[{self.items} - 1 - li]", t)}\n{wait}')
        return Node(f'{name}[li] = {self.value(t)};\n{wait}\n'
                    f'{self.into(f"{name}[(li + {self.step()}) % {self.items}]", t)}\n{wait}')

    def exchange_structures(self):
        t = self.random.choice(self.structs)
        sources, targets = self.aggregates(t), self.aggregates(t, True)
        if not sources or not targets or t.size * self.most_items > self.local_room:
            return Node(self.barrier())
        self.local_room -= t.size * self.most_items
        name = self.local_memory(t, self.most_items)
        wait = self.barrier('CLK_LOCAL_MEM_FENCE')
        return Node(f'{name}[li] = {self.random.choice(sources)};\n{wait}\n{self.random.choice(targets)} = '
                    f'{name}[(li + {self.step()}) % {self.items}];\n{wait}')

    def neighbours(self, _place):
        """The same through global memory."""
        if not self.shared:
            return self.exchange(_place)
        v = self.random.choice(self.shared)
        wait = self.barrier('CLK_GLOBAL_MEM_FENCE')
        return Node(f'{v.name}[slot] = {self.value(v.type)};\n{wait}\n'
                    f'{self.into(f"{v.name}[slot - li + (li + {self.step()}) % {self.items}]", v.type)}\n{wait}')

    def leader(self, _place):
        """One item writes, all read or nobody does."""
        t = self.one_of(INT, UINT, ULONG, Value('float'), Value('uint', 3))
        count = self.one_of(1, 2, 3)
        name = self.local_memory(t, count, inside=True)
        who = self.one_of('0', '0', f'{self.items} - 1')
        writes = [Node(f'{name}[{k}] = {self.value(t, 1)};') for k in range(count)]
        if self.chance(30):
            return Node(f'if (li == {who}) {{', writes, '}')
        wait = self.barrier('CLK_LOCAL_MEM_FENCE')
        read = self.into(f'{name}[{self.below(count)}]', t)
        common = [v for v in self.places(True, True) if isinstance(v.type, Value) and not v.type.floating]
        if common and not t.floating and self.chance(60):
            v = self.random.choice(common)
            read = f'{v.name} = {self.convert(f"{name}[{self.below(count)}]", t, v.type)};'
        return Node(f'if (li == {who}) {{\n'
                    + '\n'.join('    ' + w.head for w in writes) + f'\n}}\n{wait}\n{read}\n{wait}')

    def local_atomics(self, _place):
        t = self.one_of(INT, UINT)
        name = self.local_memory(t, 4, inside=True)
        op, start = self.one_of(('add', 0), ('xor', 5), ('or', 0), ('max', 0), ('min', 1000), ('inc', 3), ('and', 0xffff))
        value = '' if op == 'inc' else f', {self.value(t, 1)}'
        wait = self.barrier('CLK_LOCAL_MEM_FENCE')
        return Node(f'for (uint k = li; k < 4; k += {self.items})\n    {name}[k] = {start};\n{wait}\n'
                    f'{self.maybe()}atomic_{op}(&{name}[{self.index(4)}]{value});\n{wait}\n'
                    f'{self.into(f"{name}[{self.index(4)}]", t)}\n{wait}')

    def maybe(self):
        return f'if ({self.condition()})\n    ' if self.chance(50) else ''

    def fetch(self, _place):
        """async_work_group_copy from global memory."""
        among = [v for v in self.inputs if isinstance(v.type, Value) and v.limit >= 8]
        if not among:
            return self.exchange(_place)
        v = self.random.choice(among)
        count = self.one_of(1, 5, 8)
        name = self.local_memory(v.type, count, inside=True)
        start = f'({self.value(UINT, 1, True)} % {v.limit - count + 1}u)'
        event = self.fresh('e')
        wait = self.barrier('CLK_LOCAL_MEM_FENCE')
        if self.chance(30) and count > 1:
            copy = f'async_work_group_strided_copy({name}, {v.name}, {count}, {v.limit // count}, 0)'
        else:
            copy = f'async_work_group_copy({name}, {v.name} + {start}, {count}, 0)'
        return Node(f'{{\nevent_t {event} = {copy};\nwait_group_events(1, &{event});\n'
                    f'{self.into(f"{name}[{self.index(count)}]", v.type)}\n{wait}\n}}')

    def group_function(self, _place):
        """Functions of the work-group."""
        if self.version < 200:
            return self.exchange(_place)
        kind = self.below(6)
        common = [v for v in self.places(True, True) if isinstance(v.type, Value) and not v.type.floating]
        if kind < 2:
            return self.uniformly(f'work_group_{self.one_of("any", "all")}({self.condition()})', INT, common)
        t = Value(self.one_of('int', 'uint', 'long', 'ulong', 'float', 'double'))
        op = self.one_of('min', 'max') if t.floating else self.one_of('add', 'add', 'min', 'max')
        value = f'({self.value(t)} & 0xffff)' if op == 'add' else self.value(t)
        if kind == 2:
            ids = ', '.join(self.one_of('0', f'get_local_size({k}) - 1', f'get_local_size({k}) / 2')
                            for k in range(self.dimensions))
            return self.uniformly(f'work_group_broadcast({self.value(t)}, {ids})', t, common)
        if kind == 3:
            return self.uniformly(f'work_group_reduce_{op}({value})', t, common)
        if op != 'add':  # the exclusive ones begin with infinity
            return Node(self.into(f'work_group_scan_inclusive_{op}({value})', t))
        return Node(self.into(f'work_group_scan_{self.one_of("in", "ex")}clusive_{op}({value})', t))

    def uniformly(self, text, t, common):
        if common and not t.floating and self.chance(70):
            v = self.random.choice(common)
            return Node(f'{v.name} = {self.convert(text, t, v.type)};')
        return Node(self.into(text, t))

    def sub_group_function(self, _place):
        """What holds for sub-groups of any size."""
        if self.version < 200:
            return self.exchange(_place)
        same = self.value(UINT, 1, True)
        value = f'({self.value(UINT, 1)} & 0xffff)'
        name = self.fresh('sg')
        kind = self.below(8)
        if kind == 0:
            text = self.into(f'(sub_group_reduce_max({name}) >= sub_group_scan_inclusive_max({name}))', INT)
            return Node(f'{{\nuint {name} = {value};\n{text}\n}}')
        if kind == 1:
            text = self.into(f'work_group_reduce_add(get_sub_group_local_id() == 0 ? {name} : 0u)', UINT)
            return Node(f'{{\nuint {name} = sub_group_reduce_add({value});\n{text}\n}}')
        text, t = ((f'sub_group_all({self.condition(1, True)})', INT), (f'sub_group_any({self.condition(1, True)})', INT),
                   (f'(sub_group_broadcast({same}, 0) ^ 5u)', UINT), (f'sub_group_reduce_max({same})', UINT),
                   ('(sub_group_reduce_add(1) == (int)get_sub_group_size())', INT),
                   ('(sub_group_scan_inclusive_add(1) == (int)get_sub_group_local_id() + 1)', INT))[kind - 2]
        return Node(self.into(text, t))

    def meet(self, place):
        """A call of a function with a barrier in it."""
        if not self.meetings:
            return self.wait(place)
        f = self.random.choice(self.meetings)
        name = self.local_memory(f.type, self.most_items)
        return Node(self.into(f'{f.name}({name}, {self.value(f.type)}, li, {self.items}, {self.value(UINT, 1)})', f.type))

    def common(self, _place):
        """A variable that is the same for all items."""
        among = [v for v in self.places(True, True) if isinstance(v.type, Value)]
        if not among:
            return self.assignment(_place)
        v = self.random.choice(among)
        return Node(f'{v.name} = {self.value(v.type, 2, True)};')

    # ---- loops around barriers ----------------------------------------------------------------

    def little(self, place, most=2):
        """Nothing, most of the time, or some statements without barriers."""
        quiet = dataclasses.replace(place, uniform=False, exits=())
        return [self.statement(quiet) for _ in range(self.one_of(0, 0, 1, most))]

    def stop(self, c, way):
        """A uniform way out of, or round, a loop around a barrier."""
        when = self.one_of(f'({c} & 1) == {self.below(2)}', f'{c} == {self.below(3)}', f'{c} >= {self.below(3)}',
                           f'(({c} ^ {self.value(INT, 1, True)}) & 1) == 0', self.condition(1, True))
        if way == 'continue' and 'while (1)' in self.form:
            way = 'break'
        return Node(f'if ({when}) {way};')

    def barrier_loop(self, place):
        """A loop with one barrier (sometimes two): each form of condition, before, behind and inside."""
        c = self.fresh('u')
        t = self.one_of(*COUNTERS)
        bound = self.one_of('2', '3', '4', '1', self.bound(True, 3), self.bound(True, 3), '(int)(n & 3)')
        counter = Variable(c, Value('ulong' if t == 'size_t' else t), uniform=True, writable=False, space='')
        self.scope.append(counter)
        inner = dataclasses.replace(place.deeper(True), exits=())
        waits = [Node(self.barrier())]
        if self.chance(15):
            waits = [self.statement(dataclasses.replace(inner, depth=2)) for _ in range(2)] + waits
        elif self.chance(15):
            waits = [Node(f'if ({self.condition(1, True)}) {{', waits, '}')]
        before, behind = self.little(inner), self.little(inner)
        self.form = self.one_of('for', 'for', 'for', 'while', 'do', 'do', 'while (1)', 'flag', 'goto', 'down')
        if self.chance(35):
            before.append(self.stop(c, self.one_of('break', 'break', 'continue')))
        if self.chance(45):
            behind.insert(0, self.stop(c, self.one_of('break', 'break', 'continue')))
        body = [*before, *waits, *behind]
        node = self.around(c, t, bound, body)
        self.scope.remove(counter)
        return node

    def around(self, c, t, bound, body):
        up = self.one_of(f'++{c}', f'{c}++')
        if self.form == 'for':
            step = self.one_of(up, up, f'{c} += 2')
            compare = self.one_of('<', '<', '<=', '!=') if bound in '1234' and step == up else '<'
            return Node(f'for ({t} {c} = 0; {c} {compare} {bound}; {step}) {{', body, '}')
        if self.form == 'down':
            return Node(f'for ({t} {c} = {bound}; {c} > 0; --{c}) {{', body, '}')
        start = f'{t} {c} = 0;'
        if self.form == 'while':
            return Node(f'{{\n{start}\nwhile ({c}++ < {bound}) {{', body, '}\n}')
        if self.form == 'do':
            return Node(f'{{\n{start}\ndo {{', body, f'}} while (++{c} < {bound});\n}}')
        if self.form == 'while (1)':
            end = f'if ({self.one_of(f"++{c}", f"{c}++")} >= {bound})\n    break;'
            return Node(f'{{\n{start}\nwhile (1) {{', [*body, Node(end, kept=True)] if self.chance(50) else
                        [Node(end, kept=True), *body], '}\n}')
        if self.form == 'flag':
            return Node(f'{{\n{start}\nbool go{c} = true;\nwhile (go{c}) {{\ngo{c} = ++{c} < {bound};', body, '}\n}')
        text = '\n'.join(node.text(0) for node in body)
        if 'continue' in text or 'break' in text:
            return Node(f'{{\n{start}\ndo {{', body, f'}} while (++{c} < {bound});\n}}')
        label = self.fresh('L')
        return Node(f'{{\n{start}\n{label}:;', body, f'if (++{c} < {bound})\n    goto {label};\n}}')
