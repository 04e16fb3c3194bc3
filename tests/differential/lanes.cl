// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What lanes do one after the other, and what they do at once although it looks as if not. The last
// 64 ints of `out` are shared by the whole launch; results do not depend on the order of items.

#define ARGS global int *out, global const int *in, local int *scratch, int n
#define SHARED(k) ((volatile global int *)out + 4096 + (k))
#define GID get_global_linear_id()
#define LID ((int)get_local_linear_id())
#define ITEMS ((int)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)

// The second update uses the first one's result: a single block for both did it for all lanes.
kernel void update_in_a_row(ARGS) {
    int x = in[GID];
    if (x & 1) {
        int before = atomic_min(SHARED(0), x);
        atomic_min(SHARED(1), min(before, x));
    }
    out[GID] = x;
}

// Places for some: each place is taken once, so the sum of what is there is known.
kernel void places_for_some(ARGS) {
    local int count;
    if (LID == 0)
        count = 0;
    SYNC;
    int x = in[GID], place = -1;
    if (x % 3 != n % 3) {
        place = atomic_inc(&count) + 5;
        scratch[place] = x * 7 + LID;
    }
    SYNC;
    int sum = count * 1000000;
    for (int i = 0; i < count; i++)
        sum += scratch[i + 5];
    out[GID] = sum + (place < 0 ? 1 : scratch[place] == x * 7 + LID ? 2 : 3);
}

// The same with a step and downwards.
kernel void places_downwards(ARGS) {
    local int left;
    if (LID == 0)
        left = 3 * ITEMS;
    SYNC;
    if (in[GID] & 2)
        scratch[atomic_sub(&left, 3)] = LID + 1;
    SYNC;
    int sum = left;
    for (int i = left + 3; i <= 3 * ITEMS; i += 3)
        sum += scratch[i] * 11;
    out[GID] = sum;
}

// One word, all operations, by lanes that take part and values that differ or do not.
kernel void one_word(ARGS) {
    int x = in[GID];
    if (x % 5 != 2) {
        atomic_add(SHARED(0), x);
        atomic_sub(SHARED(1), x);
        atomic_and(SHARED(2), ~(1 << (x & 31)));
        atomic_or(SHARED(3), 1 << (x & 31));
        atomic_xor(SHARED(4), x * 77);
        atomic_xor(SHARED(5), n * 3 + 1);
        atomic_min(SHARED(6), 100 - x);
        atomic_max(SHARED(7), x * 2000000);
        atomic_min((volatile global uint *)SHARED(8), (uint)x + 9u);
        atomic_max((volatile global uint *)SHARED(9), (uint)x << 24);
        atomic_inc(SHARED(10));
        atomic_dec(SHARED(11));
        atomic_add(SHARED(12), n);
    }
    out[GID] = x;
}

// Seed 12 of the random kernels: an update falls through into the next.
kernel void update_in_fallthrough(ARGS) {
    switch (in[GID] & 3) {
    case 3:
        switch (LID & n & 3) {
        case 1:
            atomic_or(SHARED(16 + (n & 7)), LID);
        case 2:
            atomic_add(SHARED(0), 7 / (LID | 1));
            break;
        }
        break;
    }
    out[GID] = LID;
}

// Seed 10: what the branches have in common is not done for the lanes of both.
kernel void update_in_one_branch(ARGS) {
    int x = in[GID], y = 0;
    if (LID % 3 == 0) {
        if (x & 4)
            atomic_or(SHARED(16 + (x & 7)), clz(x));
    } else {
        y = rotate(x, 7);
    }
    out[GID] = y;
}

// Not in lock step: each lane has its own word, result and number of trips.
kernel void exchange_in_loop(ARGS) {
    global int *mine = out + GID;
    *mine = in[GID];
    int trips = 0;
    for (int i = 0; i < (LID & 3); i++)
        trips += atomic_cmpxchg((volatile global int *)mine, i, in[GID] + i) + 1;
    atomic_xchg((volatile global int *)mine, trips * 8 + n);
    volatile global int *there = out + GID;
    if (*there & 8)
        *there += 3;
}

