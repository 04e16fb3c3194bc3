// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The kernels of `weft selftest`. Each is checked in C, in checks.c, maths.c or queues.c. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* ---- work-items ------------------------------------------------------------------------------ */

kernel void work_items(global ulong *out) {
    size_t at = get_global_linear_id();
    global ulong *mine = out + 8 * at;
    mine[0] = get_global_id(0);
    mine[1] = get_global_id(1);
    mine[2] = get_global_id(2);
    mine[3] = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0);
    mine[4] = get_group_id(1) * get_enqueued_local_size(1) + get_local_id(1);
    mine[5] = get_local_size(0) * 10000 + get_local_size(1) * 100 + get_local_size(2);
    mine[6] = get_num_groups(0) * 10000 + get_num_groups(1) * 100 + get_num_groups(2);
    mine[7] = get_local_linear_id();
}

kernel void offsets(global uint *out) {
    out[get_global_id(0) - get_global_offset(0)] = get_global_id(0) + 1000 * get_local_id(0);
}

/* ---- integers --------------------------------------------------------------------------------- */

kernel void integers(global const int *a, global const int *b, global int *out, int count) {
    size_t i = get_global_id(0);
    int x = a[i], y = b[i];
    out[i] = x + y;
    out[count + i] = x - y;
    out[2 * count + i] = x * y;
    out[3 * count + i] = y != 0 && !(x == INT_MIN && y == -1) ? x / y : 0;
    out[4 * count + i] = y != 0 && !(x == INT_MIN && y == -1) ? x % y : 0;
    out[5 * count + i] = x << (y & 31);
    out[6 * count + i] = x >> (y & 31);
    out[7 * count + i] = mul_hi(x, y);
    out[8 * count + i] = add_sat(x, y);
    out[9 * count + i] = popcount(x) * 100 + clz(x);
    out[10 * count + i] = rotate(x, y);
    out[11 * count + i] = (int)abs_diff(x, y);
}

kernel void longs(global const long *a, global const long *b, global long *out, int count) {
    size_t i = get_global_id(0);
    long x = a[i], y = b[i];
    out[i] = x * y;
    out[count + i] = y != 0 && !(x == LONG_MIN && y == -1) ? x / y : 0;
    out[2 * count + i] = (long)((ulong)x / ((ulong)y | 1));
    out[3 * count + i] = sub_sat(x, y);
    out[4 * count + i] = mul_hi(x, y);
}

/* Undefined results, but no trap: "the result is an unspecified value". */
kernel void divide(global const int *a, global const int *b, global int *out) {
    size_t i = get_global_id(0);
    int4 v = (int4)(a[i], a[i], INT_MIN, 1);
    int4 w = (int4)(b[i], b[i] + 1, -1, b[i]);
    int4 q = v / w + v % w;
    out[2 * i] = a[i] / b[i];
    out[2 * i + 1] = (q.x ^ q.y ^ q.z ^ q.w) + (int)((long)a[i] % (long)b[i]);
}

/* ---- floating point --------------------------------------------------------------------------- */

kernel void floats(global const float *a, global const float *b, global float *out, int count) {
    size_t i = get_global_id(0);
    float x = a[i], y = b[i];
    out[i] = x + y;
    out[count + i] = x - y;
    out[2 * count + i] = x * y;
    out[3 * count + i] = fma(x, y, x);
    out[4 * count + i] = rint(x);
    out[5 * count + i] = floor(x) + ceil(y);
    out[6 * count + i] = fmax(x, y) - fmin(x, y);
    out[7 * count + i] = convert_float_rtz(convert_int_sat_rte(x * 4.0f));
}

kernel void doubles(global const double *a, global const double *b, global double *out, int count) {
    size_t i = get_global_id(0);
    double x = a[i], y = b[i];
    out[i] = x + y;
    out[count + i] = x * y;
    out[2 * count + i] = x / y;
    out[3 * count + i] = sqrt(fabs(x));
    out[4 * count + i] = fma(x, y, -x);
    out[5 * count + i] = (double)(float)x;
}

kernel void conversions(global const float *a, global int *out, int count) {
    size_t i = get_global_id(0);
    out[i] = convert_uchar_sat_rte(a[i]);
    out[count + i] = convert_short_sat(a[i]);
    out[2 * count + i] = convert_int_rtn(a[i]);
    out[3 * count + i] = convert_int_rtp(a[i]);
    out[4 * count + i] = (int)as_uint(a[i]);
    ushort bits;
    vstore_half_rte(a[i], 0, (half *)&bits);
    out[5 * count + i] = as_int(vload_half(0, (half *)&bits));
}

