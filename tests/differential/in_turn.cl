// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Straight code that loads and stores in turn: accesses side by side become one where nothing that
// they pass touches them (compiler/vector/bundle.cc), or where buffers are apart
// (apart_straight.cc). Where something does, the order is the program's.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ARGS global int *out, global const int *in, int n

// launch block 1 global 100 1 1 offset 0 0 0 local 50 1 1 arguments o6400z i6400s v3
kernel void block(ARGS) {
    size_t i = get_global_id(0) * 16;
    int x = n, y = in[i & 31];
#define STEP(k) out[i + k] = in[i + k] ^ (x = x * 5 + y), y ^= x >> k
    STEP(0), STEP(1), STEP(2), STEP(3), STEP(4), STEP(5), STEP(6), STEP(7);
    STEP(8), STEP(9), STEP(10), STEP(11), STEP(12), STEP(13), STEP(14), STEP(15);
}

// What is behind the part uses what was computed in it, in a loop that goes around it.
// launch points 1 global 77 1 1 offset 0 0 0 local 77 1 1 arguments o1848i i1848s v5
kernel void points(ARGS) {
    size_t i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < n; k++) {
        size_t at = 3 * ((i + 77 * k) % 154);
        out[at] += in[at] * n;
        out[at + 1] += in[at + 1] - sum;
        out[at + 2] ^= in[at + 2] + k;
        sum += out[at] ^ out[at + 1];
    }
    out[3 * i] ^= sum;
}

// Each load but the first reads what the store in front of it wrote.
// launch chain 1 global 60 1 1 offset 0 0 0 local 20 1 1 arguments o1920i i1024s v7
kernel void chain(ARGS) {
    global int *p = out + get_global_id(0) * 8;
    p[1] = p[0] * 3 + n;
    p[2] = p[1] ^ p[7];
    p[3] = p[2] * 5 - p[6];
    p[4] = p[3] + p[2];
    p[5] = p[4] ^ in[p[1] & 255];
    p[6] = p[5] + 1;
    p[7] = p[6] * p[4];
}

// The other way round: nothing is in the way of any load.
// launch shifted 1 global 60 1 1 offset 0 0 0 local 20 1 1 arguments o1920i i1024s v7
kernel void shifted(ARGS) {
    global int *p = out + get_global_id(0) * 8;
    p[0] = p[1] + n;
    p[1] = p[2] ^ n;
    p[2] = p[3] * n;
    p[3] = p[4] - n;
    p[4] = p[5] | n;
    p[5] = p[6] & n;
    p[6] = p[7] >> 1;
}

// A store whose bundle goes on behind loads that began before: it may not pass the load behind.
// launch crossing 1 global 60 1 1 offset 0 0 0 local 20 1 1 arguments o1920i i1920s v7
kernel void crossing(ARGS) {
    size_t i = get_global_id(0) * 8;
    out[i + 0] = n;
    int a = out[i + 4];
    out[i + 1] = in[i + 1];
    out[i + 2] = in[i + 2];
    int b = out[i + 3];
    int c = out[i + 2];
    int d = out[i + 1];
    out[i + 3] = a + b;
    out[i + 4] = c * 3 ^ d;
    int e = out[i + 5], f = out[i + 0];
    out[i + 5] = e - f;
    out[i + 6] = out[i + 7] + in[i] + f;
    out[i + 7] = e * d;
}

// Of several sizes: bytes of what is loaded as a word.
// launch sizes 1 global 60 1 1 offset 0 0 0 local 20 1 1 arguments o1920i i1920s v7
kernel void sizes(ARGS) {
    global int *p = out + get_global_id(0) * 8;
    global char *bytes = (global char *)p;
    int a = p[0];
    bytes[5] = (char)(a + n);
    int b = p[1];
    bytes[11] = (char)b;
    bytes[12] = (char)(b >> 8);
    int c = p[2], d = p[3];
    bytes[13] = (char)(c ^ d);
    bytes[14] = (char)p[3];
    bytes[15] = (char)p[3];
    p[4] = bytes[13] + bytes[14] * bytes[15];
    p[5] = a ^ b ^ c ^ d;
    vstore2((char2)((char)p[4], (char)p[5]), 13, bytes);
    p[7] = p[6] * p[4];
}

// Two buffers that are one, by way of an address; some lanes only.
// launch hidden 1 global 61 1 1 offset 0 0 0 local 61 1 1 arguments o1952i i1952s v2
kernel void hidden(ARGS) {
    size_t i = get_global_id(0) * 8;
    global int *q = (in[i] & 1 ? out : (global int *)(out + n)) + i;
    if (in[i + 1] & 3) {
        out[i + 0] = q[0] + 1;
        out[i + 1] = q[1] * 3;
        out[i + 2] = q[2] ^ 5;
        out[i + 3] = q[3] - q[0];
        q[1] = out[i + 2] + in[i + 2];
        q[2] = out[i + 1] + in[i + 3];
        q[3] = out[i + 0] + in[i + 4];
    }
}

// Vectors, doubles and an update of an atomic between them.
// launch mixed_types 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o3080z i3072s v9
kernel void mixed_types(ARGS) {
    size_t i = get_global_id(0);
    global double *to = (global double *)(out + 2);
    to[4 * i] = in[8 * i] * 0.5;
    to[4 * i + 1] = in[8 * i + 1] + 0.25;
    atomic_add((volatile global int *)out, in[8 * i + 2]);
    to[4 * i + 2] = in[8 * i + 2] - to[4 * i];
    to[4 * i + 3] = in[8 * i + 3] * to[4 * i + 1];
    global int2 *pairs = (global int2 *)to;
    pairs[4 * i] ^= ((global const int2 *)in)[4 * i];
    pairs[4 * i + 1] += ((global const int2 *)in)[4 * i + 1] * n;
}
