// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What other implementations got wrong with barriers, as smallest kernels of our own; the reports
// are named. Signature and macros as in barriers.cl.

#define ARGS __global int *out, __global const int *in, __local int *scratch, int n
#define GID (get_global_linear_id())
#define LID ((int)get_local_linear_id())
#define LOCAL_SYNC barrier(CLK_LOCAL_MEM_FENCE)

int group_items(void) {
    return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

// pocl 1167: a guarded barrier in a loop whose count depends on the item.
__kernel void guarded_in_divergent_loop(ARGS) {
    int items = group_items(), sum = in[GID], rounds = n + (LID & 3);
    for (int i = 0; i < rounds; i++) {
        scratch[LID] = sum;
        if (i < n)
            LOCAL_SYNC;
        if (i < n) {
            sum += scratch[(LID + 1) % items];
            LOCAL_SYNC;
        } else {
            sum = sum * 3 + i;
        }
    }
    out[GID] = sum;
}

// pocl 553: two conditions around barriers in two loops, and one more behind them.
__kernel void conditions_in_nested_loops(ARGS) {
    int items = group_items(), sum = LID, other = in[0] & 1;
    for (int outer = 0; outer < 2; outer++)
        for (int inner = 0; inner < 2 + (n & 1); inner++) {
            scratch[LID] = sum + inner;
            if (n > other) {
                LOCAL_SYNC;
            }
            if (n > 0) {
                LOCAL_SYNC;
                sum += scratch[(LID + 3) % items];
                LOCAL_SYNC;
            }
            sum = sum * 5 + outer;
        }
    if (n > 0) {
        LOCAL_SYNC;
    }
    out[GID] = sum;
}

// pocl 1747, 1794: the condition looks divergent, but all items meet it.
__kernel void all_pass_a_bound(ARGS) {
    int items = group_items(), sum = 0;
    if (LID < 1 << 20) {
        scratch[LID] = in[GID];
        for (int d = 1; d < items; d *= 2) {
            LOCAL_SYNC;
            int index = 2 * d * LID;
            if (index < items) {
                int right = index + d < items ? scratch[index + d] : 1;
                scratch[index] += right;
            }
        }
        LOCAL_SYNC;
        sum = scratch[0];
    } else {
        out[GID] = -1;
        return;
    }
    LOCAL_SYNC;
    out[GID] = sum + n;
}

int checked(__local int *p, int at, int limit) {
    if (at > limit)
        for (;;) {
        }
    return p[at] * 2;
}

// pocl 2113: a path that never ends makes lid % 36 zero everywhere.
__kernel void path_that_never_ends(ARGS) {
    int items = group_items(), first = 0;
    scratch[LID] = LID + n;
    LOCAL_SYNC;
    if (LID % 36 == 0)
        first = checked(scratch, LID, items);
    LOCAL_SYNC;
    out[GID] = LID % 36 + first * 100;
}

// pocl 1977: what one item does, all did.
__kernel void one_item_only(ARGS) {
    int item = LID, sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[(int)GID + i];
    scratch[LID] = sum;
    LOCAL_SYNC;
    if (item == 0) {
        int all = 0;
        for (int i = 0; i < group_items(); i++)
            all += scratch[i];
        scratch[0] = all;
    }
    LOCAL_SYNC;
    out[GID] = scratch[0] + sum;
}

// pocl 2281: a branch behind a barrier skips a loop and meets again before the next.
__kernel void branch_meets_again(ARGS) {
    int items = group_items(), value = in[GID];
    for (int round = 0; round < 2; round++) {
        scratch[LID] = value;
        LOCAL_SYNC;
        if (value & 1) {
            int count = value & 7;
            while (count-- > 0)
                value += scratch[(LID + count) % items];
        }
        LOCAL_SYNC;
    }
    out[GID] = value;
}

// pocl 2235: a way around a divergent guard comes to the same barrier.
__kernel void way_around_a_guard(ARGS) {
    int items = group_items(), value = in[GID], more = 1;
    scratch[LID] = value;
    if (value & 1) {
        value *= 3;
        if (value & 2) {
            scratch[LID] = value;
            more = 0;
        }
    }
    if (more)
        value += 7;
    LOCAL_SYNC;
    out[GID] = value + scratch[items - 1 - LID] * 2 + n;
}

// pocl 1990: sorting in local memory by passes, one after the other for several rows.
__kernel void sorted_rows(ARGS) {
    int items = group_items(), median = 0;
    for (int row = 0; row < 2; row++) {
        scratch[LID] = in[(int)((GID * 7 + row * 13) & 1023)];
        LOCAL_SYNC;
        for (int pass = 0; pass < items && items < 40; pass++) {
            int left = 2 * (LID / 2) + (pass & 1), mine = scratch[LID];
            int isLeft = (LID & 1) == (pass & 1);
            int other = isLeft ? LID + 1 : LID - 1;
            int both = left + 1 < items && other >= 0 && other < items;
            int theirs = both ? scratch[other] : mine;
            LOCAL_SYNC;
            if (both)
                scratch[LID] = isLeft == (mine < theirs) ? mine : theirs;
            LOCAL_SYNC;
        }
        median = median * 1000 + scratch[items / 2];
        LOCAL_SYNC;
    }
    out[GID] = median;
}

// arrayfire 3535: the loop ends when a vote in local memory says so.
__kernel void vote_to_leave(ARGS) {
    int value = in[GID] & 31, rounds = 0;
    for (;;) {
        if (LID == 0)
            scratch[0] = 0;
        LOCAL_SYNC;
        if (value > n)
            scratch[0] = 1;
        LOCAL_SYNC;
        int again = scratch[0];
        LOCAL_SYNC;
        if (!again)
            break;
        value -= value > n ? 3 : 0;
        rounds++;
    }
    out[GID] = value * 100 + rounds;
}

// intel/llvm 23220: a product used on both sides of a barrier.
__kernel void product_around_barrier(ARGS) {
    float a = (float)in[GID] * 0.37f, b = (float)(LID + 1) * 1.7f;
    float product = a * b;
    float before = product + 3.0f;
    scratch[LID] = (int)before;
    LOCAL_SYNC;
    float after = product - (float)scratch[group_items() - 1 - LID];
    out[GID] = (int)(before * 16.0f) + (int)(after * 16.0f);
}

// pocl 979: counting, a scan by one item, and scattering.
__kernel void count_and_scatter(ARGS) {
    int items = group_items(), key = in[GID] & 7;
    __local int *keys = scratch, *sorted = scratch + items, *starts = scratch + 2 * items;
    keys[LID] = key;
    LOCAL_SYNC;
    for (int k = LID; k < 8 && items >= 8; k += items) {
        int count = 0;
        for (int i = 0; i < items; i++)
            count += keys[i] < k;
        starts[k] = count;
    }
    LOCAL_SYNC;
    int rank = 0;
    for (int i = 0; i < LID; i++)
        rank += keys[i] == key;
    if (items >= 8)
        sorted[starts[key] + rank] = (int)GID;
    else
        sorted[LID] = key;
    LOCAL_SYNC;
    out[GID] = sorted[LID] + n;
}

// pocl 893: continue and break around barriers, the loop's end unknown.
__kernel void leaves_by_several_ways(ARGS) {
    int items = group_items(), value = LID;
    for (int i = 0;; i++) {
        if (i == n)
            break;
        scratch[LID] = value;
        LOCAL_SYNC;
        if (in[i] & 1) {
            LOCAL_SYNC;
            value++;
            continue;
        }
        value += scratch[(LID + i) % items];
        LOCAL_SYNC;
        if (in[i] > 230)
            break;
    }
    out[GID] = value;
}

// Found by tests/differential, seed 48: behind a barrier the loop's counter has one value on the way
// to another barrier and one around the loop, and both were kept in the same place.
__kernel void counter_behind_two_ways(ARGS) {
    int items = group_items(), group = (int)get_group_id(0), a = in[GID], b = LID;
    for (int i = 0; i < 3; i++) {
        LOCAL_SYNC;
        b = b * 3 + i;
        LOCAL_SYNC;
        if ((group + n) & 3) {
            scratch[LID] = b;
            LOCAL_SYNC;
            a += scratch[(LID + 1) % items];
            LOCAL_SYNC;
        }
    }
    out[GID] = a * 7 + b;
}
