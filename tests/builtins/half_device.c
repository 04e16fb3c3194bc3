// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Built-ins of half that need a device: address spaces, work-groups, sub-groups, and the maths
 * functions in kernels for all halves, several items at once and one at a time.
 */
#include "one_kernel.h"

#include <math.h>

enum { ITEMS = 256, HALVES = 65536 };

#define HALF "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"

/** Runs it with these options; each item says how many of its checks failed. */
static void expect_none_bad(const char *source, const char *options) {
    static cl_int data[ITEMS * 8];
    weft_need_compiler();
    memset(data, 0xff, sizeof data);
    run(source, options, ITEMS, data, sizeof data);
    for (int i = 0; i < ITEMS; i++)
        if (data[i] != 0)
            FAIL("item %d: %#x with %s", i, (unsigned)data[i], options);
}

/* ---- address spaces -------------------------------------------------------------------------- */

/* Each function with a second result writes it through every address space. */
static const char out_pointers[] =
    HALF "#define SAME(p, q) (as_short(p) == as_short(q))\n"
         "#define TRY(S, same, f, x) { S p; half r0 = f(x, &p); half r1 = f(x, (global S *)g);"
         " half r2 = f(x, (local S *)l); bad += !SAME(r0, r1) || !SAME(r0, r2) ||"
         " !same(p, *(global S *)g) || !same(p, *(local S *)l); }\n"
         "#define EQUAL(p, q) ((p) == (q))\n"
         "#define QUO(x, p) remquo(x, 2.875h, p)\n"
         "kernel void test(global int *result) {\n"
         "    local int shared[64];\n"
         "    global int *g = result + 256 + get_global_id(0);\n"
         "    local int *l = shared + get_local_id(0);\n"
         "    int bad = 0;\n"
         "    half x = (half)((float)get_global_id(0) * 0.37f - 30.1f), whole;\n"
         "    TRY(half, SAME, fract, x) TRY(half, SAME, modf, x) TRY(half, SAME, sincos, x)\n"
         "    TRY(int, EQUAL, frexp, x) TRY(int, EQUAL, lgamma_r, x) TRY(int, EQUAL, QUO, x)\n"
         "    half part = modf(x, &whole);\n"
         "    bad += whole != trunc(x) || part != x - trunc(x);\n"
         "    result[get_global_id(0)] = bad;\n"
         "}\n";

TEST(results_of_half_functions_through_pointers) {
    expect_none_bad(out_pointers, "-cl-std=CL1.2");
    expect_none_bad(out_pointers, "-cl-std=CL2.0");
}

/* Of pointers that have to be converted, as vload_half takes them: also where there is the generic
 * address space, in which one that fits none of four is not ambiguous. */
static const char one_half[] =
    HALF "kernel void test(global int *result) {\n"
         "    global int *g = result + 256 + get_global_id(0);\n"
         "    half own[2], *p = own;\n"
         "    volatile private half *v = own;\n"
         "    void *u = own;\n"
         "    int bad = 0;\n"
         "    vstorea_half(1.5f + (int)get_global_id(0), 1, v);\n"
         "    bad += vloada_half(1, p) != 1.5f + (int)get_global_id(0);\n"
         "    vstorea_half_rtz(0.3f, 0, u);\n"
         "    bad += vloada_half(0, u) != 0x1.33p-2f || vloada_half(0, v) != vload_half(0, p);\n"
         "    vstorea_half_rtp(0.3, 0, (global void *)g);\n"
         "    bad += vloada_half(0, (global half *)g) != 0x1.334p-2f;\n"
         "    result[get_global_id(0)] = bad;\n"
         "}\n";

TEST(one_aligned_half_by_any_pointer) {
    expect_none_bad(one_half, "-cl-std=CL1.2");
    expect_none_bad(one_half, "-cl-std=CL2.0");
}

/* Vectors at the alignment of a half, from and to every address space; nothing beside them. */
static const char vector_memory[] = HALF
    "#define EACH(X) X(2) X(3) X(4) X(8) X(16)\n"
    "constant half table[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};\n"
    "#define TRY(n) { \\\n"
    "    half##n v = vload##n(0, table + 1) + (half)(g % 100); \\\n"
    "    half own[20]; \\\n"
    "    for (int k = 0; k < 20; k++) own[k] = mine[k] = far[k] = -7; \\\n"
    "    vstore##n(v, 0, mine + 1); \\\n"
    "    vstore##n(vload##n(0, mine + 1), 0, far + 1); \\\n"
    "    vstore##n(vload##n(0, far + 1), 0, own + 1); \\\n"
    "    half##n w = vload##n(0, own + 1); \\\n"
    "    half *p = (half *)&w; \\\n"
    "    for (int k = 0; k < n; k++) bad += p[k] != (half)(k + 1 + g % 100); \\\n"
    "    bad += own[0] != -7 || own[n + 1] != -7 || mine[0] != -7 || mine[n + 1] != -7; \\\n"
    "    bad += far[0] != -7 || far[n + 1] != -7; }\n"
    "kernel void test(global int *result) {\n"
    "    local half shared[64 * 21];\n"
    "    int bad = 0, g = (int)get_global_id(0);\n"
    "    local half *mine = shared + get_local_id(0) * 21;\n"
    "    global half *far = (global half *)(result + 256) + g * 13;\n"
    "    if (g % 2 != 0) { result[g] = 0; return; }\n" /* 20 halves for each second item */
    "    EACH(TRY)\n"
    "    result[g] = bad;\n"
    "}\n";

