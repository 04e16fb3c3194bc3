// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One kernel per sub-group function, for sub_groups.c, which knows what comes out. ALL: all items
// call it; SOME: only those whose input is odd, so lanes part.

#define ALL(name, expression)                                                                      \
    kernel void name(global long *out, global const int *in) {                                     \
        size_t g = get_global_linear_id();                                                         \
        int x = in[g];                                                                             \
        out[g] = (expression);                                                                     \
    }
#define SOME(name, expression)                                                                     \
    kernel void name(global long *out, global const int *in) {                                     \
        size_t g = get_global_linear_id();                                                         \
        int x = in[g];                                                                             \
        long result = -1;                                                                          \
        if (x & 1)                                                                                 \
            result = (expression);                                                                 \
        out[g] = result;                                                                           \
    }
#define WORD(mask) ((long)(mask).x | (long)(mask).y << 32)

ALL(size, get_sub_group_size())
ALL(max_size, get_max_sub_group_size())
ALL(count, get_num_sub_groups())
ALL(enqueued_count, get_enqueued_num_sub_groups())
ALL(id, get_sub_group_id())
ALL(local_id, get_sub_group_local_id())
ALL(all, sub_group_all(x > 20))
ALL(any, sub_group_any(x > 240))
ALL(broadcast, sub_group_broadcast(x, 0))
ALL(broadcast_last, sub_group_broadcast((double)x, get_sub_group_size() - 1))
ALL(reduce_add, sub_group_reduce_add(x))
ALL(reduce_add_char, sub_group_reduce_add((char)x))
ALL(reduce_add_float, sub_group_reduce_add((float)x))
ALL(reduce_min, sub_group_reduce_min(x - 100))
ALL(reduce_min_uint, sub_group_reduce_min((uint)(x - 100)))
ALL(reduce_max, sub_group_reduce_max((long)x - 100))
ALL(reduce_max_double, sub_group_reduce_max(x - 100.0))
ALL(scan_inclusive_add, sub_group_scan_inclusive_add(x))
ALL(scan_exclusive_add, sub_group_scan_exclusive_add((ulong)x))
ALL(scan_exclusive_max, sub_group_scan_exclusive_max(x))
ALL(scan_inclusive_min, sub_group_scan_inclusive_min((short)x))
ALL(shuffle, sub_group_shuffle(x, x % get_sub_group_size()))
ALL(shuffle_xor, sub_group_shuffle_xor((float)x, 1))
ALL(shuffle_up, sub_group_shuffle_up((uchar)x, 1))
ALL(shuffle_down, sub_group_shuffle_down((double)x, 1))
ALL(shuffle_vector, sub_group_broadcast((int4)(x, x + 1, x + 2, x + 3), 0).z)
ALL(rotate, sub_group_rotate(x, 1))
ALL(clustered_rotate, sub_group_clustered_rotate(x, 1, 2))
ALL(clustered_add, sub_group_clustered_reduce_add(x, 4))
ALL(clustered_max, sub_group_clustered_reduce_max((float)x, 1))

SOME(elect, sub_group_elect())
SOME(some_all, sub_group_non_uniform_all(x > 20))
SOME(some_any, sub_group_non_uniform_any(x > 240))
SOME(all_equal, sub_group_non_uniform_all_equal(x & 3))
SOME(some_first, sub_group_broadcast_first(x))
SOME(ballot, WORD(sub_group_ballot(x & 2)))
SOME(inverse_ballot, sub_group_inverse_ballot(sub_group_ballot(x & 2)))
SOME(bit_extract, sub_group_ballot_bit_extract(sub_group_ballot(1), 1))
SOME(bit_count, sub_group_ballot_bit_count(sub_group_ballot(x & 2)))
SOME(ballot_inclusive, sub_group_ballot_inclusive_scan(sub_group_ballot(1)))
SOME(ballot_exclusive, sub_group_ballot_exclusive_scan(sub_group_ballot(1)))
SOME(find_lsb, sub_group_ballot_find_lsb(sub_group_ballot(1)))
SOME(find_msb, sub_group_ballot_find_msb(sub_group_ballot(1)))
SOME(eq_mask, WORD(get_sub_group_eq_mask()))
SOME(ge_mask, WORD(get_sub_group_ge_mask()))
SOME(gt_mask, WORD(get_sub_group_gt_mask()))
SOME(le_mask, WORD(get_sub_group_le_mask()))
SOME(lt_mask, WORD(get_sub_group_lt_mask()))
SOME(some_add, sub_group_non_uniform_reduce_add(x))
SOME(some_mul, sub_group_non_uniform_reduce_mul((uint)x))
SOME(some_and, sub_group_non_uniform_reduce_and(x))
SOME(some_or, sub_group_non_uniform_reduce_or((short)x))
SOME(some_xor, sub_group_non_uniform_reduce_xor((uchar)x))
SOME(some_scan, sub_group_non_uniform_scan_exclusive_add((double)x))
SOME(some_scan_min, sub_group_non_uniform_scan_inclusive_min((float)x))
SOME(logical_and, !!sub_group_non_uniform_reduce_logical_and(x & 2))
SOME(logical_or, !!sub_group_non_uniform_scan_exclusive_logical_or(x & 2))
SOME(logical_xor, !!sub_group_non_uniform_scan_inclusive_logical_xor(x & 2))

/* Each lane leaves its loop after so many trips; each trip counts who is still there. */
kernel void in_loop(global long *out, global const int *in) {
    size_t g = get_global_linear_id();
    long sum = 0;
    for (int i = 0; i < in[g] % 5; i++)
        sum += sub_group_non_uniform_reduce_add(1) * 100 + sub_group_elect();
    out[g] = sum;
}

/* Lanes meet again behind the branch. */
kernel void behind_branch(global long *out, global const int *in) {
    size_t g = get_global_linear_id();
    int x = in[g];
    if (x & 1)
        x = sub_group_non_uniform_reduce_max(x);
    else
        x = sub_group_non_uniform_reduce_min(x);
    out[g] = sub_group_reduce_add(x);
}

/* What a lane writes before the barrier its neighbour finds behind it. */
kernel void through_memory(global long *out, global const int *in) {
    local int shared[256];
    size_t g = get_global_linear_id(), l = get_local_linear_id();
    shared[l] = in[g];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
    size_t first = l - get_sub_group_local_id();
    out[g] = shared[first + (get_sub_group_local_id() + 1) % get_sub_group_size()];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}

/* Values of sub-groups live across barriers of the group. */
kernel void across_barrier(global long *out, global const int *in) {
    local int sums[256];
    size_t g = get_global_linear_id();
    int sum = sub_group_reduce_add(in[g]);
    if (get_sub_group_local_id() == 0)
        sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    int total = 0;
    for (uint i = 0; i < get_num_sub_groups(); i++)
        total += sums[i];
    out[g] = (long)total * 1000 + get_local_id(0) + get_local_id(1) + get_local_id(2);
}

/* A result that is the same for all lanes decides where they go. */
kernel void uniform_branch(global long *out, global const int *in) {
    size_t g = get_global_linear_id();
    long result = in[g];
    if (sub_group_reduce_add(in[g]) & 1)
        for (int i = 0; i < sub_group_broadcast(in[g], 0) % 4; i++)
            result += sub_group_scan_inclusive_add(1);
    out[g] = result;
}
