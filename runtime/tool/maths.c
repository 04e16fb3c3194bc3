// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Spot checks of the maths functions against C's long double functions, with the error bounds of
 * the OpenCL specification ("Relative Error as ULPs", full profile). */
#include "runtime/tool/selftest.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { COUNT = 2048 };

/** One function: reference, range of the arguments, bounds in ULP for float and double. */
typedef struct function {
    const char *name;
    long double (*one)(long double);
    long double (*two)(long double, long double);
    double low, high; /* of the first argument; of the second likewise, if there is one */
    double float_ulp, double_ulp;
} function;

static long double rsqrt_reference(long double x) {
    return 1 / sqrtl(x);
}

static long double divide_reference(long double x, long double y) {
    return x / y;
}

static const function functions[] = {
    {"sin", sinl, NULL, -100, 100, 4, 4},
    {"cos", cosl, NULL, -100, 100, 4, 4},
    {"tan", tanl, NULL, -100, 100, 5, 5},
    {"asin", asinl, NULL, -1, 1, 4, 4},
    {"atan", atanl, NULL, -1000, 1000, 5, 5},
    {"sinh", sinhl, NULL, -80, 80, 4, 4},
    {"tanh", tanhl, NULL, -20, 20, 5, 5},
    {"exp", expl, NULL, -85, 85, 3, 3},
    {"exp2", exp2l, NULL, -125, 125, 3, 3},
    {"expm1", expm1l, NULL, -80, 80, 3, 3},
    {"log", logl, NULL, 1e-30, 1e30, 3, 3},
    {"log2", log2l, NULL, 1e-30, 1e30, 3, 3},
    {"log1p", log1pl, NULL, -0.99, 1e10, 2, 2},
    {"sqrt", sqrtl, NULL, 0, 1e30, 3, 0.5},
    {"rsqrt", rsqrt_reference, NULL, 1e-30, 1e30, 2, 2},
    {"cbrt", cbrtl, NULL, -1e30, 1e30, 2, 2},
    {"erf", erfl, NULL, -5, 5, 16, 16},
    {"pow", NULL, powl, 1e-3, 30, 16, 16},
    {"atan2", NULL, atan2l, -1000, 1000, 6, 6},
    {"hypot", NULL, hypotl, -1e10, 1e10, 4, 4},
    {"fmod", NULL, fmodl, -1000, 1000, 0, 0},
    {"divide", NULL, divide_reference, -1e10, 1e10, 2.5, 0.5},
};

/** Spread over the range: half of them evenly, half over the orders of magnitude. */
static double argument_of(const function *function, size_t i, uint64_t *seed) {
    double at = ldexp((double)(selftest_random(seed) >> 11), -53), low = function->low,
           high = function->high;
    if (i % 2)
        return low + at * (high - low);
    double most = fabs(high) > fabs(low) ? fabs(high) : fabs(low);
    double value = most * pow(2, -30 * at) * (low < 0 && i % 4 ? -1 : 1);
    return value < low ? low : value > high ? high : value;
}

/** Distance of `got` from `exact` in units of the last place of a format with `digits` bits, whose
 *  largest number is `most`. */
static double error_in_ulp(double got, long double exact, int digits, int least_exponent,
                           double most) {
    if (isnan(got) || isnan(exact))
        return isnan(got) && isnan(exact) ? 0 : INFINITY;
    if (isinf(got))
        return fabsl(exact) > most && (exact > 0) == (got > 0) ? 0 : INFINITY;
    int exponent = exact == 0 ? least_exponent : ilogbl(exact);
    if (exponent < least_exponent)
        exponent = least_exponent;
    return (double)fabsl(((long double)got - exact) / ldexpl(1, exponent - digits + 1));
}

static bool check_float(selftest *test, const function *function) {
    static float a[COUNT], b[COUNT], out[COUNT];
    static const size_t global[3] = {COUNT, 0, 0};
    char name[40];
    uint64_t seed = 11;
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out)};
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = (float)argument_of(function, i, &seed);
        b[i] = (float)argument_of(function, i / 2, &seed);
    }
    snprintf(name, sizeof name, "float_%s", function->name);
    if (!selftest_run(test, name, global, NULL, 3, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        long double exact = function->one ? function->one(a[i]) : function->two(a[i], b[i]);
        double error = error_in_ulp(out[i], exact, FLT_MANT_DIG, FLT_MIN_EXP - 1, FLT_MAX);
        /* Results below the normal ones may be flushed: full profile devices need not have them. */
        bool tiny = fabsl(exact) < FLT_MIN && out[i] == 0;
        REQUIRE(error <= function->float_ulp || tiny,
                "float %s(%a, %a): %a, %.2f ULP from %La, not %g", function->name, (double)a[i],
                (double)b[i], (double)out[i], error, exact, function->float_ulp);
    }
    return true;
}

