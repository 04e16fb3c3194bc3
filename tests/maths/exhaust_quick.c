// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled so that loops call the C library's vector functions; which go one by one where an
// argument is beside their ranges, so such arguments are kept away from them.
#include "exhaust.h"
#include "half.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Arguments first, then results: in one loop the compiler calls F for what is set aside, too. */
#define QUICK_OF(F, ARGUMENT, RESULT)                                                              \
    static void quick_##F(const float *restrict x, double *restrict out, int n) {                  \
        for (int i = 0; i < n; i++) {                                                              \
            double a = (double)x[i];                                                               \
            out[i] = ARGUMENT;                                                                     \
        }                                                                                          \
        for (int i = 0; i < n; i++)                                                                \
            out[i] = F(out[i]);                                                                    \
        for (int i = 0; i < n; i++) {                                                              \
            double a = (double)x[i], f = out[i];                                                   \
            (void)a;                                                                               \
            out[i] = RESULT;                                                                       \
        }                                                                                          \
    }
#define QUICK(F) QUICK_OF(F, a, f)
/* beyond `end` the result is no float, or the same as there */
#define QUICK_UP_TO(F, END) QUICK_OF(F, a > (END) ? (END) : a < -(END) ? -(END) : a, f)
/* only where it is defined and finite; else `beside` */
#define QUICK_WHERE(F, INSIDE, BESIDE) QUICK_OF(F, (INSIDE) ? a : 0.5, (INSIDE) ? f : (BESIDE))

QUICK(sin)
QUICK(cos)
QUICK(tan)
QUICK_WHERE(asin, fabs(a) <= 1, NAN)
QUICK_WHERE(acos, fabs(a) <= 1, NAN)
QUICK(atan)
QUICK_UP_TO(sinh, 200)
QUICK_UP_TO(cosh, 200)
QUICK_UP_TO(tanh, 30)
QUICK_UP_TO(exp, 200)
QUICK_UP_TO(exp2, 200)
QUICK_UP_TO(exp10, 100)
QUICK_UP_TO(expm1, 200)
#define LOG(F) QUICK_WHERE(F, a > 0 && a < INFINITY, a == 0 ? -INFINITY : a > 0 ? a : NAN)
LOG(log)
LOG(log2)
LOG(log10)
QUICK_WHERE(log1p, a > -1 && a < INFINITY, a == -1 ? -INFINITY : a > 0 ? a : NAN)
QUICK(cbrt)
QUICK_UP_TO(erf, 10)
QUICK_UP_TO(erfc, 25)
QUICK_WHERE(acosh, a >= 1 && a < INFINITY, a > 1 ? a : NAN)
QUICK_WHERE(asinh, fabs(a) < INFINITY, a)
QUICK_WHERE(atanh, fabs(a) < 1, fabs(a) == 1 ? a * INFINITY : NAN)
QUICK(tgamma)
QUICK(sqrt)
QUICK(fabs)
QUICK(ceil)
QUICK(floor)
QUICK(rint)
QUICK(round)
QUICK(trunc)

static double recip(double x) {
    return 1 / x;
}
static double rsqrt(double x) {
    return 1 / sqrt(x);
}
static double acospi(double x) {
    return acos(x) / M_PI;
}
static double asinpi(double x) {
    return asin(x) / M_PI;
}
static double atanpi(double x) {
    return atan(x) / M_PI;
}
/* x less its multiples of 2, or of 1, is exact, and so is what is left of 1/2 of that. */
static double sinpi(double x) {
    double n = rint(x), r = x - n, s = sin(M_PI * r);
    return r == 0 ? copysign(0, x) : n - 2 * floor(0.5 * n) == 1 ? -s : s;
}
static double cospi(double x) {
    double a = fabs(x), b = a - 2 * floor(0.5 * a), c = b > 1 ? 2 - b : b;
    return sin(M_PI * (0.5 - c));
}
static double tanpi(double x) {
    double n = rint(x), r = x - n, s = sin(M_PI * r), c = sin(M_PI * (0.5 - fabs(r)));
    double zero = n - 2 * floor(0.5 * n) == 1 ? copysign(0, -x) : copysign(0, x);
    return r == 0 ? zero : s / c;
}
QUICK(logb)
QUICK(recip)
QUICK(rsqrt)
QUICK(acospi)
QUICK(asinpi)
QUICK(atanpi)
QUICK(sinpi)
QUICK(cospi)
QUICK(tanpi)

/* Of two halves: f(x, y) of all y of a row, which all have one x. */
#define PAIRS(F, RESULT)                                                                           \
    static void pairs_##F(double x, const double *restrict all, double *restrict out, int n) {     \
        for (int i = 0; i < n; i++) {                                                              \
            double y = all[i];                                                                     \
            out[i] = RESULT;                                                                       \
        }                                                                                          \
    }

