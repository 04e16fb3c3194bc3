# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More changes of kernels: types, where values live, functions around them, attributes, options."""
import re

import ctree
import mutations as base
from ctree import Node, is_name, is_number
from mutations import INTEGERS, is_declaration, words
from seeds import BUILT_IN, QUALIFIERS, SPACES


def scalars(m, functions=None):
    """(function, statement, type's place) of private declarations of scalars and vectors."""
    found = []
    for f in functions or m.program.functions():
        for node in f.body.all():
            head = node.head if node.kind == 'plain' else []
            if node.kind == 'for':
                head = ctree.split(node.head, ';')[0] + [';']
            at = next((i for i, t in enumerate(head) if t not in QUALIFIERS), 0)
            if len(head) > at + 2 and BUILT_IN.match(head[at]) and is_name(head[at + 1]) and \
                    not set(head) & SPACES:
                found.append((f, node, at))
    return found


def other_type(m, old):
    r = m.random
    if old in INTEGERS or old in ('size_t', 'bool'):
        return r.choice([t for t in (*INTEGERS, 'int', 'uint', 'size_t') if t != old])
    if old in ('float', 'double'):
        return r.choice(('float', 'double', 'double', 'int', 'float'))
    found = re.match(r'([a-z]+)(\d+)$', old)
    if not found:
        return old
    kind, width = found.groups()
    if r.randrange(2):
        return kind + r.choice(('2', '3', '4', '8', '16'))
    return (r.choice(INTEGERS) if kind in INTEGERS else 'double') + width


def type_of_variable(m):
    found = scalars(m)
    if not found:
        return None
    _, node, at = m.random.choice(found)
    old = node.head[at]
    node.head[at] = other_type(m, old)
    m.risky = True
    return f'{old} {node.head[at + 1]} -> {node.head[at]}'


def type_of_buffer(m):
    found = [p for f in m.program.kernels() for p in f.parameters if '*' in p and
             any(BUILT_IN.match(t) for t in p)]
    if not found:
        return None
    parameter = m.random.choice(found)
    at = next(i for i, t in enumerate(parameter) if BUILT_IN.match(t))
    old = parameter[at]
    parameter[at] = other_type(m, old)
    m.risky = True
    return f'buffer {" ".join(parameter)}, was {old}'


def type_everywhere(m):
    """All of one type become another: wider, narrower or vectors."""
    tokens = m.program.text()
    kinds = [t for t in ('float', 'double', 'int', 'uint', 'short', 'long', 'ulong', 'uchar')
             if re.search(rf'\b{t}\b', tokens)]
    if not kinds:
        return None
    old = m.random.choice(kinds)
    if old in ('float', 'double') and m.random.randrange(2):
        new = old + m.random.choice(('2', '3', '4'))
    else:
        new = other_type(m, old)
    everywhere(m, lambda t: [new] if t == old else [t])
    m.risky = True
    return f'{old} -> {new} everywhere'


def everywhere(m, change, functions=None):
    """Every token through `change`, which gives the tokens instead."""
    def of(tokens):
        return [new for token in tokens for new in change(token)]
    for f in functions or m.program.functions():
        f.parameters[:] = [of(p) for p in f.parameters]
        for node in f.body.all():
            node.head[:] = of(node.head)


# ---- where values live ----------------------------------------------------------------------------

def variables(m):
    """(function, statement, type, [names]) at the top of a function, all names used for one thing."""
    found = []
    for f, node, at in scalars(m):
        if node.kind != 'plain' or not any(n is node for n in f.body.body) or at:
            continue
        names = [part[0] for part in ctree.split(node.head[1:-1], ',')]
        parts = [part for part in ctree.split(node.head[1:-1], ',') if part[1:2] != ['=']]
        if parts or any(declared(f, name) != 1 for name in names):
            continue
        found.append((f, node, node.head[0], names))
    return found


