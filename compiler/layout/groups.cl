// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training for lay_out.py: work-groups that meet.

kernel void summed(global const float *in, global float *out, local float *scratch) {
    size_t l = get_local_id(0);
    scratch[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (l < half_size)
            scratch[l] += scratch[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = scratch[0];
}

kernel void prefixes(global const int *in, global int *out, local int *scratch) {
    int l = get_local_id(0), n = get_local_size(0);
    int value = in[get_global_id(0)];
    for (int step = 1; step < n; step *= 2) {
        scratch[l] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= step)
            value += scratch[l - step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = value;
}

#define TILE 16
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void tiles(global const float *a, global const float *b,
                                                                      global float *c, int n) {
    local float left[TILE][TILE], right[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        left[y][x] = a[row * n + tile + x];
        right[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

kernel void counted(global const uint *in, volatile global uint *counts) {
    local uint bins[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[get_global_id(0)] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        if (bins[i])
            atomic_add(&counts[i], bins[i]);
}

kernel void sorted(global int *keys, int stage, int pass) {
    uint i = get_global_id(0), distance = 1u << (stage - pass);
    uint left = (i & (distance - 1)) + (i & ~(distance - 1)) * 2, right = left + distance;
    int a = keys[left], b = keys[right];
    bool up = (i >> stage & 1) == 0;
    keys[left] = up == (a < b) ? a : b;
    keys[right] = up == (a < b) ? b : a;
}

kernel void copied(global const float *in, global float *out, local float *tile, int n) {
    event_t done = async_work_group_copy(tile, in + get_group_id(0) * n, n, 0);
    wait_group_events(1, &done);
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        out[get_group_id(0) * n + i] = 2.0f * tile[n - 1 - i];
}

kernel void apart(global int *data) {
    int private_values[8];
    for (int i = 0; i < 8; i++)
        private_values[i] = data[get_global_id(0) * 8 + i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = 0; i < 8; i++)
        data[get_global_id(0) * 8 + (private_values[i] & 7)] = private_values[7 - i];
}
