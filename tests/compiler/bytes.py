# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dot products of bytes (compiler/norm/packed_dot.cc): which instructions come out, and that those of VNNI give the
right sums, on machines without them too: the code behind stage abi is evaluated here, word by word."""
import random
import re
import unittest

import common
import tap

VNNI = 'x86-64-v4+avx512vnni'
KERNEL = '''kernel void k(global const uint *a, global const uint *b, global const uint *c, global uint *out) {
    size_t i = get_global_id(0);
    uint x = a[i], y = b[i], z = c[i];
    out[i] = %s;
}'''
FORMS = {'uu': 'uint', 'ss': 'int', 'us': 'int', 'su': 'int'}
WORD = 0xffffffff
ALL_WORDS = ', '.join(f'i32 {i}' for i in range(16))


def compiled(expression, isa, *arguments):
    result = common.compile_text(KERNEL % expression, '--isa', isa, *arguments)
    assert result.status == 0, result.log
    return result.text


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def product(signs, a, b):
    """As the specification has it: extended, multiplied, added."""
    def byte(word, k, sign):
        value = word >> 8 * k & 255
        return signed(value, 8) if sign == 's' else value
    return sum(byte(a, k, signs[0]) * byte(b, k, signs[1]) for k in range(4))


def add_four_products(accumulator, left, right):
    """VPDPBUSD for one word: bytes of `left` without a sign, of `right` with one."""
    return accumulator + product('us', left, right)


def saturated(value):
    return max(-2**31, min(2**31 - 1, value))


class Words:
    """Evaluates vector code of which each word depends on the same word of its operands."""

    def __init__(self, text):
        text = re.sub(r'bitcast \(<[^>]*> (splat \([^)]*\)) to <[^>]*>\)', r'\1', text[text.index('@weft_kernel_k'):])
        store = re.search(r'@llvm.masked.store[\w.]*\(<16 x i32> (%[\w.]+),', text)
        lines = re.findall(r'^  (%[\w.]+) = (.*)$', text[:store.start()], re.M)
        self.code = dict(lines)
        self.inputs = [name for name, what in lines if re.match(r'call <16 x i32> @llvm.masked.load', what)]
        assert len(self.inputs) in (2, 3), text
        self.result = store.group(1)

    def constant(self, text):
        if text == 'zeroinitializer':
            return 0
        bits, value = re.match(r'splat \(i(\d+) (-?\d+)\)', text).groups()
        value = int(value) & ((1 << int(bits)) - 1)
        return value * (WORD // ((1 << int(bits)) - 1))

    def value(self, text, known):
        if not text.startswith('%'):
            return self.constant(text)
        if text not in known:
            known[text] = self.compute(self.code[text], known) & WORD
        return known[text]

    def compute(self, what, known):
        if cast := re.match(r'bitcast <[^>]*> (\S+) to', what):
            return self.value(cast.group(1), known)
        if same := re.match(rf'shufflevector <16 x i32> (\S+), <16 x i32> poison, <16 x i32> <{ALL_WORDS}>', what):
            return self.value(same.group(1), known)
        operation, rest = re.match(r'(?:tail )?(\w+) (.*)', what).groups()
        if operation == 'call':
            name, rest = re.match(r'.*?@([\w.]+)\((.*)\)', rest).groups()
        operands = [self.value(o.strip(), known) for o in
                    re.split(r',?\s*(?:nuw |nsw |disjoint )*<\d+ x i\d+> (?:noundef )?|, ', rest) if o.strip()
                    and not o.startswith('#')]
        if operation == 'call':
            if 'vpdpbusds' in name:
                return saturated(signed(operands[0], 32) + product('us', *operands[1:]))
            if 'vpdpbusd' in name:
                return add_four_products(*operands)
            if 'sadd.sat' in name:
                return saturated(sum(signed(o, 32) for o in operands))
            assert 'uadd.sat' in name, name
            return min(WORD, sum(operands))
        return {'xor': lambda a, b: a ^ b, 'add': lambda a, b: a + b,
                'sub': lambda a, b: a - b}[operation](*operands)

    def run(self, *words):
        return self.value(self.result, dict(zip(self.inputs, words)))


def word(source):
    """Limits as often as others."""
    if source.random() < 0.5:
        return source.getrandbits(32)
    return int.from_bytes(bytes(source.choice((0, 1, 127, 128, 129, 255)) for _ in range(4)), 'little')


class Bytes(unittest.TestCase):
    def test_sums_of_vnni(self):
        source = random.Random(4)
        for signs, result in FORMS.items():
            name = f'4x8packed_{signs}_{result}'
            for form, wanted in (
                    (f'dot_{name}(x, y)', lambda a, b, c: product(signs, a, b)),
                    (f'z + dot_{name}(x, y)', lambda a, b, c: product(signs, a, b) + c),
                    (f'dot_acc_sat_{name}(x, y, ({result})z)',
                     lambda a, b, c: min(WORD, product(signs, a, b) + c) if signs == 'uu' else
                     saturated(product(signs, a, b) + signed(c, 32)))):
                words = Words(compiled(form, VNNI, '--dump-after', 'abi'))
                for _ in range(200):
                    a, b = word(source), word(source)
                    c = source.choice((0, 1, 0x7fffffff, 0x80000000, WORD, source.getrandbits(32)))
                    self.assertEqual(words.run(a, b, c), wanted(a, b, c) & WORD, (form, hex(a), hex(b), hex(c)))

    def test_instructions(self):
        for signs, result in FORMS.items():
            form = f'z + dot_4x8packed_{signs}_{result}(x, y)'
            text = compiled(form, VNNI, '--emit', 'asm')
            self.assertRegex(text, r'vpdpbusd\s.*%zmm')
            self.assertNotIn('vpmaddwd', text)
            for isa, registers in (('x86-64-v4', '%zmm'), ('x86-64-v3', '%ymm'), ('x86-64-v2', '%xmm'),
                                   ('x86-64-v1', '%xmm')):
                text = compiled(form, isa, '--emit', 'asm')
                self.assertRegex(text, r'pmaddwd\s.*' + registers)
                self.assertNotIn('vpdpbusd', text)
                self.assertNotIn('pmaddubsw', text)  # its sums saturate

    def test_saturated_sum_is_one_instruction(self):
        text = compiled('dot_acc_sat_4x8packed_us_int(x, y, (int)z)', VNNI, '--emit', 'asm')
        self.assertIn('vpdpbusds', text)

    def test_constants_are_computed(self):
        text = compiled('z + dot_4x8packed_ss_int(0x80808080u, 0x7f7f7f7fu)', 'x86-64-v3', '--emit', 'native')
        self.assertNotIn('pmadd', text)


if __name__ == '__main__':
    tap.main()
