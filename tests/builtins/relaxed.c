// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Functions under -cl-fast-relaxed-math and -cl-unsafe-math-optimizations: within the bounds of the
 * specification's table "ULP values ... with unsafe math optimizations", scalars and vectors, and
 * no slip where a program may rely on more: doubles, and the rest of a program that does without.
 */
#include "../api/common.h"

#include <math.h>

enum { POINTS = 4096 };

static double exp10_of(double x) {
    return exp(x * 2.302585092994045684);
}

/* "exp ... 3 + floor(fabs(2 * x)) ULP", "sin: for x in [-pi, pi] absolute error 2^-11", "tan,
 * exp10: derived", from what those allow. */
static double exp_bound(double x, double exact) {
    return (3 + floor(fabs(2 * x))) * exact * 0x1p-23;
}
static double exp10_bound(double x, double exact) {
    return exp_bound(x * 3.33, exact);
}
static double sine_bound(double x, double exact) {
    return (void)x, (void)exact, 0x1p-11;
}
static double tan_bound(double x, double exact) {
    return (void)x, fabs(exact) * 0x1p-10;
}

static const struct {
    const char *name;
    double (*exact)(double), (*bound)(double, double);
    double reach;
} functions[] = {
    {"sin", sin, sine_bound, 3.14159}, {"cos", cos, sine_bound, 3.14159},
    {"tan", tan, tan_bound, 1.5},      {"exp", exp, exp_bound, 85},
    {"exp2", exp2, exp_bound, 125},    {"exp10", exp10_of, exp10_bound, 37},
};

/** Results of a kernel `k`, an item for each point or for each four. */
static void run(const char *text, const char *options, const float *in, float *out, size_t items) {
    weft_run(&(weft_one_run){.source = text,
                             .options = options,
                             .items = items,
                             .in = {in},
                             .in_bytes = {POINTS * sizeof(float)},
                             .out = out,
                             .out_bytes = POINTS * sizeof(float)});
}

static void check_all(const char *options) {
    static float in[POINTS], out[POINTS];
    for (size_t f = 0; f < sizeof(functions) / sizeof(functions[0]); f++) {
        for (int i = 0; i < POINTS; i++)
            in[i] = (float)(functions[f].reach * (2.0 * i / POINTS - 1));
        for (int wide = 0; wide < 2; wide++) {
            char text[200];
            snprintf(text, sizeof(text),
                     "kernel void k(global float%s *in, global float%s *out) {\n"
                     "    size_t i = get_global_id(0);\n"
                     "    out[i] = %s(in[i]);\n"
                     "}\n",
                     wide ? "4" : "", wide ? "4" : "", functions[f].name);
            memset(out, 0xff, sizeof(out));
            run(text, options, in, out, wide ? POINTS / 4 : POINTS);
            for (int i = 0; i < POINTS; i++) {
                double exact = functions[f].exact(in[i]);
                if (!(fabs(out[i] - exact) <= functions[f].bound(in[i], exact)))
                    FAIL("%s(%a) is %a, not %a", functions[f].name, in[i], out[i], exact);
            }
        }
    }
}

TEST(fast_relaxed_math) {
    check_all("-cl-fast-relaxed-math");
}

TEST(unsafe_math_optimizations) {
    check_all("-cl-unsafe-math-optimizations");
}

/* "powr(x, y) ... exp2(y * log2(x))". */
TEST(powers) {
    static float in[POINTS], out[POINTS];
    for (int i = 0; i < POINTS; i++)
        in[i] = 0.001f + (float)i * 0.01f;
    run("kernel void k(global float *in, global float *out) {\n"
        "    size_t i = get_global_id(0);\n"
        "    out[i] = powr(in[i], 2.2f);\n"
        "}\n",
        "-cl-fast-relaxed-math", in, out, POINTS);
    for (int i = 0; i < POINTS; i++)
        CHECK(fabs(out[i] - pow(in[i], 2.2f)) <= pow(in[i], 2.2f) * 0x1p-11);
}

/* What is not a number shows in the result, whatever its bits, and nothing is flushed. */
TEST(ends) {
    static float in[POINTS], out[POINTS];
    for (int i = 0; i < POINTS; i++)
        in[i] = -87.5f - (float)i * 0.001f;
    run("kernel void k(global float *in, global float *out) {\n"
        "    size_t i = get_global_id(0);\n"
        "    float x = i & 1 ? as_float(0x7fc00000u + (uint)i) : as_float(0x7fffffffu);\n"
        "    out[i] = i < 1024 ? exp(in[i]) : i < 2048 ? exp2(x) : i < 3072 ? powr(2.0f, x) : "
        "native_exp(x);\n"
        "}\n",
        "-cl-unsafe-math-optimizations", in, out, POINTS);
    for (int i = 0; i < 1024; i++)
        CHECK(fabs(out[i] - exp(in[i])) <= exp_bound(in[i], exp(in[i])) + 0x1p-149);
    for (int i = 1024; i < POINTS; i++)
        CHECK(isnan(out[i]));
}

/* Programs that promise finite numbers have infinities all the same: a logistic function where exp
 * overflows was NaN, since 1 / infinity was an estimate times (2 - infinity * 0). (ggml.) */
