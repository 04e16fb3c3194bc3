# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""every.py library.symbols OUT.h: kernels that call each overload of the library that has to do with memory, events or
images, once, and check what it does; every.c runs them. The overloads of all other functions are called
by the loops of generate.py and ../maths/generate.py.

every.py --rest library.symbols WEFT BITCODE...: how many overloads the library has, and which of them neither
these kernels nor the loops of the bitcode call. Prints TAP."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

SPACES = {'0': 'private', '1': 'global', '2': 'constant', '3': 'local', '4': 'generic'}
TYPES = {'v': 'void', 'c': 'char', 'h': 'uchar', 's': 'short', 't': 'ushort', 'i': 'int', 'j': 'uint', 'l': 'long',
         'm': 'ulong', 'f': 'float', 'd': 'double', 'Dh': 'half'}
BITS = {'float': 'as_int', 'double': 'as_long', 'half': 'as_short'}
Pointer = collections.namedtuple('Pointer', 'space type')
SLOT = 512  # bytes of memory that each work-item has in each address space
PER_KERNEL, PER_PROGRAM = 16, 160


class Name:
    """A mangled name taken apart: the function's, and its parameters, each a type's name or a Pointer."""

    def __init__(self, symbol):
        self.rest, self.known, self.parameters = symbol[2:], [], []
        self.function = self.word()
        while self.rest:
            self.parameters.append(self.type())

    def take(self, pattern):
        match = re.match(pattern, self.rest)
        if match:
            self.rest = self.rest[match.end():]
        return match

    def word(self):
        length = int(self.take(r'\d+')[0])
        word, self.rest = self.rest[:length], self.rest[length:]
        return word

    def add(self, what):
        self.known.append(what)
        return what

    def type(self):
        if self.take('P'):
            return self.add(self.pointed())
        match = self.take(r'S(\d*)_')
        if match:
            return self.known[int(match[1]) + 1 if match[1] else 0]
        match = self.take(r'Dv(\d+)_')
        if match:
            return self.add(self.type() + match[1])
        match = self.take('Dh|[a-z]')
        return TYPES[match[0]] if match else self.add(self.word())

    def pointed(self):
        """What a pointer points to, which is known later with its address space, private too, and without."""
        space = self.take(r'U3AS(\d)')
        self.take('V?K?')
        atomic = self.take('U7_Atomic')
        what = self.type()
        if atomic:
            self.add(what)
        self.add(what)
        return Pointer(space[1] if space else '0', what)


def lanes_of(type_name):
    match = re.match(r'([a-z]+)(\d*)$', type_name)
    return match[1], int(match[2] or 1)


def same(a, b, element):
    cast = BITS.get(element)
    equal = '%s(%s) == %s(%s)' % (cast, a, cast, b) if cast else '(%s) == (%s)' % (a, b)
    return '(%s || ((%s) != (%s) && (%s) != (%s)))' % (equal, a, a, b, b) if cast else '(%s)' % equal


def lane(value, width, index):
    return value if width == 1 else '%s.s%x' % (value, index)


def memory(space, type_name, place=0):
    """A pointer to this work-item's memory, at the alignment of any vector."""
    base = {'0': 'own', '1': 'all', '3': 'shared', '4': 'all'}[space]
    word = '' if space == '4' else SPACES[space] + ' '
    return '((%s%s *)(%s%s + %d))' % (word, type_name, '(uchar *)' if space == '4' else '', base, place)


def readable(space, type_name):
    """A pointer to what `in` has."""
    if space == '1':
        return '((global const %s *)in)' % type_name
    if space == '2':
        return '((constant %s *)table)' % type_name
    return memory(space, type_name)


FILL = 'for (int b = 0; b < %d; b++) %s[b] = in[b];' % (SLOT, '%s')


def fill(space):
    """Copies `in` to where readable() points."""
    return '' if space in '12' else FILL % memory(space, 'uchar')


# ---- one check of each overload: statements, and the condition that is true if all is right