def declared(f, name):
    """How often a name is declared, at least; labels, parameters and components count."""
    tokens = f.tokens()
    return sum(1 for a, b, c in zip(tokens, tokens[1:], tokens[2:]) if b == name and
               (is_name(a) and a not in ('return', 'goto', 'case', 'else', 'do') or
                a == '*' and c in (',', ')') or a in ('.', '->') or
                (a in '{;' and c == ':') or (a == ',' and c == '=')))


def moved(m, f, node, names, place):
    """Names become other expressions; the declaration becomes assignments."""
    head = ctree.split(node.head[1:-1], ',')
    everywhere_in = {name: words(place(name)) for name in names}

    def change(token):
        return everywhere_in.get(token, [token])
    for other in f.body.all():
        if other is not node:
            other.head[:] = [new for token in other.head for new in change(token)]
    text = [[new for token in part for new in change(token)] for part in head]
    node.head[:] = [*(t for part in text for t in [*part, ';'])][:-1] + [';']
    return Node('plain', node.head)


def in_structure(m):
    found = variables(m)
    if not found:
        return None
    f, node, kind, names = m.random.choice(found)
    struct, frame = m.name('frame_t'), m.name('frame')
    more = m.random.choice(('uchar before;', '', 'double before;', 'uint3 before;'))
    array = m.random.choice(('', '[2]'))
    fields = ''.join(f'{kind} {name}{array};' for name in names)
    aligned = m.random.choice(('', '', '__attribute__((aligned(64)))', '__attribute__((packed))'))
    index = '[1]' if array else ''
    base.before(m, f, f'typedef struct {{ {more} {fields} uint3 behind; }} {aligned} {struct};')
    moved(m, f, node, names, lambda name: f'{frame}.{name}{index}')
    f.body.body[0:0] = base.nodes(f'{struct} {frame} = {{ 0 }};')
    if m.random.randrange(3) == 0 and 'packed' not in aligned:
        at = next(i for i, n in enumerate(f.body.body) if n is node)
        copy = m.name('make')
        base.before(m, f, f'{struct} {copy}({struct} a) {{ a.behind.y += 3; return a; }}')
        f.body.body[at + 1:at + 1] = base.nodes(f'{frame} = {copy}({frame});')
    return f'in a structure: {" ".join(names)} {more} {array} {aligned}'


def in_array(m):
    found = variables(m)
    if not found:
        return None
    f, node, kind, names = m.random.choice(found)
    array, at = m.name('array'), m.name('at')
    index = m.random.choice((base.uniform_number(m, f), base.varying_number(m), '1'))
    count = len(names)
    moved(m, f, node, names, lambda name: f'{array}[{at} + {2 * names.index(name)}]')
    f.body.body[0:0] = base.nodes(f'{kind} {array}[{2 * count + 2}] = {{ 0 }}; '
                                  f'int {at} = ({index}) & 1;')
    return f'in an array at {index}: {" ".join(names)}'


def behind_pointer(m):
    found = variables(m)
    if not found:
        return None
    f, node, kind, names = m.random.choice(found)
    own, pointer, other = m.name('own'), m.name('pointer'), m.name('other')
    name = names[0]
    if len(names) != 1:
        return None
    condition = m.random.choice((base.varying_condition(m), f'{base.uniform_number(m, f)} == 1'))
    moved(m, f, node, names, lambda _: f'(*{pointer})')
    f.body.body[0:0] = base.nodes(f'{kind} {own} = 0; {kind} {other} = 0; {kind} *{pointer} = '
                                  f'({condition}) ? &{own} : &{other};')
    return f'behind a pointer: {name}'


def in_vector(m):
    found = variables(m)
    found = [v for v in found if re.fullmatch(r'[a-z]+', v[2]) and v[2] not in ('size_t', 'bool')]
    if not found:
        return None
    f, node, kind, names = m.random.choice(found)
    width = m.random.choice([w for w in (2, 3, 3, 4, 8, 16) if w >= len(names)] or [0])
    if not width:
        return None
    vector = m.name('vector')
    places = m.random.sample(range(width), len(names))
    moved(m, f, node, names, lambda name: f'{vector}.s{places[names.index(name)]:x}')
    f.body.body[0:0] = base.nodes(f'{kind}{width} {vector} = 0;')
    return f'in a vector of {width}: {" ".join(names)}'


