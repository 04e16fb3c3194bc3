# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py OUT.cl OUT.h WIDTH...: loops over every maths function of builtins.def, their table.

Each function of each type and width becomes a plain function
    void weft_maths_<name>_<type><width>(a, b, c, out, out2, n)
on arrays of n elements, n a multiple of 48; the header lists them with their ULP bounds.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                                'kernel-lib', 'build'))
import units  # noqa: E402

WIDTHS = [1, 2, 3, 4, 8, 16]


def kind_of(signature):
    """Letters: result, then parameters; g gentype, i intn, u ugentype; capital: pointer."""
    result, parameters = re.match(r'(\S+)\((.*)\)', signature).groups()
    letters = {'gentype': 'g', 'intn': 'i', 'ugentype': 'u', 'gentype *': 'G', 'intn *': 'I'}
    first = [p.split('|')[0] for p in parameters.split(', ')]
    return letters[result] + ''.join(letters[p] for p in first)


def types_of(row):
    return units.TYPES[row['types']]


def wrapper(name, element, width, kind):
    vec = units.vector
    integer = 'int'
    types = {'g': element, 'i': integer, 'u': 'u' + units.signed_of(element)}
    lines = ['void weft_maths_%s_%s%d(const void *a, const void *b, const void *c, void *out,'
             % (name, element, width), '                void *out2, size_t n) {',
             '    for (size_t i = 0; i < n / %d; i++) {' % width]
    arguments, second = [], None
    for letter, source in zip(kind[1:], 'abc'):
        if letter.isupper():
            second = types[letter.lower()]
            lines.append('        %s second;' % vec(second, width))
            arguments.append('&second')
        else:
            t = types[letter]
            load = '((const %s *)%s)[i]' % (t, source) if width == 1 else \
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


def main(argv):
    rows = [r for r in units.rows() if r['family'] == 'math']
    cl, table, declarations = ['#pragma OPENCL EXTENSION cl_khr_fp64 : enable'], [], []
    for row in rows:
        name, kind = row['name'], kind_of(row['signature'])
        entries = {}
        for element in ['float', 'double']:
            entries[element] = ['NULL'] * 6
            if element not in types_of(row):
                continue
            for at, width in enumerate(WIDTHS):
                if str(width) not in argv[3:]:
                    continue
                cl.append(wrapper(name, element, width, kind))
                symbol = 'weft_maths_%s_%s%d' % (name, element, width)
                declarations.append('weft_maths_loop %s;' % symbol)
                entries[element][at] = symbol
        bound = ['-2' if row[k] == 'NA' else row[k] for k in ('ulp_float', 'ulp_double')]
        table.append('    {"%s", "%s", {%s, %s}, {{%s}, {%s}}},' %
                     (name, kind, bound[0], bound[1], ', '.join(entries['float']),
                      ', '.join(entries['double'])))
    open(argv[1], 'w').write('\n'.join(cl))
    open(argv[2], 'w').write('\n'.join(declarations) +
                             '\nstatic const weft_maths_function functions[] = {\n' +
                             '\n'.join(table) + '\n};\n')


if __name__ == '__main__':
    main(sys.argv)
