// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that repeat a compare-and-exchange until nobody else has come between: several items run
// them at once. Results do not depend on the order: sums of integers and of small whole floats,
// maxima. (disguised.cl: loops that only look like these.) tests/compiler/retry.py asks that all of
// these kernels are wide where a sub-group size is required.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#ifndef SIZE
#define SIZE
#endif
#define ARGS global int *out, global const int *in, local int *scratch, int n
#define FREE 0x1234567
#define SHARED(k) ((volatile global int *)out + 4096 + (k))
#define GID get_global_linear_id()
#define LID ((int)get_local_linear_id())
#define BIN(k) SHARED((in[GID] + (k)) & 7)
#define SMALL ((float)(in[GID] & 63))
// The words are FREE at first: 0.0f in this way of writing them.
#define FLOAT(bits) as_float((bits) ^ FREE)
#define BITS(value) (as_int(value) ^ FREE)

void add(volatile global int *p, float value) {
    int old;
    do {
        old = *p;
    } while (atomic_cmpxchg(p, old, BITS(FLOAT(old) + value)) != old);
}

// What the failed exchange found is compared next.
void add_found(volatile global int *p, float value) {
    int old, found = *p;
    do {
        old = found;
        found = atomic_cmpxchg(p, old, BITS(FLOAT(old) + value));
    } while (found != old);
}

SIZE kernel void one_word(ARGS) {
    add(SHARED(0), SMALL);
    out[GID] = n;
}

SIZE kernel void bins(ARGS) {
    for (int i = 0; i <= n; i++)
        add(BIN(i), SMALL);
    out[GID] = n;
}

SIZE kernel void bins_found(ARGS) {
    for (int i = 0; i <= n; i++)
        add_found(BIN(i), SMALL + i);
    out[GID] = n;
}

SIZE kernel void where_lanes_part(ARGS) {
    int result = 0;
    for (int i = 0; i < (in[GID] & 7); i++)
        if ((in[GID] + i) & 1) {
            add(BIN(i), SMALL);
            result += i;
        } else if (i > 2) {
            add_found(BIN(8 - i), 3);
            result ^= i;
        }
    out[GID] = result;
}

SIZE kernel void maximum_of_floats(ARGS) {
    volatile global int *p = BIN(0);
    float value = as_float(0x1234567 + (in[GID] & 0xffff) * 64);
    while (1) {
        int old = *p;
        if (as_float(old) >= value || atomic_cmpxchg(p, old, as_int(value)) == old)
            break;
    }
    out[GID] = n;
}

SIZE kernel void minimum_of_floats(ARGS) {
    volatile global int *p = BIN(0);
    float value = as_float(0x1234567 - (in[GID] & 0xffff) * 64);
    for (int old = *p, found; value < as_float(old); old = found)
        if ((found = atomic_cmpxchg(p, old, as_int(value))) == old)
            break;
    out[GID] = n;
}

// What is expected is a variable, changed where the exchange fails.
SIZE kernel void c11_weak(ARGS) {
    global atomic_int *p = (global atomic_int *)BIN(0);
    int old = atomic_load(p);
    while (!atomic_compare_exchange_weak(p, &old, old + in[GID]))
        ;
    out[GID] = n;
}

// Expected at first: anything.
SIZE kernel void c11_strong_guessed(ARGS) {
    global atomic_int *p = (global atomic_int *)BIN(0);
    int old = LID;
    while (!atomic_compare_exchange_strong_explicit(p, &old, old ^ in[GID], memory_order_relaxed,
                                                    memory_order_relaxed, memory_scope_device))
        ;
    out[GID] = n;
}

SIZE kernel void c11_reads_each_turn(ARGS) {
    global atomic_int *p = (global atomic_int *)BIN(0);
    for (;;) {
        int old = atomic_load_explicit(p, memory_order_acquire, memory_scope_device);
        int larger = max(old, in[GID] | FREE);
        if (larger == old)
            break;
        if (atomic_compare_exchange_strong(p, &old, larger))
            break;
    }
    out[GID] = n;
}

