# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every form of a loop around one barrier: the loop's kind, how its end is known, where the barrier
stands, what leaves the loop early on which side of it, and whether anything else happens.

Which barrier a group comes to next is decided by conditions that LLVM has rotated, unrolled, peeled
or cut to one bit before the kernel is split at its barriers; the generator of random kernels has
such loops, but never each of them.
"""
import itertools

# What is counted, the condition to go on, and what is known of it when the kernel is built.
COUNTS = ('2', '3', '(n & 3) + 1', 'get_local_size(0) % 3 + 1', '(uchar)(n + 254)')
KINDS = ('for', 'while', 'do', 'forever')
PLACES = ('first', 'middle', 'last')
EXITS = ('', 'break', 'continue')
# (what is asked, on which side of the barrier)
ASKED = ('(u & 1) == 1', '(n ^ u) & 1', 'u == 1')


def body(place, early, asked, before, works):
    wait = 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);'
    leave = [f'if ({asked}) {early};'] if early else []
    # Alone, or with something that others have written: read behind the barrier, two slots by turns.
    write = ['scratch[l + (b & 1) * items] = h = h * 3 + u;'] if works else []
    read = ['h += scratch[(l + 1) % items + (b++ & 1) * items];'] if works else []
    around = {'first': [wait, 'h ^= u;'], 'middle': [*write, wait, *read],
              'last': ['h ^= u;', wait]}[place]
    return '\n        '.join([*leave, *around] if before else [*around, *leave])


def loop(kind, count, text):
    if kind == 'for':
        return f'for (int u = 0; u < {count}; ++u) {{\n        {text}\n    }}'
    # A `continue` must count as well, so these count in front of everything.
    if kind == 'while':
        return f'int v = 0;\n    while (v < {count}) {{\n        int u = v++;\n        {text}\n    }}'
    if kind == 'do':
        return f'int v = 0;\n    do {{\n        int u = v++;\n        {text}\n    }} while (v < {count});'
    return (f'int v = 0;\n    for (;;) {{\n        int u = v++;\n        if (u >= {count})\n'
            f'            break;\n        {text}\n    }}')


def kernels():
    """All of them: (name, text)."""
    number = 0
    for kind, count, place, early, before, works in itertools.product(
            KINDS, COUNTS, PLACES, EXITS, (False, True), (False, True)):
        if (not early and before) or (works and place != 'middle'):
            continue
        result = 'h' if works or number % 2 else '7'
        asked = ASKED[number % len(ASKED)]
        text = loop(kind, count, body(place, early, asked, before, works))
        name = f'loop{number}'
        number += 1
        yield name, (f'kernel void {name}(global int *out, global const int *in, local int *scratch, '
                     f'int n) {{\n    int l = (int)get_local_linear_id(), h = n, b = 0, g = (int)'
                     f'get_global_linear_id();\n    int items = (int)(get_local_size(0) * '
                     f'get_local_size(1) * get_local_size(2));\n    {text}\n    out[g] = {result};\n}}\n')


def program(part, parts):
    """Each parts-th kernel, from the given one."""
    return ''.join(text for _, text in itertools.islice(kernels(), part, None, parts))