TEST(infinities) {
    static const struct {
        const char *text;
        float in[4], out[4];
    } rows[] = {
        {"1.0f / (1.0f + exp(-x))", {-200, -90, 200, -INFINITY}, {0, 0, 1, 0}},
        {"x / (1.0f + exp(-x))", {-200, -1e10f, 200, 1e10f}, {0, 0, 200, 1e10f}},
        {"1.0f / x", {INFINITY, -INFINITY, 0, -0.0f}, {0, 0, INFINITY, -INFINITY}},
        {"3.0f / x", {INFINITY, 4, 0, 0x1p-120f}, {0, 0.75f, INFINITY, 0x1.8p121f}},
        {"x / 7.5f", {INFINITY, -INFINITY, 15, 0}, {INFINITY, -INFINITY, 2, 0}},
        {"x / (x - 1.0f)", {1, 2, 3, 5}, {INFINITY, 2, 1.5f, 1.25f}},
        {"1.0f / sqrt(x)", {INFINITY, 0, 4, 16}, {0, INFINITY, 0.5f, 0.25f}},
        {"log(1.0f + exp(x))", {1000, INFINITY, -1000, 0}, {INFINITY, INFINITY, 0, 0.6931472f}},
        {"max(-INFINITY, x) == -INFINITY ? 1 : 2", {-INFINITY, 0, -1e38f, 1}, {1, 2, 2, 2}},
        {"exp(x - INFINITY)", {0, 100, -100, 1e30f}, {0, 0, 0, 0}},
        /* Halves have few exponents: what reciprocals and squares overflow is ordinary there. */
        {"(half)x / (half)(x * 2) / (half)(x * 2)",
         {256, 512, -1024, 2},
         {0x1p-10f, 0x1p-11f, -0x1p-12f, 0.125f}},
        {"(half)x / (half)(0x1p-20f * get_work_dim())",
         {0x1p-6f, 0, 0x1p-8f, -0x1p-6f},
         {0x1p14f, 0, 0x1p12f, -0x1p14f}},
    };
    static float in[POINTS], out[POINTS];
    const char *options[] = {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations",
                             "-cl-finite-math-only", ""};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        for (size_t o = 0; o < sizeof(options) / sizeof(options[0]); o++) {
            char text[300];
            for (int i = 0; i < POINTS; i++)
                in[i] = rows[r].in[i % 4];
            snprintf(text, sizeof(text),
                     "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                     "kernel void k(global float *in, global float *out) {\n"
                     "    float x = in[get_global_id(0)];\n"
                     "    out[get_global_id(0)] = %s;\n"
                     "}\n",
                     rows[r].text);
            run(text, options[o], in, out, POINTS);
            for (int i = 0; i < POINTS; i++) {
                float wanted = rows[r].out[i % 4];
                if (!(out[i] == wanted || fabsf(out[i] - wanted) <= fabsf(wanted) * 0x1p-20f))
                    FAIL("%s of %a is %a, not %a (%s)", rows[r].text, in[i], out[i], wanted,
                         options[o]);
            }
        }
}

/* "x / y <= 2.5 ulp for x in the domain of 2^-62 to 2^62 and y in the domain of 2^-62 to 2^62". */
TEST(quotients) {
    static float in[POINTS], out[POINTS];
    const char *texts[] = {"out[i] = in[i] / in[i ^ 1]", "out[i] = 1.0f / in[i ^ 1]",
                           "if (i % 4 == 0) vstore4(vload4(0, in + i) / vload4(0, in + i).yxwz, 0, "
                           "out + i)"};
    for (int t = 0; t < 3; t++) {
        char text[300];
        uint32_t state = 1;
        for (int i = 0; i < POINTS; i++) {
            state = state * 1664525u + 1013904223u;
            in[i] = ldexpf(1 + (float)(state >> 9) * 0x1p-23f, (int)(state >> 3) % 61);
        }
        snprintf(text, sizeof(text),
                 "kernel void k(global float *in, global float *out) {\n"
                 "    size_t i = get_global_id(0);\n"
                 "    %s;\n"
                 "}\n",
                 texts[t]);
        run(text, "-cl-fast-relaxed-math", in, out, POINTS);
        for (int i = 0; i < POINTS; i++) {
            double exact = (t == 1 ? 1.0 : in[i]) / (double)in[i ^ 1];
            int exponent;
            frexp(exact, &exponent);
            if (!(fabs(out[i] - exact) <= 2.5 * ldexp(1, exponent - 24)))
                FAIL("%a / %a is %a, not %a", in[i], in[i ^ 1], out[i], exact);
        }
    }
}

/* Doubles have no relaxed bounds. */
TEST(doubles_are_exact) {
    static float in[POINTS], out[POINTS];
    for (int i = 0; i < POINTS; i++)
        in[i] = (float)i * 0.01f;
    run("kernel void k(global float *in, global float *out) {\n"
        "    size_t i = get_global_id(0);\n"
        "    out[i] = (float)sin((double)in[i]);\n"
        "}\n",
        "-cl-fast-relaxed-math", in, out, POINTS);
    for (int i = 0; i < POINTS; i++)
        CHECK(fabs(out[i] - sin(in[i])) <= fabs(sin(in[i])) * 0x1p-23);
}

TEST_MAIN()
