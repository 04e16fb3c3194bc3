# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels without undefined behaviour and without races, the same for the same seed.

    generate.py SEED [COUNT]            prints a program with COUNT kernels: seeds SEED, SEED + 1 ...

A kernel is a tree of statements, so that fuzz.py can drop some. What makes kernels valid:
- Uniform variables (u0, u1, ...) depend on arguments, group ids and literals only. Barriers stand
  where control flow depends on nothing else.
- Each item writes its own elements of `out`, `scratch` and private memory. Others' elements of
  `scratch` are read between two barriers.
- Atomics add, or, xor, min or max into cells that no one reads before a barrier (local) or at all
  (global).
- Loops count to at most 7. Arithmetic that may overflow is unsigned; indices are masked; floats
  become integers by saturating conversions, and NaN and zero have one form each at the end.
Early returns of some items before a barrier are not valid OpenCL, but common: items that have
returned stay away, here as on GPUs. Kernels with an odd seed may have them.
"""
import dataclasses
import random
import sys

from node import Node

HEADER = '''// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define IN(i) in[(i) & 1023]
#define DIV(a, b) ((b) == 0 || (b) == -1 ? (a) : (a) / (b))
#define REM(a, b) ((b) == 0 || (b) == -1 ? 0 : (a) % (b))
#define ADD(a, b) ((int)((uint)(a) + (uint)(b)))
#define SUB(a, b) ((int)((uint)(a) - (uint)(b)))
#define MUL(a, b) ((int)((uint)(a) * (uint)(b)))
typedef struct { int a; short b; float c; int d[3]; int4 v; } S;
typedef struct { uchar a; long b; S s; } T;
float clean_float(float x) { return isnan(x) ? 7.0f : x == 0.0f ? 0.0f : x; }
double clean_double(double x) { return isnan(x) ? 7.0 : x == 0.0 ? 0.0 : x; }
int mix(int h, int v) { return ADD(MUL(h, 31), v ^ (v >> 7)); }
int mixl(int h, long v) { return mix(mix(h, (int)v), (int)(v >> 32)); }
int mix4(int h, int4 v) { return mix(mix(mix(mix(h, v.x), v.y), v.z), v.w); }
int through(int *p, int i) { return ADD(p[i & 3], p[0]); }
void put(int *p, int i, int v) { p[i & 3] = SUB(v, p[(i + 1) & 3]); }
S twist(S s, int i) { s.d[i & 1] = ADD(s.a, i); s.v.yw = s.v.xz; s.b = (short)i; return s; }
void touch(private S *s, int i) { s->a = MUL(s->a, i); s->v.s3 ^= s->d[2]; if (i & 1) s->d[2] = i; }
int find(global const int *in, int from, int what) {
    for (int i = 0; i < 8; i++) {
        if ((IN(from + i) & 7) == what)
            return i;
        if (IN(from + i) > 240)
            break;
    }
    return -1;
}
'''

PROLOGUE = '''
    uint gid = (uint)get_global_linear_id(), lid = (uint)get_local_linear_id();
    uint items = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
    uint x = (uint)get_local_id(0), y = (uint)get_local_id(1);
    int group = (int)(get_group_id(0) + 5 * get_group_id(1) + 7 * get_group_id(2));
    local int cells[8];
    for (uint k = 0; k < 8; k++)
        scratch[lid + items * k] = (int)(lid * 3 + k);
    if (lid == 0)
        for (int k = 0; k < 8; k++)
            cells[k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i0 = (int)gid, i1 = IN(gid), i2 = (int)lid - 3;
    uint j0 = gid * 2654435761u, j1 = (uint)IN(gid * 3);
    long l0 = (long)gid * 1000003, l1 = IN(gid + 1) - 100;
    short h0 = (short)(gid * 77), h1 = (short)lid;
    char c0 = (char)(gid * 5), c1 = 3;
    uchar b0 = (uchar)IN(gid + 2), b1 = 200;
    float f0 = (float)IN(gid) * 0.25f, f1 = 1.5f;
    double d0 = (double)gid * 0.125, d1 = -2.5;
    int4 v0 = (int4)(i0, i1, i2, 4), v1 = (int4)(1, 2, 3, 4) * IN(gid + 3);
    uint2 w0 = (uint2)(j0, 9u);
    uint3 t0 = (uint3)(j1, gid, 5u);
    uint8 o0 = (uint8)(j1);
    uchar16 q0 = (uchar16)((uchar)gid);
    float4 g0 = (float4)(f0, 2.0f, (float)i1, 0.5f);
    int a0[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float a1[4] = {f0, f1, 2.0f, 3.0f};
    S s0 = {i0, 2, 3.0f, {4, 5, i1}, v0};
    T r0[2] = {{1, 2, s0}, {3, l0, s0}};
    int u0 = n, u1 = group, u2 = n + 2;
'''

EPILOGUE = '''
    int h = mix(mix(mix(17, i0), i1), i2);
    h = mix(mix(h, (int)j0), (int)j1);
    h = mixl(mixl(h, l0), l1);
    out[gid * 4] = h;
    h = mix(mix(mix(mix(mix(mix(h, h0), h1), c0), c1), b0), b1);
    h = mix(mix(h, as_int(clean_float(f0))), as_int(clean_float(f1)));
    h = mixl(mixl(h, as_long(clean_double(d0))), as_long(clean_double(d1)));
    out[gid * 4 + 1] = h;
    h = mix4(mix4(h, v0), v1);
    h = mix4(h, (int4)((int)w0.x, (int)w0.y, (int)t0.x, (int)t0.z));
    h = mix4(h, as_int4(o0.lo) ^ as_int4(o0.hi));
    h = mix4(h, as_int4(q0));
    h = mix(mix(h, as_int(clean_float(g0.x))), as_int(clean_float(g0.w)));
    out[gid * 4 + 2] = h;
    for (int k = 0; k < 8; k++)
        h = mix(h, a0[k]);
    for (int k = 0; k < 4; k++)
        h = mix(h, as_int(clean_float(a1[k])));
    h = mix4(mix(mix(mix(h, s0.a), s0.b), s0.d[2]), s0.v);
    h = mix(mix4(mixl(h, r0[1].b), r0[0].s.v), r0[1].a);
    h = mix(mix(mix(h, u0), u1), u2);
    out[gid * 4 + 3] = h;
'''


@dataclasses.dataclass
class Kernel:
    seed: int
    body: list

    @property
    def name(self):
        return f'k{self.seed}'

    def text(self):
        body = '\n'.join(node.text() for node in self.body)
        return (f'kernel void {self.name}(global int *out, global const int *in, '
                f'local int *scratch, int n)\n{{{PROLOGUE}{body}{EPILOGUE}}}\n')


@dataclasses.dataclass(frozen=True)
class Place:
    """What may stand here: `uniform`: all items come here together; `loop`: break and continue are
    allowed, and whether the innermost loop's control is uniform."""
    uniform: bool = True
    loop: str = ''
    depth: int = 0


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.loops = 0
        self.exchanges = 0

    def one_of(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # ---- expressions --------------------------------------------------------------------------

    def uniform(self, depth=2):
        """An int that is the same for all items of the group."""
        if depth == 0 or self.chance(30):
            return self.one_of('u0', 'u1', 'u2', 'n', 'group', str(self.random.randrange(-9, 10)))
        a, b = self.uniform(depth - 1), self.uniform(depth - 1)
        return self.one_of(f'ADD({a}, {b})', f'SUB({a}, {b})', f'MUL({a}, {b})', f'({a} & {b})',
                           f'({a} >> ({b} & 7))', f'({a} < {b} ? {a} : 3)', f'IN({a})',
                           f'DIV({a}, {b})')

    def int(self, depth=3):
        if depth == 0 or self.chance(20):
            return self.one_of('i0', 'i1', 'i2', 'u0', '(int)lid', '(int)x', '(int)y', '(int)h0',
                               '(int)c0', '(int)b0', 'n', str(self.random.randrange(-99, 100)), 'INT_MIN')
        d = depth - 1
        kind = self.random.randrange(28)
        if kind < 9:
            a, b = self.int(d), self.int(d)
            return (f'ADD({a}, {b})', f'SUB({a}, {b})', f'MUL({a}, {b})', f'({a} & {b})',
                    f'({a} | {b})', f'({a} ^ {b})', f'DIV({a}, {b})', f'REM({a}, {b})',
                    f'({a} >> {b})')[kind]
        if kind < 12:
            return f'({self.condition(d)} ? {self.int(d)} : {self.int(d)})'
        a = self.int(d)
        return (f'IN({a})', f'a0[({a}) & 7]', f's0.d[({a} & 3) % 3]', f'v0.{self.one_of(*"xyzw")}',
                f'(int)({self.uint(d)})', f'(int)({self.long(d)})', f'convert_int_sat({self.float(d)})',
                f'r0[{a} & 1].s.v.{self.one_of(*"xyzw")}', f'(int)max({a}, {self.int(d)})',
                f'(int)popcount({a})', f'(int)clz({a})', f'find(in, {a}, {self.int(d)} & 7)',
                f'(int)mad24({a} & 0xfff, {self.int(d)} & 0xff, 5)', f'mul_hi({a}, {self.int(d)})',
                f'(int){self.cut()}', f'IN((int){self.cut()})')[kind - 12]

    def uint(self, depth=3):
        if depth == 0 or self.chance(20):
            return self.one_of('j0', 'j1', 'gid', 'lid', 'x', 'w0.y', 't0.z', '7u', '(uint)b1')
        a, b = self.uint(depth - 1), self.uint(depth - 1)
        return self.one_of(f'({a} + {b})', f'({a} - {b})', f'({a} * {b})', f'({a} / ({b} | 1u))',
                           f'({a} % ({b} | 1u))', f'({a} << {b})', f'({a} >> {b})',
                           f'rotate({a}, {b})', f'(uint)({self.int(depth - 1)})', f'o0.s{self.hex(8)}',
                           f'(uint)q0.s{self.hex(16)}', f'min({a}, {b})', f'abs_diff({a}, {b})',
                           f'(uint)add_sat(c0, (char)({a}))')

    def hex(self, count):
        return '0123456789abcdef'[self.random.randrange(count)]

    def long(self, depth=2):
        if depth == 0 or self.chance(20):
            return self.one_of('l0', 'l1', '(long)i0', '(long)j0', 'r0[1].b')
        a, b = self.long(depth - 1), self.long(depth - 1)
        return self.one_of(f'(long)((ulong)({a}) + (ulong)({b}))', f'(long)((ulong)({a}) * (ulong)({b}))',
                           f'({a} ^ {b})', f'({a} >> {b})', f'DIV({a}, {b})',
                           f'({self.condition(depth - 1)} ? {a} : {b})',
                           f'convert_long_sat({self.double(depth - 1)})', f'(long){self.cut()}',
                           f'(long)(({self.steps()} & 0xffffffffUL) * 5 ^ {self.steps()} >> 32)')

    def steps(self):
        """A ulong that goes from item to item by equal steps, which may leave its low bits."""
        item = self.one_of('get_local_id(0)', 'get_global_id(0)', 'get_global_linear_id()',
                           '(ulong)gid', '(ulong)(uint)(gid - 2u)')
        factor = self.one_of('1', '1', '3', '37', '0x18000001', '0x80000001', '0xffffffff',
                             '0x2400000001')
        return f'({item} * {factor}UL + (ulong){self.uniform(1)})'

    def cut(self):
        """The same in fewer bits: from one lane to the next it may wrap around."""
        kind = self.one_of('char', 'uchar', 'short', 'ushort', 'int', 'uint')
        return f'({kind}){self.steps()}'

    def float(self, depth=2):
        if depth == 0 or self.chance(20):
            return self.one_of('f0', 'f1', 'g0.x', 'g0.z', 's0.c', '0.5f', '(float)i1', 'a1[2]')
        a, b = self.float(depth - 1), self.float(depth - 1)
        return self.one_of(f'({a} + {b})', f'({a} - {b})', f'({a} * {b})', f'({a} / {b})',
                           f'sqrt(fabs({a}))', f'a1[({self.int(depth - 1)}) & 3]', f'floor({a})',
                           f'(float)({self.int(depth - 1)})', f'(float)({self.double(depth - 1)})',
                           f'({self.condition(depth - 1)} ? {a} : {b})', f'trunc({a})',
                           f'fma({a}, {b}, 1.0f)')

    def double(self, depth=2):
        if depth == 0 or self.chance(20):
            return self.one_of('d0', 'd1', '(double)f0', '(double)i2', '3.0')
        a, b = self.double(depth - 1), self.double(depth - 1)
        return self.one_of(f'({a} + {b})', f'({a} - {b})', f'({a} * {b})', f'({a} / {b})',
                           f'(double)({self.float(depth - 1)})', f'rint({a})')

    def int4(self, depth=2):
        if depth == 0 or self.chance(25):
            return self.one_of('v0', 'v1', 's0.v', 'v0.wzyx', 'v1.xxyy', '(int4)(i1)',
                               'v1.s2301', '(int4)(v0.lo, v1.hi)', '(int4)(v0.odd, v1.even)')
        a, b = self.int4(depth - 1), self.int4(depth - 1)
        return self.one_of(f'as_int4(as_uint4({a}) + as_uint4({b}))',
                           f'as_int4(as_uint4({a}) * as_uint4({b}))', f'({a} & {b})', f'({a} ^ ~{b})',
                           f'({a} >> {b})', f'({a} < {b})', f'select({a}, {b}, {a} > v0)',
                           f'({a} == v1 ? {b} : v0)', f'vload4(({self.int(1)}) & 127, in)',
                           f'vload4(0, a0 + ({self.int(1)} & 3))', f'min({a}, {b})',
                           f'convert_int4_sat(g0)', f'convert_int4(q0.s{self.hex(16)}3a{self.hex(16)})',
                           f'(int4)({self.int(1)}, {b}.xy, {self.int(1)})',
                           f'shuffle({a}, as_uint4({b}))')

    def condition(self, depth=2):
        kind = self.random.randrange(8)
        if depth > 0 and kind == 0:
            return f'({self.condition(depth - 1)} {self.one_of("&&", "||")} {self.condition(depth - 1)})'
        if kind == 1:
            return f'({self.float(1)} {self.one_of("<", ">=", "!=")} {self.float(1)})'
        if kind == 2:
            return self.one_of('any(v0 < v1)', 'all(v0 != v1)', '(b0 < b1)', '(h0 > h1)', 'isnan(f0)')
        if kind == 3:
            return f'({self.uint(1)} {self.one_of("<", ">", "==")} {self.uint(1)})'
        if kind == 4:
            return f'(lid {self.one_of("& 1", "% 3 == 1", "< 3", "== items - 1", "> 2")})'
        return f'({self.int(1)} {self.one_of("<", ">", "==", "<=", "!=")} {self.int(1)})'

    def split(self):
        """A condition that some items meet."""
        return self.one_of('(lid & 1)', '(lid % 3 == 0)', '(IN(gid) & 4)', '((i0 ^ i1) & 2)',
                           '(x > 2)', self.condition(), self.condition())

    # ---- statements ---------------------------------------------------------------------------

    def assignment(self):
        kind = self.random.randrange(29)
        if kind < 4:
            return f'{self.one_of("i0", "i1", "i2")} = {self.int()};'
        if kind < 6:
            return f'{self.one_of("j0", "j1", "w0.x", "t0.y", "o0.s5")} = {self.uint()};'
        lines = (lambda: f'{self.one_of("l0", "l1", "r0[1].b")} = {self.long()};',
                 lambda: f'{self.one_of("f0", "f1", "g0.x", "g0.w")} = {self.float()};',
                 lambda: f'{self.one_of("d0", "d1")} = {self.double()};',
                 lambda: f'{self.one_of("v0", "v1", "s0.v")} = {self.int4()};',
                 lambda: f'v0.{self.one_of("xz", "wy", "zx")} = {self.int4()}.{self.one_of("xy", "zz", "wx")};',
                 lambda: f'h0 = (short)({self.int()}); h1 = (short)(h0 * 3 + c0);',
                 lambda: f'c0 = (char)({self.int()}); c1 = (char)(c1 - c0);',
                 lambda: f'b0 = (uchar)(b0 + b1); b1 = (uchar)({self.uint(2)});',
                 lambda: f'a0[({self.int()}) & 7] = {self.int()};',
                 lambda: f'a1[({self.int()}) & 3] = {self.float()};',
                 lambda: f's0.d[({self.uint(1)}) % 3] = {self.int()}; s0.c = {self.float(1)};',
                 lambda: f's0 = twist(s0, {self.int()});',
                 lambda: f'touch(&s0, {self.int()});',
                 lambda: f'touch(&r0[{self.int(1)} & 1].s, {self.int(2)});',
                 lambda: f'r0[{self.int(1)} & 1] = r0[0]; r0[0].s = s0;',
                 lambda: f'i1 = through({self.pointer()}, {self.int(1)});',
                 lambda: f'put({self.own()}, {self.int(1)}, {self.int(2)});',
                 lambda: f'o0 = rotate(o0, (uint8)({self.uint(1)})) + (uint8)(w0, t0.xy, o0.hi);',
                 lambda: f'q0 = q0.s{"".join(self.hex(16) for _ in range(16))} + (uchar16)(b0);',
                 lambda: f'g0 = g0.{self.one_of("wxyz", "yyxx")} * (float4)({self.float(1)}) - g0;',
                 lambda: f'w0 = w0.yx * (uint2)({self.uint(1)}, 3u); t0 ^= t0.zxy;',
                 lambda: f'l0 = (long)({self.steps()} * 3) ^ (long)(uint){self.steps()};',
                 self.narrow_walk)
        return lines[kind - 6]()

    def narrow_walk(self):
        """Elements by an index of few bits that wraps around on its way."""
        kind = self.one_of('char', 'uchar')
        count = self.one_of(f'({self.uniform(1)} & 7)', f'({self.int(1)} & 7)', '(IN(gid) & 31)')
        return (f'{{ {kind} at = ({kind}){self.steps()};\n'
                f'  for (int k = 0, m = {count}; k < m; k++) {{ i1 = MUL(i1, 3) ^ in[512 + at]; at++; }} }}')

    def pointer(self):
        """A generic pointer to four ints that may be read."""
        return self.one_of('a0', 'a0 + 4', '(int *)(in + (gid & 255))', self.own(),
                           f'({self.condition(1)} ? (int *)(in + 8) : (int *)a0)')

    def own(self):
        """A generic pointer to four ints that belong to the item alone."""
        return self.one_of('a0', 'a0 + 4', '(int *)(out + gid * 4)', 'a0 + 2')

    def atomic(self):
        name, cell = self.one_of(('add', 0), ('xor', 1), ('or', 2), ('max', 3), ('sub', 4), ('inc', 5))
        value = '' if name == 'inc' else f', {self.int(2)}'
        if self.chance(50):
            return f'atomic_{name}(cells + {cell}{value});'
        return f'atomic_{name}(out + 4096 + {cell * 8} + ({self.int(1)} & 7){value});'

    def exchange(self):
        """Something that other items have computed; all items are here."""
        self.exchanges += 1
        flags = self.one_of('CLK_LOCAL_MEM_FENCE', 'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE')
        wait = self.one_of(f'barrier({flags});', f'work_group_barrier({flags});',
                           f'work_group_barrier({flags}, memory_scope_device);')
        slot = self.random.randrange(8)
        target = self.one_of('i0', 'i1', 'i2')
        if self.chance(25):
            return Node(f'{wait}\n{target} ^= cells[{self.random.randrange(6)}];\n{wait}')
        step = self.one_of('1', '3', '(uint)u0 % items', 'items - 1', 'items / 2',
                           f'(uint)({self.int(1)}) % items')
        return Node(f'scratch[lid + items * {slot}] = {self.int()};\n{wait}\n'
                    f'{target} = ADD({target}, scratch[(lid + {step}) % items + items * {slot}]);\n'
                    f'{wait}')

    def loop(self, place):
        name = f'n{self.loops}'
        self.loops += 1
        uniform = place.uniform and self.chance(60)
        count = f'({self.uniform() if uniform else self.int()} & {self.one_of(3, 3, 7)})'
        inner = Place(uniform, 'uniform' if uniform else 'divergent', place.depth + 1)
        body = self.block(inner, 1, 3)
        kind = self.random.randrange(3)
        if kind == 0:
            return Node(f'for (int {name} = 0; {name} < {count}; {name}++) {{', body, '}')
        if kind == 1:
            condition = self.uniform(1) if uniform else self.int(1)
            return Node(f'for (int {name} = 0, m{name} = {count}; {name} < m{name} && '
                        f'{condition} != {self.random.randrange(20)};) {{',
                        [Node(f'{name}++;'), *body], '}')
        return Node(f'int {name} = 0, m{name} = {count};\ndo {{', [Node(f'{name}++;'), *body],
                    f'}} while ({name} < m{name});')

    def branch(self, place):
        uniform = place.uniform and self.chance(40)
        inner = Place(uniform, place.loop, place.depth + 1)
        condition = f'({self.uniform()} & {self.one_of(1, 2, 3)})' if uniform else self.split()
        node = Node(f'if ({condition}) {{', self.block(inner, 1, 3), '}')
        if self.chance(50):
            other = Node('else {', self.block(inner, 1, 3), '}')
            return Node('{', [node, other], '}')
        return node

    def switch(self, place):
        uniform = place.uniform and self.chance(40)
        inner = Place(uniform, '', place.depth + 1)
        value = self.uniform() if uniform else self.int()
        cases = []
        for number in range(self.random.randrange(1, 5)):
            tail = 'break;\n}' if self.chance(75) else '}'
            cases.append(Node(f'case {number}: {{', self.block(inner, 1, 3), tail))
        if self.chance(50):
            cases.append(Node('default: {', self.block(inner, 1, 2), '}'))
        return Node(f'switch ({value} & {self.one_of(3, 7)}) {{', cases, '}')

    def leave(self, place):
        """Ends an iteration, a loop or the item; only where no barrier comes to be skipped."""
        word = self.one_of('break', 'continue')
        if place.loop == 'uniform':
            # All items must stay in the loop together.
            return Node(f'if (({self.uniform()} & 3) == {self.random.randrange(4)}) {word};')
        return Node(f'if ({self.split()}) {word};')

    def statement(self, place):
        kind = self.random.randrange(100)
        if place.depth < 3 and kind < 14:
            return self.loop(place)
        if place.depth < 3 and kind < 30:
            return self.branch(place)
        if place.depth < 2 and kind < 35:
            return self.switch(place)
        if place.uniform and kind < 56:
            return self.exchange()
        # A uniform loop inside divergent code may be left by any item; one with barriers may not.
        if place.loop and (place.uniform or place.loop == 'divergent') and kind < 64:
            return self.leave(place)
        if place.uniform and kind < 67:
            return Node(f'{self.one_of("u0", "u1", "u2")} = {self.uniform()};')
        if kind < 72:
            return Node(self.atomic())
        return Node(self.assignment())

    def block(self, place, least, most):
        return [self.statement(place) for _ in range(self.random.randint(least, most))]

    def kernel(self):
        body = self.block(Place(), 4, 9)
        if self.seed % 2 and self.chance(30):
            at = self.random.randrange(len(body) + 1)
            body.insert(at, Node(f'if ({self.split()}) {{', [Node('out[gid * 4 + 1] = i0;')],
                                 'return;\n}'))
        return Kernel(self.seed, body)


def kernel(seed):
    return Generator(seed).kernel()


def version(_seed):
    return 200


def options(_kernels):
    return '-cl-std=CL2.0'


def program(kernels):
    return HEADER + '\n'.join(k.text() for k in kernels)


if __name__ == '__main__':
    start = int(sys.argv[1])
    print(program([kernel(s) for s in range(start, start + int(sys.argv[2] if sys.argv[2:] else 1))]))
