// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small kernels of the latency lines.

kernel void add_one(global int *counter)
{
    counter[get_global_id(0)] += 1;
}

kernel void add_one_atomic(global int *counter)
{
    atomic_inc(&counter[get_global_id(0)]);
}

// About 1.5 milliseconds for each million of turns, in groups that stay what they are.
kernel void count_long(global int *counter, int turns)
{
    uint x = get_group_id(0);
    for (int i = 0; i < turns; i++)
        x = x * 1664525u + 1013904223u ^ x >> 16;
    counter[get_global_id(0)] += x == 0 ? 2 : 1;
}

// The sum of the group's ids, through local memory.
kernel void group_sum(global int *out, local int *ids)
{
    int l = get_local_id(0), n = get_local_size(0);
    ids[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += ids[k];
    out[get_global_id(0)] = sum;
}