LINEAR = ('get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))',
          '(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)')
EQUAL = {
    'get_local_linear_id': LINEAR,
    'get_global_linear_id': (
        '((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - '
        'get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0)',),
    'get_local_size': ('get_local_size(d) * 1',),
    'get_local_id': ('get_global_id(d) - get_global_offset(d) - '
                     'get_group_id(d) * get_enqueued_local_size(d)', 'get_local_id(d)'),
    'get_global_id': ('get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d) + '
                      'get_global_offset(d)', 'get_global_id(d)'),
}


def other_ids(m):
    """Ids in other words, and through types that they fit in."""
    tokens = m.program.text()
    names = [n for n in EQUAL if re.search(rf'\b{n}\b', tokens)]
    if not names or m.options[0].endswith('1.2'):
        return None
    old, new = m.random.choice(names), m.name('id')
    kind = m.random.choice(('size_t', 'uint', 'int', 'short', 'long', 'ushort', 'ulong', 'size_t'))
    form = m.random.choice(('', '__attribute__((noinline))', 'static inline'))
    text = m.random.choice(EQUAL[old])
    first = m.program.functions()[0]
    everywhere(m, lambda t: [new] if t == old else [t])
    dimension = '' if 'linear' in old else 'uint d'
    base.before(m, first, f'{form} {kind} {new}({dimension}) {{ return {text}; }}')
    return f'{form} {kind} {old}: {text}'


def join(m):
    """Another kernel of the same parameters, where all items come, in some form."""
    kernel = m.kernel()
    own = [' '.join(p) for p in kernel.parameters]
    places = base.reached_by_all(m)
    others = [s for s in m.others if list(s.shape) == own and s.text != m.seed]
    if not others or not places:
        return None
    other = ctree.program_of(m.random.choice(others).text)
    theirs, suffix = other.kernels()[0], m.name('_of')
    names = {f.name for f in other.functions()} & {f.name for f in m.program.functions()}
    block, index = m.random.choice(places)
    part = theirs.body
    local = {'local', '__local'} & {t for n in part.all() if is_declaration(n) for t in n.head[:2]}
    if local or {'return', 'goto'} & set(part.tokens()) and \
            base.waits(part, base.with_barriers(other)):
        return None
    everywhere(other, lambda t: [t + suffix] if t in names else [t], other.functions())
    for f in other.functions():
        f.head[:] = [t + suffix if t in names else t for t in f.head]
        f.name = f.head[-1]
    theirs.head[:] = [t for t in theirs.head if t not in ('kernel', '__kernel')]
    theirs.head.insert(0, m.random.choice(('static', '__attribute__((noinline))', 'static inline')))
    theirs.tail.clear()
    at = m.program.items.index(kernel)
    m.program.items[at:at] = [i for i in other.items if isinstance(i, list) and i not in m.program.items
                              or isinstance(i, ctree.Function)]
    fence = f'barrier({base.FENCE} | CLK_GLOBAL_MEM_FENCE);'
    call = f'{theirs.name}({", ".join(p[-1] for p in kernel.parameters)});'
    number, i = base.uniform_number(m, kernel), m.name('i')
    text = m.random.choice((f'{fence} {call} {fence}', f'{fence} if ({number} != 1) {{ {call} {fence} }}',
                            f'{fence} for (int {i} = 0; {i} < 1 + {number}; {i}++) {{ {call} {fence} }}',
                            f'int {i} = {number}; do {{ {fence} {call} {fence} }} while ({i}-- > 0);',
                            f'{fence} switch ({number}) {{ case 1: break; case 2: {call} default: '
                            f'{fence} {call} {fence} }}'))
    block.body[index:index] = [Node('block', [], base.nodes(text))]
    m.risky = True
    return f'with {theirs.name}: {text}'


