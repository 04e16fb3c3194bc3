// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * against-mpfr [POINTS]: what the maths functions are compared with, against MPFR at random points
 * of every magnitude, but for what C rounds correctly. The references of reference.c are to be
 * right to 2^-8 of a double's last place, the quick ones of exhaust_quick.c to 2^-26 of a float's.
 */
#include "exhaust.h"
#include "half.h"
#include "maths.h"
#include "../random.h"

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISION = 160, BLOCK = 48 };

typedef int weft_mpfr_one(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding);
typedef int weft_mpfr_two(mpfr_t result, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding);
typedef int weft_mpfr_integer(mpfr_t result, const mpfr_t x, long n, mpfr_rnd_t rounding);

static int recip(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding) {
    return mpfr_ui_div(result, 1, x, rounding);
}

/** The logarithm of gamma where that is positive; elsewhere the specification asks nothing. */
static int lgamma_of_positive(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding) {
    if (mpfr_sgn(x) > 0)
        return mpfr_lngamma(result, x, rounding);
    mpfr_set_nan(result);
    return 0;
}

static int powr(mpfr_t result, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding) {
    if (mpfr_sgn(x) > 0)
        return mpfr_pow(result, x, y, rounding);
    mpfr_set_nan(result);
    return 0;
}

static const struct {
    const char *name;
    weft_mpfr_one *one;
    weft_mpfr_two *two;
    weft_mpfr_integer *integer;
} table[] = {
    {.name = "acos", .one = mpfr_acos},
    {.name = "acosh", .one = mpfr_acosh},
    {.name = "acospi", .one = mpfr_acospi},
    {.name = "asin", .one = mpfr_asin},
    {.name = "asinh", .one = mpfr_asinh},
    {.name = "asinpi", .one = mpfr_asinpi},
    {.name = "atan", .one = mpfr_atan},
    {.name = "atanh", .one = mpfr_atanh},
    {.name = "atanpi", .one = mpfr_atanpi},
    {.name = "cbrt", .one = mpfr_cbrt},
    {.name = "cos", .one = mpfr_cos},
    {.name = "cosh", .one = mpfr_cosh},
    {.name = "cospi", .one = mpfr_cospi},
    {.name = "erf", .one = mpfr_erf},
    {.name = "erfc", .one = mpfr_erfc},
    {.name = "exp", .one = mpfr_exp},
    {.name = "exp10", .one = mpfr_exp10},
    {.name = "exp2", .one = mpfr_exp2},
    {.name = "expm1", .one = mpfr_expm1},
    {.name = "lgamma", .one = lgamma_of_positive},
    {.name = "log", .one = mpfr_log},
    {.name = "log10", .one = mpfr_log10},
    {.name = "log1p", .one = mpfr_log1p},
    {.name = "log2", .one = mpfr_log2},
    {.name = "recip", .one = recip},
    {.name = "rsqrt", .one = mpfr_rec_sqrt},
    {.name = "sin", .one = mpfr_sin},
    {.name = "sinh", .one = mpfr_sinh},
    {.name = "sinpi", .one = mpfr_sinpi},
    {.name = "tan", .one = mpfr_tan},
    {.name = "tanh", .one = mpfr_tanh},
    {.name = "tanpi", .one = mpfr_tanpi},
    {.name = "tgamma", .one = mpfr_gamma},
    {.name = "atan2", .two = mpfr_atan2},
    {.name = "atan2pi", .two = mpfr_atan2pi},
    {.name = "fmod", .two = mpfr_fmod},
    {.name = "hypot", .two = mpfr_hypot},
    {.name = "pow", .two = mpfr_pow},
    {.name = "powr", .two = powr},
    {.name = "remainder", .two = mpfr_remainder},
    {.name = "pown", .integer = mpfr_pow_si},
    {.name = "rootn", .integer = mpfr_rootn_si},
};

static uint64_t state;

static double random_double(void) {
    uint64_t how = weft_random(&state), bits = weft_random(&state);
    double unit = (double)(bits >> 11) * 0x1p-53, sign = how >> 60 & 1 ? -1 : 1, any;
    switch (how % 5) {
    case 0:
        memcpy(&any, &bits, 8);
        return any;
    case 1:
        return sign * ldexp(1 + unit, (int)(how >> 8 & 3) - 2);
    case 2:
        return sign * 40 * unit;
    case 3:
        return sign * 1000 * unit;
    default:
        return sign * ldexp(unit, -(int)(how >> 8 & 63));
    }
}

static long double rounded(int type, double x) {
    return type == WEFT_DOUBLE  ? (long double)x
           : type == WEFT_FLOAT ? (long double)(float)x
                                : weft_half_value(weft_half_bits((long double)x));
}

