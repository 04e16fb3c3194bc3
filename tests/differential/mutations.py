# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes of kernels, drawn at random. Each takes a Mutant and returns what it did, or None.

What must stay true is that all items of a group come to the same barriers: conditions around
barriers are changed only where nothing in them depends on the item, and no barrier goes away. What
a mutant reads has always been written, since seeds.py gives every variable a value, and indices of
arrays of known length are cut down to it (`bounded`). Races are left to the judge in mutants.py.
"""
import dataclasses
import random

import ctree
from ctree import Node, is_name, is_number
from seeds import BUILT_IN, QUALIFIERS, SPACES

BARRIERS = {'barrier', 'work_group_barrier', 'async_work_group_copy', 'wait_group_events',
            'async_work_group_strided_copy'}
IDS = {'get_global_id', 'get_local_id', 'get_global_linear_id', 'get_local_linear_id'}
UNIFORM = {'get_group_id', 'get_local_size', 'get_global_size', 'get_num_groups', 'min', 'max',
           'get_global_offset', 'get_enqueued_local_size', 'abs', 'if', 'for', 'while', 'switch'}
ASSIGN = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}
INTEGERS = ('char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong')
FENCE = 'CLK_LOCAL_MEM_FENCE'


@dataclasses.dataclass
class Mutant:
    """A program with one kernel, what it is built with and how it is launched."""
    program: ctree.Program
    random: random.Random
    options: list
    launches: list
    through: str = ''  # 'spirv'
    seed: str = ''   # its text
    others: tuple = ()  # seeds of the same source
    risky: bool = False  # something may index behind an array's end
    counter: int = 0

    def kernel(self):
        return self.program.kernels()[0]

    def name(self, stem):
        self.counter += 1
        return f'm_{stem}{self.counter}'


# ---- what is known of a program -------------------------------------------------------------------

def calls(tokens):
    return {a for a, b in zip(tokens, tokens[1:]) if b == '(' and is_name(a)}


def with_barriers(program):
    """Names of functions that wait for other items."""
    names = set(BARRIERS)
    for _ in range(4):
        for f in program.functions():
            if calls(f.body.tokens()) & names:
                names.add(f.name)
    return names


def uniform_calls(program):
    names = set(UNIFORM)
    for f in program.functions():
        tokens = f.body.tokens()
        if not f.parameters and not set(tokens) & {*IDS, '['} and calls(tokens) <= names:
            names.add(f.name)
    return names


def assigned(tokens):
    """Names that a statement's tokens give a value."""
    names = set()
    for i, token in enumerate(tokens):
        if token in ASSIGN or token in ('++', '--'):
            names.update(t for t in tokens[max(0, i - 1):i + 2] if is_name(t))
        if token == '&':
            names.update(t for t in tokens[i + 1:i + 2] if is_name(t))
    return names


def varies(tokens, tainted, uniform):
    return bool(set(tokens) & {*IDS, '[', '->', *tainted} or calls(tokens) - uniform - {'int'})


def varying(function, program):
    """Names whose values may differ between items: too many rather than too few."""
    uniform, tainted, size = uniform_calls(program), set(), -1
    if not function.kernel:
        tainted = {p[-1] for p in function.parameters}

    def visit(node, divergent):
        nonlocal tainted
        if node.kind in ('plain', 'label'):
            for part in ctree.split(node.head, ','):
                if divergent or varies(part, tainted, uniform):
                    tainted |= assigned(part)
            return
        inside = divergent or varies(node.head, tainted, uniform)
        if inside:
            tainted |= assigned(node.head)
        for child in node.body:
            visit(child, inside)
    while len(tainted) != size:
        size = len(tainted)
        visit(function.body, False)
    return tainted


def one_writer(node, tainted, uniform):
    """True if some items change what is the same place for all of them: other conditions would let
    several change it, one after the other or at once."""
    if node.kind != 'if' or not varies(node.head, tainted, uniform):
        return False
    for inner in node.all():
        for i, token in enumerate(inner.head if inner.kind == 'plain' else ()):
            if token == '[':
                end = ctree.shut(inner.head, i)
                if inner.head[end + 1:end + 2] and \
                        inner.head[end + 1] in (*ASSIGN, '++', '--', '[') and \
                        not varies(inner.head[i + 1:end], tainted, uniform):
                    return True
    return False


