# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which bodies a kernel gets: vectors along rows, of linear ids, one work-item at a time."""
import re
import unittest

import common
import tap

ISA = 'x86-64-v4'
# A table of the group's own, at places that depend on the item: gathers and lane work for vectors.
TABLE = '''
%s kernel void k(global uint *out, global const uint *in, int rounds) {
    local uint box[4][256];
    uint id = get_global_id(0);
    for (int i = 0; i < 1024; i++) box[i >> 8][i & 255] = in[(i + id) & 1023];
    uint l = in[id & 1023], r = l * 7;
    for (int k = 0; k < rounds; k++) {
        uint t = box[0][l >> 24] + box[1][(l >> 16) & 255];
        t ^= box[2][(l >> 8) & 255];
        r ^= t + box[3][l & 255];
        t = l; l = r; r = t;
        box[k & 3][(k >> 2) & 255] = l;
    }
    out[id] = l ^ r;
}'''
NEIGHBOURS = '''
%s kernel void k(global float *out, global const float *in) {
    local float t[64];
    int row = get_local_id(2) * get_local_size(1) + get_local_id(1);
    int l = row * get_local_size(0) + get_local_id(0), g = get_global_id(0) + get_global_id(1) * 64;
    t[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[l] + t[l ^ 1];
}'''
# What a row reads is next to each other, or one place: in vectors of two rows it is neither.
TILES = '''
%s kernel void k(global float4 *c, global const float4 *a, global const float *b, int n) {
    local float4 as[32][8];
    local float bs[32][64];
    int x = get_local_id(0), y = get_local_id(1);
    float4 s = 0;
    for (int k = 0; k < n; k++) {
        for (int i = y; i < 32; i += get_local_size(1)) {
            as[i][x] = a[(k * 32 + i) * 8 + x];
            bs[i][x] = b[(k * 32 + i) * 8 + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 32; i++)
            s += as[i][x] * bs[i][y];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s;
}'''
FLAT = '%s kernel void k(global float *out) { out[get_global_id(0)] *= 2; }'


def required(*sizes):
    return f'__attribute__((reqd_work_group_size({", ".join(map(str, sizes))})))'


