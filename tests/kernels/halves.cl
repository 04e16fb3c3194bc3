// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// half (cl_khr_fp16) wherever a value can be: private arrays, structures, vectors, local memory,
// loops, branches, calls, tables. What comes out are bits, so that nothing may be kept in float
// between two operations; nor may two be contracted to one, which AVX512-FP16 has an instruction for.
// Signature as in barriers.cl.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

#define ARGS __global int *out, __global const int *in, __local int *scratch, int n
#define GID (get_global_linear_id())
#define LID ((int)get_local_linear_id())
#define LOCAL_SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define BITS(x) ((int)__builtin_astype((half)(x), ushort))

int group_items(void) {
    return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

__constant half table[8] = {1.0h, 0.1h, -3.5h, 65504.0h, 6.0e-8h, 1.0e-5h, -0.0h, 1000.0h};

struct mixed {
    half first;
    int number;
    half4 lanes;
    char tail;
    half last;
};

half ratio(half a, half b) {
    return a / (b + 1.0h);
}

__kernel void half_sums(ARGS) {
    half sum = 0.1h;
    for (int i = 0; i < (n & 7) + LID % 5; i++)
        sum = sum * 1.01h + (half)in[GID + i];
    out[GID] = BITS(sum);
}

__kernel void half_subnormal(ARGS) {
    half small = table[4] * (half)(in[GID] & 63), next = small * 0.5h;
    out[GID] = BITS(small) << 16 | BITS(next + table[5]);
}

__kernel void half_array_across(ARGS) {
    half mine[8];
    for (int i = 0; i < 8; i++)
        mine[i] = (half)(in[GID] * i) * 0.1h;
    scratch[LID] = BITS(mine[n & 7]);
    LOCAL_SYNC;
    half sum = 0;
    for (int i = 0; i < 8; i++)
        sum += mine[(i + LID) & 7] * (half)i;
    out[GID] = BITS(sum) + scratch[(LID + 1) % group_items()];
}

__kernel void half_local(ARGS) {
    __local half *shared = (__local half *)scratch;
    int items = group_items();
    half mine = (half)in[GID] / 7.0h;
    for (int round = 0; round < 3; round++) {
        shared[LID] = mine;
        LOCAL_SYNC;
        mine += shared[(LID + 1) % items] * 0.25h;
        LOCAL_SYNC;
    }
    out[GID] = BITS(mine);
}

__kernel void half_vectors(ARGS) {
    half4 a = (half4)((half)in[GID], (half)LID, 0.3h, (half)n), b = a.wzyx;
    half8 c = (half8)(a * b, a - b);
    c.s15 = c.s73 / 3.0h;
    scratch[LID] = BITS(c.s1);
    LOCAL_SYNC;
    half3 d = c.s024 + (half3)((half)scratch[(LID + 1) % group_items()]);
    half sum = d.x + d.y;
    out[GID] = BITS(sum) << 16 | BITS(d.z * c.s5);
}

__kernel void half_structures(ARGS) {
    struct mixed m[2];
    for (int i = 0; i < 2; i++) {
        m[i].first = (half)(in[GID] + i);
        m[i].number = LID;
        m[i].lanes = (half4)(m[i].first) * (half4)(1.0h, 2.0h, 0.5h, -1.0h);
        m[i].tail = (char)i;
        m[i].last = ratio(m[i].first, (half)LID);
    }
    LOCAL_SYNC;
    struct mixed *one = &m[in[GID] & 1];
    out[GID] = BITS(one->last) + BITS(one->lanes.z) + one->number + one->tail +
               (int)((char *)&m[1] - (char *)&m[0]);
}

__kernel void half_branches(ARGS) {
    half x = (half)in[GID] - 100.0h, y = table[in[GID] & 7];
    int how = 0;
    if (x > y)
        x = x * y;
    else if (x == y || x != x)
        how = 1;
    else {
        x = ratio(x, y);
        how = x < 0.0h ? 2 : 3;
    }
    switch (LID % 3) {
    case 0:
        y += x;
        break;
    case 1:
        y = -y;
        break;
    default:
        y = x < y ? x : y;
    }
    out[GID] = BITS(y) << 4 | how;
}

__kernel void half_gathers(ARGS) {
    __global const half *halves = (__global const half *)in;
    half x = halves[(in[GID] * 2) & 511], y = halves[2 * (GID & 255)];
    half z = table[(LID * 5 + n) & 7];
    out[GID] = BITS(x * 1024.0h + y) ^ BITS(z);
}

__kernel void half_scatters(ARGS) {
    __global half *halves = (__global half *)out;
    halves[2 * GID] = (half)in[GID] * 0.7h;
    if (in[GID] & 1)
        halves[2 * GID + 1] = (half)LID - 0.5h;
    else
        halves[2 * GID + 1] = 0;
}

__kernel void half_conversions(ARGS) {
    half x = (half)(in[GID] * 300), y = (half)(uchar)in[GID];
    float f = (float)x * 0.001f;
    double d = (double)y / 3;
    out[GID] = BITS((half)f) ^ BITS((half)d) << 1 ^ (int)(y * 2.5h) ^
               (x > 65504.0h ? 1 : (int)(long)x) ^ (int)(uint)y << 8 ^ (short)(y - 90.0h);
}

__kernel void half_early_end(ARGS) {
    half x = (half)in[GID];
    scratch[LID] = BITS(x * 0.3h);
    LOCAL_SYNC;
    if (x < 20.0h) {
        out[GID] = 1;
        return;
    }
    while (x > 1.0h)
        x = x / 3.0h - 0.1h;
    out[GID] = BITS(x) + scratch[(LID + 1) % group_items()];
}
