// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and lists.

// One level of a breadth-first search.
kernel void bfs_level(global const int *starts, global const int *edges, global const int *levels,
                      global int *next, int level)
{
    size_t node = get_global_id(0);
    if (levels[node] != level)
        return;
    for (int e = starts[node]; e < starts[node + 1]; e++) {
        int to = edges[e];
        if (levels[to] < 0)
            next[to] = level + 1;
    }
}

// What is above the threshold, moved together inside each group's part, in any order.
kernel void compact(global const float *in, global float *out, global int *counts, float threshold)
{
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = in[get_global_id(0)];
    if (x > threshold)
        out[get_group_id(0) * get_local_size(0) + atomic_inc(&count)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = count;
}