SIZE kernel void local_words(ARGS) {
    local int sums[8];
    if (LID == 0)
        for (int i = 0; i < 8; i++)
            sums[i] = FREE;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local int *p = sums + (in[GID] & 7);
    int old;
    do {
        old = *p;
    } while (atomic_cmpxchg(p, old, BITS(FLOAT(old) + SMALL)) != old);
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum = sum * 3 + sums[i];
    out[GID] = sum;
}

SIZE kernel void local_or_global(ARGS) {
    local atomic_int sum;
    if (LID == 0)
        atomic_init(&sum, FREE);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_int *p = in[GID] & 1 ? (atomic_int *)&sum : (atomic_int *)(global atomic_int *)BIN(0);
    int old = atomic_load(p);
    do {
    } while (!atomic_compare_exchange_weak(p, &old, old * 1 + in[GID]));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = atomic_load(&sum);
}

SIZE kernel void longs(ARGS) {
    volatile global long *p = (volatile global long *)(out + 4096 + 16) + (in[GID] & 3);
    long old, found;
    do {
        old = *p;
        found = atom_cmpxchg(p, old, old + ((long)in[GID] << 20));
    } while (found != old);
    out[GID] = n;
}

SIZE kernel void doubles(ARGS) {
    volatile global long *p = (volatile global long *)(out + 4096 + 16) + (in[GID] & 3);
    const long none = (long)FREE << 32 | FREE;
    long old, found = *p;
    do {
        old = found;
        double sum = as_double(old ^ none) + (double)(in[GID] & 1023);
        found = atom_cmpxchg(p, old, as_long(sum) ^ none);
    } while (found != old);
    out[GID] = n;
}

// What the exchange found is used behind the loop.
SIZE kernel void used_behind(ARGS) {
    volatile global int *p = SHARED(in[GID] & 3);
    int old, found = *p;
    do {
        old = found;
        found = atomic_cmpxchg(p, old, old + 1);
    } while (found != old);
    atomic_add(SHARED(8), found - FREE);
    out[GID] = n;
}