TEST(vectors_of_half_in_every_address_space) {
    expect_none_bad(vector_memory, "-cl-std=CL1.2");
    expect_none_bad(vector_memory, "-cl-std=CL2.0");
}

/* To local and back, plain and strided, for a vector of three. */
static const char async_copies[] =
    HALF "kernel void test(global int *result) {\n"
         "    local half one[64]; local half3 three[20]; local half back[64];\n"
         "    int l = (int)get_local_id(0), group = (int)get_group_id(0), bad = 0;\n"
         "    global half *mine = (global half *)(result + 256 + group * 256);\n"
         "    for (int k = l; k < 256; k += 64) mine[k] = (half)k;\n"
         "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
         "    event_t e[3];\n"
         "    e[0] = async_work_group_copy(one, mine + 1, 64, 0);\n"
         "    e[1] = async_work_group_copy(three, (global const half3 *)(mine + 4), 20, 0);\n"
         "    e[2] = async_work_group_strided_copy(back, mine, 64, 3, 0);\n"
         "    prefetch(mine, 64);\n"
         "    wait_group_events(3, e);\n"
         "    bad += one[l] != (half)(l + 1) || back[l] != (half)(3 * l);\n"
         "    if (l < 20) bad += any(three[l] != (half3)(4 * l + 4, 4 * l + 5, 4 * l + 6));\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    e[0] = async_work_group_strided_copy(mine + 256, one, 64, 2, 0);\n"
         "    wait_group_events(1, e);\n"
         "    bad += mine[256 + 2 * l] != (half)(l + 1);\n"
         "    result[get_global_id(0)] = bad;\n"
         "}\n";

TEST(asynchronous_copies_of_half) {
    expect_none_bad(async_copies, "-cl-std=CL1.2");
}

static const char shuffles[] =
    HALF "kernel void test(global int *result) {\n"
         "    int g = (int)get_global_id(0), bad = 0;\n"
         "    half16 v = (half16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);\n"
         "    ushort4 m = (ushort4)(g, g + 5, g * 3, 0xfff2);\n"
         "    bad += any(shuffle(v, m) != convert_half4(m & (ushort4)15));\n"
         "    bad += any(shuffle2(v, v + 16.0h, m) != convert_half4(m & (ushort4)31));\n"
         "    half2 two = shuffle(v.lo, (ushort2)(7, g & 7));\n"
         "    bad += two.x != 7 || two.y != (half)(g & 7);\n"
         "    result[g] = bad;\n"
         "}\n";

