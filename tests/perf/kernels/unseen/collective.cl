// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in functions of whole groups.

kernel void group_scan(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = work_group_scan_exclusive_add(in[i]);
}

// A group for each row.
kernel void softmax(global const float *in, global float *out, int columns)
{
    size_t base = get_group_id(0) * columns;
    int l = get_local_id(0), n = get_local_size(0);
    float most = -INFINITY, sum = 0;
    for (int c = l; c < columns; c += n)
        most = fmax(most, in[base + c]);
    most = work_group_reduce_max(most);
    for (int c = l; c < columns; c += n)
        sum += exp(in[base + c] - most);
    sum = work_group_reduce_add(sum);
    for (int c = l; c < columns; c += n)
        out[base + c] = exp(in[base + c] - most) / sum;
}
