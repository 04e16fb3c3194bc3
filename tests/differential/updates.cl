// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomics of all lanes at one place, each of which wants to know what it found there: one update,
// and a scan over lanes (compiler/vector/lane_work.cc). Items of a group come in their order.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ARGS global int *out, global const int *in, int n

// launch sums 1 global 100 1 1 offset 0 0 0 local 50 1 1 arguments o1600z i4096s v3
kernel void sums(ARGS) {
    local int up, down, some; // one for each: all lanes' first update comes before their second one
    size_t i = get_global_id(0), l = get_local_id(0);
    if (l == 0) {
        up = some = n;
        down = -n;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i * 4] = atomic_add(&up, in[i]);
    out[i * 4 + 1] = atomic_sub(&down, in[i] * 3);
    if (in[i] & 1)
        out[i * 4 + 2] = atomic_add(&some, (int)l);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i * 4 + 3] = up ^ down ^ some;
}

// launch bits 1 global 90 1 1 offset 0 0 0 local 30 1 1 arguments o2160z i4096s v5
kernel void bits(ARGS) {
    local int all, some, odd, least, most;
    local uint top;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) {
        all = -1;
        some = odd = 0;
        least = 1000;
        most = -1000;
        top = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i * 6] = atomic_and(&all, in[i] | n);
    out[i * 6 + 1] = atomic_or(&some, 1 << (in[i] & 31));
    out[i * 6 + 2] = atomic_xor(&odd, in[i]);
    if (in[i] % 3) {
        out[i * 6 + 3] = atomic_min(&least, in[i]);
        out[i * 6 + 4] = atomic_max(&most, in[i] - n);
    }
    out[i * 6 + 5] = (int)atomic_max(&top, (uint)in[i]);
}

// launch longs 1 global 70 1 1 offset 0 0 0 local 35 1 1 arguments o1680z i4096s v2
kernel void longs(ARGS) {
    local long sum, least, odd;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0)
        sum = least = odd = (long)n << 33;
    barrier(CLK_LOCAL_MEM_FENCE);
    global long *to = (global long *)out + i * 3;
    to[0] = atom_add(&sum, (long)in[i] << 20);
    to[1] = atom_min(&least, (long)in[i] * -12345678901L);
    if (in[i] & 2)
        to[2] = atom_xor(&odd, (long)in[i]);
}

// Places in a list for as many results as each item has, in a loop that items leave one by one.
// launch places 1 global 64 1 1 offset 0 0 0 local 32 1 1 arguments o16384z i4096s v3
kernel void places(ARGS) {
    local int end;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0)
        end = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int found = 0;
    for (int k = 0; k < (in[i] & 7); k++) {
        int many = (in[i] >> k) & 3;
        found = found * 31 + atomic_add(&end, many);
    }
    out[i * 2] = found != 0; // the order of lanes in a loop is not that of items
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i * 2 + 1] = end;
}

// launch scans 2 global 24 6 1 offset 0 0 0 local 12 3 1 arguments o2304z i4096s v2
kernel void scans(ARGS) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i * 4] = work_group_scan_exclusive_add(in[i]);
    out[i * 4 + 1] = work_group_scan_inclusive_max(in[i] ^ n);
    out[i * 4 + 2] = work_group_scan_inclusive_add((uint)in[i] * 5u);
    out[i * 4 + 3] = (int)work_group_scan_exclusive_min((long)in[i] << 2);
}
