// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Halves by their bits, in plain C. */
#ifndef WEFT_TESTS_MATHS_HALF_H
#define WEFT_TESTS_MATHS_HALF_H

#include <math.h>
#include <stdint.h>

/** The half's value. */
static inline long double weft_half_value(uint16_t bits) {
    int e = bits >> 10 & 31, m = bits & 1023;
    long double x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpl(1024 + m, e - 25) : ldexpl(m, -24);
    return bits >> 15 ? -x : x;
}

/** Bits of x, rounded to nearest even. */
static inline uint16_t weft_half_bits(long double x) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    long double a = fabsl(x);
    if (isnan(a))
        return 0x7e00;
    if (a >= 65520)
        return sign | 0x7c00;
    int exponent = a < 0x1p-14L ? -14 : ilogbl(a);
    /* units of the last place; a carry goes into the exponent as it should */
    uint16_t units = (uint16_t)rintl(ldexpl(a, 10 - exponent));
    return sign | (uint16_t)(((exponent + 14) << 10) + units);
}

/** The unit of the last place of the halves at x. */
static inline long double weft_half_ulp(long double x) {
    int exponent = x == 0 || !isfinite(x) ? -14 : ilogbl(x);
    return ldexpl(1, (exponent < -14 ? -14 : exponent) - 10);
}

#endif