def is_declaration(node):
    tokens = [t for t in node.head if t not in QUALIFIERS and t not in SPACES]
    return node.kind == 'plain' and len(tokens) > 2 and is_name(tokens[0]) and \
        tokens[0] not in ('return', 'goto') and (is_name(tokens[1]) or tokens[1] == '*')


def is_simple(node):
    """A plain statement that can stand anywhere: no declaration, no jump."""
    return node.kind == 'plain' and not is_declaration(node) and len(node.head) > 1 and \
        node.head[0] not in ('return', 'break', 'continue', 'goto')


def labels(node):
    return any(n.kind == 'label' for n in node.all())


def waits(node, names):
    return bool(set(node.tokens()) & names)


def jumps(node, inner=False):
    """True if a break or continue leaves the node."""
    if node.kind == 'plain':
        return node.head[0] == 'continue' or (node.head[0] == 'break' and inner != 'switch')
    if node.kind in ('for', 'while', 'do'):
        return False
    return any(jumps(n, 'switch' if node.kind == 'switch' else inner) for n in node.body)


def places(m, accept, functions=None):
    """(function, parent, index) of every statement that is accepted."""
    found = []
    for f in functions or m.program.functions():
        for node, parent, index in f.body.walk():
            if parent.kind == 'block' and accept(node):
                found.append((f, parent, index))
    return found


def pick(m, accept, functions=None):
    found = places(m, accept, functions)
    return m.random.choice(found) if found else None


def whole(m):
    """Accepts statements that may stand in a guard or a loop: no labels and declarations, no return
    of a value, without which a function would have none."""
    values = {id(n) for f in m.program.functions() if 'void' not in f.head
              for n in f.body.all() if 'return' in n.tokens()}
    return lambda n: n.kind != 'label' and not is_declaration(n) and not labels(n) and \
        id(n) not in values


def words(text):
    return ctree.tokens_of(text)


def nodes(text):
    """Statements from text; `$` stands for what replace() puts there."""
    return ctree.Parser(words('{' + text + '}')).block().body


def around(text, node):
    """Statements from text in which the statement `hole;` is the node."""
    made = Node('block', [], nodes(text))
    for old, parent, index in made.walk():
        if old.kind == 'plain' and old.head == ['hole', ';']:
            parent.body[index] = node
    return made


def short(node):
    return ' '.join(node.tokens()[:12])


def uniform_number(m, f):
    """An expression that has the same value for the whole launch, or group."""
    names = [p[-1] for p in f.parameters if f.kernel and len(p) == 2 and p[0] in INTEGERS]
    r = m.random.randrange(6)
    if names and r:
        return f'({m.random.choice(names)} & {m.random.choice((1, 2, 3, 7))})'
    return f'(int)(get_group_id({m.random.randrange(2)}) & 1)' if r < 3 else \
        f'(int)(get_local_size(0) & {m.random.choice((1, 3, 7))})' if r < 5 else \
        str(m.random.randrange(3))


def varying_number(m):
    """An int that differs between items."""
    r = m.random
    return r.choice((f'(int)get_local_id({r.randrange(2)})', f'(int)get_global_id({r.randrange(3)})',
                     '(int)get_local_linear_id()', '(int)(get_global_id(0) * 7 >> 2)',
                     '(int)get_global_id(0) ^ (int)get_local_id(1)'))


def varying_condition(m):
    r, k = m.random, m.random.choice((2, 2, 3, 4, 5, 7, 8, 16))
    return r.choice((f'({varying_number(m)}) % {k} == {r.randrange(k)}',
                     f'({varying_number(m)}) % {k} != {r.randrange(k)}',
                     f'({varying_number(m)}) < {r.choice((1, 3, 5, 8, 16, 30))}',
                     f'({varying_number(m)}) >= {r.choice((1, 3, 5, 8, 16, 30))}',
                     f'(({varying_number(m)}) & {k}) == 0'))


# ---- expressions ----------------------------------------------------------------------------------