// Backwards: loaded and stored as one vector each, the other way round.
kernel void backwards(ARGS) {
    out[2048 - GID] = in[1024 - GID] + LID;
    if (in[GID] & 1)
        out[3100 - GID] = in[1024 - GID] * 3;
}

// Random kernel 63: only even ids come behind the return, so InstCombine writes LID + 1 as LID | 1.
// The first lane of a row may be odd, and off.
kernel void neighbours_of_even_items(ARGS) {
    scratch[LID] = LID * 3;
    SYNC;
    if (LID & 1)
        return;
    SYNC;
    out[GID] = scratch[(LID + 1) % ITEMS];
}

// Random kernel 188: lanes that `continue` and lanes that do not are two loops to LLVM. Those that
// left the inner one in an earlier turn still wait behind it when nobody enters its guarded part.
kernel void continue_leaves_others_waiting(ARGS) {
    int value = in[GID & 1023];
    uint a = (uint)GID, b = 1;
    for (int turn = 0; turn < (value & 3) && in[n] != 12;) {
        turn++;
        if (value & 2)
            continue;
        a = a * 3 + b;
        b += a * a + 5;
    }
    out[GID] = (int)(a * 77 + b);
}

// Sub-groups of any size: what is counted for those that are there comes to the same.
kernel void sums_of_sub_groups(ARGS) {
    int x = in[GID];
    if (x % 3 != n % 3) {
        int sum = sub_group_non_uniform_reduce_add(x);
        uint count = sub_group_ballot_bit_count(sub_group_ballot(1));
        if (sub_group_elect()) {
            atomic_add(SHARED(0), sum);
            atomic_add(SHARED(1), (int)count);
        }
    }
    out[GID] = x;
}

// Places for some, one update for each sub-group.
kernel void places_by_sub_groups(ARGS) {
    local int count;
    if (LID == 0)
        count = 0;
    SYNC;
    int x = in[GID];
    if (x & 1) {
        int mine = sub_group_non_uniform_scan_exclusive_add(1), first = 0;
        int all = sub_group_non_uniform_reduce_add(1);
        if (sub_group_elect())
            first = atomic_add(&count, all);
        scratch[sub_group_broadcast_first(first) + mine] = x * 7;
    }
    SYNC;
    int sum = count * 1000000;
    for (int i = 0; i < count; i++)
        sum += scratch[i];
    out[GID] = sum;
}

// Where lanes are linear ids, x, y and z are computed.
kernel void places_in_sub_groups(ARGS) {
    int place = (int)(get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id());
    int id = (int)(get_local_id(0) + get_local_size(0) * 8 * get_local_id(1) + 512 * get_local_id(2));
    out[GID] = (place - LID) * 100000 + id;
}

// What is cut down to fewer bits may wrap around between two lanes, however equal its steps are.
kernel void narrow_id(ARGS) {
    out[GID] = (char)get_global_id(0) ^ (short)(get_global_id(0) + 32700);
}

kernel void narrow_index(ARGS) {
    char at = (char)get_global_id(0);
    global const int *p = in + 512;
    int sum = 0;
    for (int k = 0; k < 9 + n; k++)
        sum += p[at++] * k;
    out[GID] = sum;
}

// The same where lanes leave the loop at different times: elements that lie side by side are asked for.
kernel void narrow_index_divergent(ARGS) {
    char at = (char)get_local_id(0);
    global const int *p = in + 512;
    uint sum = 0;
    for (int k = 0; k < in[get_local_id(0)] % 150; k++)
        sum = sum * 3 + (uint)p[at++];
    out[GID] = (int)sum;
}

#define FOLD(x) ((int)((x) ^ ((x) >> 32)))