static bool check_double(selftest *test, const function *function) {
    static double a[COUNT], b[COUNT], out[COUNT];
    static const size_t global[3] = {COUNT, 0, 0};
    char name[40];
    uint64_t seed = 12;
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out)};
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = argument_of(function, i, &seed);
        b[i] = argument_of(function, i / 2, &seed);
    }
    snprintf(name, sizeof name, "double_%s", function->name);
    if (!selftest_run(test, name, global, NULL, 3, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        long double exact = function->one ? function->one(a[i]) : function->two(a[i], b[i]);
        double error = error_in_ulp(out[i], exact, DBL_MANT_DIG, DBL_MIN_EXP - 1, DBL_MAX);
        /* The reference has 11 bits more, and is itself off by about one of its units. */
        REQUIRE(error <= function->double_ulp + 0.002,
                "double %s(%a, %a): %a, %.2f ULP from %La, not %g", function->name, a[i], b[i],
                out[i], error, exact, function->double_ulp);
    }
    return true;
}

static bool maths_in_float(selftest *test) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!check_float(test, &functions[i]))
            return false;
    return true;
}

static bool maths_in_double(selftest *test) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!check_double(test, &functions[i]))
            return false;
    return true;
}

/** The widest vectors give what scalars must. */
static bool wide_vectors(selftest *test) {
    static float in[16 * 64], out[16 * 64];
    static const size_t global[3] = {64, 0, 0};
    uint64_t seed = 13;
    const selftest_argument arguments[] = {BUFFER(in), BUFFER(out)};
    for (size_t i = 0; i < 16 * 64; i++)
        in[i] = (float)argument_of(&functions[0], i, &seed);
    if (!selftest_run(test, "wide_maths", global, NULL, 2, arguments))
        return false;
    for (size_t i = 0; i < 16 * 64; i++) {
        long double x = in[i];
        long double exact = sinl(x) * expl(-fabsl(x)) + powl(fabsl(x), 0.5L);
        REQUIRE(fabsl(out[i] - exact) <= 20 * FLT_EPSILON * (fabsl(exact) + 1), "(%a): %a, not %La",
                (double)in[i], (double)out[i], exact);
    }
    return true;
}

static void cross_and_rest(const float *a, const float *b, double wanted[4]) {
    double dot = 0, square = 0;
    for (int k = 0; k < 4; k++) {
        dot += (double)a[k] * b[k];
        square += (double)a[k] * a[k];
    }
    double c[3] = {(double)a[1] * b[2] - (double)a[2] * b[1],
                   (double)a[2] * b[0] - (double)a[0] * b[2],
                   (double)a[0] * b[1] - (double)a[1] * b[0]};
    double step = a[0] < 0.5f ? 0 : 1, t = fmin(fmax(b[2], 0), 1);
    double clamped = fmin(fmax(b[1], -1), 1);
    wanted[0] = dot;
    wanted[1] = sqrt(square);
    wanted[2] = c[0] + 2 * c[1] + 3 * c[2];
    wanted[3] = step + (clamped - step) * (t * t * (3 - 2 * t));
}

static bool geometry(selftest *test) {
    static float in[8 * 256], out[4 * 256];
    static const size_t global[3] = {256, 0, 0};
    uint64_t seed = 14;
    const selftest_argument arguments[] = {BUFFER(in), BUFFER(out)};
    for (size_t i = 0; i < 8 * 256; i++)
        in[i] = (float)ldexp((double)(int64_t)selftest_random(&seed), -62);
    if (!selftest_run(test, "geometry", global, NULL, 2, arguments))
        return false;
    for (size_t i = 0; i < 256; i++) {
        double wanted[4];
        cross_and_rest(in + 8 * i, in + 8 * i + 4, wanted);
        for (int k = 0; k < 4; k++)
            REQUIRE(fabs(out[4 * i + k] - wanted[k]) <= 64 * FLT_EPSILON,
                    "result %d of %zu: %g, not %g", k, i, (double)out[4 * i + k], wanted[k]);
    }
    return true;
}

const selftest_row selftest_maths[] = {
    {"maths in float, within the specified ULP", maths_in_float},
    {"maths in double, within the specified ULP", maths_in_double},
    {"maths on vectors of 16", wide_vectors},
    {"geometric and common functions", geometry},
    {NULL, NULL},
};