# ---- functions and parameters ---------------------------------------------------------------------

def wrap_body(m):
    """The kernel's body in a function of its own."""
    kernel = m.kernel()
    if {'local', '__local'} & {t for n in kernel.body.all() if is_declaration(n) for t in n.head[:3]}:
        return None
    name = m.name('body')
    kind = m.random.choice(('', '__attribute__((noinline))', 'static inline', 'static'))
    parameters = ', '.join(' '.join(p) for p in kernel.parameters)
    given = [p[-1] if p[-1] != ']' else '' for p in kernel.parameters]
    if not all(map(is_name, given)):
        return None
    base.before(m, kernel, f'{kind} void {name}({parameters}) {{ }}')
    at = m.program.items.index(kernel)
    m.program.items[at - 1].body = kernel.body
    call = f'{name}({", ".join(given)});'
    kernel.body = Node('block', [], base.nodes(call))
    return f'{kind} function around the body'


def wrap_expression(m):
    """The value of an assignment or declaration through a function."""
    found = []
    for f, node, at in scalars(m):
        if node.kind == 'plain':
            for part in ctree.split(node.head[at + 1:-1], ','):
                if part[1:2] == ['=']:
                    found.append((f, node, node.head[at], part))
    if not found:
        return None
    f, node, kind, part = m.random.choice(found)
    name = m.name('pass')
    form = m.random.choice(('', '__attribute__((noinline))', 'static inline'))
    body = m.random.choice(('return x;', 'if (n < 0) return x; return x;',
                            f'{kind} y = x; y += x; return y - x;',
                            f'{kind} a[2] = {{x, x}}; return a[n & 1];'))
    old = ' '.join(part)
    new = [*part[:2], *words(f'{name}('), *part[2:], *words(f', {base.uniform_number(m, f)})')]
    for i in range(len(node.head) - len(part) + 1):
        if node.head[i:i + len(part)] == part:
            node.head[i:i + len(part)] = new
            break
    base.before(m, f, f'{form} {kind} {name}({kind} x, int n) {{ {body} }}')
    return f'{form} function around {old}'


def wrap_statement(m):
    """A statement in a function that takes the address of what it changes."""
    names = {name: kind for f, _, kind, all_names in variables(m) if f.kernel for name in all_names}
    kernel = m.kernel()

    def fits(node):
        used = {t for t in node.tokens() if is_name(t)} & declared_in(kernel)
        return base.is_simple(node) and used and used <= set(names)
    found = base.pick(m, fits, [kernel])
    if not found:
        return None
    f, parent, index = found
    node = parent.body[index]
    used = sorted({t for t in node.tokens() if is_name(t)} & set(names))
    given = [p for p in kernel.parameters if p[-1] in node.tokens()]
    name = m.name('part')
    form = m.random.choice(('', '__attribute__((noinline))', 'static inline'))
    parameters = ', '.join([*(f'{names[u]} *{u}' for u in used), *(' '.join(p) for p in given)])
    body = [new for t in node.head for new in (words(f'(*{t})') if t in used else [t])]
    base.before(m, f, f'{form} void {name}({parameters}) {{ {ctree.text_of(body)} }}')
    arguments = ', '.join([*(f'&{u}' for u in used), *(p[-1] for p in given)])
    parent.body[index:index + 1] = base.nodes(f'{name}({arguments});')
    return f'{form} function around {base.short(node)}'


def declared_in(f):
    """Names that are declared somewhere in the function's body."""
    names = set()
    for node in f.body.all():
        head = node.head
        if node.kind == 'for':
            head = ctree.split(node.head, ';')[0] + [';']
        if is_declaration(Node('plain', head)):
            names |= {t for t in head if is_name(t)}
    return names - {p[-1] for p in f.parameters}


