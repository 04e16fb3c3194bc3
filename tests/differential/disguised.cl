// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Locks that look like loops which only repeat an exchange until nobody else has come between
// (retry.cl): items wait in them all the same, and several at once would wait for ever. As in
// locks.cl, each must end in every configuration.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#define ARGS global int *out, global const int *in, local int *scratch, int n
#define FREE 0x1234567
#define TAKEN (int)0x80000000
#define SHARED(k) ((volatile global int *)out + 4096 + (k))
#define GID get_global_linear_id()
#define LID ((int)get_local_linear_id())
#define TRY(p, old, new) (atomic_cmpxchg(p, old, new) == (old))

// What needs the lock, and its end.
#define WORK                                                                                       \
    do {                                                                                           \
        *SHARED(1) = *SHARED(1) + in[GID];                                                         \
        mem_fence(CLK_GLOBAL_MEM_FENCE);                                                           \
        atomic_and(SHARED(0), ~TAKEN);                                                             \
        out[GID] = n;                                                                              \
    } while (0)

// What is compared is what was read, but for the bit.
kernel void without_its_bit(ARGS) {
    int old;
    do {
        old = *SHARED(0) & ~TAKEN;
    } while (!TRY(SHARED(0), old, old | TAKEN));
    WORK;
}

// Likewise, of what the exchange before gave.
kernel void found_without_its_bit(ARGS) {
    int old, found = *SHARED(0);
    do {
        old = found & ~TAKEN;
        found = atomic_cmpxchg(SHARED(0), old, old | TAKEN);
    } while (found != old);
    WORK;
}

// Goes round without an attempt.
kernel void looks_first(ARGS) {
    for (;;) {
        int old = *SHARED(0);
        if (old & TAKEN)
            continue;
        if (TRY(SHARED(0), old, old | TAKEN))
            break;
    }
    WORK;
}

kernel void looks_first_in_one_condition(ARGS) {
    int old;
    do {
        old = *SHARED(0);
    } while ((old & TAKEN) || !TRY(SHARED(0), old, old | TAKEN));
    WORK;
}

kernel void waits_inside(ARGS) {
    int old;
    do {
        while ((old = *SHARED(0)) & TAKEN)
            ;
    } while (!TRY(SHARED(0), old, old | TAKEN));
    WORK;
}

// Goes round although it has succeeded.
kernel void succeeds_too_early(ARGS) {
    int old, success;
    do {
        old = *SHARED(0);
        success = TRY(SHARED(0), old, old | TAKEN);
    } while (!success || (old & TAKEN));
    WORK;
}

kernel void succeeds_too_early_by_flag(ARGS) {
    int waiting = 1;
    while (waiting) {
        int old = *SHARED(0);
        if (TRY(SHARED(0), old, old | TAKEN))
            waiting = old & TAKEN;
    }
    WORK;
}

// A retry loop within the loop that waits.
kernel void waits_outside(ARGS) {
    for (;;) {
        int old;
        do {
            old = *SHARED(0);
        } while (!TRY(SHARED(0), old, old | TAKEN));
        if (!(old & TAKEN))
            break;
    }
    WORK;
}

// The same with loads that are not volatile.
kernel void waits_outside_plainly(ARGS) {
    global int *p = out + 4096;
    for (;;) {
        int old;
        do {
            old = *p;
        } while (!TRY(p, old, old | TAKEN));
        if (!(old & TAKEN))
            break;
    }
    WORK;
}

kernel void waits_outside_as_float(ARGS) {
    volatile global float *p = (volatile global float *)SHARED(0);
    float old;
    do {
        do {
            old = *p;
        } while (!TRY(SHARED(0), as_int(old), as_int(-fabs(old))));
    } while (old < 0);
    WORK;
}

kernel void waits_outside_c11(ARGS) {
    global atomic_int *p = (global atomic_int *)(out + 4096);
    int old;
    do {
        old = atomic_load(p);
        while (!atomic_compare_exchange_weak(p, &old, old | TAKEN))
            ;
    } while (old & TAKEN);
    WORK;
}

// The word that decides comes by way of memory.
kernel void waits_by_private_array(ARGS) {
    int found[4] = {0};
    do {
        int old;
        do {
            old = *SHARED(0);
        } while (!TRY(SHARED(0), old, old | TAKEN));
        found[n & 3] = old;
    } while (found[in[GID] & 3 & n] & TAKEN || found[n & 3] & TAKEN);
    WORK;
}

kernel void waits_by_local_memory(ARGS) {
    do {
        int old;
        do {
            old = *SHARED(0);
        } while (!TRY(SHARED(0), old, old | TAKEN));
        scratch[LID + (n & 1)] = old;
    } while (scratch[LID + (n & 1)] & TAKEN);
    WORK;
}