kernel void low_half(ARGS) {
    ulong product = get_local_id(0) * 0x18000001UL, low = product & 0xffffffffUL;
    out[GID] = FOLD(low * 5);
}

kernel void multiply_with_carry(ARGS) {
    ulong x = (ulong)(uint)get_local_id(0) * 0x31234567u;
    for (int k = 0; k < 3; k++)
        x = (x & 0xffffffffUL) * 48271u + (x >> 32);
    out[GID] = FOLD(x);
}

kernel void sign_of_low_half(ARGS) {
    long a = (long)get_local_id(0) * 0x07000001L + 0x30000000L * n, b = (int)a;
    out[GID] = FOLD((ulong)b * 3u) ^ FOLD((ulong)a);
}

// Reference execution did not build what asks where private memory is.
kernel void spaces_of_pointers(ARGS) {
    int own = in[GID];
    int *p = own & 1 ? &own : own & 2 ? (int *)scratch : (int *)out;
    out[GID] = (to_private(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_global(p) != 0) +
               8 * (int)get_fence(p);
}

// What an atomic decides about is not whether the loop goes on: nobody waits.
kernel void decided_by_atomic(ARGS) {
    int sum = 0;
    for (int i = 0; i < 20 + n; i++)
        if (in[i] % 7 == LID % 7 && atomic_inc(SHARED(i & 7)) >= 0)
            sum += i;
    out[GID] = sum;
}

// Loops that are entered in several places: the lanes went round and round.
#define STEP(name, bit) \
    name: \
    if (++k > 20) \
        goto end; \
    x = in[x + k + (bit)];
#define STATE(name, bit, there) \
    STEP(name, bit) \
    if (x & (bit)) \
        goto there;
#define STATE_OF_TWO(name, next, bit, there) \
    STEP(name, bit) \
    if (x % 3 == 1) \
        goto next; \
    if (x & (bit)) \
        goto there;

kernel void three_states(ARGS) {
    int x = in[GID], k = 0;
    if (x & 1)
        goto b;
    STATE(a, 1, c)
    STATE(b, 2, a)
    STATE(c, 4, b)
    goto a;
end:
    out[GID] = x;
}

// The compiler crashed.
kernel void four_states(ARGS) {
    int x = in[GID], k = 0;
    switch (x & 3) {
    case 1:
        goto b;
    case 2:
        goto c;
    case 3:
        goto d;
    }
    STATE_OF_TWO(a, b, 1, c)
    STATE_OF_TWO(b, c, 2, d)
    STATE_OF_TWO(c, d, 4, a)
    STATE_OF_TWO(d, a, 8, b)
    goto a;
end:
    out[GID] = x;
}

kernel void six_states(ARGS) {
    int x = in[GID], k = 0;
    STATE_OF_TWO(a, b, 8, e)
    STATE_OF_TWO(b, e, 8, d)
    STATE_OF_TWO(c, f, 2, b)
    STATE_OF_TWO(d, f, 2, e)
    STATE_OF_TWO(e, d, 1, f)
    STATE_OF_TWO(f, a, 2, e)
    goto a;
end:
    out[GID] = x;
}

typedef struct __attribute__((aligned(64))) {
    int first, rest[15];
} Aligned;

// Aligned where a lane takes part, and not where the first lane of the vector is.
kernel void aligned_for_some(ARGS) {
    if (GID % 16 == 0)
        ((global Aligned *)(out + GID))->first = in[GID] * n;
}

// A sum that overflows in no lane but those that are off: it was extended before it was added up.
kernel void overflow_where_off(ARGS) {
    int id = (int)get_local_id(0), least = INT_MIN + in[5] * (n >> 4);
    long result = 7;
    if (id >= n) {
        int sum = (id - n) + least;
        result = sum;
        result = result * 3;
    }
    out[GID] = FOLD(result);
}

// An id that is counted up by little, but often, until its low half wraps around.
kernel void low_half_wraps(ARGS) {
    size_t at = get_global_id(0) - 3;
    long sum = 0;
    if (n == 2)
        for (int i = 0; i < 66000; i++) {
            at += 32768;
            sum += (int)at;
        }
    out[GID] = FOLD(sum);
}

// `in` ends where a page does, and nothing is behind it: what is loaded for lanes that are on must not
// be loaded for those that are off as well.
#define IN_BYTES 4352
#define ALL ((int)(get_global_size(0) * get_global_size(1) * get_global_size(2)))

kernel void bytes_up_to_the_end(ARGS) {
    global const uchar *text = (global const uchar *)in;
    int at = IN_BYTES - ALL + (int)GID, length = 0;
    while (length <= n && at + length < IN_BYTES && text[at + length] < 200)
        length++;
    out[GID] = length;
}

kernel void shorts_up_to_the_end(ARGS) {
    global const ushort *words = (global const ushort *)in;
    int at = IN_BYTES / 2 - ALL + (int)GID + n, sum = 0;
    if (at < IN_BYTES / 2)
        sum = words[at] ^ GID;
    out[GID] = sum;
}

// From where nothing is before it.
kernel void bytes_from_the_begin(ARGS) {
    global const uchar *text = (global const uchar *)in;
    int at = GID, sum = 0;
    for (int back = 0; back <= n; back++)
        if (at - back >= 0 && at % 3)
            sum = sum * 5 + text[at - back];
    out[GID] = sum;
}

// Some lanes' values are others than what they load.
kernel void bytes_or_another_value(ARGS) {
    global const uchar *text = (global const uchar *)in;
    int at = IN_BYTES - ALL + (int)GID;
    uchar value = GID * 7;
    if (at + n < IN_BYTES)
        value = text[at + n];
    out[GID] = value;
}

// Switches that only choose values, of several types, in loops and with values that others have made.
kernel void switches_of_values(ARGS) {
    int x = in[GID], sum = 0;
    short state = x & 3;
    for (int i = 0; i < n + 4; i++) {
        int step = x >> (i * 3 & 31) & 7;
        float weight;
        int2 both;
        switch (step) {
        case 0: case 5: weight = 0.5f; both = (int2)(sum, i); break;
        case 1: weight = 2; both = (int2)(3, x); break;
        case 2: case 7: weight = -1; both = (int2)(state, -state); break;
        default: weight = 4; both = (int2)(7, step); break;
        }
        switch (state) {
        case 0: state = step & 1 ? 3 : 1; break;
        case 1: state = 2; break;
        case 2: state = (short)(both.x & 3); break;
        case 3: state = 0; break;
        }
        sum = sum * 3 + (int)(weight * 2) + both.x - both.y + state;
    }
    out[GID] = sum;
}

// All of whose ways lead to where the loop begins.
kernel void switches_in_a_walk(ARGS) {
    uint at = in[GID] & 63, turns = 0, seen = 0;
    while (turns < 40) {
        turns++;
        seen = seen * 5 + at;
        switch ((uchar)(in[at] + turns)) {
        case 1: at = 3; continue;
        case 2: at = 9; continue;
        case 9: case 17: case 33: continue;
        case 40: at = 62; continue;
        case 255: turns = 40; continue;
        }
        at = (at * 5 + in[at & 63] + 1) & 63;
    }
    out[GID] = seen;
}

// A group's items go along a row together: counters of ids and sizes, whatever lanes are left.
kernel void strides_of_a_group(ARGS) {
    local int total;
    if (LID == 0)
        total = 0;
    SYNC;
    int sum = 0, l = LID, size = ITEMS;
    for (int i = l; i < 37 + (n & 7); i += size)
        if (in[i & 63] != i)
            sum += in[i] * 3;
    for (uint i = l; i < 50u; i += size) {
        if (in[i] & 1)
            continue;
        sum ^= in[i] + (int)i;
    }
    atomic_add(&total, sum);
    SYNC;
    out[GID] = total + sum;
}
