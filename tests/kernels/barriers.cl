// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every place where a barrier may be. All kernels of this folder have one signature, so that the
// runner can call them without knowing them: `in` holds small pseudo-random numbers, `out` four
// numbers per work-item, `scratch` eight per item of a group, `n` is small (0 .. 6).

#define ARGS __global int *out, __global const int *in, __local int *scratch, int n
#define GID (get_global_linear_id())
#define LID ((int)get_local_linear_id())
#define LOCAL_SYNC barrier(CLK_LOCAL_MEM_FENCE)

int group_items(void) {
    return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

__kernel void barrier_first(ARGS) {
    LOCAL_SYNC;
    out[GID] = in[GID] + n;
}

__kernel void barrier_last(ARGS) {
    out[GID] = in[GID] - n;
    LOCAL_SYNC;
}

__kernel void barrier_only(ARGS) {
    LOCAL_SYNC;
}

__kernel void barrier_twice(ARGS) {
    LOCAL_SYNC;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[GID] = LID;
    LOCAL_SYNC;
    LOCAL_SYNC;
}

__kernel void neighbour(ARGS) {
    int items = group_items();
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    int left = scratch[(LID + items - 1) % items], right = scratch[(LID + 1) % items];
    LOCAL_SYNC;
    scratch[LID] = left - right;
    LOCAL_SYNC;
    out[GID] = scratch[items - 1 - LID];
}

__kernel void uniform_loop(ARGS) {
    int items = group_items(), sum = in[GID];
    for (int i = 0; i < n; i++) {
        scratch[LID] = sum;
        LOCAL_SYNC;
        sum += scratch[(LID + i + 1) % items] * (i + 1);
        LOCAL_SYNC;
    }
    out[GID] = sum;
}

__kernel void loop_bound_from_memory(ARGS) {
    int items = group_items(), sum = LID;
    for (int i = 0; i < (in[0] & 7); i++) {
        scratch[LID] = sum;
        LOCAL_SYNC;
        sum += scratch[(LID + i) % items];
        LOCAL_SYNC;
    }
    out[GID] = sum;
}

__kernel void do_while(ARGS) {
    int items = group_items(), i = n, sum = 0;
    do {
        scratch[LID] = sum + LID;
        LOCAL_SYNC;
        sum += scratch[(LID * 3 + 1) % items];
        LOCAL_SYNC;
    } while (i-- > 0);
    out[GID] = sum;
}

__kernel void nested_loops(ARGS) {
    int items = group_items(), sum = in[GID];
    for (int i = 0; i < n; i++) {
        int inner = 0;
        for (int j = 0; j <= i; j++) {
            scratch[LID] = sum + j;
            LOCAL_SYNC;
            inner += scratch[(LID + j) % items];
            LOCAL_SYNC;
        }
        scratch[LID] = inner;
        LOCAL_SYNC;
        sum ^= scratch[items - 1 - LID] + i;
        LOCAL_SYNC;
    }
    out[GID] = sum;
}

__kernel void loop_with_continue(ARGS) {
    int items = group_items(), sum = 1;
    for (int i = 0; i < 2 * n; i++) {
        if (i == 3)
            continue;
        scratch[LID] = sum + i;
        LOCAL_SYNC;
        if (i & 1) {
            sum += 5;
            LOCAL_SYNC;
            continue;
        }
        sum += scratch[(LID + 1) % items];
        LOCAL_SYNC;
    }
    out[GID] = sum;
}

__kernel void endless_with_break(ARGS) {
    int items = group_items(), sum = 0, i = 0;
    while (1) {
        scratch[LID] = sum + LID * i;
        LOCAL_SYNC;
        sum += scratch[(LID + i) % items];
        LOCAL_SYNC;
        if (++i > n)
            break;
    }
    out[GID] = sum;
}

__kernel void two_exits(ARGS) {
    int items = group_items(), sum = LID;
    for (int i = 0; i < 100; i++) {
        scratch[LID] = sum;
        LOCAL_SYNC;
        if (i == n)
            goto stopped;
        int first = scratch[0];
        sum += scratch[(LID + 1) % items];
        LOCAL_SYNC;
        if (first > 100)
            goto large;
    }
    out[GID] = -1;
    return;
large:
    out[GID] = -2;
    return;
stopped:
    LOCAL_SYNC;
    out[GID] = sum;
}

__kernel void uniform_if(ARGS) {
    int items = group_items(), value = in[GID];
    if (n & 1) {
        scratch[LID] = value;
        LOCAL_SYNC;
        value = scratch[items - 1 - LID];
    }
    out[GID] = value;
}

__kernel void both_branches(ARGS) {
    int items = group_items(), value = in[GID], seen = value * 2;
    if (n & 1) {
        scratch[LID] = value;
        LOCAL_SYNC;
        value = scratch[items - 1 - LID];
    } else {
        scratch[LID] = seen;
        LOCAL_SYNC;
        value += scratch[(LID + 1) % items];
        LOCAL_SYNC;
        scratch[LID] = value;
        LOCAL_SYNC;
        value += scratch[0];
    }
    out[GID] = value + seen;
}

__kernel void if_from_memory(ARGS) {
    int items = group_items(), value = in[GID];
    if (in[1] & 1) {
        scratch[LID] = value;
        LOCAL_SYNC;
        value += scratch[items - 1 - LID];
    } else if (in[2] & 1) {
        scratch[LID] = value * 3;
        LOCAL_SYNC;
        value -= scratch[0];
        LOCAL_SYNC;
    }
    out[GID] = value;
}

__kernel void switch_cases(ARGS) {
    int items = group_items(), value = in[GID];
    scratch[LID] = value;
    switch (n) {
    case 0:
        LOCAL_SYNC;
        value = scratch[0];
        break;
    case 1:
        value++; /* falls through */
    case 2:
        LOCAL_SYNC;
        value += scratch[items - 1];
        break;
    case 5:
        break;
    default:
        LOCAL_SYNC;
        scratch[LID] = value + 1;
        LOCAL_SYNC;
        value = scratch[(LID + 2) % items];
    }
    out[GID] = value;
}

__kernel void early_return(ARGS) {
    int items = group_items();
    scratch[LID] = 7;
    if (in[GID] & 1)
        return;
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    out[GID] = scratch[LID] + 1;
    LOCAL_SYNC;
    out[GID] += items;
}

__kernel void early_return_bounds(ARGS) {
    if (get_global_id(0) + 2 >= get_global_size(0) + get_global_offset(0))
        return;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        scratch[LID] = LID + i;
        LOCAL_SYNC;
        sum += scratch[LID] * i;
        LOCAL_SYNC;
    }
    out[GID] = sum;
}

