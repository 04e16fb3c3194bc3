// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the functions of kernel-lib/rt compute, one level of x86-64 per program (WEFT_LEVEL),
 * against the C library and the compiler's own arithmetic. Each symbol of the object carries the
 * prefix rt_.
 */
#include "harness.h"
#include "../level.h"
#include "../random.h"

#include <limits.h>
#include <math.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

extern void *rt_memcpy(void *restrict, const void *restrict, size_t);
extern void *rt_memmove(void *, const void *, size_t);
extern void *rt_memset(void *, int, size_t);
extern int rt_memcmp(const void *, const void *, size_t);
extern double rt_fma(double, double, double), rt_fmod(double, double), rt_ldexp(double, int);
extern float rt_fmaf(float, float, float), rt_fmodf(float, float), rt_ldexpf(float, int);
extern double rt_frexp(double, int *), rt_modf(double, double *);
extern float rt_frexpf(float, int *), rt_modff(float, float *);
extern double rt_floor(double), rt_ceil(double), rt_trunc(double), rt_rint(double);
extern double rt_nearbyint(double), rt_round(double), rt_roundeven(double);
extern float rt_floorf(float), rt_ceilf(float), rt_truncf(float), rt_rintf(float);
extern float rt_nearbyintf(float), rt_roundf(float), rt_roundevenf(float);
extern long rt_lrint(double), rt_lround(double), rt_lrintf(float), rt_lroundf(float);
extern double rt___powidf2(double, int);
extern float rt___extendhfsf2(_Float16);
extern _Float16 rt___truncsfhf2(float), rt___truncdfhf2(double), rt___floattihf(i128);
extern u128 rt___udivti3(u128, u128), rt___umodti3(u128, u128), rt___fixunsdfti(double);
extern i128 rt___divti3(i128, i128), rt___modti3(i128, i128), rt___multi3(i128, i128);
extern i128 rt___fixdfti(double), rt___fixsfti(float), rt___fixhfti(_Float16);
extern double rt___floattidf(i128), rt___floatuntidf(u128);
extern float rt___floattisf(i128), rt___floatuntisf(u128);
extern float rt_fminf(float, float), rt_fmaxf(float, float);

enum { POINTS = 200000 };

static uint64_t state = 1;

static const double specials[] = {
    0,         -0.0,       0.5,         -0.5,         1,         1.5,       2.5,
    -2.5,      3,          0x1p-1074,   0x1p-1022,    0x1p-1023, 0x1p-149,  0x1p-126,
    0x1p52,    0x1p52 + 1, 0x1p51 + .5, -0x1p51 - .5, 0x1p23f,   8388607.5, 65504,
    65519.999, 65520,      0x1p-24,     0x1p-25,      0x1.8p-25, 0x1p63,    0x1p64,
    0x1p127,   1e308,      3e38,        INFINITY,     -INFINITY, NAN,       0.49999999999999994};

/* A special value, any bits, or a number of moderate size. */
static double next_double(void) {
    uint64_t r = weft_random(&state), bits = weft_random(&state);
    double x;
    if (r % 4 == 0)
        return specials[(r >> 8) % (sizeof specials / sizeof specials[0])];
    if (r % 4 == 1) {
        memcpy(&x, &bits, 8);
        return x;
    }
    return ldexp((double)(int64_t)bits * 0x1p-63, (int)(r >> 8 & 127) - 63);
}

static float next_float(void) {
    uint64_t r = weft_random(&state);
    float x;
    uint32_t bits = (uint32_t)(r >> 32);
    if (r % 3 == 0) {
        memcpy(&x, &bits, 4);
        return x;
    }
    return (float)next_double();
}

static u128 next_u128(void) {
    u128 x = (u128)weft_random(&state) << 64 | weft_random(&state);
    unsigned shift = (unsigned)(weft_random(&state) & 127);
    return weft_random(&state) & 1 ? x >> shift : x << shift;
}