def real_and_pointer(name):
    """fract, frexp ...: each lane is what the scalar function gives, which stores into private memory."""
    *values, pointer = name.parameters
    element, width = lanes_of(values[0])
    second = lanes_of(pointer.type)[0]
    body = ['%s v%d = ((global const %s *)in)[get_local_id(0) + %d];' % (v, i, v, i) for i, v in enumerate(values)]
    body.append('%s r = %s(%s, %s);' % (values[0], name.function, ', '.join('v%d' % i for i in range(len(values))),
                                        memory(pointer.space, pointer.type)))
    body.append('%s s = *%s; int good = 1;' % (pointer.type, memory(pointer.space, pointer.type)))
    for i in range(width):
        arguments = ', '.join(lane('v%d' % v, width, i) for v in range(len(values)))
        body.append('{ %s p; %s q = %s(%s, &p); good &= %s && %s; }' % (
            second, element, name.function, arguments, same(lane('r', width, i), 'q', element),
            same(lane('s', width, i), 'p', second)))
    return body, 'good'


def vload(name):
    element, width = name.parameters[1].type, int(re.search(r'\d+$', name.function)[0])
    pointer = readable(name.parameters[1].space, element)
    body = [fill(name.parameters[1].space), '%s%d r = %s(1, %s + 1); int good = 1;' % (element, width, name.function,
                                                                                      pointer)]
    body += ['good &= %s;' % same('r.s%x' % i, '%s[%d]' % (pointer, 1 + width + i), element) for i in range(width)]
    return body, 'good'


def vload_half(name):
    width = int((re.search(r'\d+$', name.function) or ['1'])[0])
    step = 4 if width == 3 and name.function.startswith('vloada') else width
    pointer = readable(name.parameters[1].space, 'half')
    if not name.function.startswith('vloada'):
        pointer = '(%s + 1)' % pointer
    body = [fill(name.parameters[1].space), 'float%s r = %s(1, %s); int good = 1;' % (
        width if width > 1 else '', name.function, pointer)]
    body += ['good &= %s;' % same(lane('r', width, i), '(float)%s[%d]' % (pointer, step + i), 'float')
             for i in range(width)]
    return body, 'good'


def stored(name, type_name, pointer, element, step, value, first):
    """Statements around a store: `first` elements in front of it and one behind stay as they are."""
    width = lanes_of(type_name)[1]
    body = [FILL % memory(pointer.space, 'uchar'),
            '%s v = ((global const %s *)in)[(get_local_id(0) & 7) + 2];' % (type_name, type_name),
            '%s(v, 1, %s + %d); int good = 1;' % (name.function, memory(pointer.space, element), first)]
    at = memory(pointer.space, element)
    body += ['good &= %s;' % same('%s[%d]' % (at, first + step + i), value % lane('v', width, i), element)
             for i in range(width)]
    body += ['good &= %s;' % same('%s[%d]' % (at, i), '((global const %s *)in)[%d]' % (element, i), element)
             for i in (first + step - 1, first + step + width)]
    return body, 'good'


def vstore(name):
    element, width = lanes_of(name.parameters[0])
    return stored(name, name.parameters[0], name.parameters[2], element, width, '%s', 1 if width < 16 else 0)


def vstore_half(name):
    rounding = (re.search(r'_rt.$', name.function) or ['_rte'])[0]
    width = lanes_of(name.parameters[0])[1]
    aligned = name.function.startswith('vstorea')
    return stored(name, name.parameters[0], name.parameters[2], 'half', 4 if aligned and width == 3 else width,
                  'convert_half%s(%%s)' % rounding, 0 if aligned else 1)


# What an atomic function leaves behind of `a` and an operand `b`.
AFTER = {'add': 'a + b', 'sub': 'a - b', 'inc': 'a + 1', 'dec': 'a - 1', 'and': 'a & b', 'or': 'a | b', 'xor': 'a ^ b',
         'min': 'min(a, b)', 'max': 'max(a, b)', 'xchg': 'b', 'exchange': 'b', 'cmpxchg': '(a & 1 ? c : a)'}
OF_FLOATS = {'min': 'fmin(a, b)', 'max': 'fmax(a, b)'}