def expressions(m):
    """(function, tokens) in which something can change: uniform where a barrier depends on it."""
    names = with_barriers(m.program)
    for f in m.program.functions():
        tainted, uniform = varying(f, m.program), uniform_calls(m.program)
        for node, _, _ in f.body.walk():
            if node.kind in ('label', 'block') or not node.head:
                continue
            guards = node.kind != 'plain' and waits(node, names)
            if one_writer(node, tainted, uniform):
                continue
            if not guards or not varies(node.head, tainted, uniform):
                yield f, node.head


def literals(m):
    """Places of numbers but those between a declarator's brackets or in names of components."""
    found = []
    for f, tokens in expressions(m):
        declares = is_declaration(Node('plain', tokens))
        for i, token in enumerate(tokens):
            if is_number(token) and not (declares and '[' in tokens[:i] and '=' not in tokens[:i]):
                found.append((f, tokens, i))
    return found


def constant(m):
    found = literals(m)
    if not found:
        return None
    f, tokens, i = m.random.choice(found)
    old, r = tokens[i], m.random
    if any(c in old for c in '.eEpP') and not old.startswith('0x'):
        new = [r.choice(('0.0f', '1.0f', '-1.0f', '0.5f', '3.0f', f'({old} * 2)', f'(-{old})'))]
    else:
        base = old.rstrip('uUlL')
        value = int(base, 0) if not base.startswith('0') or base[1:2] in 'xX' else int(base or '0', 8)
        other = {value + 1, max(value - 1, 0), 0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 32,
                 min(2 * value, 1 << 31), value // 2} - {value}
        new = [str(r.choice(sorted(other))) + old[len(base):]]
        if r.randrange(4) == 0:
            new = words(f'({old} + {uniform_number(m, f)})')
    tokens[i:i + 1] = words(' '.join(new))
    m.risky = True
    return f'constant {old} -> {" ".join(new)}'


def operator(m):
    groups = (('<', '<=', '>', '>=', '!=', '=='), ('+', '-', '^', '|'), ('&', '|', '^'),
              ('+=', '-=', '^=', '|='), ('&&', '||'))
    found = []
    for _, tokens in expressions(m):
        for i, token in enumerate(tokens):
            before = tokens[i - 1] if i else '('
            if is_name(before) or is_number(before) or before in (')', ']'):
                found += [(tokens, i, g) for g in groups if token in g]
    if not found:
        return None
    tokens, i, group = m.random.choice(found)
    old = tokens[i]
    tokens[i] = m.random.choice([t for t in group if t != old])
    m.risky = True
    return f'operator {old} -> {tokens[i]}'


def condition_places(m):
    names = with_barriers(m.program)
    for f in m.program.functions():
        tainted, uniform = varying(f, m.program), uniform_calls(m.program)
        for node, _, _ in f.body.walk():
            if node.kind in ('if', 'while', 'do', 'for') and \
                    not (waits(node, names) and varies(node.head, tainted, uniform)) and \
                    not one_writer(node, tainted, uniform):
                yield f, node


def condition_of(node):
    if node.kind != 'for':
        return node.head
    return ctree.split(node.head, ';')[1]


def set_condition(node, tokens):
    if node.kind != 'for':
        node.head[:] = tokens
        return
    parts = ctree.split(node.head, ';')
    node.head[:] = [*parts[0], ';', *tokens, ';', *parts[2]]


def negate(m):
    found = [(f, n) for f, n in condition_places(m) if n.kind == 'if']
    if not found:
        return None
    _, node = m.random.choice(found)
    node.head[:] = ['!', '(', *node.head, ')']
    m.risky = True
    return f'negated {" ".join(node.head)}'


def hide_condition(m):
    """A condition behind a call, in the same or a strange form."""
    found = [(f, n) for f, n in condition_places(m) if condition_of(n)]
    if not found:
        return None
    f, node = m.random.choice(found)
    old = condition_of(node)
    if '=' in old or '++' in old or '--' in old or {'float', 'float4'} & set(old):
        return None
    form, text = m.random.randrange(4), ctree.text_of(old).strip()
    if form == 0:
        name = m.name('same')
        kind = m.random.choice(('', '__attribute__((noinline))', 'static inline',
                                '__attribute__((always_inline))'))
        before(m, f, f'{kind} int {name}(int x) {{ return x; }}')
        new = f'{name}(({text}) != 0)'
    elif form == 1:
        new = f'(({text}) ? 1 : 0) == 1'
    elif form == 2:
        new = f'!(!({text}))'
    else:
        new = f'(({text}) && {uniform_number(m, f)} >= 0)'
    set_condition(node, words(new))
    return f'hidden condition, form {form}: {text}'


def before(m, f, text):
    """Puts a function in front of another one."""
    made = ctree.program_of(text)
    at = next(i for i, item in enumerate(m.program.items) if item is f)
    m.program.items[at:at] = made.items


# ---- statements -----------------------------------------------------------------------------------

def drop(m):
    names = with_barriers(m.program)
    fits = whole(m)
    found = pick(m, lambda n: fits(n) and n.kind not in ('do', 'while') and not waits(n, names) and
                 n.head[:1] not in (['return'], ['break']))
    if not found:
        return None
    _, parent, index = found
    what = short(parent.body.pop(index))
    m.risky = True
    return f'dropped {what}'


def duplicate(m):
    found = pick(m, lambda n: n.kind not in ('label',) and not is_declaration(n) and not labels(n) and
                 n.head[:1] not in (['return'], ['break'], ['continue'], ['goto']))
    if not found:
        return None
    _, parent, index = found
    copy = ctree.Parser(parent.body[index].tokens()).statement()
    parent.body[index:index] = copy
    m.risky = True
    return f'twice {short(parent.body[index])}'


def swap(m):
    names = with_barriers(m.program)

    def fits(node):
        return is_simple(node) and not waits(node, names)
    found = [(parent, index) for _, parent, index in places(m, fits)
             if index + 1 < len(parent.body) and fits(parent.body[index + 1])]
    if not found:
        return None
    parent, index = m.random.choice(found)
    parent.body[index:index + 2] = parent.body[index:index + 2][::-1]
    m.risky = True
    return f'swapped {short(parent.body[index])}'


def reached_by_all(m):
    """(block, index) of places to which all items of a group come equally often."""
    kernel, found = m.kernel(), []
    tainted, uniform = varying(kernel, m.program), uniform_calls(m.program)

    def visit(block, loop):
        for index, node in enumerate(block.body):
            leaves = {'return', 'goto', *(('break', 'continue') if loop else ())}
            if leaves & set(node.tokens()) or \
                    node.kind == 'label' and node.head[0][0] not in '#_':
                return
            found.append((block, index))
            if node.kind in ('for', 'while', 'do', 'if', 'block') and \
                    not varies(node.head, tainted, uniform):
                for child in [node] if node.kind == 'block' else node.body:
                    visit(child, loop or node.kind in ('for', 'while', 'do'))
        found.append((block, len(block.body)))
    visit(kernel.body, False)
    return found


def call_of_barrier(m):
    return m.random.choice((f'barrier({FENCE});', f'barrier({FENCE} | CLK_GLOBAL_MEM_FENCE);',
                            'barrier(CLK_GLOBAL_MEM_FENCE);', f'work_group_barrier({FENCE});'))


def barrier(m):
    """At the top of the kernel, or in a loop that all items run through equally often."""
    block, index = m.random.choice(reached_by_all(m) or [(m.kernel().body, 0)])
    block.body[index:index] = nodes(call_of_barrier(m))
    after = block.body[index + 1:index + 2]
    return f'barrier in front of {short(after[0]) if after else "the end"}'


def loop_with_barrier(m):
    """A statement in a loop with barriers, breaks and continues, all of them for all items."""
    fits = whole(m)
    found = [(b, i) for b, i in reached_by_all(m) if i < len(b.body) and fits(b.body[i]) and
             not jumps(b.body[i])]
    if not found:
        return None
    r, (block, index), f, i = m.random, m.random.choice(found), m.kernel(), m.name('i')

    def condition():
        return r.choice((f'({i} & 1) == {r.randrange(2)}', f'{i} == {r.randrange(4)}',
                         f'{i} > {r.randrange(3)}', f'{i} == {uniform_number(m, f)}',
                         f'{uniform_number(m, f)} > 1'))
    parts = [call_of_barrier(m), 'hole;']
    for _ in range(r.randrange(3)):
        parts.append(r.choice((call_of_barrier(m), f'if ({condition()}) {{ {call_of_barrier(m)} }}')))
    r.shuffle(parts)
    for what in r.sample(('break', 'continue', 'break'), r.randrange(3)):
        parts.insert(r.randrange(len(parts) + 1), f'if ({condition()}) {what};')
    if 'hole;' in parts and r.randrange(4) == 0:
        parts[parts.index('hole;')] = f'if ({condition()}) hole;'
    inner, trips = ' '.join(parts), r.choice((f'1 + {uniform_number(m, f)}', '2', '3', '4', '1'))
    text = r.choice((f'for (int {i} = 0; {i} < {trips}; {i}++) {{ {inner} }}',
                     f'for (int {i} = {trips}; {i} > 0; {i}--) {{ {inner} }}',
                     f'for (uint {i} = 1; {i} <= {trips}; {i} *= 2) {{ {inner} }}',
                     f'int {i} = -1; while (++{i} < {trips}) {{ {inner} }}',
                     f'int {i} = 0; do {{ {inner} }} while (++{i} < {trips});',
                     f'int {i} = {trips}; do {{ {inner} }} while ({i}-- > 0);',
                     f'int {i} = -1; for (;;) {{ if (++{i} >= {trips}) break; {inner} }}'))
    block.body[index] = around(text, block.body[index])
    m.risky = True
    return f'{text} {short(block.body[index])}'


def guard_of_some(m):
    names = with_barriers(m.program)
    fits = whole(m)
    found = pick(m, lambda n: fits(n) and not waits(n, names) and not jumps(n) and
                 'return' not in n.tokens())
    if not found:
        return None
    f, parent, index = found
    node = parent.body[index]
    other = '' if m.random.randrange(3) else 'else { hole; }'
    condition = varying_condition(m)
    parent.body[index] = around(f'if ({condition}) {{ hole; }} {other}', node)
    m.risky = True
    return f'if ({condition}) {short(node)}'


def guard_of_all(m):
    found = pick(m, whole(m))
    if not found:
        return None
    f, parent, index = found
    node, number = parent.body[index], uniform_number(m, f)
    text = m.random.choice((f'if ({number} != 1) hole;', f'if ({number} > 0) hole;',
                            f'switch ({number}) {{ case 0: hole; break; default: hole; }}',
                            f'switch ({number}) {{ case 1: hole; case 3: break; default: hole; }}',
                            f'if ({number} >= 0) {{ hole; }} else {{ hole; }}'))
    if 'switch' in text and jumps(node):
        return None
    parent.body[index] = around(text, node)
    m.risky = True
    return f'{text} {short(node)}'


def repeat(m):
    """A statement in a loop of few trips, in some form; all items run through it equally often."""
    fits = whole(m)
    found = pick(m, lambda n: fits(n) and not jumps(n))
    if not found:
        return None
    f, parent, index = found
    node, i, label = parent.body[index], m.name('i'), m.name('again')
    trips = m.random.choice((f'1 + {uniform_number(m, f)}', uniform_number(m, f), '2', '1', '3'))
    more = m.random.choice((f'{i} < {trips}', f'{i} != {trips}', f'{i} <= {trips} - 1'))
    text = m.random.choice((
        f'for (int {i} = 0; {more}; {i}++) hole;',
        f'for (int {i} = {trips}; {i} > 0; {i}--) hole;',
        f'int {i} = 0; while ({more}) {{ hole; {i}++; }}',
        f'int {i} = 0; while ({i}++ < {trips}) hole;',
        f'int {i} = 0; do {{ hole; }} while (++{i} < {trips});',
        f'int {i} = {trips}; do hole; while ({i}-- > 0);',
        f'int {i} = 0; for (;;) {{ hole; if (++{i} >= {trips}) break; }}',
        f'int {i} = 0; for (;;) {{ if ({i} >= {trips}) break; {i}++; hole; }}',
        f'int {i} = 0; {label}: hole; if (++{i} < {trips}) goto {label};',
        f'int {i} = 0; while (1) {{ {i}++; hole; if ({i} == 1 && {trips} > 1) continue; '
        f'if ({i} >= {trips}) break; }}'))
    parent.body[index] = around(text, node)
    m.risky = True
    return f'{text} {short(node)}'


def repeat_divergent(m):
    names = with_barriers(m.program)
    fits = whole(m)
    found = pick(m, lambda n: fits(n) and not waits(n, names) and not jumps(n))
    if not found:
        return None
    f, parent, index = found
    node, i = parent.body[index], m.name('i')
    trips = f'(({varying_number(m)}) & {m.random.choice((1, 3, 7))})'
    text = m.random.choice((f'for (int {i} = 0; {i} < {trips}; {i}++) hole;',
                            f'for (int {i} = 1; {i} <= {trips}; {i} *= 2) hole;',
                            f'int {i} = {trips}; do hole; while ({i}-- > 0);',
                            f'int {i} = 0; while (1) {{ if ({i} >= {trips}) break; {i}++; '
                            f'if ({varying_condition(m)}) continue; hole; }}'))
    parent.body[index] = around(text, node)
    m.risky = True
    return f'{text} {short(node)}'


def loop_form(m):
    """`for` and `while` as while, do and goto."""
    names = with_barriers(m.program)
    found = pick(m, lambda n: n.kind in ('for', 'while') and not labels(n) and
                 'continue' not in n.tokens())
    if not found:
        return None
    f, parent, index = found
    node = parent.body[index]
    parts = ctree.split(node.head, ';') if node.kind == 'for' else [[], node.head, []]
    first, more, step = (ctree.text_of(p).strip().rstrip(';') for p in parts)
    more, step, first = more or '1', step + ';' if step else '', first + ';' if first else ''
    top, out = m.name('top'), m.name('out')
    form = m.random.randrange(5)
    text = (f'{first} while ({more}) {{ hole; {step} }}',
            f'{first} if ({more}) do {{ hole; {step} }} while ({more});',
            f'{first} {top}: if (!({more})) goto {out}; hole; {step} goto {top}; {out}: ;',
            f'{first} for (;;) {{ if (!({more})) break; hole; {step} }}',
            f'{first} if ({varying_condition(m)}) goto {top}; while ({more}) '
            f'{{ hole; {top}: {step or ";"} }}')[form]
    if form == 2 and jumps(node.body[0]) or form == 4 and (waits(node, names) or not step):
        return None
    parent.body[index] = around(text, node.body[0])
    m.risky = True
    return f'loop as {text}'


def leave(m):
    """Some items return, or break or continue a loop, in which nobody waits."""
    names = with_barriers(m.program)
    r, found = m.random, []
    for f in m.program.functions():
        void = 'void' in f.head
        for node, parent, index in f.body.walk():
            if node.kind in ('for', 'while', 'do') and not waits(node, names):
                found += [(f, node.body[0], i, k) for i in range(len(node.body[0].body) + 1)
                          for k in ('break', 'continue')]
            if void and parent is f.body and not any(waits(n, names) for n in parent.body[index:]):
                found += 2 * [(f, parent, index, 'return')]
            elif void and parent is f.body and f.kernel and r.randrange(4) == 0:
                found.append((f, parent, index, 'return'))
    if not found:
        return None
    f, block, index, what = r.choice(found)
    condition = varying_condition(m)
    block.body[index:index] = nodes(f'if ({condition}) {what};')
    m.risky = True
    return f'if ({condition}) {what}'


def if_form(m):
    """`if` as goto."""
    found = pick(m, lambda n: n.kind == 'if' and not labels(n))
    if not found:
        return None
    _, parent, index = found
    node, other, end = parent.body[index], m.name('else'), m.name('end')
    made = around(f'if (!({ctree.text_of(node.head)})) goto {other}; hole; goto {end}; {other}: ; '
                  f'{end}: ;', node.body[0])
    if len(node.body) == 2:
        made.body.insert(-2, node.body[1])
    parent.body[index] = made
    return f'if ({ctree.text_of(node.head).strip()}) as goto'
