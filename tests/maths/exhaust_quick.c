// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled with -O3 -ffast-math, so that loops call the C library's vector functions.
#include "exhaust.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define QUICK(F)                                                                                   \
    static void quick_##F(const float *restrict x, double *restrict out, int n) {                  \
        for (int i = 0; i < n; i++)                                                                \
            out[i] = F((double)x[i]);                                                              \
    }

QUICK(sin)
QUICK(cos)
QUICK(tan)
QUICK(asin)
QUICK(acos)
QUICK(atan)
QUICK(sinh)
QUICK(cosh)
QUICK(tanh)
QUICK(exp)
QUICK(exp2)
QUICK(exp10)
QUICK(expm1)
QUICK(log)
QUICK(log2)
QUICK(log10)
QUICK(log1p)
QUICK(cbrt)
QUICK(erf)
QUICK(erfc)

#define PAIRS(F)                                                                                   \
    static void pairs_##F(double x, const double *restrict y, double *restrict out, int n) {       \
        for (int i = 0; i < n; i++)                                                                \
            out[i] = F(x, y[i]);                                                                   \
    }

PAIRS(atan2)
PAIRS(hypot)
PAIRS(pow)
PAIRS(fmod)
PAIRS(remainder)

static const struct {
    const char *name;
    weft_exhaust_pairs *loop;
} pairs[] = {{"atan2", pairs_atan2}, {"hypot", pairs_hypot}, {"pow", pairs_pow},
             {"powr", pairs_pow},    {"fmod", pairs_fmod},   {"remainder", pairs_remainder}};

weft_exhaust_pairs *weft_exhaust_pairs_of(const char *name) {
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i].name, name) == 0)
            return pairs[i].loop;
    return NULL;
}

static const struct {
    const char *name;
    weft_exhaust_loop *loop;
} table[] = {
    {"sin", quick_sin},     {"cos", quick_cos},   {"tan", quick_tan},   {"asin", quick_asin},
    {"acos", quick_acos},   {"atan", quick_atan}, {"sinh", quick_sinh}, {"cosh", quick_cosh},
    {"tanh", quick_tanh},   {"exp", quick_exp},   {"exp2", quick_exp2}, {"exp10", quick_exp10},
    {"expm1", quick_expm1}, {"log", quick_log},   {"log2", quick_log2}, {"log10", quick_log10},
    {"log1p", quick_log1p}, {"cbrt", quick_cbrt}, {"erf", quick_erf},   {"erfc", quick_erfc}};

weft_exhaust_loop *weft_exhaust_quick(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].loop;
    return NULL;
}