kernel void relations(global const float *a, global const float *b, global int *out, int count) {
    size_t i = get_global_id(0);
    float4 x = (float4)(a[i], b[i], a[i], 0.0f), y = (float4)(b[i], a[i], a[i], -0.0f);
    int4 less = x < y, same = x == y;
    out[i] = (less.x & 1) | (less.y & 2) | (less.z & 4) | (same.w & 8);
    out[count + i] = any(isnan(x)) * 2 + all(isfinite(x));
    out[2 * count + i] = (int)select(x, y, less).x;
    out[3 * count + i] = isgreater(a[i], b[i]) + 2 * isunordered(a[i], b[i]) + 4 * (signbit(a[i]) != 0);
}

/* ---- vectors, structs, private memory --------------------------------------------------------- */

kernel void vectors(global const int *a, global int *out) {
    size_t i = get_global_id(0);
    int3 v = vload3(i, a);
    int8 w = (int8)(v.zyx, v, 7, 8);
    int4 s = shuffle(w.lo, (uint4)(3, 2, 1, 0));
    w.s07 += (int2)(100, 200);
    int16 wide = (int16)(w, w.hi, s);
    vstore8(wide.even + wide.odd.s76543210, i, out);
}

typedef struct inner {
    char tag;
    double value;
    short3 three;
} inner;

typedef struct outer {
    uchar first;
    inner parts[2];
    long last;
} outer;

kernel void structs(outer by_value, global const outer *in, global outer *out, global int *sizes) {
    size_t i = get_global_id(0);
    outer copy = in[i];
    copy.parts[1].value += by_value.parts[0].value * by_value.parts[1].three.z;
    copy.parts[0] = by_value.parts[i & 1];
    copy.last -= by_value.last;
    copy.first ^= by_value.first;
    out[i] = copy;
    sizes[i] = (int)sizeof(outer) * 1000 + (int)sizeof(inner);
}

int depth(int n) {
    return n % 3 == 0 ? n : n % 3 == 1 ? n * 2 : -n;
}

kernel void private_arrays(global const uint *in, global uint *out, uint rounds) {
    uint table[64];
    size_t i = get_global_id(0);
    for (uint k = 0; k < 64; k++)
        table[k] = in[i] * (k + 1);
    for (uint k = 0; k < rounds; k++) {
        uint from = table[k & 63] & 63, to = (from * 7 + k) & 63;
        table[to] += table[from] ^ (uint)depth((int)k);
        if (table[to] % 11 == 3)
            continue;
        if (table[to] % 97 == 5)
            break;
        table[(to + 1) & 63]--;
    }
    uint sum = 0;
    for (uint k = 0; k < 64; k++)
        sum = sum * 31 + table[k];
    out[i] = sum;
}

constant int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};

kernel void constants(constant int *weights, global int *out) {
    size_t i = get_global_id(0);
    out[i] = squares[i & 7] * weights[i & 3];
}

/* ---- barriers and local memory ---------------------------------------------------------------- */

