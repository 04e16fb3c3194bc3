// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups that work together in local memory, with barriers.

#define GROUP 256

kernel void reduce(global const float *in, global float *out, local float *sums)
{
    int l = get_local_id(0);
    sums[l] = in[get_global_id(0)];
    for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            sums[l] += sums[l + half_size];
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}

// Inclusive sum over each group (Hillis and Steele).
kernel void scan(global const int *in, global int *out, local int *sums)
{
    int l = get_local_id(0), n = get_local_size(0), from = 0;
    sums[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < n; step *= 2) {
        int to = n - from, value = sums[from + l];
        if (l >= step)
            value += sums[from + l - step];
        sums[to + l] = value;
        from = to;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sums[from + l];
}

// A histogram for each group; the group's share of the bytes is contiguous.
kernel void histogram(global const uchar *in, global uint *out, int share)
{
    local uint bins[256];
    int l = get_local_id(0), group = get_group_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < share; i += GROUP)
        atomic_inc(&bins[in[group * share + i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[group * 256 + l] = bins[l];
}

// Each group sorts 512 keys with its 256 items.
kernel void bitonic(global const int *in, global int *out)
{
    local int keys[2 * GROUP];
    int l = get_local_id(0), base = get_group_id(0) * 2 * GROUP;
    keys[l] = in[base + l];
    keys[l + GROUP] = in[base + l + GROUP];
    for (int size = 2; size <= 2 * GROUP; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int at = 2 * l - (l & (stride - 1));
            int a = keys[at], b = keys[at + stride];
            bool up = (at & size) == 0;
            if ((a > b) == up) {
                keys[at] = b;
                keys[at + stride] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = keys[l];
    out[base + l + GROUP] = keys[l + GROUP];
}

// Sixty-four sweeps of smoothing inside each group, a barrier after each.
kernel void smooth(global const float *in, global float *out)
{
    local float line[2][GROUP];
    int l = get_local_id(0);
    int left = l == 0 ? 0 : l - 1, right = l == GROUP - 1 ? l : l + 1;
    line[0][l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int sweep = 0; sweep < 64; sweep++) {
        int from = sweep & 1;
        line[1 - from][l] = 0.5f * line[from][l] + 0.25f * (line[from][left] + line[from][right]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = line[0][l];
}

// All items compete for 64 words of global memory.
kernel void global_max(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)];
    atomic_max(&out[x & 63], x);
}