SIZE kernel void first_attempt_before(ARGS) {
    volatile global int *p = BIN(0);
    int old = *p, found;
    while ((found = atomic_cmpxchg(p, old, old + in[GID])) != old) {
        old = found;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    out[GID] = found != old;
}

SIZE kernel void reads_behind(ARGS) {
    volatile global int *p = BIN(0);
    int old = *p;
    while (atomic_cmpxchg(p, old, old + in[GID]) != old)
        old = *p;
    out[GID] = n;
}

SIZE kernel void by_flag(ARGS) {
    volatile global int *p = BIN(0);
    int done = 0, other = 0;
    while (!done) {
        int old = *p;
        if (atomic_cmpxchg(p, old, old + 5) == old)
            done = 1;
        else
            other = 1;
    }
    out[GID] = done;
}

SIZE kernel void by_goto(ARGS) {
    volatile global int *p = BIN(0);
    int old;
    goto read;
again:
    mem_fence(CLK_GLOBAL_MEM_FENCE);
read:
    old = *p;
    if (atomic_cmpxchg(p, old, old ^ in[GID]) != old)
        goto again;
    out[GID] = n;
}

SIZE kernel void with_a_bound(ARGS) {
    volatile global int *p = BIN(0);
    int given_up = 1;
    for (int i = 0; i < 1000000; i++) {
        int old = *p;
        if (atomic_cmpxchg(p, old, old - in[GID]) == old) {
            given_up = 0;
            break;
        }
    }
    out[GID] = given_up;
}

// The place is found anew in each turn.
SIZE kernel void place_in_memory(ARGS) {
    int old;
    do {
        old = *SHARED(in[GID] & 7);
    } while (atomic_cmpxchg(SHARED(in[GID] & 7), old, old + in[GID]) != old);
    int found = *SHARED(8 + (in[GID] & 7));
    do {
        old = found;
        found = atomic_cmpxchg(SHARED(8 + (in[GID] & 7)), old, old + 1);
    } while (found != old);
    out[GID] = n;
}

// Bytes of a word, which end at 255.
SIZE kernel void pixels(ARGS) {
    volatile global int *p = BIN(0);
    uchar4 more = (uchar4)(in[GID] & 3, 1, in[GID] >> 3 & 7, 255);
    int old;
    do {
        old = *p;
    } while (atomic_cmpxchg(p, old, as_int(add_sat(as_uchar4(old), more))) != old);
    out[GID] = n;
}

// Where it leads depends on the way out.
SIZE kernel void two_ways_out(ARGS) {
    volatile global int *p = BIN(0);
    int old, result = 0;
    do {
        old = *p;
        if (in[GID] & 1)
            goto odd;
    } while (atomic_cmpxchg(p, old, old + in[GID]) != old);
    atomic_inc(SHARED(8));
    goto end;
odd:
    atomic_inc(SHARED(9));
    result = 7;
end:
    out[GID] = result;
}

// Much is computed from what was read, and taken back: done for all items at once.
uint there(uint x, uint by) {
    x = (x ^ x >> 16) * 0x9e3779b1 + by;
    x = (x ^ x >> 17) * 0x85ebca6b ^ by;
    return (x ^ x >> 18) * 0xc2b2ae35 - by;
}

uint back(uint x, uint by) {
    x = (x + by) * 0x7ed1b41d;
    x = ((x ^ x >> 18) ^ by) * 0xa5cb9243;
    x = ((x ^ x >> 17) - by) * 0xe8b2f51;
    return x ^ x >> 16;
}

SIZE kernel void much_work(ARGS) {
    volatile global int *p = SHARED(in[GID] & 3);
    uint by = n * LID, more = (uint)n << 8, old, found = *p;
    do {
        old = found;
        uint x = back(there(there(old, by), more), more);
        found = atomic_cmpxchg(p, old, back(x, by) + in[GID]);
    } while (found != old);
    out[GID] = n;
}

SIZE kernel void much_work_where_lanes_part(ARGS) {
    for (int i = 0; i < (in[GID] & 3); i++) {
        volatile global int *p = SHARED((in[GID] + i) & 3);
        uint by = i * n, more = (uint)n << 8, old, x;
        do {
            old = *p;
            if ((in[GID] & 15) == i)
                break;
            x = back(there(there(old, by), more), more);
        } while (atomic_cmpxchg(p, old, back(x, by) + in[GID]) != old);
    }
    out[GID] = n;
}

// Its table is a private variable.
SIZE kernel void with_a_table(ARGS) {
    volatile global int *p = SHARED(in[GID] & 3);
    int table[4] = {1, 2, 3, 4}, old;
    do {
        old = *p;
        table[n & 3] = old;
    } while (atomic_cmpxchg(p, old, old + in[GID]) != old);
    out[GID] = table[(n + (in[GID] & 1) + 1) & 3 & ~(n & 3)] & 7;
}

SIZE kernel void with_a_loop(ARGS) {
    volatile global int *p = SHARED(in[GID] & 3);
    int old, sum;
    do {
        old = sum = *p;
        for (int i = 0; i < (in[GID] & 31); i++)
            sum += i * n;
    } while (atomic_cmpxchg(p, old, sum) != old);
    out[GID] = n;
}

// What is expected first is a private variable's.
SIZE kernel void guess_in_a_table(ARGS) {
    volatile global int *p = SHARED(in[GID] & 3);
    int table[4] = {1, LID, FREE, n}, old = table[in[GID] & 3], found;
    while ((found = atomic_cmpxchg(p, old, old ^ in[GID])) != old)
        old = found;
    table[LID & 3] = n;
    int next = table[in[GID] & 3];
    do {
        old = next;
        next = atomic_cmpxchg(p + 8, old, old + 1);
    } while (next != old);
    out[GID] = table[n & 3] & 1;
}
