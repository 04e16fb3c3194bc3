// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training for lay_out.py: OpenCL C 2.0. Options: -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

global atomic_int tickets = ATOMIC_VAR_INIT(0);
constant float weights[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

float filtered(const float *values, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i] * weights[i];
    return sum;
}

kernel void ticketed(global int *order) {
    int mine = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed, memory_scope_device);
    order[get_global_id(0)] = mine;
}

kernel void collected(global const int *in, global int *out) {
    int value = in[get_global_id(0)];
    int sum = work_group_reduce_add(value), before = work_group_scan_exclusive_max(value);
    if (work_group_any(value < 0))
        sum = -sum;
    out[get_global_id(0)] = sum + work_group_broadcast(before, 0) + sub_group_reduce_min(value) +
                            sub_group_scan_inclusive_add(value);
}

kernel void generic_pointers(global float *data, int which) {
    local float near[64];
    float mine[5];
    near[get_local_id(0) & 63] = data[get_global_id(0)];
    for (int i = 0; i < 5; i++)
        mine[i] = data[get_global_id(0) + i];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    const float *from = which ? (const float *)mine : (const float *)(near + (get_local_id(0) & 31));
    data[get_global_id(0)] = filtered(from, 5);
}

kernel void told(global const int *in) {
    if (in[get_global_id(0)] < 0)
        printf("item %u has %d, %v4hlf\n", (uint)get_global_id(0), in[get_global_id(0)], (float4)(1, 2, 3, 4));
}

kernel void piped(read_only pipe int from, write_only pipe int to) {
    int value;
    if (read_pipe(from, &value) == 0) {
        value += 1;
        write_pipe(to, &value);
    }
}

kernel void launched(global int *data, int depth) {
    if (get_global_id(0) == 0 && depth > 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16), ^{
          data[get_global_id(0)] += depth;
        });
}