def atomic(name, word, call, returned='a'):
    """`call` on what holds a: what it returns, and what is in memory behind it. Floats of random bits could be NaNs."""
    pointer = name.parameters[0]
    real = pointer.type in ('float', 'double')
    draw = '((global const int *)in)[get_local_id(0) + %d]'
    at = memory(pointer.space, pointer.type)
    after = OF_FLOATS.get(word) if real else None
    after = after or AFTER.get(word, word)
    body = ['%s a = (%s)%s, b = (%s)%s, c = a ^ b;' % (pointer.type, pointer.type, draw % 0, pointer.type, draw % 9)
            if not real else '%s a = (%s)%s / 64, b = (%s)%s / 32;' % (pointer.type, pointer.type, draw % 0, pointer.type,
                                                                       draw % 9),
            '*%s = a;' % at]
    if returned:
        body.append('%s r = %s;' % (pointer.type, call))
        return body, '%s && %s' % (same('r', returned, pointer.type), same('*' + at, '(%s)(%s)' % (pointer.type, after),
                                                                           pointer.type))
    body.append('%s;' % call)
    return body, same('*' + at, '(%s)(%s)' % (pointer.type, after), pointer.type)


def atomic_one(name):
    """atomic_add, atom_xchg ...: OpenCL 1's."""
    word = re.match(r'atom(?:ic)?_(\w+)', name.function)[1]
    pointer = name.parameters[0]
    at = memory(pointer.space, pointer.type).replace('((', '((volatile ')
    operands = {1: '', 2: ', b', 3: ', a & 1 ? a : a + 1, c'}[len(name.parameters)]
    return atomic(name, word, '%s(%s%s)' % (name.function, at, operands))


def orders(name, order):
    """The last parameters of an _explicit function."""
    return ''.join(', %s' % {'memory_order': order, 'memory_scope': 'memory_scope_device'}[p]
                   for p in name.parameters[1:] if p in ('memory_order', 'memory_scope'))


def atomic_two(name):
    """atomic_fetch_add, atomic_load_explicit ...: OpenCL 2's."""
    word = re.match(r'atomic_(?:fetch_)?(\w+?)(?:_explicit)?$', name.function)[1]
    pointer = name.parameters[0]
    at = memory(pointer.space, 'atomic_' + pointer.type).replace('((', '((volatile ')
    order = {'load': 'memory_order_acquire', 'store': 'memory_order_release'}.get(word, 'memory_order_acq_rel')
    if word in ('load', 'store', 'init'):
        operand = '' if word == 'load' else ', b'
        return atomic(name, 'a' if word == 'load' else 'b', '%s(%s%s%s)' % (name.function, at, operand, orders(name, order)),
                      'a' if word == 'load' else None)
    return atomic(name, word, '%s(%s, (%s)b%s)' % (name.function, at, name.parameters[1], orders(name, order)))


def atomic_compare(name):
    pointer, expected = name.parameters[0], name.parameters[1]
    t = pointer.type
    at = memory(pointer.space, 'atomic_' + t).replace('((', '((volatile ')
    plain, wanted = memory(pointer.space, t), memory(expected.space, t, 128)
    last = ['memory_order_acq_rel', 'memory_order_acquire', 'memory_scope_device'][:len(name.parameters) - 3]
    call = '%s(%s, %s, b%s)' % (name.function, at, wanted, ''.join(', ' + word for word in last))
    draw = '(%s)((global const short *)in)[get_local_id(0) + %%d]' % t
    body = ['%s a = %s, b = a + 3; *%s = a; *%s = a;' % (t, draw % 0, plain, wanted),
            'int good = %s && %s && %s;' % (call, same('*' + plain, 'b', t), same('*' + wanted, 'a', t)),
            '*%s = a; *%s = a + 1;' % (plain, wanted),
            'good &= !%s && %s && %s;' % (call, same('*' + plain, 'a', t), same('*' + wanted, 'a', t))]
    return body, 'good'