PAIRS(atan2, atan2(x, y))
PAIRS(atan2pi, atan2(x, y) / M_PI)
PAIRS(copysign, copysign(x, y))
PAIRS(fdim, x > y ? x - y : x <= y ? 0 : NAN)
PAIRS(fmod, fmod(x, y))
PAIRS(hypot, hypot(x, y))
PAIRS(remainder, remainder(x, y))
PAIRS(fmax, y != y || x > y ? x : y)
PAIRS(fmin, y != y || x < y ? x : y)
PAIRS(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : y != y || x > y ? x : y)
PAIRS(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : y != y || x < y ? x : y)
PAIRS(each_pow, pow(x, y))

/* The C library's vectors go one by one where x is not positive or the result no double; what a
 * half holds is far within 2^64. */
static void pairs_pow(double x, const double *restrict all, double *restrict out, int n) {
    double a = fabs(x), most = 64 / fabs(log2(a));
    if (!(a > 0 && a < INFINITY && a != 1)) {
        pairs_each_pow(x, all, out, n);
        return;
    }
    for (int i = 0; i < n; i++)
        out[i] = all[i] > most ? most : all[i] < -most ? -most : all[i];
    for (int i = 0; i < n; i++)
        out[i] = pow(a, out[i]);
    for (int i = 0; i < n && x < 0; i++) {
        double y = all[i];
        int odd = y - 2 * floor(0.5 * y) == 1, whole = y == floor(y); /* infinity, too */
        out[i] = !whole ? NAN : odd ? -out[i] : out[i];
    }
}

/* What C's pow is right about and the specification is not: "powr(x, ±0) is 1 for finite x > 0". */
static void pairs_powr(double x, const double *restrict all, double *restrict out, int n) {
    pairs_pow(x, all, out, n);
    for (int i = 0; i < n; i++) {
        double y = all[i];
        int none = (x != x) | (y != y) | (x < 0) | ((y == 0) & ((x == 0) | (x == INFINITY))) |
                   ((x == 1) & (fabs(y) == INFINITY));
        out[i] = none ? NAN : fabs(out[i]);
    }
}

static void pairs_nextafter(double x, const double *restrict all, double *restrict out, int n) {
    uint16_t bits = weft_half_bits((long double)x);
    double above = (double)weft_half_value(x == 0 ? 1 : x > 0 ? bits + 1 : bits - 1);
    double below = (double)weft_half_value(x == 0 ? 0x8001 : x > 0 ? bits - 1 : bits + 1);
    for (int i = 0; i < n; i++) {
        double y = all[i];
        out[i] = x != x || y != y ? NAN : x == y ? y : y > x ? above : below;
    }
}

#define PAIR(F) {#F, pairs_##F}
static const struct {
    const char *name;
    weft_exhaust_pairs *loop;
} pairs[] = {PAIR(atan2),  PAIR(atan2pi), PAIR(copysign),  PAIR(fdim),     PAIR(fmax),
             PAIR(fmin),   PAIR(fmod),    PAIR(hypot),     PAIR(pow),      PAIR(powr),
             PAIR(maxmag), PAIR(minmag),  PAIR(nextafter), PAIR(remainder)};

weft_exhaust_pairs *weft_exhaust_pairs_of(const char *name) {
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i].name, name) == 0)
            return pairs[i].loop;
    return NULL;
}

static const struct {
    const char *name;
    weft_exhaust_loop *loop;
} table[] = {{"sin", quick_sin},       {"cos", quick_cos},       {"tan", quick_tan},
             {"asin", quick_asin},     {"acos", quick_acos},     {"atan", quick_atan},
             {"sinh", quick_sinh},     {"cosh", quick_cosh},     {"tanh", quick_tanh},
             {"exp", quick_exp},       {"exp2", quick_exp2},     {"exp10", quick_exp10},
             {"expm1", quick_expm1},   {"log", quick_log},       {"log2", quick_log2},
             {"log10", quick_log10},   {"log1p", quick_log1p},   {"cbrt", quick_cbrt},
             {"erf", quick_erf},       {"erfc", quick_erfc},     {"acosh", quick_acosh},
             {"asinh", quick_asinh},   {"atanh", quick_atanh},   {"tgamma", quick_tgamma},
             {"sqrt", quick_sqrt},     {"fabs", quick_fabs},     {"ceil", quick_ceil},
             {"floor", quick_floor},   {"rint", quick_rint},     {"round", quick_round},
             {"trunc", quick_trunc},   {"logb", quick_logb},     {"recip", quick_recip},
             {"rsqrt", quick_rsqrt},   {"acospi", quick_acospi}, {"asinpi", quick_asinpi},
             {"atanpi", quick_atanpi}, {"sinpi", quick_sinpi},   {"cospi", quick_cospi},
             {"tanpi", quick_tanpi}};

weft_exhaust_loop *weft_exhaust_quick(const char *name) {
    if (strncmp(name, "half_", 5) == 0)
        name += 5;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].loop;
    return NULL;
}