TEST(shuffles_of_half) {
    expect_none_bad(shuffles, "-cl-std=CL1.2");
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Sums of small integers are exact. */
static const char work_groups[] = HALF
    "kernel void test(global int *result) {\n"
    "    int g = (int)get_global_id(0), l = (int)get_local_id(0), bad = 0;\n"
    "    half x = (half)(l % 8);\n"
    "    bad += work_group_broadcast((half)l, 13) != 13;\n"
    "    bad += (work_group_reduce_add(x) != 224) << 1;\n"
    "    bad += (work_group_reduce_min(x - 3) != -3) << 2;\n"
    "    bad += (work_group_reduce_max((half)g) != (half)(g / 64 * 64 + 63)) << 3;\n"
    "    bad += (work_group_scan_inclusive_add((half)1) != (half)(l + 1)) << 4;\n"
    "    bad += (work_group_scan_exclusive_add((half)1) != (half)l) << 5;\n"
    "    bad += (work_group_scan_exclusive_max((half)l) != (l ? (half)(l - 1) : -INFINITY)) << 6;\n"
    "    bad += (work_group_scan_inclusive_max(x) != (half)min(l, 7)) << 7;\n"
    "    bad += (work_group_scan_exclusive_min(x) != (l ? 0.0h : INFINITY)) << 8;\n"
    "    bad += (work_group_scan_inclusive_min(-x) != (half)-min(l, 7)) << 9;\n"
    "    result[g] = bad;\n"
    "}\n";

TEST(work_group_functions_of_half) {
    expect_none_bad(work_groups, "-cl-std=CL2.0");
    expect_none_bad(work_groups, "-cl-std=CL2.0 -cl-opt-disable");
}

static const char sub_groups[] =
    HALF "kernel void test(global int *result) {\n"
         "    int g = (int)get_global_id(0), l = (int)get_sub_group_local_id(), bad = 0;\n"
         "    int n = (int)get_sub_group_size();\n"
         "    half x = (half)l;\n"
         "    bad += sub_group_broadcast(x, n - 1) != (half)(n - 1);\n"
         "    bad += (sub_group_reduce_add(x) != (half)(n * (n - 1) / 2)) << 1;\n"
         "    bad += (sub_group_reduce_min(x) != 0) << 2;\n"
         "    bad += (sub_group_reduce_max(x) != (half)(n - 1)) << 3;\n"
         "    bad += (sub_group_scan_inclusive_add(x) != (half)(l * (l + 1) / 2)) << 4;\n"
         "    bad += (sub_group_scan_exclusive_add(x) != (half)(l * (l - 1) / 2)) << 5;\n"
         "    bad += (sub_group_scan_exclusive_min(x) != (l ? 0.0h : INFINITY)) << 6;\n"
         "    bad += (sub_group_scan_exclusive_max(x) != (l ? (half)(l - 1) : -INFINITY)) << 7;\n"
         "    bad += (sub_group_scan_inclusive_max(-x) != 0) << 8;\n"
         "    bad += (sub_group_scan_inclusive_min(-x) != -x) << 9;\n"
         "    result[g] = bad;\n"
         "}\n";

static const char sub_group_extensions[] = HALF
    "#pragma OPENCL EXTENSION all : enable\n"
    "kernel void test(global int *result) {\n"
    "    int g = (int)get_global_id(0), l = (int)get_sub_group_local_id(), bad = 0;\n"
    "    int n = (int)get_sub_group_size();\n"
    "    half x = (half)l;\n"
    "    half3 v = (half3)(x, -x, x + 64);\n"
    "    bad += any(sub_group_broadcast(v, 0) != (half3)(0, 0, 64));\n"
    "    bad += (sub_group_shuffle(x, n - 1 - l) != (half)(n - 1 - l)) << 1;\n"
    "    bad += (n > 1 && sub_group_shuffle_xor(x, 1) != (half)(l ^ 1)) << 2;\n"
    "    bad += (l > 0 && sub_group_shuffle_up(x, 1) != (half)(l - 1)) << 3;\n"
    "    bad += (l < n - 1 && sub_group_shuffle_down(x, 1) != (half)(l + 1)) << 4;\n"
    "    bad += (sub_group_rotate(x, 1) != (half)((l + 1) % n)) << 5;\n"
    "    bad += (sub_group_clustered_reduce_add(x, 1) != x) << 6;\n"
    "    bad += (sub_group_non_uniform_all_equal((half)3) == 0) << 7;\n"
    "    bad += (n > 1 && sub_group_non_uniform_all_equal(x) != 0) << 8;\n"
    "    bad += (sub_group_broadcast_first(x) != 0) << 9;\n"
    "    bad += (sub_group_non_uniform_broadcast(x, n - 1) != (half)(n - 1)) << 10;\n"
    "    if (l % 2 == 0) {\n"
    "        int evens = (n + 1) / 2;\n"
    "        bad += (sub_group_non_uniform_reduce_add((half)1) != (half)evens) << 11;\n"
    "        bad += (sub_group_non_uniform_reduce_mul((half)-1) != (evens % 2 ? -1 : 1)) << 12;\n"
    "        bad += (sub_group_non_uniform_scan_inclusive_add((half)1) != (half)(l / 2 + 1)) << "
    "13;\n"
    "        bad += (sub_group_non_uniform_reduce_max(x) != (half)(2 * evens - 2)) << 14;\n"
    "    }\n"
    "    result[g] = bad;\n"
    "}\n";

TEST(sub_group_functions_of_half) {
    expect_none_bad(sub_groups, "-cl-std=CL2.0");
    expect_none_bad(sub_groups, "-cl-std=CL2.0 -cl-opt-disable");
}

TEST(sub_group_extensions_of_half) {
    expect_none_bad(sub_group_extensions, "-cl-std=CL2.0");
    expect_none_bad(sub_group_extensions, "-cl-std=CL2.0 -cl-opt-disable");
}

/* ---- maths ----------------------------------------------------------------------------------- */

static const char *const functions[] = {"acos(x)",
                                        "acosh(x)",
                                        "acospi(x)",
                                        "asin(x)",
                                        "asinh(x)",
                                        "asinpi(x)",
                                        "atan(x)",
                                        "atanh(x)",
                                        "atanpi(x)",
                                        "cbrt(x)",
                                        "cos(x)",
                                        "cosh(x)",
                                        "cospi(x)",
                                        "erf(x)",
                                        "erfc(x)",
                                        "exp(x)",
                                        "exp10(x)",
                                        "exp2(x)",
                                        "expm1(x)",
                                        "lgamma(x)",
                                        "log(x)",
                                        "log10(x)",
                                        "log1p(x)",
                                        "log2(x)",
                                        "rsqrt(x)",
                                        "sin(x)",
                                        "sinh(x)",
                                        "sinpi(x)",
                                        "tan(x)",
                                        "tanh(x)",
                                        "tanpi(x)",
                                        "tgamma(x)",
                                        "ceil(x)",
                                        "floor(x)",
                                        "rint(x)",
                                        "round(x)",
                                        "sqrt(x)",
                                        "trunc(x)",
                                        "fabs(x)",
                                        "logb(x)",
                                        "(half)ilogb(x)",
                                        "atan2(x, y)",
                                        "atan2pi(x, y)",
                                        "fmod(x, y)",
                                        "hypot(x, y)",
                                        "pow(x, y)",
                                        "powr(x, y)",
                                        "remainder(x, y)",
                                        "nextafter(x, y)",
                                        "fdim(x, y)",
                                        "fmax(x, y)",
                                        "fmin(x, y)",
                                        "maxmag(x, y)",
                                        "minmag(x, y)",
                                        "copysign(x, y)",
                                        "fma(x, y, x)",
                                        "mad(x, y, x)",
                                        "pown(x, n)",
                                        "rootn(x, n)",
                                        "ldexp(x, n)",
                                        "mix(x, y, 0.5h)",
                                        "step(x, y)",
                                        "clamp(x, -y, y)",
                                        "sign(x)",
                                        "degrees(x)",
                                        "radians(x)",
                                        "length(x)",
                                        "distance(x, y)",
                                        "normalize(x)",
                                        "dot(x, y)",
                                        "smoothstep(x, y, x)",
                                        "max(x, y)",
                                        "min(x, y)",
                                        "fract(x, &y)",
                                        "modf(x, &y)",
                                        "remquo(x, y, &n)",
                                        "frexp(x, &n)",
                                        "sincos(x, &y)",
                                        "lgamma_r(x, &n)",
                                        "nan((ushort)n)"};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static void all_functions(const char *options, uint16_t *results) {
    static char source[FUNCTIONS * 64 + 1024];
    size_t at =
        (size_t)sprintf(source, "%s%s", HALF,
                        "kernel void test(global half *o) {\n"
                        "    int i = (int)get_global_id(0), n = i % 13 - 6;\n"
                        "    half x = as_half((ushort)i), y = as_half((ushort)(i * 7919 >> 2));\n");
    for (int k = 0; k < FUNCTIONS; k++)
        at += (size_t)sprintf(source + at, "    o[i + %d] = %s;\n", k * HALVES, functions[k]);
    sprintf(source + at, "}\n");
    run(source, options, HALVES, results, sizeof(uint16_t) * FUNCTIONS * HALVES);
}

/** How many halves lie between them; 0 for two NaNs. */
static int distance(uint16_t a, uint16_t b) {
    int x = a & 0x7fff, y = b & 0x7fff;
    if (x > 0x7c00 && y > 0x7c00)
        return 0;
    if (x > 0x7c00 || y > 0x7c00)
        return 0x10000;
    x = a >> 15 ? -x : x;
    y = b >> 15 ? -y : y;
    return x > y ? x - y : y - x;
}

/* What the functions compute is tested in ../maths; here that kernels have the same, but for a
 * product and a sum that are rounded once or twice. */
TEST(maths_of_half_in_kernels) {
    static uint16_t one[FUNCTIONS * HALVES], all[FUNCTIONS * HALVES];
    weft_need_compiler();
    all_functions("-cl-std=CL2.0 -cl-opt-disable", one);
    all_functions("-cl-std=CL2.0", all);
    for (int k = 0; k < FUNCTIONS; k++)
        for (int i = 0; i < HALVES; i++)
            if (distance(one[k * HALVES + i], all[k * HALVES + i]) > 1 &&
                !strstr(functions[k], "lgamma"))
                FAIL("%s of %04x: %04x alone, %04x among others", functions[k], (unsigned)i,
                     one[k * HALVES + i], all[k * HALVES + i]);
}

TEST_MAIN()
