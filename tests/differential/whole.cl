// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL vectors that stay as they lie in memory (compiler/vector/whole.cc), in groups whose size the
// program requires (norm/required_size.h), with ids taken apart and put together again.

#define ARGS global int *out, global const int *in, int n

// Blocks of sums in registers, tiles in local memory: what is loaded by whom follows from one number.
// launch blocks 2 global 16 8 1 offset 0 0 0 local 8 4 1 arguments o8192z i4096s v3
// launch blocks 2 global 8 4 1 offset 0 0 0 local 8 4 1 arguments o2048z i4096s v0
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void blocks(ARGS) {
    local int4 a[8][8];
    local int2 b[8][4];
    int x = get_local_id(0), y = get_local_id(1);
    volatile int tid = x + 8 * y;
    int4 sum[2] = {0, 1};
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 2; i++)
            a[tid / 8 + 4 * i][tid % 8] = vload4((tid + 32 * i + k) & 255, in);
        b[tid >> 2][tid & 3] = vload2((tid * 3 + k) & 511, in);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 8; i++) {
            int4 left = a[i][x];
            int2 right = b[i][y];
            sum[0] += left * right.x;
            sum[1] += left * right.y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    vstore4(sum[0], at * 2, out);
    vstore4(sum[1], at * 2 + 1, out);
}

// A group of 12 items in a row: whole vectors of fewer lanes, or a rest; sizes are constants.
// launch rest_of_a_row 2 global 24 6 1 offset 0 0 0 local 12 3 1 arguments o2304z i4096s v2
kernel __attribute__((reqd_work_group_size(12, 3, 1))) void rest_of_a_row(ARGS) {
    local int4 t[36];
    int l = get_local_id(1) * get_local_size(0) + get_local_id(0);
    t[l] = vload4(l + n, in) * (int)get_local_size(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 sum = 0;
    for (int i = 0; i < 3; i++)
        sum += t[i * 12 + l % 12] * in[l / 12];
    vstore4(sum, get_global_id(1) * get_global_size(0) + get_global_id(0), out);
}

// Sizes that are required, but not of the groups at the edges.
// launch smaller_at_the_edge 2 global 19 7 1 offset 0 0 0 local 8 4 1 arguments o2128z i4096s v5
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void smaller_at_the_edge(ARGS) {
    local int t[32];
    int l = get_local_id(1) * 8 + get_local_id(0);
    t[l] = l * n;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    int4 v = vload4(at & 255, in) * t[(get_local_id(1) * 8 + get_local_size(0) - 1)];
    v += (int)(get_local_size(0) * 100 + get_local_size(1) * 10 + get_enqueued_local_size(0));
    vstore4(v, at, out);
}

// Single elements are wanted, in the loop, behind it and in another order; lanes choose; others wait.
// launch parts 1 global 100 1 1 offset 0 0 0 local 50 1 1 arguments o1600z i4096s v6
kernel void parts(ARGS) {
    int g = get_global_id(0);
    float4 sum = 0, most = -1000;
    int count = 0;
    for (int k = 0; k < n; k++) {
        float4 v = convert_float4(vload4((g + k * 7) & 255, in)), w = v * 2 + k;
        sum = fma(v, (float4)(in[k & 63]), sum);
        most = max(most, w);
        if (w.y > v.x)
            count += (int)w.z;
        if (in[(g ^ k) & 255] & 1)
            sum += w * 3;
    }
    vstore4(convert_int4(sum.wzyx) + convert_int4(most) + count, g, out);
}

// Two and sixteen elements, factors of each lane's own, constants of each element's own.
// launch factors 1 global 96 1 1 offset 0 0 0 local 32 1 1 arguments o6144z i4096s v4
kernel void factors(ARGS) {
    int g = get_global_id(0);
    int16 all = 0;
    uint2 pair = 1;
    for (int k = 0; k < n; k++) {
        all += vload16((g + k) & 63, in) * in[g] + (int16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2);
        pair = pair * as_uint2(vload2(g + k, in)) ^ (uint2)(k, 7);
    }
    all.s35 += as_int2(pair);
    vstore16(all, g, out);
}

// Lanes go round the loop as often as they like, and some never come in.
// launch apart 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o1024z i4096s v9
kernel void apart(ARGS) {
    int g = get_global_id(0);
    int4 sum = vload4(g, in);
    if (g % 5 != 3)
        for (int k = 0; k < (in[g] & n); k++)
            sum = sum * 3 + vload4((g + k) & 255, in);
    vstore4(sum - 1, g, out);
}

// Bits of numbers into which lanes do not carry, and of some into which they do.
// launch bits 2 global 64 4 1 offset 0 0 0 local 32 2 1 arguments o1024z i4096s v3
// launch bits 2 global 20 3 1 offset 1 2 0 local 10 3 1 arguments o240z i4096s v0
kernel void bits(ARGS) {
    int x = get_local_id(0), y = get_local_id(1), l = x + 32 * y, m = x + n + 16 * y;
    int at = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    int sum = in[l & 31] + in[l >> 4] * 3 + in[(l >> 2) & 28] * 5 + in[l & 48] * 7 + in[(2 * l) & 62] * 11;
    sum += in[m & 31] + in[m >> 4] * 3 + in[(m >> 2) & 28] * 5 + in[(uchar)(m * 8)] * 7;
    out[at] = sum + in[(l << 3) & 511] + in[(4 * l >> 2) & 63];
}

// A volatile variable of the item's own that a loop writes, and one of which somebody has the address.
// launch quiet 1 global 70 1 1 offset 0 0 0 local 35 1 1 arguments o280z i4096s v5
kernel void quiet(ARGS) {
    volatile int once = in[get_global_id(0)], counted, seen[2] = {n, 1};
    volatile int *p = once & 1 ? &seen[1] : &seen[0];
    *p += once;
    for (counted = 0; counted < (once & 7); counted++)
        *p ^= counted * 3;
    out[get_global_id(0)] = once + counted + seen[0] * 31 + seen[1];
}

// What a group loads together: as many turns for each item, or one more for some.
// launch loads_together 2 global 16 8 1 offset 0 0 0 local 8 4 1 arguments o512z i4096s v3
// launch loads_together 2 global 8 4 1 offset 0 0 0 local 8 4 1 arguments o128z i4096s v0
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void loads_together(ARGS) {
    local int a[96], b[100];
    int x = get_local_id(0), y = get_local_id(1), tid = 8 * y + x, sum = 0;
    for (int t = 0; t <= n; t++) {
        for (int i = tid; i < 96; i += 32)
            a[i] = in[(i * 5 + t) & 1023];
        for (uint i = 99 - tid; i < 100; i -= 32)
            b[i] = in[(i + t * 9) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = tid; i > tid - 7; i--)
            sum = sum * 3 + a[(i + 96) % 96] + b[(i + 100) % 100];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}
