# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py OUT.cl OUT.h [FAMILY | every]: loops over the built-ins that are not maths, or those of one family,
and their table; conversions of two widths, or of every.

Each function of each type and width becomes a plain function on arrays of n elements (n a multiple of
48); see builtins.h for the letters of a kind.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                                'kernel-lib', 'build'))
import units  # noqa: E402

FAMILIES = ['integer', 'common', 'relational', 'geometric']
LETTERS = {'gentype': 'g', 'sgentype': 's', 'ugentype': 'u', 'igentype': 'i', 'relational': 'r',
           'wide': 'w', 'int': 'n',
           'offset': 'o', 'count': 'k'}
CONVERT_WIDTHS = [1, 3]
vec = units.vector


def kinds_of(signature):
    """All overloads: result letter, then parameters, per alternative `a|b`."""
    result, parameters = re.match(r'(\S+)\((.*)\)', signature).groups()
    parameters = [p.split('|') for p in parameters.split(', ')]
    count = max(len(p) for p in parameters)
    return [LETTERS[result] + ''.join(LETTERS[p[min(k, len(p) - 1)]] for p in parameters)
            for k in range(count)]


def wide_of(element):
    return ('u' if element[0] == 'u' else '') + units.OF_BITS[2 * units.bits(element)]


def c_type(letter, element, width):
    """OpenCL C type of a letter, and whether it has one lane however wide the function is."""
    signed = units.signed_of(element)
    return {'g': (vec(element, width), 0), 's': (element, 1), 'u': (vec('u' + signed, width), 0),
            'i': (vec(signed, width), 0), 'w': (vec(wide_of(element), width), 0)
            if element not in units.REALS and units.bits(element) < 64 else None,
            'r': ('int' if width == 1 else vec(signed, width), 0), 'n': ('int', 1)}[letter]


# Offset and count of a bit-field, in one word of the last array: both in its lowest 16 bits.
FIELD = {'o': '((const uint *)c)[i * %d] & 255', 'k': '((const uint *)c)[i * %d] >> 8 & 255'}


class Output:
    def __init__(self):
        self.cl, self.declarations, self.rows = [], [], []

    def add(self, family, name, element, width, kind, symbol, body):
        self.cl.append('void %s(const void *a, const void *b, const void *c, void *out, size_t n) {\n'
                       '    for (size_t i = 0; i < n / %d; i++) {\n%s    }\n}\n' % (symbol, width, body))
        self.declarations.append('weft_builtin_loop %s;' % symbol)
        self.rows.append('    {"%s", "%s", "%s", "%s", %d, %s},' %
                         (family, name, element, kind, width, symbol))


def load(t, scalar, width, source):
    element = re.sub(r'\d+$', '', t)
    if scalar:
        return '((const %s *)%s)[i * %d]' % (element, source, width)
    return '((const %s *)%s)[i]' % (t, source) if width == 1 else \
        'vload%d(i, (const %s *)%s)' % (width, element, source)


def store(t, scalar, width, value):
    element = re.sub(r'\d+$', '', t)
    if scalar or width == 1:
        return '        ((%s *)out)[i * %d] = %s;\n' % (element, width, value)
    return '        vstore%d(%s, i, (%s *)out);\n' % (width, value, element)


def plain(out, row):
    for element in units.TYPES[row['types']]:
        for width in units.WIDTHS[row['widths']]:
            for at, kind in enumerate(kinds_of(row['signature'])):
                if at and width == 1 and 's' in kind:
                    continue
                arguments = [FIELD[k] % width if k in FIELD else
                             load(*c_type(k, element, width), width, s)
                             for k, s in zip(kind[1:], 'abc?')]
                result, scalar = c_type(kind[0], element, width)
                symbol = 'weft_builtin_%s_%s%d_%d' % (row['name'], element, width, at)
                body = store(result, scalar or kind[0] in 'sn', width,
                             '%s(%s)' % (row['name'], ', '.join(arguments)))
                out.add(row['family'], row['name'], element, width, kind, symbol, body)


def conversions(out, widths):
    types = units.ELEMENTS
    for to in types:
        for source in types:
            for width in widths:
                for sat in ['', '_sat'] if to not in units.REALS else ['']:
                    for rounding in units.ROUNDINGS:
                        name = 'convert_%s%s%s' % (vec(to, width), sat, rounding)
                        symbol = 'weft_builtin_%s_%s' % (name, source)
                        body = store(vec(to, width), False, width, '%s(%s)' % (
                            name, load(vec(source, width), False, width, 'a')))
                        out.add('convert', to + sat + rounding, source, width, 'c', symbol, body)


def halves(out):
    for width in units.WIDTHS['EVERY']:
        n = '' if width == 1 else str(width)
        for element in units.FLOATS:
            for rounding in units.ROUNDINGS:
                for aligned in ['vstore', 'vstorea']:
                    if width in (1, 3) and aligned == 'vstorea':
                        continue
                    name = '%s_half%s%s' % (aligned, n, rounding)
                    symbol = 'weft_builtin_%s_%s' % (name, element)
                    body = '        %s(%s, i, (half *)out);\n' % (
                        name, load(vec(element, width), False, width, 'a'))
                    out.add('half', 'vstore_half' + rounding, element, width, 'h', symbol, body)
        body = store(vec('float', width), False, width, 'vload_half%s(i, (const half *)a)' % n)
        out.add('half', 'vload_half', 'float', width, 'l', 'weft_builtin_vload_half%s' % n, body)


def shuffles(out):
    for element in units.ELEMENTS:
        mask = 'u' + units.signed_of(element)
        for width in units.WIDTHS['EVEN']:
            for m in units.WIDTHS['EVEN']:
                source = '((const %s *)%%s)[0]' % vec(element, m)
                for name, letters, parts in (('shuffle', 'm', 'a'), ('shuffle2', 'M', 'ab')):
                    symbol = 'weft_builtin_%s_%s%d_%d' % (name, element, width, m)
                    arguments = [source % p for p in parts] + [load(vec(mask, width), False, width,
                                                                    'c')]
                    body = store(vec(element, width), False, width,
                                 '%s(%s)' % (name, ', '.join(arguments)))
                    out.add('shuffle', '%s %d' % (name, m), element, width, letters, symbol, body)


def main(argv):
    out = Output()
    every = argv[3:] == ['every']
    only = FAMILIES if every else argv[3:] or FAMILIES
    for row in units.rows():
        if row['family'] in only:
            plain(out, row)
    if every or not argv[3:]:
        conversions(out, units.WIDTHS['EVERY'] if every else CONVERT_WIDTHS)
        halves(out)
        shuffles(out)
    with open(argv[1], 'w') as f:
        f.write('#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n'
                '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' + '\n'.join(out.cl))
    with open(argv[2], 'w') as f:
        f.write('\n'.join(out.declarations) + '\nstatic const weft_builtin functions[] = {\n' +
                '\n'.join(out.rows) + '\n};\n')


if __name__ == '__main__':
    main(sys.argv)
