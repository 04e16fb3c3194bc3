// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Structures of four and eight elements that follow each other: registers are shuffled in pairs
// (compiler/vector/perfect_shuffle.cc), members that are vectors are moved together (bundle.cc).

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ARGS global int *out, global const int *in, int n

struct eight {
    int a, b, c, d, e, f, g, h;
};

// launch eights 1 global 100 1 1 offset 0 0 0 local 50 1 1 arguments o3200z i4096s v3
kernel void eights(ARGS) {
    size_t i = get_global_id(0);
    struct eight p = ((global const struct eight *)in)[i];
    p.a += p.h * p.b;
    p.b -= p.c ^ n;
    p.c *= p.d;
    p.e |= p.f & p.g;
    p.h -= p.a;
    ((global struct eight *)out)[i] = p;
}

// In another order, in some lanes only, of which one writes half.
// launch turned 1 global 77 1 1 offset 0 0 0 local 77 1 1 arguments o2464z i4096s v5
kernel void turned(ARGS) {
    size_t i = get_global_id(0);
    struct eight p = ((global const struct eight *)in)[i], q = p;
    q.a = p.g;
    q.g = p.a;
    q.c = p.d + n;
    q.d = p.c;
    if (p.b & 1)
        ((global struct eight *)out)[i] = q;
    else
        ((global int4 *)out)[2 * i] = (int4)(p.a, p.b, p.c, p.d);
}

struct pair {
    float4 place, speed;
};

// launch pairs 1 global 90 1 1 offset 0 0 0 local 30 1 1 arguments o2880z i4096s v2
kernel void pairs(ARGS) {
    size_t i = get_global_id(0);
    struct pair p;
    p.place = convert_float4(vload4(2 * i, in));
    p.speed = convert_float4(vload4(2 * i + 1, in));
    p.speed -= p.place * n;
    p.place = p.speed.wzyx + p.place.yxwz;
    global struct pair *to = (global struct pair *)out + i;
    to->place = p.place;
    to->speed = select(p.speed, -p.speed, p.place > 9.0f);
}

// launch moved 1 global 70 1 1 offset 0 0 0 local 35 1 1 arguments o2240z i4096s v1
kernel void moved(ARGS) {
    size_t i = get_global_id(0);
    global const struct pair *from = (global const struct pair *)in + i;
    global struct pair *to = (global struct pair *)out + i;
    uint4 place = as_uint4(from->place), speed = as_uint4(from->speed);
    to->place = as_float4(speed >> 1);
    to->speed = as_float4(place ^ speed);
}

struct triple {
    int4 a, b, c;
};

// launch triples 1 global 60 1 1 offset 0 0 0 local 30 1 1 arguments o2880z i4096s v4
kernel void triples(ARGS) {
    size_t i = get_global_id(0);
    struct triple p = ((global const struct triple *)in)[i];
    p.a += p.b.wzyx;
    p.b ^= p.c * n;
    ((global struct triple *)out)[i] = p;
}

struct couples {
    int2 a, b, c, d;
};

// Three of four members of two elements.
// launch couples 1 global 70 1 1 offset 0 0 0 local 35 1 1 arguments o2240z i4096s v4
kernel void couples(ARGS) {
    size_t i = get_global_id(0);
    global const struct couples *from = (global const struct couples *)in + i;
    global struct couples *to = (global struct couples *)out + i;
    int2 a = from->a, b = from->b, c = from->c;
    to->b = a + b.yx;
    to->c = c * n;
    to->d = a - c;
}

#define FOUR(type, vector)                                                                         \
    kernel void four_##type(ARGS) {                                                                \
        size_t i = get_global_id(0);                                                               \
        vector p = ((global const vector *)in)[i];                                                 \
        vector q = (vector)(p.x + p.y * p.z, p.y - p.w, p.z * (type)n, p.w ^ p.x);                 \
        ((global vector *)out)[i] = q;                                                             \
    }

// launch four_char 1 global 200 1 1 offset 0 0 0 local 100 1 1 arguments o800z i4096s v3
FOUR(char, char4)
// launch four_short 1 global 200 1 1 offset 0 0 0 local 100 1 1 arguments o1600z i4096s v3
FOUR(short, short4)
// launch four_int 1 global 200 1 1 offset 0 0 0 local 100 1 1 arguments o3200z i4096s v3
FOUR(int, int4)
// launch four_long 1 global 120 1 1 offset 0 0 0 local 60 1 1 arguments o3840z i4096s v3
FOUR(long, long4)

// launch doubles 1 global 110 1 1 offset 0 0 0 local 55 1 1 arguments o7040z i4096s v3
kernel void doubles(ARGS) {
    size_t i = get_global_id(0);
    double4 p = convert_double4(vload4(i, in));
    double4 q = (double4)(p.x * n, p.y - p.w, p.z * p.x, p.w + p.x);
    ((global double4 *)out)[2 * i] = q;
    ((global double4 *)out)[2 * i + 1] = p.wzyx;
}

// From the last to the first.
// launch backwards 1 global 96 1 1 offset 0 0 0 local 48 1 1 arguments o3072z i4096s v3
kernel void backwards(ARGS) {
    size_t i = get_global_id(0), back = get_global_size(0) - 1 - i;
    struct eight p = ((global const struct eight *)in)[back];
    p.a ^= p.h;
    p.c += p.f * n;
    ((global struct eight *)out)[back] = p;
}

// In a loop over rows of local memory.
// launch rows_of_eight 1 global 64 1 1 offset 0 0 0 local 32 1 1 arguments o2048z i4096s v3
kernel void rows_of_eight(ARGS) {
    local struct eight rows[32];
    size_t i = get_global_id(0);
    uint l = get_local_id(0);
    struct eight sum = {0};
    for (int k = 0; k < n; k++) {
        rows[l] = ((global const struct eight *)in)[(i + k) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        struct eight p = rows[l ^ (k & 31)];
        sum.a += p.b;
        sum.b -= p.a ^ p.h;
        sum.d += p.c * p.g;
        sum.h ^= p.e + p.f;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ((global struct eight *)out)[i] = sum;
}

// Stores of one item that overlap: their order counts.
typedef uint2 unaligned __attribute__((aligned(4)));
// launch overlapping 1 global 60 1 1 offset 0 0 0 local 30 1 1 arguments o1920z i4096s v3
kernel void overlapping(ARGS) {
    size_t i = get_global_id(0);
    uint x = in[i];
    global uint *to = (global uint *)out + i * 8;
    *(global unaligned *)(to + 2) = (uint2)(x + 1, x + 2);
    *(global unaligned *)(to + 3) = (uint2)(x + 11, x + 12);
    *(global unaligned *)to = (uint2)(x + 21, x + 22);
}

// Pointers from the last to the first, which are numbers here that nobody follows.
// launch pointers 1 global 64 1 1 offset 0 0 0 local 64 1 1 arguments o512z i4096s v3
kernel void pointers(ARGS) {
    size_t i = get_global_id(0);
    float x = in[i];
    for (int k = 0; k < 20; k++)
        x = x * 0.5f + 1.0f;
    global int *global *to = (global int *global *)out;
    to[63 - i] = (global int *)((uintptr_t)in[i] * 8 + (int)x);
}
