// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What outlives a barrier: private arrays, structs, vectors, booleans, large frames; ids; integer
// division. Signature as in barriers.cl.
//
// With REFERENCE this file is C for the tests' own executor, where division by zero traps: there
// the results that Weft promises are spelt out.
#ifdef REFERENCE
#define DIV(type, a, b) ((b) == 0 ? (type)(a) : (b) == (type)-1 ? (type)(0 - (ulong)(a)) : (type)((a) / (b)))
#define REM(type, a, b) ((b) == 0 || (b) == (type)-1 ? (type)0 : (type)((a) % (b)))
#define UDIV(a, b) ((b) == 0 ? (a) : (a) / (b))
#define UREM(a, b) ((b) == 0 ? 0u : (a) % (b))
#else
#define DIV(type, a, b) ((a) / (b))
#define REM(type, a, b) ((a) % (b))
#define UDIV(a, b) ((a) / (b))
#define UREM(a, b) ((a) % (b))
#endif

#define ARGS __global int *out, __global const int *in, __local int *scratch, int n
#define GID (get_global_linear_id())
#define LID ((int)get_local_linear_id())
#define LOCAL_SYNC barrier(CLK_LOCAL_MEM_FENCE)

int group_items(void) {
    return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

int total_items(void) {
    return (int)(get_global_size(0) * get_global_size(1) * get_global_size(2));
}

__kernel void array_across(ARGS) {
    int items = group_items(), mine[8];
    for (int i = 0; i < 8; i++)
        mine[i] = in[GID] * i + LID;
    scratch[LID] = mine[n & 7];
    LOCAL_SYNC;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += mine[(i + LID) & 7] * i;
    out[GID] = sum + scratch[(LID + 1) % items];
}

__kernel void array_in_loop(ARGS) {
    int items = group_items(), kept[5], sum = 0;
    for (int i = 0; i < 5; i++)
        kept[i] = LID + i;
    for (int round = 0; round < n; round++) {
        int fresh[6]; /* its life is one round: it needs no place in the context */
        for (int i = 0; i < 6; i++)
            fresh[i] = kept[i % 5] + round;
        scratch[LID] = fresh[(round + LID) % 6];
        LOCAL_SYNC;
        kept[round % 5] += scratch[(LID + round) % items];
        LOCAL_SYNC;
    }
    for (int i = 0; i < 5; i++)
        sum = sum * 3 + kept[i];
    out[GID] = sum;
}

__kernel void array_partly(ARGS) {
    int items = group_items(), value = in[GID];
    {
        int before[4] = {value, value + 1, value + 2, value + 3};
        scratch[LID] = before[(value + n) & 3];
    }
    LOCAL_SYNC;
    {
        int after[4] = {1, value, 2, value};
        after[LID & 3] = 9;
        out[GID] = scratch[(LID + 1) % items] + after[(value + 1) & 3];
    }
}

__kernel void pointer_across(ARGS) {
    int items = group_items(), a[4], b[4];
    for (int i = 0; i < 4; i++) {
        a[i] = in[GID] + i;
        b[i] = -i * LID;
    }
    int *chosen = (in[GID] & 1) ? a : b, *element = &a[in[GID] & 3];
    scratch[LID] = *chosen;
    LOCAL_SYNC;
    chosen[n & 3] += scratch[(LID + 1) % items];
    *element += 1000;
    LOCAL_SYNC;
    out[GID] = a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7 + b[0] + b[1] + b[2] - b[3];
}

typedef struct {
    char tag;
    int numbers[3];
    double weight;
    short tail;
} Record;

__kernel void struct_across(ARGS) {
    int items = group_items();
    Record record = {(char)LID, {in[GID], n, 3}, 0.5 * LID, (short)in[GID]};
    record.numbers[in[GID] & 1] += 4;
    scratch[LID] = record.numbers[0];
    LOCAL_SYNC;
    record.weight += scratch[(LID + 1) % items];
    record.numbers[n % 3] ^= 0x55;
    LOCAL_SYNC;
    out[GID] = record.tag + record.numbers[0] + record.numbers[1] * 7 + record.numbers[2] +
               (int)record.weight + record.tail;
}

__kernel void vectors_across(ARGS) {
    int items = group_items(), v = in[GID];
    int4 four = (int4)(v, v + 1, LID, n);
    uchar3 three = (uchar3)((uchar)v, (uchar)LID, 7);
    double2 two = (double2)(v * 0.5, LID);
    long16 sixteen = (long16)(v) + (long16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    bool flag = v & 1, other = v > LID;
    scratch[LID] = v;
    LOCAL_SYNC;
    four += scratch[(LID + 1) % items];
    sixteen *= scratch[0];
    LOCAL_SYNC;
    int result = four.x + four.y * 3 + four.z * 5 + four.w + three.x + three.y + three.z;
    result += (int)two.x + (int)two.y + (int)sixteen.s7 + (int)sixteen.sf;
    out[GID] = flag ? result : other ? -result : result * 2;
}

__kernel void large_array(ARGS) {
    int table[3000]; /* more than a frame may have, needed in one region only */
    for (int i = 0; i < 3000; i++)
        table[i] = (i * 7 + in[GID]) & 1023;
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += table[(i * 37 + LID * n) % 3000];
    out[GID] = sum;
}

__kernel void large_array_across(ARGS) {
    int table[1200], items = group_items();
    short small[900];
    for (int i = 0; i < 1200; i++)
        table[i] = (i * 3 + in[GID]) & 255;
    for (int i = 0; i < 900; i++)
        small[i] = (short)(i ^ LID);
    scratch[LID] = small[(in[GID] & 0xff) * 3];
    LOCAL_SYNC;
    table[n * 100] += scratch[(LID + 1) % items];
    LOCAL_SYNC;
    int sum = 0;
    for (int i = 0; i < 1200; i += 50)
        sum += table[i];
    out[GID] = sum;
}

__kernel void static_locals(ARGS) {
    __local int counts[4];
    __local char bytes[3];
    __local double wide[2];
    int items = group_items();
    if (LID == 0) {
        for (int i = 0; i < 4; i++)
            counts[i] = i * 10;
        bytes[0] = bytes[1] = bytes[2] = 1;
        wide[0] = 0.25;
        wide[1] = n;
    }
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    if (LID == items - 1)
        counts[n & 3] += scratch[0];
    LOCAL_SYNC;
    out[GID] = counts[LID & 3] + bytes[LID % 3] + (int)(wide[LID & 1] * 4);
}

__kernel void all_ids(ARGS) {
    uint d = (uint)(in[GID] & 7); /* known at run time only, and also out of range */
    ulong hash = get_global_id(0);
    hash = hash * 31 + get_global_id(1);
    hash = hash * 31 + get_global_id(2);
    hash = hash * 31 + get_local_id(0);
    hash = hash * 31 + get_local_id(1);
    hash = hash * 31 + get_local_id(2);
    hash = hash * 31 + get_group_id(0);
    hash = hash * 31 + get_group_id(1);
    hash = hash * 31 + get_group_id(2);
    hash = hash * 31 + get_local_size(0) + 3 * get_local_size(1) + 7 * get_local_size(2);
    hash = hash * 31 + get_enqueued_local_size(0) + 3 * get_enqueued_local_size(1);
    hash = hash * 31 + get_num_groups(0) + 3 * get_num_groups(1) + 7 * get_num_groups(2);
    hash = hash * 31 + get_global_size(0) + 3 * get_global_size(1) + 7 * get_global_size(2);
    hash = hash * 31 + get_global_offset(0) + 3 * get_global_offset(1) + get_work_dim();
    hash = hash * 31 + get_global_id(3) + get_local_size(3) * 5 + get_num_groups(9) * 11;
    hash = hash * 31 + get_global_id(d) + get_local_id(d) * 3 + get_group_id(d) * 5;
    hash = hash * 31 + get_local_size(d) + get_enqueued_local_size(d) * 3 + get_num_groups(d) * 5;
    hash = hash * 31 + get_global_size(d) + get_global_offset(d) * 3 + get_local_linear_id();
    out[GID] = (int)(hash ^ (hash >> 32));
}

__kernel void ids_across(ARGS) {
    size_t a = get_global_id(0), b = get_group_id(1), c = get_local_id(2);
    scratch[LID] = (int)(a * 3 + b * 5 + c);
    LOCAL_SYNC;
    out[GID] = scratch[LID] - (int)(a + b + c) + (int)get_global_id(1);
}

__kernel void divisions(ARGS) {
    int a = in[GID], b = (in[GID + 1] & 3) - 1;
    if (LID == 1)
        a = INT_MIN;
    long la = LID == 2 ? LONG_MIN : a, lb = b;
    uint ua = (uint)a, ub = (uint)(b & 1);
    short sa = LID == 3 ? SHRT_MIN : (short)a, sb = (short)b;
    int sum = DIV(int, a, b) * 7 + REM(int, a, b);
    sum = sum * 5 + (int)DIV(long, la, lb) + (int)REM(long, la, lb);
    sum = sum * 5 + (int)UDIV(ua, ub) + (int)UREM(ua, ub);
    out[GID] = sum * 5 + (short)DIV(short, sa, sb) + (short)REM(short, sa, sb);
}

__kernel void vector_divisions(ARGS) {
    int4 a = (int4)(in[GID], INT_MIN, LID, -7), b = (int4)(in[GID] & 1, -1, n - 1, (in[GID + 1] & 3) - 1);
#ifdef REFERENCE
    int4 quotient = (int4)(DIV(int, a.x, b.x), DIV(int, a.y, b.y), DIV(int, a.z, b.z), DIV(int, a.w, b.w));
    int4 rest = (int4)(REM(int, a.x, b.x), REM(int, a.y, b.y), REM(int, a.z, b.z), REM(int, a.w, b.w));
#else
    int4 quotient = a / b, rest = a % b;
#endif
    quotient = quotient * (int4)(1, 3, 5, 7) + rest;
    out[GID] = quotient.x + quotient.y + quotient.z + quotient.w;
}

// A barrier was not taken to change what a restrict pointer points to.
#ifdef REFERENCE
#define RESTRICT
#else
#define RESTRICT restrict
#endif

__kernel void restrict_local(__global int *out, __global const int *in,
                             __local int *RESTRICT scratch, int n) {
    scratch[LID + 1] = in[GID];
    if (LID == 0)
        scratch[0] = n;
    LOCAL_SYNC;
    int left = scratch[LID];
    LOCAL_SYNC;
    scratch[LID + 1] += left;
    LOCAL_SYNC;
    out[GID] = left + scratch[LID];
}

// The same in global memory: a row for each group.
__kernel void restrict_global(__global int *RESTRICT out, __global const int *RESTRICT in,
                              __local int *scratch, int n) {
    size_t group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) +
                   get_group_id(0);
    size_t items = get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
    __global int *row = out + total_items() + group * (items + 1);
    row[LID + 1] = in[GID];
    if (LID == 0)
        row[0] = n;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int left = row[LID];
    barrier(CLK_GLOBAL_MEM_FENCE);
    row[LID + 1] += left;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[GID] = left + row[LID];
}

// The same in a function, which stays one where programs are large (WEFT_FUNCTIONS) and was made
// simpler before that was forgotten.
__attribute__((noinline)) void restrict_row(__global int *RESTRICT out, __global const int *RESTRICT in,
                                            __local int *RESTRICT scratch, int n) {
    scratch[LID + 1] = in[GID];
    if (LID == 0)
        scratch[0] = n;
    LOCAL_SYNC;
    int left = scratch[LID];
    LOCAL_SYNC;
    scratch[LID + 1] += left;
    LOCAL_SYNC;
    out[GID] = left + scratch[LID];
}

__kernel void restrict_in_function(ARGS) {
    restrict_row(out, in, scratch, n);
}

// An address that only some items store: the variable was thought to be needed by one region.
__kernel void address_kept_by_some(ARGS) {
    int x = in[GID], y = LID, *kept[2] = {&y, &y};
    if (x & 1)
        kept[n & 1] = &x;
    LOCAL_SYNC;
    out[GID] = *kept[n & 1] * 3 + *kept[~n & 1];
}

// The same where a table of addresses is copied.
__kernel void addresses_in_array(ARGS) {
    int x[2] = {in[GID], LID}, y[2] = {LID * 5, n}, *kept[3] = {x, y, x};
    LOCAL_SYNC;
    out[GID] = kept[x[0] % 3][0] * 3 + kept[(x[0] + n) % 3][1];
}

__attribute__((noinline)) void keep_address(int **where, int *what) {
    *where = what;
}

// The same where a function stores it.
__kernel void address_kept_by_function(ARGS) {
    int x = in[GID], *kept;
    keep_address(&kept, &x);
    LOCAL_SYNC;
    *kept += LID;
    LOCAL_SYNC;
    out[GID] = *kept;
}

typedef struct {
    int *numbers;
    int count;
    int rest[4];
} View;

__attribute__((noinline)) View view_of(int *numbers, int count) {
    View view = {numbers, count, {1, 2, 3, 4}};
    return view;
}

// The same where a function returns it in memory.
__kernel void address_returned_in_struct(ARGS) {
    int numbers[4] = {LID, in[GID], n, 3}, sum = 0;
    View view = view_of(numbers, 4);
    LOCAL_SYNC;
    for (int i = 0; i < view.count; i++)
        sum = sum * 3 + view.numbers[i] * view.rest[i];
    out[GID] = sum;
}

// A pointer into an array that waits in the context was taken for one into other memory.
__kernel void alias_across(ARGS) {
    int numbers[8], sum = 0, *largest = numbers;
    for (int i = 0; i < 8; i++)
        numbers[i] = in[GID + i];
    for (int i = 1; i < 8; i++)
        if (numbers[i] > *largest)
            largest = numbers + i;
    scratch[LID] = *largest;
    LOCAL_SYNC;
    for (int i = 0; i < 8; i++)
        numbers[i] += scratch[0];
    *largest = -1;
    for (int i = 0; i < 8; i++)
        sum = sum * 3 + numbers[i];
    out[GID] = sum;
}

// The same with vectors: one item after the other.
__kernel void alias_of_vectors(ARGS) {
    int8 both[2] = {(int8)(in[GID]), (int8)(in[GID + 1])}, *larger = both;
    if (both[0].s0 < both[1].s0)
        larger = both + 1;
    scratch[LID] = (*larger).s0;
    LOCAL_SYNC;
    both[0] += scratch[0];
    both[1] -= scratch[0];
    *larger = (int8)(7);
    int8 sum = both[0] * 3 + both[1];
    out[GID] = sum.s0 + sum.s7;
}

__constant int uniform_table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

// A value that is the same in all items that have one: those that have none overwrote it.
__kernel void uniform_of_some(ARGS) {
    bool first = get_local_id(1) == 0 && get_local_id(2) == 0;
    int value;
    if (first) {
        value = uniform_table[n & 15];
        while (value < 60)
            value = value * 2 + uniform_table[value & 15];
        scratch[get_local_id(0)] = value;
    }
    LOCAL_SYNC;
    int result = scratch[get_local_id(0)] * 3;
    if (first)
        result = result * 5 + value;
    out[GID] = result + LID;
}

// The same where no id decides.
__kernel void uniform_where_odd(ARGS) {
    bool odd = in[GID] & 1;
    int value;
    if (odd) {
        value = uniform_table[n & 15];
        for (int i = 0; i < n; i++)
            value = value * 3 + uniform_table[i & 15];
    }
    LOCAL_SYNC;
    scratch[LID] = odd ? value : -1;
    LOCAL_SYNC;
    out[GID] = odd ? scratch[LID] + value : scratch[LID];
}

__constant int unrolled_places[12] = {5, 3, 9, 1, 7, 0, 2, 4, 6, 8, 11, 10};

// Private arrays whose places are constants once loops are unrolled: triangular loops, places from a
// table, a place that counts across nested loops, and a loop around them that is not unrolled.
__kernel void arrays_of_values(ARGS) {
    uint v[12], w[9];
    int count = 0;
    for (int k = 0; k < 12; k++)
        v[unrolled_places[k]] = (uint)in[GID] * (k * 37 + 1) % 101;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            w[count++] = v[y * 4 + x] + x;
    for (int round = 0; round < (n & 3) + 1; round++) {
        for (int a = 0; a < 4; a++)
            for (int b = a + 1; b < 12; b++)
                if (v[b] < v[a]) {
                    uint kept = v[a];
                    v[a] = v[b];
                    v[b] = kept;
                }
        for (int k = 0; k < 9; k++)
            v[unrolled_places[k]] += w[8 - k] * round;
    }
    uint result = 0;
    for (int k = 0; k < 12; k++)
        result = result * 31 + v[k];
    out[GID] = (int)result;
}

// Integers around powers of two, and around multiples of the divisor, in all sizes: quotients that
// floating-point numbers of the wrong size would round up.
__kernel void quotients(ARGS) {
    uint h = ((uint)in[GID] + (uint)GID * 2654435761u) * 2246822519u;
    h ^= h >> 15;
    ulong b = ((ulong)1 << (h & 63)) + (h >> 6 & 7) - 3;
    ulong a = (h & 0x40000000) ? b * (((ulong)1 << (h >> 9 & 63)) + n) + (h >> 15 & 3) - 1
                               : ((ulong)1 << (h >> 9 & 63)) + (h >> 15 & 7) - 3;
    if (h & 0x10000000)
        a = (ulong)(-(long)a);
    if ((h & 0x30000000) == 0x20000000)
        b = b >> 3 | 1;
    ulong result = UDIV(a, b) + 3 * (ulong)UREM(a, b);
    result += 5 * (ulong)DIV(long, (long)a, (long)b) + 7 * (ulong)REM(long, (long)a, (long)b);
    result += 11 * (ulong)UDIV((uint)a, (uint)b) + 13 * (ulong)UREM((uint)a, (uint)b);
    result += 17 * (ulong)DIV(int, (int)a, (int)b) + 19 * (ulong)REM(int, (int)a, (int)b);
    ushort c = (ushort)a, d = (ushort)b;
    uchar e = (uchar)a, f = (uchar)b;
    result += 23 * (ulong)(ushort)UDIV(c, d) + 29 * (ulong)(ushort)UREM(c, d);
    result += 31 * (ulong)(uchar)UDIV(e, f) + 37 * (ulong)(uchar)UREM(e, f);
    short s = (short)a, t = (short)(b & 0x7fff);
    result += 41 * (ulong)(long)UDIV(s, t);
    out[GID] = (int)(result ^ result >> 32);
}
