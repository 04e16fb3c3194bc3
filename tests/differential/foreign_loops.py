# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels made of YARPGen's C programs: loops over arrays.

YARPGen writes func.c (the function test) and driver.c (variables with their values, init() and
checksum()). The variables become members of a structure, of which each work-item has its own, in
global or private memory; up to three programs are put into one kernel, and each item runs one of
them, so that lanes part. All values are what YARPGen has computed with, since its programs have no
undefined behaviour for these values only; but they are combined with a zero that the kernel loads,
so that no compiler knows them.
"""
import pathlib
import random
import re

import foreign_programs

SIZES = ((4_000, 35), (12_000, 40), (30_000, 20), (80_000, 5))
TINY = 1_200
MOST_STATE = 1 << 17
MOST_PRIVATE = 1 << 13
MOST_MEMORY = 1 << 22
LOCALS = ((16, 1, 1), (7, 1, 1), (1, 1, 1), (33, 1, 1), (8, 4, 1), (3, 5, 2), (4, 1, 3), (32, 1, 1))
BYTES = {'bool': 1, 'char': 1, 'uchar': 1, 'short': 2, 'ushort': 2, 'int': 4, 'uint': 4, 'long': 8,
         'ulong': 8}
TYPES = (('unsigned long long int', 'ulong'), ('long long int', 'long'),
         ('unsigned long long', 'ulong'), ('long long', 'long'), ('unsigned char', 'uchar'),
         ('signed char', 'char'), ('unsigned short', 'ushort'), ('unsigned int', 'uint'),
         ('_Bool', 'bool'))
# The sum drops the address space that the type of a variable has.
HEAD = '''#define PICK(a, b, op) \\
    ({ __typeof__((a) + 0) _a = (a); __typeof__((b) + 0) _b = (b); _a op _b ? _a : _b; })
#define max(a, b) PICK(a, b, >)
#define min(a, b) PICK(a, b, <)
void hash(ulong *seed, ulong v) { *seed ^= v + 0x9e3779b9 + (*seed << 6) + (*seed >> 2); }
'''


def opencl(text):
    """C's types and numbers as OpenCL C writes them."""
    text = re.sub(r'/\*.*?\*/', '', text)
    for c_name, name in TYPES:
        text = text.replace(c_name, name)
    return re.sub(r'\b(\d+)(U?)LL\b', r'\1\2L', text)


def members(driver):
    """(type, name, dimensions, value) of each variable."""
    found = re.findall(r'^(\w+) (zero|(?:var|arr)_\d+)((?: \[\d+\])*) ?(?:= (.*))?;$', driver, re.M)
    return [(kind, name, [int(n) for n in re.findall(r'\d+', sizes)], value)
            for kind, name, sizes, value in found]


def state_bytes(variables):
    """Size of the structure, which begins with a ulong."""
    at = 8
    for kind, _, sizes, _ in variables:
        size = BYTES[kind]
        at = (at + size - 1) // size * size
        for count in sizes:
            size *= count
        at += size
    return (at + 7) // 8 * 8


def body(text, name):
    """What is between the braces of a function without parameters."""
    found = re.search(rf'^void {name} ?\(\) {{\n(.*?)^}}', text, re.M | re.S)
    return found[1] if found else ''


def convert(number, folder, space):
    """OpenCL C of one program, and the bytes of its state; nothing if it has a surprise."""
    driver = opencl((folder / 'driver.c').read_text())
    function = opencl((folder / 'func.c').read_text())
    variables = members(driver)
    inside = {kind for kind, _, _, _ in variables}
    if not inside <= set(BYTES) or 'for (' not in function:
        return '', 0

    def own(text):
        return re.sub(r'\b(zero|(?:var|arr)_\d+)\b', r's->\1', text)
    fields = ''.join(f'    {kind} {name}{"".join(f"[{n}]" for n in sizes)};\n'
                     for kind, name, sizes, _ in variables)
    values = ''.join(f'    s->{name} = ({value}) ^ nil;\n'
                     for _, name, sizes, value in variables if not sizes)
    start = re.sub(r'= (.*);$', r'= (\1) ^ nil;', own(body(driver, 'init')), flags=re.M)
    check = own(body(driver, 'checksum')).replace('&seed', '&sum')
    state = f'{space} struct state{number}'
    return (f'struct state{number} {{\n    ulong sum;\n{fields}}};\n'
            f'void init{number}({state} *s, int nil) {{\n{values}{start}}}\n'
            f'void test{number}({state} *s) {{\n{own(body(function, "test"))}}}\n'
            f'ulong checksum{number}({state} *s) {{\n    ulong sum = 0;\n{check}    return sum;\n'
            '}\n', state_bytes(variables))


def entry(states, private, every):
    """The kernel: item i runs program i / every % number of programs."""
    count = len(states)
    parameters = ''.join(f', global struct state{k} *states{k}' for k in range(count))
    lines = ['kernel void entry(global ulong *result, global int *nothing'
             f'{"" if private else parameters}) {{',
             '    size_t i = get_global_linear_id();', '    ulong sum = 0;',
             '    int nil = nothing[get_local_id(0)];']
    for k in range(count):
        test = f'i / {every} % {count} == {k}' if count > 1 else '1'
        where = f'    struct state{k} own; private struct state{k} *s = &own;'
        lines += [f'    if ({test}) {{', where if private else
                  f'    global struct state{k} *s = states{k} + i;',
                  f'    init{k}(s, nil); test{k}(s); sum = checksum{k}(s);', '    }']
    return '\n'.join([*lines, '    result[i] = sum;', '}', ''])


def yarpgen(index, generator, folder):
    """A kernel of one to three programs, or None if this index gives none."""
    draw = random.Random(f'yarpgen {index}')
    folder = pathlib.Path(folder)
    private = draw.random() < 0.3
    space = 'private' if private else 'global'
    parts, states, commands = [], [], []
    for number in range(draw.choice((1, 1, 2, 3))):
        sizes = []

        def attempt(seed, sizes=sizes):
            words = ['--std=c', '-s', str(seed * 3 + number + 1), '--inp-as-args=none',
                     '--emit-align-attr=none', '--emit-pragmas=none']
            source = foreign_programs.generate([generator, *words, '-o', folder],
                                               folder / 'func.c', seconds=1)
            text, size = convert(len(states), folder, space) if source else ('', 0)
            if size > (MOST_PRIVATE if private else MOST_STATE):
                text = ''
            sizes.append((text, size))
            return text, 'yarpgen ' + ' '.join(words)
        text, command = foreign_programs.sized(index, draw, attempt, SIZES, TINY, tries=16)
        if text:
            parts.append(text)
            states.append(next(size for found, size in sizes if found == text))
            commands.append(command)
    if not parts:
        return None
    local = draw.choice(LOCALS)
    count = foreign_programs.groups(draw, local, (3, 2, 2))
    each = sum(states) * foreign_programs.product(local)
    while not private and max(count) > 1 and foreign_programs.product(count) * each > MOST_MEMORY:
        count[count.index(max(count))] -= 1
    size = [l * n for l, n in zip(local, count)]
    items = foreign_programs.product(size)
    words = ['--global', ','.join(map(str, size)), '--local', ','.join(map(str, local)),
             '--buffer', f'long:{items}', '--buffer', f'int:{local[0]}']
    for state in () if private else states:
        words += ['--buffer', f'long:{items * state // 8}']
    source = HEAD + ''.join(parts) + entry(states, private, draw.choice((1, 1, 2, 5)))
    return foreign_programs.Program(index, f'loops {space} {len(parts)}', source, words,
                                    '-w -cl-std=CL2.0', ' and '.join(commands))
