// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes the compiler keep several bodies, functions and frames (robust/valgrind).

/* One work-item at a time, or four of a row, or half of them: what the rows decide. */
kernel void rows(global uint *out, local uint *tile) {
    uint x = get_local_id(0), y = get_local_id(1), row = get_local_size(0);
    tile[y * row + x] = get_global_id(0) * 3u;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint i = 0; i < row; i++)
        sum += tile[y * row + i] * (i ^ x);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

/* Too short for groups of few items to matter. */
kernel void copied(global float *out, global const float *in) {
    out[get_global_id(0)] = in[get_global_id(0)];
}

/* Private arrays, a loop that lanes leave one by one, and a barrier in a loop. */
kernel void apart(global int *out, global const int *in, int n) {
    local int most;
    int i = get_global_id(0), own[8] = {0};
    for (int k = 0; k < n; k++) {
        if (get_local_id(0) == 0)
            most = in[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int left = in[i] & 15; left > most; left--)
            own[left & 7] += left * k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = own[i & 7];
}

/* A loop that an atomic decides. */
kernel void retried(volatile global uint *sum, global const uint *in) {
    uint old, now = sum[0];
    do {
        old = now;
        now = atomic_cmpxchg(sum, old, old + in[get_global_id(0)]);
    } while (now != old);
}

/* Functions that ask for ids. */
uint place(uint stride) { return get_global_id(0) * stride + get_local_id(0); }
float deep(global const float *in, uint n) {
    float sum = 0;
    for (uint i = 0; i < n; i++)
        sum += in[place(i)] * sin(in[i]);
    return sum;
}
kernel void kept(global float *out, global const float *in, uint n) {
    out[place(1)] = deep(in, n) + deep(in + n, n / 2);
}