def qualify(m):
    found = [p for f in m.program.kernels() for p in f.parameters if '*' in p]
    if not found:
        return None
    parameter = m.random.choice(found)
    word = m.random.choice(('restrict', 'restrict', 'volatile', 'const'))
    if word in parameter:
        return None
    if word == 'restrict':
        parameter.insert(len(parameter) - 1, word)
    else:
        parameter.insert(0, word)
    return f'parameter {" ".join(parameter)}'


def copies(m):
    """Parameters in variables of the kernel, that it may change."""
    kernel = m.kernel()
    found = [p for p in kernel.parameters if is_name(p[-1]) and 'constant' not in p]
    if not found:
        return None
    parameter = m.random.choice(found)
    copy = m.name('copy')
    everywhere(m, lambda t: [copy] if t == parameter[-1] else [t], [kernel])
    for p in kernel.parameters:
        p[:] = [parameter[-1] if t == copy else t for t in p]
    kernel.body.body[0:0] = base.nodes(f'{" ".join([t for t in parameter[:-1] if t != "restrict"])} '
                                       f'{copy} = {parameter[-1]};')
    return f'copy of {parameter[-1]}'


# ---- attributes, options --------------------------------------------------------------------------

def attribute(m):
    kernel, r = m.kernel(), m.random
    if '__attribute__' in kernel.head + kernel.tail:
        return None
    local = r.choice(m.launches).local
    if r.randrange(2):
        for launch in m.launches:
            launch.use_local(local)
        text = 'reqd_work_group_size(%d, %d, %d)' % tuple(local)
    else:
        text = r.choice(('work_group_size_hint(%d, %d, %d)' % tuple(local), 'vec_type_hint(float4)',
                         'vec_type_hint(int)', 'work_group_size_hint(64, 1, 1)'))
    at = next(i for i, t in enumerate(kernel.head) if t in ('kernel', '__kernel')) + 1
    kernel.head[at:at] = words(f'__attribute__(({text}))')
    return text


def option(m):
    r = m.random.randrange(9)
    if r < 3 and not m.through:
        m.options.append('-cl-opt-disable')
    elif r < 5 and not re.search(r'linear_id|enqueued|work_group_barrier|atomic_\w+_explicit|'
                                 r'atomic_init', m.program.text()):
        m.options[0] = '-cl-std=CL1.2'
        for launch in m.launches:
            launch.divide()
    elif r == 5:
        m.options.append('-cl-uniform-work-group-size')
        for launch in m.launches:
            launch.divide()
    elif '-cl-opt-disable' not in m.options:
        m.through = 'spirv'
    return f'options {" ".join(m.options)} {m.through}'


def unroll(m):
    found = base.pick(m, lambda n: n.kind in ('for', 'while', 'do'))
    if not found:
        return None
    _, parent, index = found
    text = m.random.choice(('__attribute__((opencl_unroll_hint(1)))', '#pragma unroll 2\n',
                            '__attribute__((opencl_unroll_hint(4)))', '#pragma unroll\n'))
    parent.body[index:index] = [Node('label', words(text))]
    return f'{text.strip()} {base.short(parent.body[index + 1])}'


# ---- what makes a mutant's results defined --------------------------------------------------------

def length_of(tokens):
    text = ' '.join(tokens)
    if not re.fullmatch(r'[\d\s+*()-]+', text):
        return None
    return eval(text, {'__builtins__': {}})  # digits and signs only


def arrays(statements):
    """Names of arrays with their lengths, from declarations."""
    found = {}
    for head in statements:
        if not is_declaration(Node('plain', head)):
            continue
        for part in ctree.split(head[:-1], ','):
            part = ctree.split(part, '=')[0]
            if '[' not in part or not part.index('['):
                continue
            at, name, lengths = part.index('['), part[part.index('[') - 1], []
            while at < len(part) and part[at] == '[':
                end = ctree.shut(part, at)
                lengths.append(length_of(part[at + 1:end]))
                at = end + 1
            if all(lengths):
                found[name] = lengths
    return found


