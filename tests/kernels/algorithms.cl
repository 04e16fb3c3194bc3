// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What people do with barriers. Signature as in barriers.cl.

#pragma OPENCL FP_CONTRACT OFF

#define ARGS __global int *out, __global const int *in, __local int *scratch, int n
#define GID (get_global_linear_id())
#define LID ((int)get_local_linear_id())
#define LOCAL_SYNC barrier(CLK_LOCAL_MEM_FENCE)

int group_items(void) {
    return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

__kernel void reduce_tree(ARGS) {
    int items = group_items();
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    for (int middle = (items + 1) / 2, all = items; all > 1; all = middle, middle = (middle + 1) / 2) {
        if (LID + middle < all)
            scratch[LID] += scratch[LID + middle];
        LOCAL_SYNC;
    }
    if (LID == 0)
        out[GID] = scratch[0];
}

__kernel void scan_doubling(ARGS) {
    int items = group_items(), from = 0, to = items;
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    for (int step = 1; step < items; step *= 2) {
        int value = scratch[from + LID];
        if (LID >= step)
            value += scratch[from + LID - step];
        scratch[to + LID] = value;
        int swap = from;
        from = to;
        to = swap;
        LOCAL_SYNC;
    }
    out[GID] = scratch[from + LID];
}

__kernel void odd_even_sort(ARGS) {
    int items = group_items();
    scratch[LID] = in[GID];
    for (int round = 0; round < items; round++) {
        LOCAL_SYNC;
        int other = LID + 1;
        if ((LID & 1) == (round & 1) && other < items && scratch[LID] > scratch[other]) {
            int swap = scratch[LID];
            scratch[LID] = scratch[other];
            scratch[other] = swap;
        }
    }
    LOCAL_SYNC;
    out[GID] = scratch[LID];
}

__kernel void tile_transpose(ARGS) {
    int x = (int)get_local_id(0), y = (int)get_local_id(1), z = (int)get_local_id(2);
    int sx = (int)get_local_size(0), sy = (int)get_local_size(1);
    scratch[(z * sy + y) * sx + x] = in[GID];
    LOCAL_SYNC;
    int place = y * sx + x;
    out[GID] = scratch[z * sx * sy + (place % sy) * sx + place / sy];
}

/** Radix sort by two bits per round: scans inside of a loop, values kept in several ways. */
__kernel void radix_rounds(ARGS) {
    int items = group_items();
    __local int *keys = scratch, *flags = scratch + items;
    keys[LID] = in[GID] & 0xff;
    for (int bit = 0; bit < 8; bit++) {
        LOCAL_SYNC;
        int key = keys[LID], zero = !((key >> bit) & 1);
        flags[LID] = zero;
        for (int step = 1; step < items; step *= 2) {
            LOCAL_SYNC;
            int sum = flags[LID] + (LID >= step ? flags[LID - step] : 0);
            LOCAL_SYNC;
            flags[LID] = sum;
        }
        LOCAL_SYNC;
        int zeros = flags[items - 1], before = flags[LID] - zero;
        LOCAL_SYNC;
        keys[zero ? before : zeros + LID - before] = key;
    }
    LOCAL_SYNC;
    out[GID] = keys[LID];
}

__kernel void stencil_steps(ARGS) {
    int items = group_items();
    float value = in[GID];
    __local float *line = (__local float *)scratch;
    for (int step = 0; step < n * 3; step++) {
        line[LID] = value;
        LOCAL_SYNC;
        float left = LID ? line[LID - 1] : value, right = LID + 1 < items ? line[LID + 1] : value;
        value = 0.25f * left + 0.5f * value + 0.25f * right;
        LOCAL_SYNC;
    }
    out[GID] = as_int(value);
}