def flag(name):
    at = '((volatile %satomic_flag *)%s)' % ('' if name.parameters[0].space == '4'
                                             else SPACES[name.parameters[0].space] + ' ',
                                             memory(name.parameters[0].space, 'int'))
    tail = orders(name, 'memory_order_seq_cst')
    if 'clear' in name.function:
        return ['atomic_flag_clear(%s);' % at, 'int first = atomic_flag_test_and_set(%s);' % at,
                '%s(%s%s);' % (name.function, at, tail)], '!first && !atomic_flag_test_and_set(%s)' % at
    return ['atomic_flag_clear(%s);' % at, 'int first = %s(%s%s);' % (name.function, at, tail)], \
        '!first && %s(%s%s)' % (name.function, at, tail)


def copied(name):
    """Work-group copies from `in` to `group`, local memory of the whole group, or from there to a place of its own."""
    to, source = name.parameters[0], name.parameters[1]
    element, width = lanes_of(to.type)
    step = ', 2' if 'strided' in name.function else ''
    place = '((global %s *)(memory + 32768 + get_group_id(0) * 4096))' % to.type
    near = '((local %s *)group)' % to.type
    destination, origin = (place, near) if to.space == '1' else (near, '((global const %s *)in)' % to.type)
    scatter = '2 * e' if step and to.space == '1' else 'e'
    gather = '2 * e' if step and to.space == '3' else 'e'
    body = ['for (int e = 0; e < 8; e++) ((local %s *)group)[e] = ((global const %s *)in)[e + 1];' % (to.type, to.type)
            if to.space == '1' else '', 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);',
            'event_t e0 = %s(%s, %s, 5%s, 0); wait_group_events(1, &e0);' % (name.function, destination, origin, step),
            'int good = 1;', 'for (int e = 0; e < 5; e++) { %s got = %s[%s], wanted = %s[%s];' % (
                to.type, destination, scatter, origin, gather)]
    body += ['good &= %s;' % same(lane('got', width, i), lane('wanted', width, i), element)
             for i in range(3 if width == 3 else width)]
    return body + ['}', 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);'], 'good'


def copied_boxes(name):
    """Lines of three bytes, two to a plane, with other gaps here than there; of 3D three planes."""
    to = name.parameters[0].space
    volume = '3D3D' in name.function
    place, near = '((global uchar *)(memory + 32768 + get_group_id(0) * 4096))', '((local uchar *)group)'
    destination, origin = (place, near) if to == '1' else (near, '((global const uchar *)in)')
    sizes = '3, 4, 12, 5, 15' if volume else '4, 5'
    return ['for (int e = 0; e < 64; e++) ((local uchar *)group)[e] = in[e + 7];' if to == '1' else '',
            'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);',
            'event_t e0 = %s(%s, 2, %s, 1, 1, 3, 2, %s, 0);' % (name.function, destination, origin, sizes),
            'wait_group_events(1, &e0); int good = 1;',
            'for (int z = 0; z < %d; z++) for (int y = 0; y < 2; y++) for (int x = 0; x < 3; x++)' % (3 if volume else 1),
            'good &= %s[2 + x + 5 * y + 15 * z] == %s[1 + x + 4 * y + 12 * z];' % (destination, origin),
            'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);'], 'good'


def waited(name):
    """For an event that is in memory of each kind."""
    at = memory(name.parameters[1].space, 'event_t')
    return ['*%s = async_work_group_copy((local uchar *)group, in, 16, 0);' % at, 'wait_group_events(1, %s);' % at,
            'int good = ((local uchar *)group)[9] == in[9]; barrier(CLK_LOCAL_MEM_FENCE);'], 'good'


def prefetched(name):
    """A hint: that it does no harm is all that can be seen."""
    t = name.parameters[0].type
    return ['%s(((global const %s *)in), 4);' % (name.function, t)], '1'