kernel void waits_by_flag_in_memory(ARGS) {
    int done[4] = {0};
    while (!done[n & 3]) {
        int old;
        do {
            old = *SHARED(0);
        } while (!TRY(SHARED(0), old, old | TAKEN));
        if (!(old & TAKEN))
            done[n & 3] = 1;
    }
    WORK;
}

// What is compared was read once.
kernel void never_reads_again(ARGS) {
    int old = *SHARED(0) & ~TAKEN;
    while (!TRY(SHARED(0), old, old | TAKEN))
        ;
    WORK;
}

// The expected value is set anew in each turn.
kernel void expects_the_same(ARGS) {
    global atomic_int *p = (global atomic_int *)(out + 4096);
    int expected = FREE;
    while (!atomic_compare_exchange_strong(p, &expected, FREE | TAKEN))
        expected = FREE;
    WORK;
}

// What is compared was read elsewhere, where nothing ever changes.
kernel void reads_elsewhere(ARGS) {
    int old;
    do {
        old = *SHARED(40);
    } while (!TRY(SHARED(0), old, old | TAKEN));
    WORK;
}

kernel void reads_where_it_varies(ARGS) {
    int old, k = 0;
    do {
        old = *SHARED(40 + (k++ & 1));
    } while (!TRY(SHARED(0 * k), old, old | TAKEN));
    WORK;
}

// A word that no float is equal to means "taken": the exchange succeeds and seems to have failed.
kernel void not_a_number(ARGS) {
    float old, found;
    do {
        old = *(volatile global float *)SHARED(0);
        found = as_float(atomic_cmpxchg(SHARED(0), as_int(old), 0x7fc00000));
    } while (found != old);
    *SHARED(1) = *SHARED(1) + in[GID];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(SHARED(0), FREE);
    out[GID] = n;
}

// Tickets, drawn and waited for by retry loops.
kernel void tickets(ARGS) {
    int ticket, serving;
    do {
        ticket = *SHARED(2);
    } while (!TRY(SHARED(2), ticket, ticket + 1));
    do {
        do {
            serving = *SHARED(3);
        } while (!TRY(SHARED(3), serving, serving));
    } while (serving != ticket);
    *SHARED(1) = *SHARED(1) + in[GID];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(SHARED(3));
    out[GID] = n;
}

// Who comes behind the item before it in its group adds one; an exchange of the same succeeds.
kernel void chain_by_exchange(ARGS) {
    local int turn;
    volatile local int *p = &turn;
    if (LID == 0)
        turn = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int old, found;
    do {
        old = *p;
        found = atomic_cmpxchg(p, old, old == LID ? old + 1 : old);
    } while (found != old || old != LID);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = turn;
}

kernel void chain_without_attempts(ARGS) {
    local int turn;
    volatile local int *p = &turn;
    if (LID == 0)
        turn = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int old;
    do {
        old = *p;
    } while (old != LID || !TRY(p, old, old + 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = turn;
}

// A semaphore of one.
kernel void semaphore(ARGS) {
    int old;
    do {
        old = *SHARED(0);
    } while (old < FREE || !TRY(SHARED(0), old, old - 1));
    *SHARED(1) = *SHARED(1) + 3;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(SHARED(0));
    out[GID] = n;
}

// The critical section is inside.
kernel void work_inside(ARGS) {
    int done = 0;
    do {
        int old = *SHARED(0);
        if (!(old & TAKEN) && TRY(SHARED(0), old, old | TAKEN)) {
            WORK;
            done = 1;
        }
    } while (!done);
}

// As a machine of states.
kernel void states(ARGS) {
    int state = 0, old = 0;
    while (state < 3)
        switch (state) {
        case 0:
            old = *SHARED(0);
            state = old & TAKEN ? 0 : 1;
            break;
        case 1:
            state = TRY(SHARED(0), old, old | TAKEN) ? 2 : 0;
            break;
        default:
            WORK;
            state = 3;
        }
}

// Two locks, tried by turns.
kernel void one_of_two(ARGS) {
    int k = 0, old;
    do {
        k ^= 1;
        old = FREE;
    } while (!TRY(SHARED(8 + k), old, TAKEN));
    out[GID] = n;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(SHARED(8 + k), FREE);
}

// Waits for another word between reading and the attempt.
kernel void waits_for_another_word(ARGS) {
    local int word, turn;
    volatile local int *p = &word, *t = &turn;
    if (LID == 0)
        word = turn = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int old;
    do {
        old = *p;
        while (*t != LID)
            ;
    } while (!TRY(p, old, old * 3 + in[GID]));
    *t = LID + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = word;
}

kernel void long_without_its_bit(ARGS) {
    volatile global long *p = (volatile global long *)(out + 4096 + 16);
    long old;
    do {
        old = *p & LONG_MAX;
    } while (atom_cmpxchg(p, old, old | LONG_MIN) != old);
    *SHARED(1) = *SHARED(1) + in[GID];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atom_xchg(p, old);
    out[GID] = n;
}