/** A case; of powers half of the exponents such that the result is about in the type's range. */
static weft_maths_case next_case(size_t row, int type) {
    static const double ranges[WEFT_TYPES] = {130, 1040, 20};
    weft_maths_case c = {.type = type, .x = rounded(type, random_double())};
    c.y = rounded(type, random_double());
    c.n = (int)(weft_random(&state) >> 33) >> (weft_random(&state) & 31);
    c.n = weft_random(&state) & 1 ? -c.n : c.n;
    double aim = ((double)(weft_random(&state) >> 11) * 0x1p-52 - 1) * ranges[type] /
                 log2(fabs((double)c.x));
    if (strncmp(table[row].name, "pow", 3) == 0 && fabs(aim) < 0x1p30 && weft_random(&state) & 1) {
        c.y = rounded(type, aim);
        c.n = (int)aim;
    }
    return c;
}

/** MPFR's result; false where it is none to compare with: a NaN, an infinity, zero. */
static bool compute(size_t row, const weft_maths_case *c, mpfr_t result) {
    static mpfr_t x, y;
    if (!isfinite(c->x) || !isfinite(c->y))
        return false;
    mpfr_inits2(64, x, y, (mpfr_ptr)0);
    mpfr_set_ld(x, c->x, MPFR_RNDN);
    mpfr_set_ld(y, c->y, MPFR_RNDN);
    if (table[row].one)
        table[row].one(result, x, MPFR_RNDN);
    else if (table[row].two)
        table[row].two(result, x, y, MPFR_RNDN);
    else
        table[row].integer(result, x, c->n, MPFR_RNDN);
    mpfr_clears(x, y, (mpfr_ptr)0);
    return mpfr_regular_p(result);
}

/** |is - exact| in units of the last of so many digits at `exact`. */
static double error_of(long double is, const mpfr_t exact, int digits) {
    mpfr_t difference;
    mpfr_init2(difference, PRECISION);
    mpfr_set_ld(difference, is, MPFR_RNDN);
    mpfr_sub(difference, difference, exact, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, digits - mpfr_get_exp(exact), MPFR_RNDN);
    double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return error;
}

/** The largest error of the reference in `c`, of a type. */
static double worst_reference(size_t row, int type, size_t points, weft_maths_case *worst) {
    double most = 0;
    mpfr_t exact;
    mpfr_init2(exact, PRECISION);
    for (size_t i = 0; i < points; i++) {
        weft_maths_case c = next_case(row, type);
        if (!compute(row, &c, exact) || fabsl((long double)mpfr_get_exp(exact)) > 16000)
            continue;
        weft_maths_reference(table[row].name, &c);
        double error = c.any ? 0 : error_of(c.result, exact, 64);
        if (!(error <= most)) {
            most = error;
            *worst = c;
        }
    }
    mpfr_clear(exact);
    return most;
}

static bool has_quick(size_t row) {
    return (table[row].one && weft_exhaust_quick(table[row].name)) ||
           (table[row].two && weft_exhaust_pairs_of(table[row].name));
}

/** The same of the quick reference of floats, or of halves, where the type has such a result. */
static double worst_quick(size_t row, size_t points, weft_maths_case *worst) {
    weft_exhaust_loop *loop = table[row].one ? weft_exhaust_quick(table[row].name) : NULL;
    weft_exhaust_pairs *pairs = table[row].two ? weft_exhaust_pairs_of(table[row].name) : NULL;
    const int type = loop ? WEFT_FLOAT : WEFT_HALF, high = loop ? 129 : 18, low = loop ? -150 : -26;
    double most = 0;
    mpfr_t exact;
    mpfr_init2(exact, PRECISION);
    for (size_t i = 0; i < points; i++) {
        weft_maths_case c = next_case(row, type);
        if (!compute(row, &c, exact) || mpfr_get_exp(exact) > high || mpfr_get_exp(exact) < low)
            continue;
        float x[BLOCK];
        double y[BLOCK], is[BLOCK];
        for (int k = 0; k < BLOCK; k++) {
            x[k] = (float)c.x;
            y[k] = (double)c.y;
        }
        if (loop)
            loop(x, is, BLOCK);
        else
            pairs((double)c.x, y, is, BLOCK);
        double error = error_of((long double)is[i % BLOCK], exact, 53);
        if (!(error <= most)) {
            most = error;
            *worst = c;
        }
    }
    mpfr_clear(exact);
    return most;
}

int main(int argc, char **argv) {
    const size_t points = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    static const char *const types[WEFT_TYPES] = {"float", "double", "half"};
    static const double most = 8;
    int number = 0, failed = 0;
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        weft_maths_case worst = {.type = 0};
        for (int type = 0; type < WEFT_TYPES; type++) {
            double error = worst_reference(row, type, points, &worst);
            bool good = error <= most;
            failed += !good;
            printf("%sok %d - %s %s: %.3g of 2^-11 of a double's last place, at (%La, %La, %d)\n",
                   good ? "" : "not ", ++number, table[row].name, types[type], error, worst.x,
                   worst.y, worst.n);
        }
        if (!has_quick(row))
            continue;
        double error = worst_quick(row, points, &worst);
        bool good = error <= most;
        failed += !good;
        printf("%sok %d - %s quick: %.3g of a double's last place, at (%La, %La)\n",
               good ? "" : "not ", ++number, table[row].name, error, worst.x, worst.y);
    }
    printf("1..%d\n", number);
    return failed != 0;
}
