// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of 24 to 56 bits in memory, as LLVM makes them of unions and small structures: lanes read
// and wrote beside them. Found by reading.
typedef struct { uchar a, b, c; } s3;
typedef struct { ushort a, b, c; } s6;
typedef struct { uchar a[5]; } s5;
typedef struct { uchar a[7]; } s7;
typedef struct { uint a, b, c; } s12;
typedef union { s3 s; uint i; } u3;
typedef union { s6 s; ulong l; } u6;
typedef union { s5 s; ulong l; } u5;
typedef union { s7 s; ulong l; } u7;
// launch load24 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o200z i150u
kernel void load24(global uint *out, global const s3 *in) {
    size_t g = get_global_id(0);
    u3 u; u.i = 0; u.s = in[g];
    out[g] = u.i * 3;
}
// launch load48 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o400z i300u
kernel void load48(global ulong *out, global const s6 *in) {
    size_t g = get_global_id(0);
    u6 u; u.l = 0; u.s = in[g];
    out[g] = u.l * 3;
}
// launch load40 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o400z i250u
kernel void load40(global ulong *out, global const s5 *in) {
    size_t g = get_global_id(0);
    u5 u; u.l = 0; u.s = in[g];
    out[g] = u.l * 3;
}
// launch load56 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o400z i350u
kernel void load56(global ulong *out, global const s7 *in) {
    size_t g = get_global_id(0);
    u7 u; u.l = 0; u.s = in[g];
    out[g] = u.l * 3;
}
// launch store24 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o150z i200u
kernel void store24(global s3 *out, global const uint *in) {
    size_t g = get_global_id(0);
    u3 u; u.i = in[g] * 5;
    if (in[g] & 1) out[g] = u.s;
}
// launch store48 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o300z i400u
kernel void store48(global s6 *out, global const ulong *in) {
    size_t g = get_global_id(0);
    u6 u; u.l = in[g] * 5;
    if (in[g] & 1) out[g] = u.s;
}
// launch store40 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o250z i400u
kernel void store40(global s5 *out, global const ulong *in) {
    size_t g = get_global_id(0);
    u5 u; u.l = in[g] * 5;
    if (in[g] & 1) out[49-g] = u.s;
}
// launch store56 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o350z i400u
kernel void store56(global s7 *out, global const ulong *in) {
    size_t g = get_global_id(0);
    u7 u; u.l = in[g] * 5;
    out[g] = u.s;
}
// launch gather48 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o400z i300u i400u
kernel void gather48(global ulong *out, global const s6 *in, global const ulong *w) {
    size_t g = get_global_id(0);
    u6 u; u.l = 0; u.s = in[w[g] % 50];
    if (w[g] & 64) u.s = in[(g * 7) % 50];
    out[g] = u.l * 3;
}
// launch rev24 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o200z i150u
kernel void rev24(global uint *out, global const s3 *in) {
    size_t g = get_global_id(0);
    u3 u; u.i = 0; u.s = in[49 - g];
    out[g] = u.i * 3;
}
// launch private24 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o200z i150u v2
kernel void private24(global uint *out, global const s3 *in, int n) {
    size_t g = get_global_id(0);
    s3 t[9];
    for (int i = 0; i < 9; i++) t[(i * n + 2) % 9 ] = in[(g + i) % 50];
    if (g & 1) t[n + 2] = in[g];
    u3 u; u.i = 0; u.s = t[(g + n) % 9]; 
    if (n == 4) u.s = t[n];
    out[g] = u.i * 3;
}
// launch memcpy48 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o400z i307u
kernel void memcpy48(global ulong *out, global const uchar *in) {
    size_t g = get_global_id(0);
    ulong l = 0; __builtin_memcpy(&l, in + g * 6 + 1, 6);
    out[g] = l + 1;
}
uint sum3(s3 s) { return s.a + s.b * 256u + s.c * 65536u; }
// launch byvalue24 1 global 50 1 1 offset 0 0 0 local 25 1 1 arguments o200z i150u
kernel void byvalue24(global uint *out, global const s3 *in) {
    size_t g = get_global_id(0);
    if (g % 3) out[g] = sum3(in[g]);
}
