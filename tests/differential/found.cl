// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that were found wrong by generators, mutants and other people, as small as they became,
// each with its launch. The first five were reported on e8e9dd5 by somebody else's generator, when
// 2000 seeds of our own and the whole CTS had nothing to say.
#pragma OPENCL FP_CONTRACT OFF

// The loop of a region's end was taken for the next trip's: the kernel never came to its store.
// launch ends_at_its_barrier 1 global 260 1 1 offset 0 0 0 local 65 1 1 arguments o2080z
kernel void ends_at_its_barrier(global ulong *hash) {
    int slot = get_global_id(0);
    for (int u = 0; u < 3; ++u) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if ((u & 1) == 1) break;
    }
    hash[slot] = 7UL;
}

// The same where the loop is not unrolled.
// launch loop_that_is_not_unrolled 2 global 14 16 1 offset 0 0 0 local 8 8 1 arguments o8192z l256
float tame1(float x) { return (fabs(x) >= 1e-4f && fabs(x) <= 1e6f) ? x : 1.0f; }
uchar f(local uchar *p, uint a, uint b, float q) { return 0; }
kernel void loop_that_is_not_unrolled(global ulong *hash, local uchar *lb) {
    uint li = get_local_id(1) * get_local_size(0) + get_local_id(0);
    int slot = (get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 64 + li;
    ulong h = 7;
    lb[li * 4] = 0; lb[li * 4 + 1] = 0; lb[li * 4 + 2] = 0; lb[li * 4 + 3] = 0;
    int u = 0;
    do {
        uchar v = f(lb, 0u, 1u, tame1(select(1.0f, (float)0u, u)));
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } while (++u < 2);
    hash[slot] = h;
}

// SIGSEGV in the application: the last of the lanes that are on was asked for where none is.
// launch last_lane_of_nobody 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o512z i8192f l256
float tame2(float x) { return (fabs(x) >= 1e-4f && fabs(x) <= 1e6f) ? x : 1.0f; }
kernel __attribute__((work_group_size_hint(64, 1, 1))) void last_lane_of_nobody(global ulong *hash, global float *out0, local uchar *lb) {
    local int wb[2];
    int gx = get_global_id(0), li = get_local_id(0), ls = get_local_size(0);
    uint slot = get_group_id(0) * 64 + get_local_id(0);
    ulong h = 7;
    float a[4] = {tame2(fmin(tame2(out0[2 * 64 + slot]), tame2(out0[(ls & 3) * 64 + slot]))), tame2((float)gx + out0[3 * 64 + slot]),
                  1.0f, tame2(fma(1.0f, (float)slot, out0[(int)(slot & 3) * 64 + slot]))};
    lb[li * 4] = 0; lb[li * 4 + 1] = 0; lb[li * 4 + 2] = 0; lb[li * 4 + 3] = 0;
    if (li == 0) { wb[0] = gx; wb[1] = ls * (int)slot; }
    for (int i = 0; i < 4; ++i) h = h * 31 + as_uint(a[i]);
    hash[slot] = h;
}

// SIGSEGV, or another value: places of lanes stood in front of the variable they are made of.
// launch member_that_nobody_changes 1 global 200 1 1 offset 0 0 0 local 100 1 1 arguments o1600z o3200s b16u
double tame3(double x) { return (fabs(x) >= 1e-4 && fabs(x) <= 1e6) ? x : 1.0; }
typedef struct { uint3 f0; double f1[4]; double f2; double3 f3[2]; } S3;
S3 make(uint3 f0, double f2) {
    S3 s; s.f0 = f0; s.f2 = f2; s.f1[0] = s.f1[1] = s.f1[2] = s.f1[3] = f2; s.f3[0] = (double3)3.0; s.f3[1] = (double3)3.0;
    return s;
}
kernel void member_that_nobody_changes(global ulong *hash, global int *out, uint3 arg1) {
    uint gx = get_global_id(0); int slot = gx; ulong h = 7; uint3 v2 = 1u; int v5 = gx;
    S3 s4 = make(arg1, 1.0), s6 = s4;
    int w = 0;
    do {
        for (int i = 1; i <= (gx & 7); i *= 2) { out[slot * 4 + 3] = 0; goto next; }
        v2.y = convert_uint_rtz(clamp(tame3(s6.f1[v5 & 3]), 0.0, 2000000000.0));
    next:;
    } while (++w < 20);
    h = h * 31; h = h * 31; h = h * 31 + s6.f0.s2;
    hash[slot] = h;
}

// Wrong in rows, a crash of the compiler in linear shape: the same as above. Written from a description.
// launch few_items_along_x 3 global 12 1 28 offset 1 1 1 local 4 1 7 arguments o2688z b160u b32u v5
constant uchar trips[8] = {3, 1, 4, 1, 5, 2, 6, 0};
typedef struct { ulong3 a; uint b; ulong3 c[2]; float3 d; } S4;
kernel __attribute__((reqd_work_group_size(4, 1, 7)))
void few_items_along_x(global ulong *hash, S4 s, ulong3 y, uint n) {
    uint slot = (uint)((get_group_id(2) * get_num_groups(0) + get_group_id(0)) * 28 + get_local_id(2) * 4 + get_local_id(0));
    float a13[16]; ulong3 a12[3]; a12[0] = y; a12[1] = y.zyx; a12[2] = y + 1;
    for (int i = 0; i < 16; i++) a13[i] = (float)(i * 3 + slot);
    ulong h = 7;
    ulong3 x = y;
    for (uint u = 0; u < n; u++) {
        for (int t = 0; t < trips[(slot + u) & 7]; t++) {
            s.a = convert_ulong3(as_long3(s.a) < as_long3(x) ? s.c[slot & 1] : s.a + x);
            s.c[t & 1].y += s.a.x;
            a13[(slot * 5 + t + s.b) & 15] += (float)t;
            x = x.zxy * 3UL + a12[(slot + t) % 3]; a12[t % 3].y ^= x.x;
        }
        s.c[u & 1] = s.a > x ? s.c[0] : x;
    }
    for (int i = 0; i < 16; i++) h = h * 31 + as_uint(a13[i]);
    h = h * 31 + s.a.x; h = h * 31 + s.a.y; h = h * 31 + s.a.z;
    h = h * 31 + s.c[0].x; h = h * 31 + s.c[1].z; h = h * 31 + x.y;
    hash[slot] = h;
}

// The scope of an inlined function's result became work for one lane after the other, which LLVM's
// verifier does not take: found by seed 325 of the mixed family, with checks.
// launch scope_of_a_result 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o512u i16s
typedef struct { uint f0[8]; } Result;
Result scoped(uint x, global const uint *t) {
    Result s;
    for (int i = 0; i < 8; i++)
        s.f0[i] = x + t[i & 3];
    return s;
}
kernel void scope_of_a_result(global ulong *hash, global const uint *t) {
    uint li = get_local_id(0);
    ulong h = 7;
    if (li & 1) {
        Result s = scoped(li, t);
        h = s.f0[li & 7];
    }
    hash[li] = h;
}

// Items that return between barriers, inside of two loops, leave no values of the group: a check of
// WEFT_CHECKS compared those that an earlier one had left. Mutant 807.
kernel void returned_without_group_values(global int *out, global const int *in, local int *scratch,
                                          int n) {
    int g = get_global_linear_id(), value = in[g] & 7;
    for (int r = 3; r > 0; r--)
        for (int i = 0; i < 8; i++) {
            if (value < i) {
                out[g] = 100 + i;
                return;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            out[g] = i;
        }
    out[g] += 5;
}

// One bit of a vector was loaded from so many bytes on, past the buffer's end: LLVM makes a load of
// bits of it, and lanes took its elements for bytes. Seed 100182 of the mixed family, guard pages.
// launch bit_of_a_vector 1 global 192 1 1 offset 0 0 0 local 64 1 1 arguments o1536u o3936s
kernel void bit_of_a_vector(global ulong *hash, global short3 *out0) {
    uint slot = get_global_id(0);
    hash[slot] = out0[(out0[300 + slot].s2 & 1) * 300 + slot].s2;
}

// A kernel that another one calls lost what says that its structure comes by value, and could not
// be launched (CL_INVALID_ARG_SIZE). Found by reading.
typedef struct { char c; int3 v; short s[5]; } Called;
// launch called_with_a_structure 1 global 32 1 1 offset 0 0 0 local 8 1 1 arguments o128s b48s l32
kernel void called_with_a_structure(global int *out, Called s, local int *t) {
    out[get_global_id(0)] += s.v.x;
}
// launch calls_with_a_structure 1 global 32 1 1 offset 0 0 0 local 8 1 1 arguments o128s b48s
kernel void calls_with_a_structure(global int *out, Called s) {
    local int t[64];
    called_with_a_structure(out, s, t);
}

// Lanes that are off hold an index at the other edge of 32 bits, and the first lane is one of them:
// the places of the others were counted from it. Found by reading.
// launch edge_address 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o1024z i1024s v-2147483648
kernel void edge_address(global int *out, global const int *in, int n) {
    int g = (int)get_global_id(0);
    if (g >= 5)
        out[(long)(g - 5 + n) + 2147483648L] = in[g] + 1;
}
// launch edge_address_u 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o1024z i1024s v-2147483648
kernel void edge_address_u(global int *out, global const int *in, int n) {
    uint g = (uint)get_global_id(0);
    if (g >= 5)
        out[(long)(int)(g - 5u + (uint)n) + 2147483648L] = in[g] + 1;
}
// launch edge_down 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o1024z i1024s v2147483647
kernel void edge_down(global int *out, global const int *in, int n) {
    int g = (int)get_global_id(0);
    if (g >= 5)
        out[(long)(n - g + 5) - 2147483547L] = in[g] + 1;
}
// launch edge_load 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o1024z i1024s v-2147483648
kernel void edge_load(global int *out, global const int *in, int n) {
    int g = (int)get_global_id(0);
    int r = 7;
    if (g >= 5)
        r = in[(long)(g - 5 + n) + 2147483648L] + 1;
    out[g] = r;
}
// launch edge_load_u 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o1024z i1024s v-2147483648
kernel void edge_load_u(global int *out, global const int *in, int n) {
    uint g = (uint)get_global_id(0);
    int r = 7;
    if (g >= 5)
        r = in[(long)(int)(g - 5u + (uint)n) + 2147483648L] + 1;
    out[g] = r;
}
// launch edge_guess 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o1024z i1024s v-2147483648
kernel void edge_guess(global int *out, global const int *in, int n) {
    uint g = (uint)get_global_id(0);
    int r = 7;
    global const int *p = in;
    int x = (int)(g - 5u + (uint)n);
    if (g >= 5)
        r = p[(long)x - (long)n] + p[(long)x + 2147483648L + (g & 0x7f0)] ;
    out[g] = r;
}

// A product of ids and sizes gets anywhere, and wrapped around between two lanes where it was cut
// down to 32 bits. Found by reading.
// launch two_dims 2 global 32 60 1 offset 0 0 0 local 32 1 1 arguments o15360z o15360z
kernel void two_dims(global long *out, global ulong *two) {
    size_t x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    size_t v = x + (y << 26) - 5;
    out[y * w + x] = (long)(int)v;
    two[y * w + x] = v;
}
// launch square_of_sizes 1 global 46340 1 1 offset 0 0 0 local 20 1 1 arguments o370720z o370720z
kernel void square_of_sizes(global long *out, global ulong *two) {
    size_t g = get_global_id(0);
    size_t v = g + get_global_size(0) * get_global_size(0) + 65535;
    two[g] = v;
    out[g] = (long)(int)v;
}
// launch linear3 2 global 46340 3 1 offset 0 0 0 local 20 1 1 arguments o1112160z
kernel void linear3(global long *out) {
    size_t g = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    size_t v = y * w * w / 2 + 44256 - 22000 + g;
    size_t u = y * w * w + g + 65535;
    out[g + y * w] = (long)(int)u * 3 + u;
}
// launch loop_step 1 global 64 1 1 offset 0 0 0 local 32 1 1 arguments o512z
kernel void loop_step(global long *out) {
    size_t g = get_global_id(0), s = 0;
    for (size_t i = g; i < ((size_t)1 << 35); i += (get_global_size(0) << 25) - get_global_size(1) * 7)
        s = s * 3 + (size_t)(long)(int)i + i;
    out[g] = s;
}

// The compiler crashed most of the time: a bit of a vector, taken by the instruction right behind the load,
// went with the load while the walk over the kernel stood there. Seed 14697 of the mixed family.
// launch bit_taken_at_once 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o256u i512u i512s
kernel void bit_taken_at_once(global uint *out, global const uint2 *bits, global const ushort *in) {
    uint slot = get_global_id(0);
    out[slot] = in[(convert_int(bits[slot].s1) & 1) * 21 + slot];
}

// It never ended: all lanes together leave an inner loop and the loop around it, out of which others of them
// jump apart. Seed 33049 of the mixed family.
// launch exit_of_two_loops 3 global 2 2 9 offset 0 0 0 local 1 1 9 arguments o288u i400s
kernel void exit_of_two_loops(global ulong *hash, global const int *in) {
    size_t slot = get_global_linear_id();
    int fuel = 0;
    for (char u = 3; u > 0; --u) {
        fuel = 2;
    outer:
    inner:
        if (--fuel < 0)
            goto done;
        if ((u & 3) != 0 || (convert_int_sat(u) & 3) != 0)
            goto inner;
        if (in[99 - slot % 100] == 0)
            goto outer;
    done:
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    hash[slot] = 7 + fuel;
}
// launch exit_of_three_loops 1 global 70 1 1 offset 0 0 0 local 35 1 1 arguments o560u i400s
kernel void exit_of_three_loops(global ulong *hash, global const int *in) {
    size_t slot = get_global_id(0);
    ulong h = 0;
    for (int a = 0; a < 3; a++) {
        for (int b = 0;; b++) {
            for (int c = 0;; c++) {
                for (int d = 0;; d++) {
                    h = h * 3 + d;
                    if (d == 4 - a)
                        break;
                    if (b * c + d == 6)
                        goto out; /* all lanes that are here */
                }
                if (in[(slot + c) % 100] & 1)
                    break;
                if (c == 5)
                    goto out;
            }
            if ((in[(slot + b) % 100] & 6) == 0)
                break;
        }
    out:
        h = h * 5 + a;
    }
    hash[slot] = h;
}

// LLVM's vectoriser, in kernels that run one item at a time, read far behind the buffer, or other values: it
// did not ask whether three bits of a counter wrap because it had asked that of 32. By reading.
// launch counters_of_two_widths 1 global 48 1 1 offset 0 0 0 local 48 1 1 arguments o192z i1536s i2964s v35 v15
// launch counters_of_two_widths 1 global 48 1 1 offset 0 0 0 local 48 1 1 arguments o192z i1536s i2852s v8 v15
kernel void counters_of_two_widths(global uint *out, global const uint *ring, global const uint *a, int n, int s) {
    uint i = get_global_id(0), sum = 1;
    for (int k = 0; k < n; k++)
        sum += a[i * s + (uint)k] ^ ring[(k & 7) + (size_t)i * 8];
    out[i] = sum;
}
// The same, where 8 bits were asked about for the loop's end. Seed 20115 of the family rows.
// launch counter_of_a_byte 1 global 32 1 1 offset 0 0 0 local 32 1 1 arguments o128z i8000u v40
kernel void counter_of_a_byte(global uint *out, global const uint *a, int n) {
    uint i = get_global_id(0), sum = 1;
    for (uchar q = 5; q < n + 5; q++) {
        const uchar k = q - 5;
        sum ^= a[(size_t)i * 64 + (uint)k % 16];
    }
    out[i] = sum;
}
// Turns that were made one before count in steps of four: seed 21855.
// launch counter_in_fours 1 global 33 1 1 offset 0 0 0 local 33 1 1 arguments o132z i66u i7408d v130
kernel void counter_in_fours(global uint *out, global const ushort *in, global const double *a, int n) {
    int i = get_global_id(0);
    uint most = in[i], first = most & 7;
#pragma unroll
    for (int k = 0; k < n; k++)
        most = max(most, (uint)(int)a[first * n + (uint)k % 16]);
    out[i] = most;
}
// Its name is what the first one's entry would be called.
// launch entry 1 global 32 1 1 offset 0 0 0 local 32 1 1 arguments o128z
kernel void entry(global uint *out) {
    out[get_global_id(0)] = get_global_id(0) * 3;
}
// launch weft_kernel_entry 1 global 32 1 1 offset 0 0 0 local 32 1 1 arguments o128z
kernel void weft_kernel_entry(global uint *out) {
    out[get_global_id(0)] = get_global_id(0) * 5;
}

// A load of what the store in front of it writes went in front of that, with others of its row.
// launch row_of_bytes 1 global 37 1 1 offset 0 0 0 local 37 1 1 arguments o296z o296z i296s v3
kernel void row_of_bytes(global uchar *a, global uchar *b, global const uchar *c, int n) {
    size_t i = get_global_id(0) * 8;
    uchar x = a[i + 1];
    a[i + 6] = (uchar)(x - n);
    b[i] = a[i + 3];
    a[i + 6] ^= c[i];
}

// launch rows_of_three 1 global 37 1 1 offset 5 0 0 local 37 1 1 arguments o336z o336z i336s v3
kernel void rows_of_three(global uchar *a, global uchar *b, global const uchar *c, int n) {
    size_t g = get_global_id(0);
    uint i = (uint)g * 8u - 40u;
    uchar x = c[(i + 7u)], y = a[(i + 1u)], w = (uchar)n;
    y = (uchar)(y * 3 + c[(i + 7u)]);
    a[(i + 6u)] = (uchar)(a[(i + 1u)] - w);
    x = (uchar)(x * 3 + a[(i + 3u)]);
    b[(i + 7u)] += (uchar)(c[(i + 6u)] ^ y);
    a[(i + 7u)] = x;
    a[(i + 6u)] ^= y;
    a[(i + 5u)] ^= w;
}

// Bits of a product of shorts in long: LLVM 22 shifts vpmulhw's 16 bits by 16 less (backend/products.h).
// launch product_of_shorts 1 global 67 1 1 offset 0 0 0 local 67 1 1 arguments o1072z i134u i134u
kernel void product_of_shorts(global short *o, global const short *a, global const short *b) {
    size_t i = get_global_id(0);
    short x = a[i], y = b[i] - 32768 + (short)(i * 977);
    ushort v = x, w = y;
    o[8 * i] = ((long)x * (long)y) < 0;
    o[8 * i + 1] = (short)(((long)x * y) >> 33);
    o[8 * i + 2] = (short)(((long)x * y) >> 21);
    o[8 * i + 3] = (short)((ulong)((long)x * y) >> 55);
    o[8 * i + 4] = (short)(((ulong)v * w) >> 31);
    o[8 * i + 5] = (short)(((ulong)v * w) >> 40);
    o[8 * i + 6] = (short)(((long)x * w) >> 19);
    o[8 * i + 7] = (short)(((long)x * y) >> 16);
}

// LLVM took for granted that the sum of mad_hi does not overflow.
// launch sum_of_mad_hi_wraps 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o256z
kernel void sum_of_mad_hi_wraps(global int *out) {
    int i = get_global_id(0);
    out[i] = mad_hi(0x3fffffff - i, 652682543, 2071755644) < 0;
}