__kernel void returns_in_loop(ARGS) {
    int value = in[GID] & 7;
    for (int i = 0; i < 8; i++) {
        if (value < i) {
            out[GID] = 100 + i;
            return;
        }
        scratch[LID] = value * i;
        LOCAL_SYNC;
        out[GID] = scratch[LID];
        LOCAL_SYNC;
    }
    out[GID] += n;
}

__kernel void all_return(ARGS) {
    if (n >= 0) {
        out[GID] = 5;
        return;
    }
    LOCAL_SYNC;
    out[GID] = 6;
}

__kernel void divergent_loop_between(ARGS) {
    int items = group_items(), steps = in[GID] & 15, i, last = 0;
    for (i = 0; i < steps; i++)
        last = i * 3 + n;
    scratch[LID] = i;
    LOCAL_SYNC;
    /* `last` and `i` left a loop that items leave at different times */
    out[GID] = last + i * 1000 + scratch[(LID + 1) % items];
}

__kernel void divergent_values(ARGS) {
    int items = group_items(), a = in[GID], b = n * 7 + 3;
    bool odd = a & 1;
    if (odd)
        b += LID;
    scratch[LID] = a;
    LOCAL_SYNC;
    int c = odd ? scratch[0] : scratch[items - 1];
    LOCAL_SYNC;
    scratch[LID] = b;
    LOCAL_SYNC;
    out[GID] = odd ? c + b : c - scratch[(LID + 1) % items];
}

__kernel void carried_around(ARGS) {
    int items = group_items(), previous = 1, current = in[GID], swap;
    for (int i = 0; i < n + 2; i++) {
        scratch[LID] = current;
        LOCAL_SYNC;
        swap = previous;
        previous = current;
        current = swap + scratch[(LID + i) % items];
        LOCAL_SYNC;
        if (i == 2)
            current += previous;
    }
    out[GID] = current;
    out[GID + get_global_size(0) * get_global_size(1) * get_global_size(2)] = previous;
}

__kernel void jump_into_loop(ARGS) {
    int items = group_items(), i = 0, sum = in[GID];
    if (n & 1)
        goto inside;
    while (i < n) {
        scratch[LID] = sum;
        LOCAL_SYNC;
        sum += scratch[(LID + 1) % items];
    inside:
        i++;
        LOCAL_SYNC;
        sum += i;
    }
    out[GID] = sum;
}

void exchange(__local int *memory, int *value, int from) {
    memory[LID] = *value;
    LOCAL_SYNC;
    *value += memory[from];
    LOCAL_SYNC;
}

__kernel void in_function(ARGS) {
    int items = group_items(), value = in[GID];
    exchange(scratch, &value, (LID + 1) % items);
    for (int i = 0; i < n; i++)
        exchange(scratch, &value, (LID + i) % items);
    exchange(scratch, &value, 0);
    out[GID] = value;
}
