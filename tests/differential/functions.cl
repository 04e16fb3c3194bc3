// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that ask for ids: nested, in loops, where items part, with large variables, next to
// barriers and what holds them, printf, program-scope variables, pointers to local memory, kernels
// that call kernels. WEFT_FUNCTIONS keeps them functions.

#define ARGS __global int *out, __global const int *in, __local int *scratch, int n
#define GID (get_global_linear_id())
#define LID ((int)get_local_linear_id())

int group_items(void) {
    return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

ulong all_ids(uint from) {
    ulong sum = get_work_dim();
    for (uint i = from; i < 4; i++)
        sum = sum * 31 + get_global_id(i) + 3 * get_local_id(i) + 7 * get_group_id(i) + 11 * get_local_size(i) +
              13 * get_enqueued_local_size(i) + 17 * get_global_size(i) + 19 * get_global_offset(i) +
              23 * get_num_groups(i);
    return sum * 31 + get_local_linear_id() + 5 * get_global_linear_id();
}

__kernel void every_id(ARGS) {
    ulong sum = all_ids(0);
    out[GID] = (int)(sum ^ sum >> 32);
}

int only_local(void) { return (int)get_local_id(0); }
int only_global(void) { return (int)get_global_id(0); }
int nested(int x) { return only_local() * 3 + only_global() * x; }
int twice_nested(int x) { return nested(x) - nested(x + 1) * only_local(); }

__kernel void nested_calls(ARGS) {
    out[GID] = twice_nested(in[GID]) + nested(n);
}

__kernel void calls_in_loops(ARGS) {
    int sum = 0;
    for (int i = 0; i < n + LID % 3; i++)
        for (int j = 0; j < 1 + (in[GID] & 3); j++)
            sum = sum * 5 + twice_nested(i * j);
    out[GID] = sum;
}

__kernel void divergent_calls(ARGS) {
    int x = in[GID];
    if (x & 1)
        x = nested(x);
    else if (x & 2)
        return (void)(out[GID] = twice_nested(x));
    switch (LID % 3) {
    case 0:
        x += only_global();
        break;
    case 1:
        x ^= (int)all_ids(1);
    }
    out[GID] = x;
}

typedef struct { int a[3]; long b; } record;

record make_record(int x) {
    record made = {{x, only_local(), (int)get_group_id(0)}, all_ids(2)};
    return made;
}

int use_record(record from, record *to) {
    record other = make_record(from.a[0] + 1);
    *to = other;
    return (int)(from.b - other.b) + from.a[1] * other.a[2];
}

__kernel void structures(ARGS) {
    record first = make_record(in[GID]), second;
    int x = use_record(first, &second);
    out[GID] = x + second.a[0] + second.a[1] * first.a[2];
}

int large(int x, int *more) {
    int kept[500];
    for (int i = 0; i < 500; i++)
        kept[i] = x * i + only_local();
    *more += kept[(x & 255) + (only_global() & 127)];
    return kept[499 - (x & 63)];
}

int large_above_large(int x) {
    int kept[300], more = x;
    for (int i = 0; i < 300; i++)
        kept[i] = i ^ x;
    int sum = large(x, &more) + large(more, &kept[x & 255]);
    for (int i = 0; i < 300; i++)
        sum = sum * 3 + kept[i];
    return sum + more + only_global();
}

__kernel void large_frames(ARGS) {
    int more = 0;
    int x = large_above_large(in[GID]) + large(n, &more);
    if (x & 1)
        x += large(x, &more);
    out[GID] = x + more;
}

/* Both leave the frame, of which one is the first thing in the function. */
int two_large(void) {
    int first[400], second[300];
    for (int i = 0; i < 400; i++)
        first[i] = second[i % 300] = i * only_local();
    return first[only_global() & 255] - second[only_local() & 127];
}

__kernel void two_large_variables(ARGS) {
    out[GID] = two_large() + in[GID];
}

__kernel void large_frames_and_barriers(ARGS) {
    int mine[5] = {1, 2, 3, 4, 5}, x = in[GID];
    for (int i = 0; i < 3; i++) {
        scratch[LID] = large(x + i, &mine[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
        x += scratch[(LID + 1) % group_items()] + mine[i + 1];
        mine[i + 2] ^= large_above_large(x);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[GID] = x + mine[0] * mine[3] + mine[4];
}

/* A barrier, and a function with ids in a function with a barrier. */
int exchange(__local int *scratch, int x) {
    scratch[LID] = nested(x);
    barrier(CLK_LOCAL_MEM_FENCE);
    int result = scratch[(LID + 1) % group_items()] + (int)all_ids(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

int exchange_twice(__local int *scratch, int x) {
    return exchange(scratch, x) * 3 + exchange(scratch, twice_nested(x));
}

__kernel void barriers_in_functions(ARGS) {
    int x = exchange_twice(scratch, in[GID]);
    if (n > 1)
        x += exchange(scratch, x);
    out[GID] = x + nested(x);
}

int sum_of_scratch(__local const int *scratch, int items) {
    int sum = 0;
    for (int i = 0; i < items; i++)
        sum = sum * 3 + scratch[(i + LID) % items];
    return sum;
}

__kernel void local_pointers(ARGS) {
    __local int own[4];
    scratch[LID] = in[GID];
    if (LID < 4)
        own[LID] = n + LID;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = sum_of_scratch(scratch, group_items()) + sum_of_scratch(own, min(4, group_items()));
}

__global int program_scope[3] = {5, 6, 7};
__constant int table[4] = {3, 1, 4, 1};

int from_program_scope(int x) {
    return program_scope[x % 3u] + table[only_local() & 3];
}

__kernel void program_variables(ARGS) {
    out[GID] = from_program_scope(in[GID] & 7) * from_program_scope(only_global() & 7);
}


int where(__generic int *pointer) {
    return (to_private(pointer) ? 1 : 0) + (to_local(pointer) ? 2 : 0) + (to_global(pointer) ? 4 : 0);
}

int where_mine(__generic int *pointer, int x) {
    int mine[400];
    for (int i = 0; i < 400; i++)
        mine[i] = x + i + only_local();
    return where(pointer) * 100 + where(mine) + mine[x & 255];
}

__kernel void address_spaces(ARGS) {
    int mine[2] = {n, in[GID]};
    out[GID] = where(mine) + 10 * where(scratch) + 100 * where(out) + where_mine(&mine[1], 3) +
               where_mine(out, n) + where_mine(scratch, 5);
}

void add_atomically(volatile __local int *place, int x) {
    atomic_add(place, x * only_local());
}

__kernel void atomics_in_functions(ARGS) {
    __local int sum;
    if (LID == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    add_atomically(&sum, in[GID]);
    add_atomically(&sum, n);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = sum;
}

__kernel void a_kernel_that_calls_kernels(ARGS) {
    if (in[GID] & 1)
        nested_calls(out, in, scratch, n);
    else
        large_frames(out, in, scratch, n + 1);
}

__kernel void a_kernel_that_calls_barriers(ARGS) {
    if (n & 1)
        barriers_in_functions(out, in, scratch, n);
    else
        large_frames_and_barriers(out, in, scratch, n);
    out[GID] += only_local();
}

float of_library(float x) {
    return sin(x + (float)only_local()) * exp(-x * 0.01f) + fract(x * 1.5f, &x) + x;
}

__kernel void library_functions(ARGS) {
    out[GID] = (int)(of_library((float)(in[GID] & 15)) * 1000.0f) / 8;
}

int4 vectors(int4 x, bool swap) {
    int4 ids = {only_local(), only_global(), LID, (int)GID};
    return swap ? x.wzyx * ids : x + ids.yxwz;
}

__kernel void vector_parameters(ARGS) {
    int4 x = vectors((int4)(in[GID], n, 3, 4), in[GID] & 1);
    x = vectors(x, !(x.x & 1));
    out[GID] = x.x ^ x.y * 3 ^ x.z * 5 ^ x.w * 7;
}

int sum_of_group(int x) {
    return work_group_reduce_add(x * only_local()) + nested(x);
}

__kernel void work_group_functions(ARGS) {
    out[GID] = sum_of_group(in[GID]) - work_group_broadcast(nested(n), 0, 0, 0);
}

int early(int x) {
    if (only_local() & 1)
        return nested(x);
    while (x > 0 && (x & 3) != only_global() % 4)
        x--;
    return x;
}

__kernel void early_returns(ARGS) {
    if (early(in[GID]) & 1)
        return (void)(out[GID] = early(n));
    out[GID] = early(LID) + early(in[GID] + 7);
}
