// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Locks and loops that wait for other work-items: OpenCL promises them nothing, programs have them
// all the same. Each must end in every configuration. The last 64 ints of `out` are shared by the
// whole launch and hold FREE at its start. Groups run on several threads at the same time.

#define ARGS global int *out, global const int *in, local int *scratch, int n
#define FREE 0x1234567
#define SHARED(k) ((volatile global int *)out + 4096 + (k))
#define GID get_global_linear_id()
#define LID ((int)get_local_linear_id())

// Waits first, then does its work: with several items in step, none would ever leave the loop.
kernel void lock_before_work(ARGS) {
    while (atomic_cmpxchg(SHARED(0), FREE, 1) != FREE) {
    }
    *SHARED(1) = *SHARED(1) + in[GID];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(SHARED(0), FREE);
    out[GID] = n;
}

// The work is inside of the loop.
kernel void lock_around_work(ARGS) {
    int waiting = 1;
    while (waiting) {
        if (atomic_cmpxchg(SHARED(0), FREE, 1) == FREE) {
            *SHARED(1) = *SHARED(1) + 3;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(SHARED(0), FREE);
            waiting = 0;
        }
    }
    out[GID] = (int)GID;
}

// Only some items take it.
kernel void lock_of_some(ARGS) {
    if (in[GID] & 1) {
        while (atomic_xchg(SHARED(2), 7) != FREE)
            ;
        *SHARED(3) = *SHARED(3) ^ in[GID];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(SHARED(2), FREE);
    }
    out[GID] = in[GID];
}

// "First come, first served."
kernel void ticket_lock(ARGS) {
    int ticket = atomic_inc(SHARED(0));
    while (atomic_add(SHARED(1), 0) != ticket) {
    }
    *SHARED(2) = *SHARED(2) + (int)GID;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(SHARED(1));
    out[GID] = n;
}

// Tickets with a plain volatile load.
kernel void ticket_lock_volatile(ARGS) {
    int ticket = atomic_inc(SHARED(4));
    while (*SHARED(5) != ticket)
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    *SHARED(6) = *SHARED(6) * 1 + 5;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(SHARED(5));
    out[GID] = n;
}

// A lock in local memory, between barriers.
kernel void local_lock(ARGS) {
    local int lock, sum;
    if (LID == 0)
        lock = sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_cmpxchg((volatile local int *)&lock, 0, 1))
        ;
    sum += in[GID];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    atomic_xchg((volatile local int *)&lock, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = sum;
}

// OpenCL C 2.0's atomics.
kernel void local_lock_c11(ARGS) {
    local atomic_flag lock;
    local int sum;
    if (LID == 0) {
        atomic_flag_clear_explicit(&lock, memory_order_release, memory_scope_work_group);
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire, memory_scope_work_group))
        ;
    sum = sum + LID * n;
    atomic_flag_clear_explicit(&lock, memory_order_release, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = sum;
}

// pocl 1509: what a float addition is made of.
kernel void exchange_until_it_holds(ARGS) {
    local int sum;
    if (LID == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int before, after;
    do {
        before = *(volatile local int *)&sum;
        after = before + in[GID] + n;
    } while (atomic_cmpxchg((volatile local int *)&sum, before, after) != before);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = sum;
}

// One lock per bin, taken inside a divergent loop.
kernel void lock_per_bin(ARGS) {
    for (int i = 0; i < (in[GID] & 3); i++) {
        int bin = (in[GID] + i) & 7, done = 0;
        do {
            if (atomic_cmpxchg(SHARED(16 + bin), FREE, 2) == FREE) {
                *SHARED(32 + bin) = *SHARED(32 + bin) + i + 1;
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                atomic_xchg(SHARED(16 + bin), FREE);
                done = 1;
            }
        } while (!done);
    }
    out[GID] = n;
}

// Each item waits for the one before it in its group.
kernel void chain(ARGS) {
    local int turn;
    if (LID == 0)
        turn = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_add((volatile local int *)&turn, 0) != LID)
        ;
    scratch[0] = LID ? scratch[0] * 3 + in[GID] : in[GID];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    atomic_inc((volatile local int *)&turn);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = scratch[0];
}

// Locks in functions that are not inlined.
__attribute__((noinline)) void take(volatile global int *lock) {
    while (atomic_cmpxchg(lock, FREE, 1) != FREE)
        ;
}

__attribute__((noinline)) int is_taken(volatile global int *lock) {
    return atomic_xchg(lock, 1) != FREE;
}

__attribute__((noinline)) void look(volatile global int *lock, int *found) {
    *found = atomic_xchg(lock, 1);
}

kernel void lock_in_function(ARGS) {
    take(SHARED(0));
    *SHARED(1) = *SHARED(1) + in[GID];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(SHARED(0), FREE);
    out[GID] = n;
}

kernel void lock_by_function(ARGS) {
    while (is_taken(SHARED(0)))
        ;
    *SHARED(1) = *SHARED(1) + in[GID];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(SHARED(0), FREE);
    out[GID] = n;
}

kernel void lock_by_variable(ARGS) {
    int found;
    do
        look(SHARED(0), &found);
    while (found != FREE);
    *SHARED(1) = *SHARED(1) + in[GID];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(SHARED(0), FREE);
    out[GID] = n;
}
