# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py OUT.cl OUT.h [--level N] WIDTH...: loops over every maths function of builtins.def, their table.

Each function of each type and width becomes a plain function
    void weft_maths_<name>_<type><width>(a, b, c, out, out2, n)
on arrays of n elements, n a multiple of 48; the header lists them with their ULP bounds. With a level, it is part of
their names, for programs that have all levels in them.
"""
import argparse
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                                'kernel-lib', 'build'))
import units  # noqa: E402

WIDTHS = [1, 2, 3, 4, 8, 16]


def kinds_of(signature):
    """One for each alternative `a|b`; letters: result, then parameters; g gentype, i intn, u ugentype;
    s and n: one element of g and i for all lanes; capital: pointer."""
    result, parameters = re.match(r'(\S+)\((.*)\)', signature).groups()
    letters = {'gentype': 'g', 'intn': 'i', 'ugentype': 'u', 'gentype *': 'G', 'intn *': 'I',
               'sgentype': 's', 'int': 'n'}
    alternatives = [p.split('|') for p in parameters.split(', ')]
    return [letters[result] + ''.join(letters[a[min(k, len(a) - 1)]] for a in alternatives)
            for k in range(max(len(a) for a in alternatives))]


def types_of(row):
    return units.TYPES[row['types']]


def symbol_of(name, element, width, kind, level):
    return 'weft_maths%s_%s_%s_%s%d' % (level, name, kind, element, width)


def wrapper(name, element, width, kind, level):
    vec = units.vector
    integer = 'int'
    types = {'g': element, 'i': integer, 'u': 'u' + units.signed_of(element), 's': element,
             'n': integer}
    lines = ['void %s(const void *a, const void *b, const void *c, void *out,'
             % symbol_of(name, element, width, kind, level), '                void *out2, size_t n) {',
             '    for (size_t i = 0; i < n / %d; i++) {' % width]
    arguments, second = [], None
    for letter, source in zip(kind[1:], 'abc'):
        if letter.isupper():
            second = types[letter.lower()]
            lines.append('        %s second;' % vec(second, width))
            arguments.append('&second')
        else:
            t = types[letter]
            load = '((const %s *)%s)[i * %d]' % (t, source, width) \
                if width == 1 or letter in 'sn' else \
                'vload%d(i, (const %s *)%s)' % (width, t, source)
            arguments.append(load)
    r = types[kind[0]]

    def store(value, t, where):
        return '        ((%s *)%s)[i] = %s;' % (t, where, value) if width == 1 else \
            '        vstore%d(%s, i, (%s *)%s);' % (width, value, t, where)
    lines.append('        %s result = %s(%s);' % (vec(r, width), name, ', '.join(arguments)))
    lines.append(store('result', r, 'out'))
    if second:
        lines.append(store('second', second, 'out2'))
    return '\n'.join(lines + ['    }', '}']) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('source')
    parser.add_argument('header')
    parser.add_argument('--level', default='')
    parser.add_argument('widths', nargs='+', type=int)
    arguments = parser.parse_args()
    level = arguments.level
    rows = [r for r in units.rows() if r['family'] == 'math']
    cl = ['#pragma OPENCL EXTENSION %s : enable' % e for e in ('cl_khr_fp64', 'cl_khr_fp16')]
    table, declarations, expected = [], [], 0
    widths = arguments.widths
    for row in rows:
        for kind in kinds_of(row['signature']):
            mine = [w for w in widths if w > 1 or not re.search('[sn]', kind)]
            expected += len(types_of(row)) * len(mine)
            loops = []
            for element in ['float', 'double', 'half']:
                has = mine if element in types_of(row) else []
                cl += [wrapper(row['name'], element, w, kind, level) for w in has]
                declarations += ['weft_maths_loop %s;' % symbol_of(row['name'], element, w, kind, level)
                                 for w in has]
                loops.append(', '.join(symbol_of(row['name'], element, w, kind, level) if w in has else 'NULL'
                                       for w in WIDTHS))
            bounds = ['-2' if row[k] == 'NA' else row[k]
                      for k in ('ulp_float', 'ulp_double', 'ulp_half')]
            table.append('    {"%s", "%s", {%s}, {{%s}}},' %
                         (row['name'], kind, ', '.join(bounds), '}, {'.join(loops)))
    with open(arguments.source, 'w') as source:
        source.write('\n'.join(cl))
    with open(arguments.header, 'w') as header:
        header.write('\n'.join(declarations) + '\nstatic const weft_maths_function functions[] = {\n' +
                     '\n'.join(table) + '\n};\nstatic const size_t overloads_in_table = %d;\n' % expected)


if __name__ == '__main__':
    main()