class Bodies(unittest.TestCase):
    def remarks(self, text, isa=ISA):
        result = common.compile_text(text, '--isa', isa, '--switches', 'remarks')
        self.assertEqual(result.status, 0, result.log)
        return result.log

    def test_few_items(self):
        log = self.remarks(TABLE % '')
        self.assertIn('runs 16 work-items at once', log)
        self.assertIn('groups of few work-items run one at a time', log)

    def test_not_where_a_vector_costs_no_more(self):
        self.assertNotIn('few work-items', self.remarks(NEIGHBOURS % ''))

    def test_required_groups_of_one(self):
        log = self.remarks(TABLE % required(1, 1, 1))
        self.assertIn('one work-item at a time: its groups are to be of one', log)

    def test_required_groups_that_fill_no_vector(self):
        self.assertIn('runs 8 work-items', self.remarks(NEIGHBOURS % required(6, 1, 1)))
        self.assertIn('runs 16 work-items', self.remarks(NEIGHBOURS % required(64, 1, 1)))

    def test_required_short_rows(self):
        self.assertIn('in linear shape', self.remarks(NEIGHBOURS % required(4, 4, 4)))
        self.assertNotIn('in linear shape', self.remarks(NEIGHBOURS % required(16, 4, 1)))

    def test_short_rows_of_tiles(self):
        self.assertIn('rows of few work-items run 8 at once', self.remarks(TILES % ''))
        self.assertIn('rows of few work-items run 4 at once', self.remarks(TILES % '', 'x86-64-v3'))
        self.assertNotIn('rows of few', self.remarks(NEIGHBOURS % ''))
        log = self.remarks(TILES % required(8, 16, 1))
        self.assertIn('but 8 at once is estimated to be better in groups of the required size', log)
        self.assertNotIn('is estimated', self.remarks(TILES % required(16, 16, 1)))

    def test_blocks_that_want_too_many_registers(self):
        # 4 x rows sums of 16 lanes: 32 registers hold those of four rows, and of eight not what is loaded.
        text = ('%s kernel void k(global float4 *c, global const float4 *a, global const float *b, int n, int m) {'
                'float4 s[%d]; int x = get_global_id(0), rows = %d;'
                'for (int r = 0; r < rows; r++) s[r] = 0; for (int k = 0; k < n; k++)'
                'for (int r = 0; r < rows; r++) s[r] += a[k * m + x] * b[k * 8 + r];'
                'for (int r = 0; r < rows; r++) c[r * m + x] = s[r] * get_local_size(0); }')
        better = 'but 8 at once is estimated to be better in groups of the required size'
        self.assertIn(better, self.remarks(text % (required(64, 1, 1), 8, 8)))
        self.assertNotIn(better, self.remarks(text % (required(64, 1, 1), 4, 4)))
        self.assertIn('rows of few work-items run 8 at once', self.remarks(text % ('', 8, 8)))

    def test_what_is_spilled_once_is_cheap(self):
        # 16 sums and 36 values of each lane's own wait for their turn in memory: vectors take half of one item's time.
        names = [f's{m}{n}' for m in range(4) for n in range(4)]
        loads = ' '.join(f'float p{m}{k} = a[i * 10816 + r * 169 + {m * 2704 + k // 3 * 13 + k % 3}];'
                         for m in range(4) for k in range(9))
        sums = ' '.join(f's{m}{n} = s{m}{n} + {" + ".join(f"p{m}{k} * b[j + r * 9 + {n * 144 + k}]" for k in range(9))};'
                        for m in range(4) for n in range(4))
        text = (f'kernel void k(global float *a, global float *b, global float *c) {{ float {" = 0, ".join(names)} = 0;'
                'int i = get_local_id(0), j = get_local_id(1) * 576;'
                f'for (int r = 0; r < 16; r++) {{ {loads} {sums} }} '
                f'{" ".join(f"c[i * 15488 + {n * 121}] = {name};" for n, name in enumerate(names))} }}')
        log = self.remarks(text, 'x86-64-v3')
        all_lanes, one = (float(re.search(f"'k': {what}about ([0-9.]+)", log)[1]) for what in ('', 'one item at a time: '))
        self.assertLess(1.4 * all_lanes, one)

    def test_lists_of_different_lengths(self):
        # Loops of unknown length are entered as often by all lanes as by one, and what the innermost does not use may
        # wait in memory: vectors take 0.7 of one item's time with AVX2, by measurement.
        text = """
            kernel void k(global const float2 *in, global const int *starts, global float *out, int cells) {
                size_t item = get_global_id(0);
                float2 p = in[item];
                int cx = (int)p.x, cy = (int)p.y;
                float sum = 0;
                for (int y = max(cy - 1, 0); y <= min(cy + 1, cells - 1); y++)
                    for (int x = max(cx - 1, 0); x <= min(cx + 1, cells - 1); x++)
                        for (int k = starts[y * cells + x]; k < starts[y * cells + x + 1]; k++) {
                            float2 d = in[k] - p;
                            float left = 1 - dot(d, d);
                            if (left > 0)
                                sum += left * left * left;
                        }
                out[item] = sum;
            }"""
        self.assertNotIn('estimated to be better', self.remarks(text, 'x86-64-v3'))

    def test_bytes_side_by_side(self):
        # Masks are those of a row's last vector, which has code of its own: AVX2's vectors take half of one item's time.
        text = """
            constant uchar digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            kernel void k(global const uchar *in, global uchar *out) {
                size_t i = get_global_id(0);
                uchar3 b = vload3(i, in);
                uint w = (uint)b.x << 16 | (uint)b.y << 8 | b.z;
                vstore4((uchar4)(digits[w >> 18], digits[w >> 12 & 63], digits[w >> 6 & 63], digits[w & 63]), i, out);
            }"""
        self.assertNotIn('estimated to be better', self.remarks(text, 'x86-64-v3'))

    def test_what_computes_only(self):
        # Four registers for each value although they are more than there are: 0.66 of the time of two.
        text = """
            kernel void k(global float *out, int steps) {
                float x = get_global_id(0) * 1e-6f, y = get_global_id(1) * 1e-6f, t = 0, n = 1.5f, m = .5f;
                for (int s = 0; s < steps; s++) {
                    float px = x * t + .1f, py = y * t + .2f, pz = n * t - m, qx = px - 1, qy = py + .5f, qz = pz * .25f;
                    float one = sqrt(px * px + py * py + pz * pz), two = sqrt(qx * qx + qy * qy + qz * qz);
                    n = fma(n, .999f, 1 / (one + 1)); m = fma(m, .998f, 1 / (two + 1)); x = fma(x, .99f, one * two);
                    t += fmin(one - .3f, two - .2f) * .5f;
                }
                out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = t + n + m + x;
            }"""
        for isa in ('x86-64-v3', ISA):
            self.assertIn('in 4 registers for each value', self.remarks(text, isa))

    def test_straight_chains(self):
        # What waits takes four registers, 0.7 of the time of two; what keeps all adders busy with two would only spill.
        def straight(chains, kind='float'):
            names = ['x'] + [f'v{n}' for n in range(1, chains)]
            values = ''.join(f'{kind} {name} = x + {n};' for n, name in enumerate(names) if n)
            steps = ' '.join(f'{name} = {name} * s + y;' for _ in range(64 // chains) for name in names)
            return (f'kernel void k(global const {kind} *a, global {kind} *c, {kind} s) {{ size_t i = get_global_id(0); '
                    f'{kind} x = a[i], y = c[i]; {values} {steps} c[i] = {" + ".join(names)}; }}')
        for isa, two in (('x86-64-v3', 4), ('x86-64-v4', 2)): # half as many operations of 512 bits begin at once
            for chains, count in ((1, 4), (2, two), (3, 2), (8, 2)):
                for kind in ('float', 'double'):
                    self.assertIn(f'in {count} registers for each value', self.remarks(straight(chains, kind), isa))

    def test_strides_of_a_size(self):
        # Lanes leave within a turn of each other.
        text = ('kernel void k(global const float *x, global float *y, float s, int n) {'
                'for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = s * x[i] + y[i]; }')
        for kind in ('int', 'uint'):
            self.assertIn('in 4 registers for each value', self.remarks(text.replace('int', kind)))
        self.assertNotIn('registers for each value; not more: more', self.remarks(text.replace('get_global_size(0)', '7')))

    def test_edges_of_bytes(self):
        # Whether lanes are side by side is asked once for all of them, and bytes of 32 lanes take one register.
        row = ' '.join(f'uchar v{n} = in[clamp(i + {n - 4}, 0, last)];' for n in range(9))
        sort = ' '.join(f'{{ uchar t = min(v{a}, v{b}); v{b} = max(v{a}, v{b}); v{a} = t; }}'
                        for a in range(5) for b in range(a + 1, 9))
        text = f'kernel void k(global const uchar *in, global uchar *out, int last) {{ int i = get_global_id(0); {row} {sort} out[i] = v4; }}'
        # Masks of 64 lanes would take all of AVX-512's registers for masks: 1.08 of the time of 32 lanes.
        for isa, registers in (('x86-64-v3', 4), ('x86-64-v4', 2)):
            self.assertIn(f'runs 32 work-items at once, in {registers} registers', self.remarks(text, isa))
        # What is a chain has four all the same: 0.82 of the time of two.
        chain = ''.join(f's = fma(s, t, {n}.5f);' for n in range(26))
        text = ('kernel void k(global const float *in, global float *out, int last) { int i = get_global_id(0);'
                'float s = in[clamp(i - 1, 0, last)], t = in[clamp(i, 0, last)] + in[clamp(i + 1, 0, last)];'
                f'{chain} out[i] = s; }}')
        self.assertIn('runs 64 work-items at once, in 4 registers', self.remarks(text, 'x86-64-v4'))

    def test_calls(self):
        # What is called has code for two registers at a time, of remainders it has not.
        text = 'kernel void k(global double *a, global double *b) {{ size_t i = get_global_id(0); a[i] = {}(a[i], b[i]); }}'
        self.assertIn('in 2 registers for each value; not more: what it calls takes two',
                      self.remarks(text.format('pow'), 'x86-64-v3'))
        for function, isa in (('remainder', 'x86-64-v3'), ('pow', 'x86-64-v4')):
            self.assertIn('it computes too little to wait for', self.remarks(text.format(function), isa))

    def test_images(self):
        # One of the cases of a read moves OpenCL vectors, which four registers for each value do not pay for.
        text = """
            const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
            kernel void k(read_only image2d_t p, global float *out) {
                int x = get_global_id(0), y = get_global_id(1);
                float sum = read_imagef(p, s, (int2)(x, y)).x + read_imagef(p, s, (int2)(x - 1, y)).x;
                out[y * get_global_size(0) + x] = sum + read_imagef(p, s, (int2)(x + 1, y)).x;
            }"""
        for isa, lanes in (('x86-64-v3', 16), ('x86-64-v4', 32)):
            self.assertIn(f'runs {lanes} work-items at once, in 2 registers', self.remarks(text, isa))

    def test_image_between_pixels(self):
        # What one of many formats takes of the registers does not keep the others to one register for each value.
        text = """
            const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
            kernel void k(read_only image2d_t p, global float *out) {
                int x = get_global_id(0), y = get_global_id(1);
                out[y * get_global_size(0) + x] = read_imagef(p, s, (float2)(x, y) * 0.5f).x;
            }"""
        for isa, lanes in (('x86-64-v3', 16), ('x86-64-v4', 32)):
            self.assertIn(f'runs {lanes} work-items at once, in 2 registers', self.remarks(text, isa))

    def test_guards_of_all_lanes(self):
        # Nothing says that they are rarely passed: what is behind them counts as if it stood alone.
        names = [f'x{k}' for k in range(24)]
        text = ('kernel void k(global float *a, int n, int m) { size_t i = get_global_id(0);'
                'for (int r = 0; r < n; r++) { if (a[r] > 5) continue; if (m > r) continue;'
                + ' '.join(f'float {x} = a[i + {k} * n];' for k, x in enumerate(names))
                + ' '.join(f'{x} = sqrt({x} * {y} + 1);' for x, y in zip(names, names[1:] + names[:1]))
                + f"a[i] = {' + '.join(names)}; }} }}")
        self.assertIn('its values need the registers', self.remarks(text, 'x86-64-v3'))

    def test_divisions_are_long_work(self):
        # Of integers, by no constant: more than one at a time pays without a loop.
        text = ('kernel void k(global const float *in, global float *out, global const float *scale, int plane, int channels) {'
                'size_t i = get_global_id(0); out[i] = in[i] * scale[i / plane % channels]; }')
        for isa in ('x86-64-v3', ISA):
            self.assertIn('registers for each value', self.remarks(text, isa))
            self.assertNotIn('registers for each value', self.remarks(text.replace('plane %', '7 %').replace('channels]', '5]'), isa))

    def test_linear_where_some_group_gains(self):
        # Two rows in one vector gather what each row has once, which is no better than one item at a time; with more to
        # compute, twice as fast in rows of three.
        rows = ('kernel void k(global const float *a, global float *out, global const float *b) {'
                'int x = get_local_id(0), y = get_local_id(1), g = get_group_id(0); float s = 0;'
                'for (int k = 0; k < 64; k++) { %s } out[(g * get_local_size(1) + y) * 64 + x] = s; }')
        gathers = rows % ' '.join(f's += a[x * 900 + k * 10 + {5 * n}] * b[y * 900 + k * 10 + {n}];' for n in range(2))
        for text, isLinear in ((gathers, False), (rows % 's = exp(sin(s) + cos(s + a[y * 90 + x + k]));', True)):
            result = common.compile_text(text, '--isa', 'x86-64-v4~gather', '--emit', 'asm')
            self.assertEqual(result.status, 0, result.log)
            self.assertEqual(isLinear, b'weft_linear_k' in result.output, result.log)

    def test_alone_in_its_group(self):
        # What it keeps in memory at barriers takes most of its time; one barrier behind much work does not matter.
        steps = ('%s kernel void k(global const float *a, global float *out, int n) {'
                 'local float t[16]; int l = get_local_id(0); float s = 0;'
                 'for (int k = 0; k < n; k++) { t[l & 15] = a[get_group_id(0) * n + k]; barrier(CLK_LOCAL_MEM_FENCE);'
                 's += t[k & 15]; barrier(CLK_LOCAL_MEM_FENCE); } out[get_global_id(0)] = s; }')
        once = ('%s kernel void k(global const float *a, global float *out, int n) {'
                'local float t[64]; int l = get_local_id(0); float s = a[l];'
                'for (int k = 0; k < 99; k++) s = exp(sin(s) + cos(s)); t[l] = s; barrier(CLK_LOCAL_MEM_FENCE);'
                'out[get_global_id(0)] = t[l ^ 1]; }')
        # Whoever does not know which item it is, is alone in its group.
        nobody = once.replace('get_local_id(0)', '3').replace('get_global_id(0)', 'get_group_id(0)')
        hint = '__attribute__((work_group_size_hint(%d, 1, 1)))'
        for text, has in ((steps % '', True), (once % '', False), (nobody % '', True), (once % hint % 1, True), (once % hint % 64, False),
                          (steps % required(1, 1, 1), False), (steps % required(16, 1, 1), False)):
            result = common.compile_text(text, '--isa', ISA, '--emit', 'asm')
            self.assertEqual(result.status, 0, result.log)
            self.assertEqual(has, b'weft_lone_k' in result.output, text)

    def test_columns(self):
        # Rows of a group may be of one item: the same along columns, unless linear ids count along rows.
        text = ('%s kernel void k(global const float *in, global float *out, local float *t, int r) {'
                'int l = get_local_id(1), x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);'
                't[l + r] = in[y * w + x]; if (l < r) { t[l] = in[(y - r) * w + x]; t[l + r + get_local_size(1)] = in[(y + r) * w + x]; }'
                'barrier(CLK_LOCAL_MEM_FENCE); float s = 0; for (int k = -r; k <= r; k++) s += t[l + r + k]; out[y * w + x] = s; }')
        linear = text.replace('int l = get_local_id(1)', 'int l = get_local_linear_id()')
        for source, has in ((text % '', True), (linear % '', False), (text % required(1, 64, 1), False), (text.replace('(1)', '(0)') % '', False)):
            result = common.compile_text(source, '-cl-std=CL2.0', '--isa', ISA, '--emit', 'asm')
            self.assertEqual(result.status, 0, result.log)
            self.assertEqual(has, b'weft_turned_k' in result.output, source)

    def test_flat_kernels_have_no_groups(self):
        self.assertIn('runs 16 work-items', self.remarks(FLAT % required(1, 1, 1)))

    def test_sums_along_memory(self):
        # Each item goes along a row: LLVM's vectors of one item are better than ours of its column.
        text = ('kernel void k(global const char *a, global const char *x, global int *out, int n) {'
                'size_t i = get_global_id(0); int s = 0;'
                'for (int k = 0; k < n; k++) s += (int)a[i * n + k] * x[k]; out[i] = s; }')
        self.assertIn('one work-item at a time is estimated to be better', self.remarks(text))
        # The order of a sum of floats is the program's.
        floats = text.replace('char', 'float').replace('int *', 'float *').replace('int s', 'float s')
        self.assertNotIn('estimated to be better', self.remarks(floats.replace('(int)', '')))

    def test_slow_gathers(self):
        # Zen takes gathers apart: a row of a sparse matrix for each lane took three times as long as item by item.
        text = ('kernel void k(global const int *starts, global const int *columns, global const float *a,'
                'global const float *x, global float *y) { int i = get_global_id(0); float s = 0;'
                'for (int k = starts[i]; k < starts[i + 1]; k++) s += a[k] * x[columns[k]]; y[i] = s; }')
        self.assertNotIn('estimated to be better', self.remarks(text, 'x86-64-v4'))
        self.assertIn('one work-item at a time is estimated to be better', self.remarks(text, 'x86-64-v4~gather'))

    def test_large_kernels(self):
        # darktable's colour balance: ten thousand operations on values take half a second, and a sixth of the time then.
        # What becomes a branch for each lane takes far longer to build.
        def steps(count):
            return ('kernel void k(global const float *a, global float *out) { int i = get_global_id(0); float s = a[i], t = a[i + 9];'
                    + ' '.join(f's = s * {n}.5f + t; t = t * s - {n}.25f;' for n in range(count)) + 'out[i] = s + t; }')
        self.assertIn('runs 16 work-items', self.remarks(steps(2000)))
        self.assertIn('too large', self.remarks(steps(8000)))
        swaps = ('kernel void k(global uchar *p) { uchar s[256]; int i = get_global_id(0), j = 0;'
                 'for (int k = 0; k < 256; k++) s[k] = k;'
                 + ' '.join(f'j = (j + s[{n % 256}] + p[{n % 9}]) & 255; p[i * 9 + {n % 9}] += s[j]; s[j] = s[{n % 256}];' for n in range(90))
                 + ' p[i] = s[j]; }')
        self.assertIn('too large', self.remarks(swaps))

    def test_one_word_for_all(self):
        text = 'kernel void k(global const int *a, global int *m) {' \
               'atomic_max(m, a[get_global_id(0)]); }'
        self.assertNotIn('estimated to be better', self.remarks(text))

    def test_long_integers(self):
        # 20 in two registers each are more than there are; what does not fit without AVX-512 either is an operand in
        # memory, so that four lanes take a fifth of what four items take one by one.
        text = ('kernel void k(global const ulong *in, global ulong *out, int n) { ulong s[%d];'
                'size_t i = get_global_id(0), all = get_global_size(0);'
                'for (int k = 0; k < %d; k++) s[k] = in[i + k * all];'
                'for (int r = 0; r < n; r++) for (int k = 0; k < %d; k++)'
                's[k] ^= rotate(s[(k + 1) %% %d], (ulong)k);'
                'for (int k = 0; k < %d; k++) out[i + k * all] = s[k]; }')
        for count, isa, width in ((20, ISA, 8), (12, ISA, 16), (20, 'x86-64-v3', 4), (30, 'x86-64-v3', 4), (12, 'x86-64-v3', 4)):
            log = self.remarks(text % ((count,) * 5), isa)
            self.assertIn(f'runs {width} work-items', log)
            self.assertNotIn('estimated to be better', log)

    def test_switch_by_data(self):
        # Eight ways, of which no processor foretells which; that the default cannot be reached is no way out of the loop.
        ways = ''.join(f'case {n}: x = x * {2 * n + 3}u ^ x >> {n + 1}; break;' for n in range(7))
        text = ('kernel void k(global uint *a) { size_t i = get_global_id(0); uint x = a[i];'
                f'for (int r = 0; r < 16; r++) switch (x & 7) {{ {ways} default: x = x / 3; }} a[i] = x; }}')
        self.assertNotIn('estimated to be better', self.remarks(text, 'x86-64-v3'))

    def test_latency_is_dearer_than_memory(self):
        # AVX2: more values than half of the registers, in several each, but not where they go round in a loop.
        text = ('kernel void k(global float *a) { size_t i = get_global_id(0); float x = a[i];'
                'a[i] = exp(sin(x) * log(x)) / sqrt(1 + x * x); }')
        self.assertIn('in 4 registers for each value', self.remarks(text, 'x86-64-v3'))
        loop = ('kernel void k(global uint *a, int n) { size_t i = get_global_id(0); uint %s;'
                'for (int r = 0; r < n; r++) { %s } a[i] = %s; }')
        names = [f'x{k}' for k in range(12)]
        loop %= (', '.join(f'{x} = a[i + {k}]' for k, x in enumerate(names)),
                 ' '.join(f'{x} = ({x} + {y}) * 5u ^ {x} >> 3;' for x, y in zip(names, names[1:] + names[:1])),
                 ' ^ '.join(names))
        self.assertNotIn('registers for each value', self.remarks(loop, 'x86-64-v3'))

    def test_walks(self):
        # Lanes that go through a tree each their own way wait for the last, and take all ways in each turn.
        single = 'one work-item at a time is estimated to be better'
        tree = ('kernel void k(global const float4 *nodes, global const float2 *places, global float2 *out) {'
                'size_t i = get_global_id(0); float2 p = places[i], sum = 0; int stack[64], top = 1; stack[0] = 0;'
                'while (top > 0) { int n = stack[--top]; float4 node = nodes[n]; float2 d = node.xy - p;'
                'float far = dot(d, d); if (node.w < far) sum += d * node.z / far;'
                'else for (int c = 1; c < 5; c++) stack[top++] = 4 * n + c; } out[i] = sum; }')
        # Where nothing is done but waiting for what is loaded, lanes wait together.
        rows = ('kernel void k(global const int2 *nodes, global int *at, global int *sums) {'
                'size_t i = get_global_id(0); int node = at[i], sum = 0;'
                'while (node >= 0) { int2 both = nodes[node]; sum += both.y; node = both.x; } sums[i] = sum; }')
        for isa in ('x86-64-v3', ISA):
            self.assertIn(single, self.remarks(tree, isa))
            self.assertNotIn(single, self.remarks(rows, isa))


if __name__ == '__main__':
    tap.main()
