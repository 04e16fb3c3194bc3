// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups of one item beside others: barriers wait for nobody (compiler/vector/lone.cc).

#define ARGS global int *out, global const int *in, int n

// Steps of a product through local memory, as programs have it that take local size 1 on CPUs; no
// item asks which it is.
// launch steps 2 global 7 9 1 offset 0 0 0 local 1 1 1 arguments o252i i512s v5
// launch steps 2 global 6 9 1 offset 0 0 0 local 2 3 1 arguments o252i i512s v5
kernel void steps(ARGS) {
    local int a[2], b[2];
    size_t x = get_group_id(0), y = get_group_id(1);
    int sum = 0;
    for (int step = 0; step < 11; step++) {
        a[0] = in[y * 8 + step];
        b[0] = in[step * 9 + x] * n;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += a[0] * b[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * get_num_groups(0) + x] = sum;
}

// launch tree 1 global 23 1 1 offset 3 0 0 local 1 1 1 arguments o104i i416s l4 v9
// launch tree 1 global 23 1 1 offset 3 0 0 local 4 1 1 arguments o104i i416s l16 v9
kernel void tree(global int *out, global const int *in, local int *all, int n) {
    size_t l = get_local_id(0), size = get_local_size(0);
    int sum = 0;
    for (size_t i = l; i < 40; i += size)
        sum += in[get_group_id(0) + i] ^ n;
    all[l] = sum;
    for (size_t k = 2; k; k--) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < k && l + k < size)
            all[l] += all[l + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = all[0] + (int)(get_local_linear_id() + get_enqueued_local_size(0) * 256);
}

// What items do together.
// launch together 1 global 20 1 1 offset 0 0 0 local 1 1 1 arguments o480i i512s v3
// launch together 1 global 20 1 1 offset 0 0 0 local 5 1 1 arguments o480i i512s v3
kernel void together(ARGS) {
    local int part[8];
    size_t g = get_global_id(0);
    int x = in[g] * n, turns = work_group_any(x & 1) ? 3 : 5;
    for (int k = 0; k < turns; k++) {
        event_t copied = async_work_group_copy(part, in + get_group_id(0) + k, 8, 0);
        wait_group_events(1, &copied);
        x += work_group_scan_inclusive_add(x ^ part[k]) + work_group_reduce_max(x & 0xff);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g * 6] = x;
    out[g * 6 + 1] = work_group_broadcast(x, 0) + work_group_all(x > 7);
    event_t stored = async_work_group_copy(out + g * 6 + 2, part, 2, 0);
    wait_group_events(1, &stored);
}

// The last group sees what all have written.
// launch last 1 global 33 1 1 offset 0 0 0 local 1 1 1 arguments o280z i160s v2
// launch last 1 global 33 1 1 offset 0 0 0 local 3 1 1 arguments o280z i160s v2
kernel void last(ARGS) {
    size_t g = get_global_id(0), groups = get_num_groups(0);
    local int is_last;
    out[2 + g] = in[g] * n;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
        is_last = atomic_add(&out[0], 1) == (int)groups - 1;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last && get_local_id(0) == 0) {
        int sum = 0;
        for (int i = 0; i < 33; i++)
            sum += out[2 + i] * (i + 1);
        out[1] = sum;
    }
}

// launch bound 2 global 9 5 1 offset 1 2 0 local 1 1 1 arguments o180i i512s v4
__attribute__((reqd_work_group_size(1, 1, 1))) kernel void bound(ARGS) {
    local int a[4];
    size_t at = get_group_id(1) * 9 + get_group_id(0);
    int kept[3] = {n, in[at], 0};
    for (int k = 0; k < 9; k++) {
        a[k & 3] = kept[k % 3] + in[at + k];
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
        kept[(k + 1) % 3] ^= a[(k + (int)get_local_size(0)) & 3 & -(int)get_local_id(1)] + k;
    }
    out[at] = kept[0] + kept[1] * 3 + kept[2] * 5 + (int)get_local_linear_id();
}