kernel void reverse(global const uint *in, global uint *out, local uint *scratch) {
    size_t l = get_local_id(0), n = get_local_size(0);
    scratch[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[n - 1 - l];
}

kernel void reduce(global const uint *in, global uint *out) {
    local uint sums[256];
    size_t l = get_local_id(0);
    sums[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = get_local_size(0) / 2; step > 0; step >>= 1) {
        if (l < step)
            sums[l] += sums[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}

kernel void scan(global const uint *in, global uint *out) {
    local uint sums[2][128];
    size_t l = get_local_id(0);
    int from = 0;
    sums[0][l] = in[get_global_id(0)];
    for (size_t step = 1; step < get_local_size(0); step <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[1 - from][l] = sums[from][l] + (l >= step ? sums[from][l - step] : 0);
        from = 1 - from;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sums[from][l];
}

/* Values that live across barriers; a barrier below a uniform condition. */
kernel void conditional_barriers(global uint *out, int twice) {
    local uint shared[64];
    uint l = get_local_id(0), mine = l * 3 + 1;
    shared[l] = mine;
    if (twice) {
        barrier(CLK_LOCAL_MEM_FENCE);
        mine += shared[(l + 1) % get_local_size(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[l] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[(l + 5) % get_local_size(0)] * 1000 + mine;
}

kernel void async_copies(global const float *in, global float *out, local float *block) {
    size_t n = get_local_size(0), group = get_group_id(0);
    event_t event = async_work_group_copy(block, in + group * n, n, 0);
    event = async_work_group_strided_copy(block + n, in + group, n, get_num_groups(0), event);
    wait_group_events(1, &event);
    block[get_local_id(0)] += 2.0f * block[n + n - 1 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy(out + group * n, block, n, 0);
    wait_group_events(1, &event);
}

/* Transposes tiles: two dimensions, local memory with padding. */
kernel void transpose(global const int *in, global int *out, int width, int height) {
    local int tile[8][9];
    int x = get_global_id(0), y = get_global_id(1);
    tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 8 + get_local_id(0);
    y = get_group_id(0) * 8 + get_local_id(1);
    out[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}

/* ---- atomics ----------------------------------------------------------------------------------- */

kernel void atomics(global int *counters, global const int *in) {
    int value = in[get_global_id(0)];
    atomic_add(&counters[0], value);
    atomic_inc(&counters[1]);
    atomic_max(&counters[2], value);
    atomic_min(&counters[3], value);
    atomic_or(&counters[4], 1 << (value & 15));
    atomic_xor(&counters[5], value);
    int seen = counters[6], old;
    do {
        old = seen;
        seen = atomic_cmpxchg((volatile global int *)&counters[6], old, old + 3);
    } while (seen != old);
}

kernel void long_atomics(global ulong *counters) {
    atom_add(&counters[0], (ulong)get_global_id(0) << 20);
    atom_inc(&counters[1]);
}

kernel void c11_atomics(global atomic_int *sum, global int *out) {
    local atomic_int shared;
    if (get_local_id(0) == 0)
        atomic_init(&shared, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&shared, (int)get_local_id(0), memory_order_relaxed,
                              memory_scope_work_group);
    atomic_fetch_add_explicit(sum, 1, memory_order_acq_rel, memory_scope_device);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load_explicit(&shared, memory_order_acquire,
                                                 memory_scope_work_group);
}

/* ---- printf ------------------------------------------------------------------------------------ */

kernel void print(int number, float real) {
    if (get_global_id(0) == 0)
        printf("%d|%5.2f|%s|%#x|%v4d|%c|%%\n", number, real, "text", 255, (int4)(1, 2, 3, 4), 'c');
}

/* ---- maths ------------------------------------------------------------------------------------- */

#define ONE(name)                                                                                   \
    kernel void float_##name(global const float *a, global const float *b, global float *out) {    \
        size_t i = get_global_id(0);                                                                \
        out[i] = name(a[i]);                                                                        \
    }                                                                                               \
    kernel void double_##name(global const double *a, global const double *b,                      \
                              global double *out) {                                                 \
        size_t i = get_global_id(0);                                                                \
        out[i] = name(a[i]);                                                                        \
    }
#define TWO(name)                                                                                   \
    kernel void float_##name(global const float *a, global const float *b, global float *out) {    \
        size_t i = get_global_id(0);                                                                \
        out[i] = name(a[i], b[i]);                                                                  \
    }                                                                                               \
    kernel void double_##name(global const double *a, global const double *b,                      \
                              global double *out) {                                                 \
        size_t i = get_global_id(0);                                                                \
        out[i] = name(a[i], b[i]);                                                                  \
    }

ONE(sin) ONE(cos) ONE(tan) ONE(exp) ONE(exp2) ONE(log) ONE(log2) ONE(sqrt) ONE(rsqrt) ONE(cbrt)
ONE(asin) ONE(atan) ONE(sinh) ONE(tanh) ONE(erf) ONE(expm1) ONE(log1p)
TWO(pow) TWO(atan2) TWO(hypot) TWO(fmod)

kernel void float_divide(global const float *a, global const float *b, global float *out) {
    size_t i = get_global_id(0);
    out[i] = a[i] / b[i];
}

kernel void double_divide(global const double *a, global const double *b, global double *out) {
    size_t i = get_global_id(0);
    out[i] = a[i] / b[i];
}

kernel void wide_maths(global const float *in, global float *out) {
    size_t i = get_global_id(0);
    float16 v = vload16(i, in);
    vstore16(sin(v) * exp(-fabs(v)) + pow(fabs(v), 0.5f), i, out);
}

kernel void geometry(global const float *in, global float *out) {
    size_t i = get_global_id(0);
    float4 a = vload4(2 * i, in), b = vload4(2 * i + 1, in);
    out[4 * i] = dot(a, b);
    out[4 * i + 1] = length(a);
    float3 c = cross(a.xyz, b.xyz);
    out[4 * i + 2] = c.x + 2.0f * c.y + 3.0f * c.z;
    out[4 * i + 3] = mix(step(0.5f, a.x), clamp(b.y, -1.0f, 1.0f), smoothstep(0.0f, 1.0f, b.z));
}

/* ---- queues ------------------------------------------------------------------------------------ */

kernel void add_one(global uint *data) {
    data[get_global_id(0)] += 1;
}

kernel void square_add(global uint *data, uint add) {
    uint x = data[get_global_id(0)];
    data[get_global_id(0)] = x * x + add;
}