/* Same value, same sign of zero, or both NaN. */
static bool same(double x, double y) {
    return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

#define CHECK_SAME(call, wanted)                                                                   \
    do {                                                                                           \
        double got_ = (call), wanted_ = (wanted);                                                  \
        if (!same(got_, wanted_))                                                                  \
            FAIL("%s: %a is not %a (x = %a, y = %a, z = %a)", #call, got_, wanted_, (double)x,     \
                 (double)y, (double)z);                                                            \
    } while (0)

TEST(rounding) {
    for (int i = 0; i < POINTS; i++) {
        double x = next_double(), y = 0, z = 0;
        float f = next_float();
        CHECK_SAME(rt_floor(x), floor(x));
        CHECK_SAME(rt_ceil(x), ceil(x));
        CHECK_SAME(rt_trunc(x), trunc(x));
        CHECK_SAME(rt_rint(x), rint(x));
        CHECK_SAME(rt_nearbyint(x), nearbyint(x));
        CHECK_SAME(rt_roundeven(x), rint(x));
        CHECK_SAME(rt_round(x), round(x));
        CHECK_SAME(rt_floorf(f), floorf(f));
        CHECK_SAME(rt_ceilf(f), ceilf(f));
        CHECK_SAME(rt_truncf(f), truncf(f));
        CHECK_SAME(rt_rintf(f), rintf(f));
        CHECK_SAME(rt_nearbyintf(f), nearbyintf(f));
        CHECK_SAME(rt_roundevenf(f), rintf(f));
        CHECK_SAME(rt_roundf(f), roundf(f));
        if (fabs(x) < 0x1p62) {
            CHECK_EQ(rt_lrint(x), lrint(x));
            CHECK_EQ(rt_lround(x), lround(x));
        }
        if (fabsf(f) < 0x1p62f) {
            CHECK_EQ(rt_lrintf(f), lrintf(f));
            CHECK_EQ(rt_lroundf(f), lroundf(f));
        }
    }
}

TEST(fused_multiply_add) {
    for (int i = 0; i < POINTS; i++) {
        double x = next_double(), y = next_double(), z = next_double();
        if (i % 3 == 0) /* cancellation */
            z = -x * y;
        if (i % 5 == 0) /* near the subnormal results */
            z = ldexp(z, -1060), x = ldexp(x, -500), y = ldexp(y, -520);
        CHECK_SAME(rt_fma(x, y, z), fma(x, y, z));
    }
    for (int i = 0; i < POINTS; i++) {
        float x = next_float(), y = next_float(), z = next_float();
        if (i % 3 == 0)
            z = -x * y;
        if (i % 5 == 0)
            z = ldexpf(z, -130), x = ldexpf(x, -60), y = ldexpf(y, -70);
        CHECK_SAME(rt_fmaf(x, y, z), fmaf(x, y, z));
    }
}

TEST(remainders) {
    for (int i = 0; i < POINTS; i++) {
        double x = next_double(), y = next_double(), z = 0;
        CHECK_SAME(rt_fmod(x, y), fmod(x, y));
    }
    for (int i = 0; i < POINTS; i++) {
        float x = next_float(), y = next_float(), z = 0;
        CHECK_SAME(rt_fmodf(x, y), fmodf(x, y));
    }
}

TEST(exponents) {
    for (int i = 0; i < POINTS; i++) {
        double x = next_double(), y = 0, z = 0, whole, whole_wanted;
        float f = next_float(), whole_f, whole_f_wanted;
        int k = i % 2 ? (int)(weft_random(&state) & 8191) - 4096 : (int)weft_random(&state), e,
            e_wanted;
        CHECK_SAME(rt_ldexp(x, k), ldexp(x, k));
        CHECK_SAME(rt_ldexpf(f, k), ldexpf(f, k));
        CHECK_SAME(rt_frexp(x, &e), frexp(x, &e_wanted));
        CHECK_EQ(e, isfinite(x) ? e_wanted : 0);
        CHECK_SAME(rt_frexpf(f, &e), frexpf(f, &e_wanted));
        CHECK_EQ(e, isfinite(f) ? e_wanted : 0);
        CHECK_SAME(rt_modf(x, &whole), modf(x, &whole_wanted));
        CHECK_SAME(whole, whole_wanted);
        CHECK_SAME(rt_modff(f, &whole_f), modff(f, &whole_f_wanted));
        CHECK_SAME(whole_f, whole_f_wanted);
        f += 0.0f; /* a quiet NaN: C leaves the others open */
        /* + 0: either zero may come of -0 and +0 */
        CHECK_SAME(rt_fminf(f, (float)x) + 0, fminf(f, (float)x) + 0);
        CHECK_SAME(rt_fmaxf(f, (float)x) + 0, fmaxf(f, (float)x) + 0);
    }
    CHECK(rt___powidf2(3, 5) == 243 && rt___powidf2(2, -3) == 0.125 && rt___powidf2(7, 0) == 1);
    CHECK(rt___powidf2(-1, INT_MIN) == 1);
}

/* Every half, and floats and doubles around the middle between any two. */
TEST(halves) {
    for (uint32_t bits = 0; bits < 65536; bits++) {
        uint16_t code = (uint16_t)bits, back;
        _Float16 h;
        memcpy(&h, &code, 2);
        int e = bits >> 10 & 31, m = bits & 1023;
        double exact = e == 31  ? (m ? NAN : INFINITY)
                       : e == 0 ? ldexp(m, -24)
                                : ldexp(1024 + m, e - 25);
        double x = bits >> 15 ? -exact : exact, y = 0, z = 0;
        CHECK_SAME(rt___extendhfsf2(h), x);
        _Float16 again = rt___truncsfhf2((float)x), wide = rt___truncdfhf2(x);
        memcpy(&back, &again, 2);
        CHECK(back == code || (isnan(x) && (back & 0x7e00) == 0x7e00));
        memcpy(&back, &wide, 2);
        CHECK(back == code || (isnan(x) && (back & 0x7e00) == 0x7e00));
        if (e >= 30 || bits >> 15)
            continue;
        double step = ldexp(1, (e ? e : 1) - 25), middle = exact + step / 2;
        uint16_t even = (uint16_t)(code + (code & 1)), up = (uint16_t)(code + 1);
        struct {
            double x;
            uint16_t wanted;
        } cases[3] = {{nextafter(middle, 0), code}, {middle, even}, {nextafter(middle, 1e9), up}};
        for (int i = 0; i < 3; i++) {
            _Float16 r = rt___truncdfhf2(cases[i].x);
            memcpy(&back, &r, 2);
            CHECK_EQ(back, cases[i].wanted);
        }
        _Float16 r = rt___truncsfhf2((float)middle);
        memcpy(&back, &r, 2);
        CHECK_EQ(back, even);
    }
}

TEST(integers_of_128_bits) {
    for (int i = 0; i < POINTS; i++) {
        u128 a = next_u128(), b = next_u128();
        b = b ? b : 1;
        CHECK(rt___udivti3(a, b) == a / b);
        CHECK(rt___umodti3(a, b) == a % b);
        CHECK(rt___multi3((i128)a, (i128)b) == (i128)(a * b));
        if (!(a == (u128)1 << 127 && (i128)b == -1)) {
            CHECK(rt___divti3((i128)a, (i128)b) == (i128)a / (i128)b);
            CHECK(rt___modti3((i128)a, (i128)b) == (i128)a % (i128)b);
        }
        CHECK(rt___floatuntidf(a) == (double)a);
        CHECK(rt___floattidf((i128)a) == (double)(i128)a);
        CHECK(rt___floatuntisf(a) == (float)a);
        CHECK(rt___floattisf((i128)a) == (float)(i128)a);
        double x = next_double();
        if (fabs(x) < 0x1p126) {
            CHECK(rt___fixdfti(x) == (i128)x);
            CHECK(rt___fixsfti((float)x) == (i128)(float)x);
            CHECK(x < 0 || rt___fixunsdfti(x) == (u128)x);
        }
    }
    CHECK(rt___udivti3(5, 0) == 0 && rt___umodti3(5, 0) == 5);
    CHECK(rt___fixhfti((_Float16)-1234) == -1234);
    CHECK((float)rt___floattihf(-65504) == -65504.0f && isinf((float)rt___floattihf(65520)));
}

TEST(memory) {
    static unsigned char from[20000], to[20000], wanted[20000];
    for (int i = 0; i < 4000; i++) {
        size_t size = i < 600 ? (size_t)i : (size_t)(weft_random(&state) % 9000);
        size_t a = weft_random(&state) % 200, b = weft_random(&state) % 200;
        for (size_t k = 0; k < sizeof from; k++)
            from[k] = (unsigned char)weft_random(&state), wanted[k] = to[k] = (unsigned char)k;
        memcpy(wanted + b, from + a, size);
        CHECK(rt_memcpy(to + b, from + a, size) == to + b);
        CHECK(memcmp(to, wanted, sizeof to) == 0);
        CHECK(rt_memcmp(to, wanted, sizeof to) == 0);
        memmove(wanted + b, wanted + a, size);
        CHECK(rt_memmove(to + b, to + a, size) == to + b);
        CHECK(memcmp(to, wanted, sizeof to) == 0);
        memset(wanted + a, i, size);
        CHECK(rt_memset(to + a, i, size) == to + a);
        CHECK(memcmp(to, wanted, sizeof to) == 0);
        int order = memcmp(from + a, from + b, size), got = rt_memcmp(from + a, from + b, size);
        CHECK((order > 0) - (order < 0) == (got > 0) - (got < 0));
    }
}

int main(int argc, char **argv) {
    if (!weft_level_is_here(WEFT_LEVEL)) {
        printf("1..0 # SKIP this processor has no x86-64-v%d\n", WEFT_LEVEL);
        return 77;
    }
    return weft_run_tests(argc, argv) ? 1 : 0;
}
