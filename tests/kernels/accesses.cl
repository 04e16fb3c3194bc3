// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Addresses that lie side by side for most vectors of items, but not for all: edges, masks, wrapping
// around. Signature and macros as in barriers.cl.

#define ARGS __global int *out, __global const int *in, __local int *scratch, int n
#define GID (get_global_linear_id())
#define LID ((int)get_local_linear_id())
#define LOCAL_SYNC barrier(CLK_LOCAL_MEM_FENCE)

int group_items(void) {
    return (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

__kernel void neighbours(ARGS) {
    int last = group_items() - 1, left = LID == 0 ? 0 : LID - 1;
    int right = LID + 1 < last ? LID + 1 : last;
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    out[GID] = scratch[left] * 3 + scratch[right] * 5 + scratch[last - LID];
}

__kernel void powers_of_two(ARGS) {
    int items = group_items(), mask = (1 << n) - 1;
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    int sum = scratch[(LID & mask) % items];
    sum = sum * 7 + scratch[(LID ^ (1 << n)) % items];
    sum = sum * 7 + scratch[(LID | n) % items];
    sum = sum * 7 + scratch[LID % (n + 1) % items] + scratch[LID / (n + 1)];
    out[GID] = sum + scratch[(uint)LID >> n];
}

// Where the first items are off, their unsigned indices are far away.
__kernel void wrapped(ARGS) {
    uint back = (uint)LID - (uint)n, items = (uint)group_items();
    size_t wide = (size_t)LID - (size_t)n;
    scratch[LID] = in[GID];
    scratch[LID + group_items()] = 0;
    LOCAL_SYNC;
    int sum = 0;
    if (back < items)
        sum = scratch[back];
    if (wide < items)
        sum = sum * 3 + scratch[wide];
    if ((uint)wide < 3)
        scratch[(uint)wide + items] = sum;
    LOCAL_SYNC;
    out[GID] = sum + scratch[items + (LID & 1)];
}

// Members of pairs and wider groups, at places that a mask leaves together.
__kernel void pairs(ARGS) {
    int items = group_items(), size = 1 << n;
    __local int2 *two = (__local int2 *)scratch;
    two[LID] = (int2)(in[GID], LID);
    LOCAL_SYNC;
    int at = 2 * LID - (LID & (size - 1));
    int2 a = two[at % items], b = two[(LID & (size - 1)) * 2 % items];
    int2 c = two[(LID & (size - 1)) * 3 % items];
    LOCAL_SYNC;
    two[LID] = a + b * 3 + c * 5;
    LOCAL_SYNC;
    out[GID] = two[LID].x + two[items - 1 - LID].y;
}

// Stores whose places are a permutation of the group's.
__kernel void scattered(ARGS) {
    int items = group_items(), size = 1 << n, at = LID ^ size;
    scratch[LID] = scratch[LID + items] = 0;
    LOCAL_SYNC;
    if (at < items)
        scratch[at] = in[GID];
    scratch[items + (LID + n) % items] = LID;
    LOCAL_SYNC;
    out[GID] = scratch[LID] + scratch[LID + items] * 3;
}

// A loop that items leave at different times: they stay side by side while they are in it.
__kernel void strided_loop(ARGS) {
    int items = group_items(), sum = 0;
    scratch[LID] = in[GID];
    LOCAL_SYNC;
    for (uint i = (uint)LID; i < (uint)items; i += (uint)(n + 1))
        sum = sum * 3 + scratch[i];
    for (int i = LID; i >= 0; i -= n + 1)
        sum = sum * 5 + scratch[i];
    out[GID] = sum;
}

// Elements side by side of items that lie apart, stored and loaded in one block: what belongs to
// other items, or was stored in between, counts; some of the items do nothing.
__kernel void side_by_side(ARGS) {
    __local short *s = (__local short *)scratch; /* four for each item */
    __local uchar *bytes = (__local uchar *)scratch;
    int at = 4 * LID, x = in[GID];
    s[at] = s[at + 1] = s[at + 2] = s[at + 3] = (short)LID;
    LOCAL_SYNC;
    if (LID % (n + 1) != 1) {
        s[at + 2] = (short)(x + 1);
        s[at] = (short)x;
        s[at + 1] = (short)(x + 2);
    }
    LOCAL_SYNC;
    int a = s[at + 1], b = s[at + 3], c = s[at], d = s[at + 2];
    LOCAL_SYNC;
    int e = s[at + 1];
    s[at] = (short)(a + e);
    s[at + 1] = (short)(s[at] + d);
    int f = s[at];
    s[at + 2] = (short)(s[at + 1] * 3 + f);
    LOCAL_SYNC;
    int g = bytes[2 * at] + 3 * bytes[2 * at + 1] + 5 * bytes[2 * at + 2] + 7 * bytes[2 * at + 5];
    out[GID] = (((a * 3 + b) * 3 + c) * 3 + d) * 3 + s[at + 2] + g + bytes[2 * at + 7];
}

// Elements that fill an integer together, taken apart and put together.
__kernel void pixels(ARGS) {
    uchar4 p = ((__global const uchar4 *)in)[GID];
    float alpha = p.w * (1.0f / 256);
    ((__global uchar4 *)out)[GID] = (uchar4)((uchar)(p.x * alpha), (uchar)(int)(p.y * alpha + n),
                                             (uchar)(p.z * p.z + n), p.w);
}

__kernel void signed_pixels(ARGS) {
    char4 a = ((__global const char4 *)(in + n))[GID], b = ((__global const char4 *)in)[GID];
    int x = (int)a.x * b.w - n, y = a.y + b.z, z = (int)((float)a.z * (float)b.y);
    ((__global char4 *)out)[GID] = (char4)((char)x, (char)y, (char)(float)(y / 3), (char)(z - x));
}

__kernel void pairs_of_shorts(ARGS) {
    short2 a = ((__global const short2 *)in)[GID];
    ushort2 b = ((__global const ushort2 *)(in + n))[GID];
    int x = a.x * n + b.y, y = (int)((float)a.y * 0.25f + (float)b.x);
    ((__global short2 *)out)[GID] = (short2)((short)x, (short)(x - y));
}

__kernel void pairs_of_bytes(ARGS) {
    uchar2 a = ((__global const uchar2 *)in)[GID];
    char2 b = ((__global const char2 *)(in + n))[GID];
    int x = a.x * b.y, y = (int)((float)a.y * 0.5f) + b.x;
    ((__global uchar2 *)out)[2 * GID] = (uchar2)((uchar)x, (uchar)(y - x));
    ((__global uchar2 *)out)[2 * GID + 1] = (uchar2)((uchar)(x >> 8), a.y);
}