def dotted(name):
    """Packed dot products, against sums of products of bytes."""
    packed = '4x8packed' in name.function
    signs = re.search(r'packed_(.)(.)_', name.function)
    kinds = [{'s': 'char4', 'u': 'uchar4'}[c] for c in signs.groups()] if packed else name.parameters[:2]
    result = 'uint' if kinds == ['uchar4', 'uchar4'] else 'int'
    body = ['uint a = ((global const uint *)in)[get_local_id(0)], b = ((global const uint *)in)[get_local_id(0) + 5];',
            '%s x = as_%s(a); %s y = as_%s(b); long sum = 0;' % (kinds[0], kinds[0], kinds[1], kinds[1])]
    body += ['sum += (long)x.s%d * y.s%d;' % (i, i) for i in range(4)]
    operands = 'a, b' if packed else 'x, y'
    if 'acc_sat' in name.function:
        most, least = ('UINT_MAX', '0') if result == 'uint' else ('INT_MAX', 'INT_MIN')
        body += ['%s c = get_local_id(0) & 1 ? %s - 3 : %s;' % (result, most, least),
                 'sum = clamp(sum + c, (long)%s, (long)%s);' % (least, most)]
        operands += ', c'
    return body, '%s(%s) == (%s)sum' % (name.function, operands, result)


CHECKS = [(r'fract|modf|sincos|frexp|lgamma_r|remquo', real_and_pointer), (r'vloada?_half\d*', vload_half),
          (r'vload\d+', vload), (r'vstorea?_half\d*(_rt.)?', vstore_half), (r'vstore\d+', vstore),
          (r'atomic_compare_exchange_(weak|strong)(_explicit)?', atomic_compare), (r'atomic_flag_\w+', flag),
          (r'(atomic_fetch_\w+|atomic_(load|store|init|exchange)(_explicit)?)', atomic_two),
          (r'atom(ic)?_\w+', atomic_one), (r'async_work_group_copy_[23]D[23]D', copied_boxes),
          (r'async_work_group(_strided)?_copy', copied), (r'wait_group_events', waited), (r'prefetch', prefetched),
          (r'dot(_acc_sat)?(_4x8packed_\w+)?', dotted)]


def check_of(function):
    return next((check for pattern, check in CHECKS if re.fullmatch(pattern, function)), None)


def is_dot_product(name):
    """dot() of bytes; of floats the loops have it."""
    return not name.function.startswith('dot') or name.parameters[0] in ('char4', 'uchar4', 'uint')


HEAD = """#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
constant ulong table[] = {%s};
""" % ', '.join('0x%016xul' % (0x9e3779b97f4a7c15 * (i + 1) % 2 ** 64) for i in range(64))
KERNEL = """kernel void test%d(global const uchar *in, global uchar *memory, global int *bad) {
    local ulong16 rooms[32 * %d], group[16];
    ulong16 mine[%d];
    private uchar *own = (private uchar *)mine;
    local uchar *shared = (local uchar *)(rooms + get_local_id(0) * %d);
    global uchar *all = memory + get_global_id(0) * %d;
%s}
"""


def result_of(name):
    """What a function returns that has an overload for each address space."""
    function, first = name.function, name.parameters[0]
    if re.fullmatch('fract|modf|sincos|frexp|lgamma_r|remquo', function):
        return first
    if re.match(r'vloada?_half', function):
        return 'float' + (re.search(r'\d+$', function) or [''])[0]
    if re.match(r'vload\d', function):
        return name.parameters[1].type + re.search(r'\d+$', function)[0]
    if re.match(r'vstore|atomic_(init|store|flag_clear)|wait_group_events', function):
        return 'void'
    if re.match(r'atomic_(flag_test|compare)', function):
        return 'bool'
    return first.type if re.match(r'atomic_(load|fetch|exchange)', function) else None


def declared(name, symbol):
    """The declaration of just this overload, or nothing. Where there is the generic address space Clang declares no
    other, so that a call by a global pointer would not be that of the overload for it."""
    result = result_of(name)
    if not result:
        return ''
    parameters = []
    for parameter in name.parameters:
        if isinstance(parameter, Pointer):
            word = SPACES[parameter.space] if parameter.space != '4' else ''
            pointed = {'ocl_event': 'event_t'}.get(parameter.type, parameter.type)
            if 'atomic_flag' in name.function:
                pointed = 'volatile atomic_flag'
            elif 'U7_Atomic' in symbol and parameter is name.parameters[0]:
                pointed = 'volatile atomic_' + pointed
            elif name.function.startswith('vload'):
                pointed = 'const ' + pointed
            parameters.append('%s %s *' % (word, pointed))
        else:
            parameters.append(parameter)
    return '%s __attribute__((overloadable)) %s(%s);\n' % (result, name.function, ', '.join(parameters))


