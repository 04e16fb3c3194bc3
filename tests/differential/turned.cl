// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups whose rows are shorter than vectors and whose columns are not (compiler/vector/turned.cc).

#define ARGS global int *out, global const int *in, int n

// A filter over columns, with its neighbours' edges in local memory, as pictures are blurred.
// launch blur 2 global 5 60 1 offset 0 0 0 local 1 20 1 arguments o1200i i1600s l128 v5
// launch blur 2 global 5 57 1 offset 0 0 0 local 1 20 1 arguments o1200i i1600s l128 v3
// launch blur 2 global 8 34 1 offset 0 0 0 local 4 17 1 arguments o1200i i1600s l512 v2
kernel void blur(global int *out, global const int *in, local int *all, int n) {
    int l = get_local_id(1), size = get_enqueued_local_size(1), x = get_global_id(0), y = get_global_id(1);
    local int *mine = all + get_local_id(0) * (size + 2 * 5) + 5;
    int width = get_global_size(0), height = get_global_size(1);
    mine[l] = in[y * width + x];
    for (int k = l; k < n; k += get_local_size(1)) {
        mine[-1 - k] = in[max(y - l - 1 - k, 0) * width + x];
        mine[(int)get_local_size(1) + k] = in[min((int)(y - l + get_local_size(1)) + k, height - 1) * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = -n; k <= n; k++)
        sum += mine[l + k] * (k + 9);
    out[y * width + x] = sum;
}

// All that an item can ask about where it is.
// launch asks 3 global 2 18 3 offset 5 7 9 local 1 6 1 arguments o9600i i512s v4
// launch asks 3 global 6 20 2 offset 0 1 2 local 3 9 2 arguments o9600i i512s v4
// launch asks 3 global 4 35 4 offset 3 0 1 local 2 16 1 arguments o9600i i512s v4
// launch asks 2 global 7 33 1 offset 1 2 0 local 2 7 1 arguments o9600i i512s v4
kernel void asks(ARGS) {
    local int turn[64];
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
           z = get_global_id(2) - get_global_offset(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    size_t row = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    turn[row & 63] = (int)(get_local_id(0) + 3 * get_local_id(1) + 7 * get_local_id(2));
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    int other = turn[(items - 1 - row) & 63];
    int a = other, b = in[at & 127] * n;
    for (uint d = 0; d < get_work_dim(); d++) {
        a = a * 5 + (int)(get_group_id(d) + 2 * get_num_groups(d) + 3 * get_local_size(d));
        b = b * 7 + (int)(get_enqueued_local_size(d) + 2 * get_global_size(d) + 3 * get_local_id(d) + get_global_id(d));
    }
    out[at * 4] = a;
    out[at * 4 + 1] = b;
    out[at * 4 + 2] = (int)get_global_linear_id();
    out[at * 4 + 3] = (int)(x * 10000 + y * 100 + z);
}

// Linear ids count along rows: such a kernel has no such body.
// launch counts 2 global 4 20 1 offset 0 0 0 local 2 10 1 arguments o320i i512s v4
// launch counts 2 global 3 40 1 offset 0 0 0 local 1 20 1 arguments o480i i512s v4
kernel void counts(ARGS) {
    local int all[64];
    size_t l = get_local_linear_id(), at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    all[l] = in[at] * n + (int)get_local_id(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = all[l ? l - 1 : 0] + work_group_scan_exclusive_add(all[l] & 255);
}

// Scans go by linear ids without asking for them.
// launch scans 2 global 2 40 1 offset 0 0 0 local 2 40 1 arguments o960i i512s v4
// launch scans 2 global 12 23 1 offset 0 0 0 local 5 20 1 arguments o3312i i2048s v4
kernel void scans(ARGS) {
    local int part[20];
    size_t at = get_global_linear_id();
    int x = in[at] * n;
    part[get_local_id(1)] = n;
    out[at * 3] = work_group_scan_inclusive_add(x);
    out[at * 3 + 1] = work_group_scan_exclusive_max(x & 0xfff);
    out[at * 3 + 2] = work_group_scan_inclusive_min(x) + part[get_local_size(1) - 1 - get_local_id(1)];
}

// Ways of its own at a barrier that all come to, an array of its own, a loop that lanes leave one by one.
// launch wanders 2 global 3 36 1 offset 0 4 0 local 1 18 1 arguments o432i i1024s v6
// launch wanders 2 global 9 32 1 offset 2 0 0 local 3 16 1 arguments o1152i i2048s v6
kernel void wanders(ARGS) {
    local int seen[64];
    int y = get_local_id(1), x = get_local_id(0), last = get_local_size(1) - 1, kept[5];
    int at = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    int v = in[at] ^ n;
    for (int k = 0; k < 5; k++)
        kept[k] = v >> k;
    for (int turn = 0; turn < 3; turn++) {
        seen[x * 18 + y] = kept[(v + turn) & 3];
        barrier(CLK_LOCAL_MEM_FENCE);
        int up = seen[x * 18 + max(y - 1, 0)], down = seen[x * 18 + min(y + 1, last)];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (up > down)
            kept[turn & 3] += up - y;
        else
            for (int k = 0; k < (v & 7); k++)
                kept[k % 5] ^= down + k;
        v = v * 3 + kept[(turn + y) % 5];
    }
    out[at] = v;
}