def members(program):
    """Arrays of structures, if all of one name are equally long."""
    found, unclear = {}, set()
    for item in program.items:
        if isinstance(item, list) and 'struct' in item and '{' in item:
            inner = item[item.index('{') + 1:ctree.shut(item, item.index('{'))]
            for name, lengths in arrays(part + [';'] for part in ctree.split(inner, ';')).items():
                if found.setdefault(name, lengths) != lengths:
                    unclear.add(name)
    return {name: lengths for name, lengths in found.items() if name not in unclear}


def bounded_tokens(tokens, known):
    """`known` has lengths by name; those of members have a point in front of theirs."""
    out, at = [], 0
    while at < len(tokens):
        name = tokens[at]
        out.append(name)
        at += 1
        component = len(out) > 1 and out[-2] in ('.', '->')
        for length in known.get('.' + name if component else name, ()):
            if at >= len(tokens) or tokens[at] != '[':
                break
            end = ctree.shut(tokens, at)
            inner = tokens[at + 1:end]
            if not (len(inner) == 1 and is_number(inner[0]) and
                    int(inner[0].rstrip('uUlL'), 0) < length):
                inner = bounded_tokens(inner, known)
                inner = words('(uint)(') + inner + words(f') % {length}u')
            out += ['[', *inner, ']']
            at = end + 1
    return out


def bounded(m):
    """Cuts indices of arrays down to their lengths."""
    outside = arrays(item for item in m.program.items if isinstance(item, list))
    outside.update({'.' + name: lengths for name, lengths in members(m.program).items()})
    for f in m.program.functions():
        known = {**outside, **arrays(n.head for n in f.body.all() if n.kind == 'plain')}
        for p in f.parameters:
            known.pop(p[-1], None)
        for node in f.body.all():
            if node.kind == 'plain' and is_declaration(node):
                parts = ctree.split(node.head, ',')
                made = []
                for part in parts:
                    at = part.index('=') if '=' in part else len(part)
                    made += [',', *part[:at], *bounded_tokens(part[at:], known)]
                node.head[:] = made[1:]
            elif node.kind != 'label':
                node.head[:] = bounded_tokens(node.head, known)


def cleared(m):
    """Gives local memory a value at the kernel's beginning, where there are barriers anyway."""
    kernel = m.kernel()
    if not base.waits(kernel.body, base.with_barriers(m.program)):
        return
    lines, items = [], 'get_local_size(0) * get_local_size(1) * get_local_size(2)'

    def clear(name, kind, count):
        i = m.name('z')
        lines.append(f'for (uint {i} = get_local_linear_id(); {i} < {count}; {i} += {items}) '
                     f'((local {kind} *){name})[{i}] = 0;')
    after = 0
    for p in kernel.parameters:
        kind = next((t for t in p if BUILT_IN.match(t)), None)
        if {'local', '__local'} & set(p) and '*' in p and kind:
            clear(p[-1], kind, f'8 * {items} + 1024')
    for index, node in enumerate(kernel.body.body):
        if not is_declaration(node) or not {'local', '__local'} & set(node.head[:2]):
            continue
        kind, known = next((t for t in node.head if BUILT_IN.match(t)), None), arrays([node.head])
        if not known:
            kinds = [t for t in node.head if t.startswith('atomic_')]
            for part in ctree.split(node.head[:-1], ','):
                name = part[-1]
                lines.append(f'atomic_init(&{name}, 0);' if kinds else f'{name} = 0;' if kind else '')
                after = index + 1
        for name, lengths in known.items():
            count = 1
            for length in lengths:
                count *= length
            if kind:
                clear(name, kind, count)
                after = index + 1
    if lines:
        lines = [line.replace('get_local_linear_id()',
                              '(get_local_id(2) * get_local_size(1) + get_local_id(1)) * '
                              'get_local_size(0) + get_local_id(0)') for line in lines]
        kernel.body.body[after:after] = base.nodes(' '.join([*lines, f'barrier({base.FENCE});']))