def declarations(names):
    """Of these overloads, and of the scalar functions that they are compared with."""
    lines = {declared(name, symbol) for symbol, name in names}
    for _, name in names:
        if check_of(name.function) is real_and_pointer:
            scalar = Name('_Z0')
            scalar.function = name.function
            *values, pointer = name.parameters
            scalar.parameters = [lanes_of(v)[0] for v in values] + [Pointer('0', lanes_of(pointer.type)[0])]
            lines.add(declared(scalar, ''))
    return ''.join(sorted(lines))


def programs(symbols):
    """(source, number of kernels, symbols in the order of their numbers) of a few hundred overloads each."""
    names = [(symbol, Name(symbol)) for symbol in symbols]
    names = [(symbol, name) for symbol, name in names if check_of(name.function) and is_dot_product(name)]
    names.sort(key=lambda pair: (pair[1].function, pair[0]))
    for first in range(0, len(names), PER_PROGRAM):
        some = names[first:first + PER_PROGRAM]
        source = HEAD + declarations(some)
        for start in range(0, len(some), PER_KERNEL):
            body = ''
            for number, (symbol, name) in enumerate(some[start:start + PER_KERNEL], start):
                lines, good = check_of(name.function)(name)
                body += '    { /* %s */\n        %s\n        if (!(%s)) bad[%d] = 1;\n    }\n' % (
                    symbol, '\n        '.join(filter(None, lines)), good, number)
            source += KERNEL % (start // PER_KERNEL, *[SLOT // 128] * 3, SLOT, body)
        yield source, -(-len(some) // PER_KERNEL), [symbol for symbol, _ in some]


# ---- images

ACCESS = {'ro': 'read_only', 'wo': 'write_only', 'rw': 'read_write'}
FACTS = {'get_image_width': 0, 'get_image_height': 1, 'get_image_depth': 2, 'get_image_array_size': 3,
         'get_image_channel_order': 4, 'get_image_channel_data_type': 5}
IMAGE_HEAD = HEAD[:HEAD.index('constant')]


def place_of(image, type_name):
    """Where the work-item's texel is, as an integer or at its middle; layers have none."""
    element, width = lanes_of(type_name)
    middle = ' + 0.5f' if element == 'float' else ''
    axes = ['x' + middle, 'y' + ('' if '1d_array' in image else middle), 'z' + ('' if 'array' in image else middle), '0']
    return '(%s)(%s)' % (type_name, ', '.join(axes[:width]))


def image_kernel(name, number):
    """The kernel, and what image it wants: its type and access, and of what its texels are."""
    image, access = re.match(r'ocl_(image\w+)_(ro|wo|rw)$', name.parameters[0]).groups()
    depth = 'depth' in image
    texels = re.search(r'_image(f|i|ui|h)$', name.function)
    texels = {'f': 'float', 'i': 'int', 'ui': 'uint', 'h': 'half'}[texels[1]] if texels else 'float'
    value = '(%s)base' % texels if depth else '(%s4)(base, base + 1, base + 2, base + 3)' % texels
    if name.function.startswith('write'):
        body = '%s(im, %s, %s);' % (name.function, place_of(image, name.parameters[1]), value)
    elif name.function.startswith('read'):
        sampler = 'ocl_sampler' in name.parameters
        coordinate = place_of(image, name.parameters[-1])
        got = '%s(im, %s%s)' % (name.function, 's, ' if sampler else '', coordinate)
        body = 'if (%s) bad[%d] = 1;' % ('%s != %s' % (got, value) if depth else 'any(%s != %s)' % (got, value), number)
    elif name.function == 'get_image_dim':
        wanted = '(int4)(facts[0], facts[1], facts[2], 0)' if '3d' in image else '(int2)(facts[0], facts[1])'
        body = 'if (any(get_image_dim(im) != %s)) bad[%d] = 1;' % (wanted, number)
    else:
        body = 'if ((int)%s(im) != facts[%d]) bad[%d] = 1;' % (name.function, FACTS[name.function], number)
    return ('kernel void test%d(%s %s_t im, sampler_t s, int base, constant int *facts, global int *bad) {\n'
            '    int x = get_global_id(0) & 3, y = get_global_id(0) >> 2 & 3, z = get_global_id(0) >> 4;\n    %s\n}\n' % (
                number, ACCESS[access], image, body), image, access, texels)


def image_programs(symbols):
    names = [(symbol, Name(symbol)) for symbol in symbols]
    names = [(symbol, name) for symbol, name in names if '_image' in name.function]
    # a kernel that reads what a kernel of the same type has written comes in front of it
    names.sort(key=lambda pair: (pair[1].function.startswith('write'), pair[1].function, pair[0]))
    source, rows = IMAGE_HEAD, []
    for number, (symbol, name) in enumerate(names):
        text, image, access, texels = image_kernel(name, number)
        source += text
        rows.append((symbol, image, access, texels, name.function.split('_')[0]))
    return source, rows


def literal(text):
    return '\n'.join('    ' + json.dumps(line + '\n') for line in text.splitlines())


def write_header(symbols, path):
    out, rows, count = [], [], 0
    for number, (source, kernels, names) in enumerate(programs(symbols)):
        out.append('static const char source%d[] =\n%s;\n' % (number, literal(source)))
        out.append('static const char *const names%d[] = {\n    %s};\n' % (
            number, ',\n    '.join('"%s"' % name for name in names)))
        rows.append('    {source%d, names%d, %d, %d},' % (number, number, kernels, len(names)))
        count += len(names)
    source, images = image_programs(symbols)
    out.append('static const char image_source[] =\n%s;\n' % literal(source))
    out.append('static const weft_image_overload image_overloads[] = {\n%s\n};\n' % '\n'.join(
        '    {"%s", "%s", "%s", "%s", "%s"},' % row for row in images))
    out.append('static const weft_overloads programs[] = {\n%s\n};\n' % '\n'.join(rows))
    with open(path, 'w') as file:
        file.write('\n'.join(out))


def called_by(bitcode):
    out = subprocess.run(['llvm-nm-22', bitcode], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in out.splitlines() if ' U ' in line}


def called_here(symbols, weft):
    """What the kernels do call, by the front end's word."""
    called = set()
    with tempfile.TemporaryDirectory() as folder:
        source, bitcode = os.path.join(folder, 'every.cl'), os.path.join(folder, 'every.bc')
        for text in [program[0] for program in programs(symbols)] + [image_programs(symbols)[0]]:
            with open(source, 'w', encoding='utf-8') as file:
                file.write(text)
            subprocess.run([weft, 'compile', '-cl-std=CL3.0', '--emit', 'bc', source, '-o', bitcode], check=True,
                           env={**os.environ, 'WEFT_OPENCL': '3.0'}, stderr=subprocess.DEVNULL)
            called |= called_by(bitcode)
    return called


def count_rest(symbols, weft, bitcode):
    """The library's own helpers, weft_..., are no built-in functions."""
    library = {symbol for symbol in symbols if not Name(symbol).function.startswith('weft_')}
    here = called_here(symbols, weft) & library
    loops = set().union(*map(called_by, bitcode)) & library
    rest = sorted(library - here - loops)
    for symbol in rest[:40]:
        print('# not called: %s' % symbol)
    print('1..1\n%sok 1 - %d overloads in the library: %d called by kernels, %d more in loops, %d not' % (
        'not ' if rest else '', len(library), len(here), len(loops - here), len(rest)))
    return bool(rest)


def main(argv):
    if argv[1] == '--rest':
        with open(argv[2], encoding='utf-8') as file:
            return count_rest(file.read().split(), argv[3], argv[4:])
    with open(argv[1], encoding='utf-8') as file:
        write_header(file.read().split(), argv[2])
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
