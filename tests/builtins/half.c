// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * cl_khr_fp16: each operation on half is rounded once, to nearest even, whatever the processor has
 * for it, in scalars and vectors, optimised or not. The results are compared with those of
 * arithmetic of 113 bits, in which they are exact, rounded to half.
 */
#include "../api/common.h"

#include <math.h>

typedef __float128 quad;

enum { ITEMS = 1 << 18, HALVES = 1 << 16 };

/** One launch over buffers x, y, z (inputs) and o (result), each of `bytes`. */
static void run(const char *source, const char *options, size_t items, const void *const in[3],
                const size_t in_bytes[3], void *out, size_t out_bytes) {
    weft_run(&(weft_one_run){.source = source,
                             .options = options,
                             .items = items,
                             .in = {in[0], in[1], in[2]},
                             .in_bytes = {in_bytes[0], in_bytes[1], in_bytes[2]},
                             .out = out,
                             .out_bytes = out_bytes});
}

static uint16_t bits_of(_Float16 x) {
    uint16_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static _Float16 of_bits(uint16_t bits) {
    _Float16 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool is_nan(uint16_t bits) {
    return (bits & 0x7fff) > 0x7c00;
}

static bool is_same(uint16_t got, uint16_t wanted) {
    return got == wanted || (is_nan(got) && is_nan(wanted));
}

static uint32_t next_random(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

/* ---- operations ------------------------------------------------------------------------------ */

static uint16_t x[ITEMS], y[ITEMS], z[ITEMS], result[ITEMS];

/**
 * x: each half four times. y: anything, or of x's magnitude, or a value at an edge. z: anything, or
 * near -x * y (what is left of a product that almost cancels), or where a product that is far
 * smaller or larger decides how a sum is rounded.
 */
static void fill(void) {
    static const uint16_t edges[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,
                                     0x401,  0x3c00, 0x3c01, 0x3bff, 0xbc00, 0x7bff,
                                     0x7bfe, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x2400,
                                     0x1000, 0x0c00, 0x4900, 0x5bff, 0x6800, 0x57ff};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned how = next_random();
        x[i] = (uint16_t)i;
        y[i] = how % 4 == 0   ? edges[how / 4 % EDGES]
               : how % 4 == 1 ? (uint16_t)(x[i] + next_random() % 4096 - 2048)
                              : (uint16_t)next_random();
        how = next_random();
        z[i] = (uint16_t)next_random();
        if (how % 4 == 0)
            z[i] = edges[how / 4 % EDGES];
        else if (how % 4 == 1)
            z[i] = (uint16_t)(bits_of((_Float16)(-(quad)of_bits(x[i]) * of_bits(y[i]))) +
                              next_random() % 8 - 4);
        else if (how % 4 == 2)
            z[i] = (uint16_t)(bits_of((_Float16)((quad)of_bits(x[i]) * of_bits(y[i]) *
                                                 (1 << next_random() % 16))) +
                              next_random() % 2);
    }
}

typedef uint16_t reference_fn(quad a, quad b, quad c);

#define REFERENCE(name, expression)                                                                \
    static uint16_t name(quad a, quad b, quad c) {                                                 \
        (void)a, (void)b, (void)c;                                                                 \
        return bits_of((_Float16)(expression));                                                    \
    }
#define ROUNDED(expression) ((quad)(_Float16)(expression))

REFERENCE(add, a + b)
REFERENCE(subtract, a - b)
REFERENCE(multiply, a *b)
REFERENCE(divide, a / b)
REFERENCE(negate, -a)
REFERENCE(root, sqrt((double)a))
REFERENCE(fused, a *b + c)
REFERENCE(apart, ROUNDED(a *b) + c)
REFERENCE(sum_times, ROUNDED(a + b) * c)
REFERENCE(differences, ROUNDED(ROUNDED(a - b) - c) - a)
REFERENCE(quotient_sum, ROUNDED(a / b) + ROUNDED(b / c))
REFERENCE(smaller, a < b ? a : b)
REFERENCE(remainder_of, fmod((double)a, (double)b))

static uint16_t compare(quad a, quad b, quad c) {
    (void)c;
    return (uint16_t)((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 |
                      (a >= b) << 5);
}

static const struct operation {
    const char *text; /* of a, b, c of type T to T; U: short or a vector of it */
    reference_fn *reference, *other;
} operations[] = {
    {"a + b", add, NULL},
    {"a - b", subtract, NULL},
    {"a * b", multiply, NULL},
    {"a / b", divide, NULL},
    {"-a", negate, NULL},
    {"__builtin_elementwise_sqrt(a)", root, NULL},
    {"__builtin_elementwise_fma(a, b, c)", fused, NULL},
    {"a * b + c", apart, fused}, /* may be one operation, but then everywhere */
    {"(a + b) * c", sum_times, NULL},
    {"((a - b) - c) - a", differences, NULL},
    {"a / b + b / c", quotient_sum, NULL},
    {"a < b ? a : b", smaller, NULL},
    {"__builtin_elementwise_fmod(a, b)", remainder_of, NULL},
    {"AS(CMP(a < b) | CMP(a <= b) << 1 | CMP(a == b) << 2 | CMP(a != b) << 3 | CMP(a > b) << 4 | "
     "CMP(a >= b) << 5)",
     compare, NULL},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static const struct form {
    const char *options;
    unsigned width;
} forms[] = {
    {"-DT=half -DCMP(x)=(short)(x) -DAS(x)=as_half((short)(x))", 1},
    {"-DT=half4 -DCMP(x)=((x)&(short4)1) -DAS=as_half4", 4},
    {"-DT=half16 -DCMP(x)=((x)&(short16)1) -DAS=as_half16", 16},
    {"-DT=half -DCMP(x)=(short)(x) -DAS(x)=as_half((short)(x)) -cl-opt-disable", 1},
    {"-DT=half2 -DCMP(x)=((x)&(short2)1) -DAS=as_half2 -cl-opt-disable", 2},
    {"-DT=half -DCMP(x)=(short)(x) -DAS(x)=as_half((short)(x)) -cl-denorms-are-zero", 1},
    {"-DT=half8 -DCMP(x)=((x)&(short8)1) -DAS=as_half8 -cl-denorms-are-zero", 8},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/** How many results are not the reference's; the first one into `first`. */
static unsigned count_wrong(reference_fn *reference, unsigned *first) {
    unsigned wrong = 0;
    for (unsigned i = ITEMS; i-- > 0;)
        if (!is_same(result[i],
                     reference((quad)of_bits(x[i]), (quad)of_bits(y[i]), (quad)of_bits(z[i])))) {
            wrong++;
            *first = i;
        }
    return wrong;
}

static void check_operation(const struct operation *operation, const struct form *form) {
    char source[1024];
    const void *in[3] = {x, y, z};
    const size_t bytes[3] = {sizeof x, sizeof y, sizeof z};
    snprintf(source, sizeof source,
             "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
             "kernel void k(global const T *x, global const T *y, global const T *z, global T *o) "
             "{\n"
             "    size_t i = get_global_id(0);\n"
             "    T a = x[i], b = y[i], c = z[i];\n"
             "    o[i] = %s;\n"
             "}\n",
             operation->text);
    run(source, form->options, ITEMS / form->width, in, bytes, result, sizeof result);
    unsigned i = 0, wrong = count_wrong(operation->reference, &i);
    if (wrong && operation->other)
        wrong = count_wrong(operation->other, &i);
    if (wrong)
        FAIL("%s with %s: %u wrong, as of %04x, %04x, %04x: %04x instead of %04x", operation->text,
             form->options, wrong, x[i], y[i], z[i], result[i],
             operation->reference((quad)of_bits(x[i]), (quad)of_bits(y[i]), (quad)of_bits(z[i])));
}

TEST(each_operation_is_rounded_once) {
    weft_need_compiler();
    fill();
    for (unsigned i = 0; i < OPERATIONS; i++)
        for (unsigned j = 0; j < FORMS; j++)
            check_operation(&operations[i], &forms[j]);
}

/* ---- conversions ----------------------------------------------------------------------------- */

static void convert(const char *from, const char *to, const char *options, unsigned width,
                    const void *in, size_t in_bytes, void *out, size_t out_bytes) {
    char source[512], n[12] = "";
    const void *all[3] = {in, in, in};
    const size_t bytes[3] = {in_bytes, in_bytes, in_bytes};
    if (width > 1)
        snprintf(n, sizeof n, "%u", width);
    snprintf(source, sizeof source,
             "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
             "kernel void k(global const %s%s *x, global const void *y, global const void *z,\n"
             "              global %s%s *o) {\n"
             "    size_t i = get_global_id(0);\n"
             "    o[i] = __builtin_convertvector(x[i], %s%s);\n"
             "}\n",
             from, n, to, n, to, n);
    if (width == 1)
        sprintf(strstr(source, "__builtin"), "(%s)x[i];\n}\n", to);
    run(source, options, ITEMS / width, all, bytes, out, out_bytes);
}

static const unsigned widths[] = {1, 4, 16};
static const char *const all_options[] = {"", "-cl-opt-disable", "-cl-denorms-are-zero"};
#define FOR_ALL_FORMS(w, o)                                                                        \
    for (unsigned w = 0; w < 3; w++)                                                               \
        for (unsigned o = 0; o < 3; o++)

/** Neighbours of what is half way between two halves, and anything. */
static double near_half_way(unsigned i) {
    double middle = ((double)of_bits((uint16_t)i) + (double)of_bits((uint16_t)(i + 1))) / 2;
    if ((i & 0x7fff) == 0x7bff)
        middle = i & 0x8000 ? -65520.0 : 65520.0;
    switch (i >> 16) {
    case 0:
        return middle;
    case 1:
        return nextafter(middle, 1e9);
    case 2:
        return nextafter(middle, -1e9);
    default:
        return ldexp((double)(int32_t)next_random(), (int)(next_random() % 60) - 60);
    }
}

TEST(double_is_rounded_to_half_once) {
    static double in[ITEMS];
    weft_need_compiler();
    for (unsigned i = 0; i < ITEMS; i++)
        in[i] = near_half_way(i);
    in[3 << 16] = 1e300, in[3 << 16 | 1] = -1e-300, in[3 << 16 | 2] = 0x1p-1060;
    FOR_ALL_FORMS(w, o) {
        convert("double", "half", all_options[o], widths[w], in, sizeof in, result, sizeof result);
        for (unsigned i = 0; i < ITEMS; i++)
            if (!is_same(result[i], bits_of((_Float16)in[i])))
                FAIL("%a becomes %04x, not %04x (%u lanes, %s)", in[i], result[i],
                     bits_of((_Float16)in[i]), widths[w], all_options[o]);
    }
}

TEST(float_is_rounded_to_half) {
    static float in[ITEMS];
    weft_need_compiler();
    for (unsigned i = 0; i < ITEMS; i++) {
        in[i] = (float)near_half_way(i);
        if (i >> 16 == 1)
            in[i] = nextafterf(in[i], 1e9f);
        if (i >> 16 == 2)
            in[i] = nextafterf(in[i], -1e9f);
    }
    FOR_ALL_FORMS(w, o) {
        convert("float", "half", all_options[o], widths[w], in, sizeof in, result, sizeof result);
        for (unsigned i = 0; i < ITEMS; i++)
            if (!is_same(result[i], bits_of((_Float16)in[i])))
                FAIL("%a becomes %04x, not %04x (%u lanes, %s)", in[i], result[i],
                     bits_of((_Float16)in[i]), widths[w], all_options[o]);
    }
}

TEST(half_becomes_float_and_double) {
    static float floats[ITEMS];
    static double doubles[ITEMS];
    weft_need_compiler();
    fill();
    FOR_ALL_FORMS(w, o) {
        convert("half", "float", all_options[o], widths[w], x, sizeof x, floats, sizeof floats);
        convert("half", "double", all_options[o], widths[w], x, sizeof x, doubles, sizeof doubles);
        for (unsigned i = 0; i < ITEMS; i++) {
            double wanted = (double)of_bits(x[i]);
            if (is_nan(x[i]) ? !isnan(floats[i]) || !isnan(doubles[i])
                             : floats[i] != (float)wanted || doubles[i] != wanted)
                FAIL("%04x becomes %a and %a", x[i], floats[i], doubles[i]);
        }
    }
}

/** T: C's type; name: OpenCL's; magnitudes of all bit lengths, and what is near 65504. */
#define INTEGER_TEST(T, name)                                                                      \
    TEST(half_of_##name##_and_back) {                                                              \
        static T in[ITEMS], back[ITEMS];                                                           \
        static uint16_t halves[ITEMS];                                                             \
        weft_need_compiler();                                                                      \
        for (unsigned i = 0; i < ITEMS; i++) {                                                     \
            uint64_t any = (uint64_t)next_random() << 32 | next_random();                          \
            in[i] = (T)((int64_t)any >> next_random() % 64);                                       \
            if (i % 4 == 0)                                                                        \
                in[i] = (T)(65504 + (int)(next_random() % 64) - 32);                               \
        }                                                                                          \
        FOR_ALL_FORMS(w, o) {                                                                      \
            convert(#name, "half", all_options[o], widths[w], in, sizeof in, halves,               \
                    sizeof halves);                                                                \
            for (unsigned i = 0; i < ITEMS; i++) {                                                 \
                uint16_t wanted = bits_of((_Float16)(quad)in[i]);                                  \
                if (halves[i] != wanted)                                                           \
                    FAIL("%lld becomes %04x, not %04x (%u lanes, %s)", (long long)in[i],           \
                         halves[i], wanted, widths[w], all_options[o]);                            \
                quad value = (quad)of_bits(halves[i]);                                             \
                if (!(value < 65536 && value > -65536 && (quad)(T)value == value))                 \
                    halves[i] = 0x3800; /* no such integer: 0.5 */                                 \
            }                                                                                      \
            for (unsigned i = 1; i < ITEMS; i += 2)                                                \
                if (fabs((double)of_bits(halves[i])) < 100 && halves[i] != 0x3800)                 \
                    halves[i] = (uint16_t)(halves[i] + 1); /* not whole */                         \
            convert("half", #name, all_options[o], widths[w], halves, sizeof halves, back,         \
                    sizeof back);                                                                  \
            for (unsigned i = 0; i < ITEMS; i++)                                                   \
                if (back[i] != (T)(quad)of_bits(halves[i]))                                        \
                    FAIL("%04x becomes %lld, not %lld (%u lanes, %s)", halves[i],                  \
                         (long long)back[i], (long long)(T)(quad)of_bits(halves[i]), widths[w],    \
                         all_options[o]);                                                          \
        }                                                                                          \
    }
INTEGER_TEST(cl_char, char)
INTEGER_TEST(cl_uchar, uchar)
INTEGER_TEST(cl_short, short)
INTEGER_TEST(cl_ushort, ushort)
INTEGER_TEST(cl_int, int)
INTEGER_TEST(cl_uint, uint)
INTEGER_TEST(cl_long, long)
INTEGER_TEST(cl_ulong, ulong)

TEST_MAIN()
