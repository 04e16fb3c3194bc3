// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * What the exponential, logarithmic, power and trigonometric functions are made of, in double, once
 * per width: included by instance.h for float, the first of the two types. Functions of floats
 * whose own arithmetic would need tricks are computed with it and rounded once.
 *
 * What hardly any argument needs is behind a branch of all lanes. Nothing needs fma: weft_mad() is
 * one where the target has it, and each step is exact, or good enough, without; only pow has a way
 * of its own for it. Polynomials and tables: build/coefficients.py.
 */

#define WEFT_REAL_BITS 64
#include "math/real.h"

/** x without the lower halved of its bits: products of two such numbers are exact. */
WEFT_HELPER WEFT_D weft_top(WEFT_D x) {
    return WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, x) & (WEFT_L)0xffffffff00000000);
}

/** 1.5 * 2^52: its sum with a double below 2^51 holds that, rounded, in its low bits. */
#define WEFT_SHIFTER_D 0x1.8p52

/** x rounded to an integer, |x| < 2^51 or NaN, and in *n as one; NaN: any n. */
WEFT_HELPER WEFT_D weft_round(WEFT_D x, __private WEFT_L *n) {
    const WEFT_D shifter = (WEFT_D)WEFT_SHIFTER_D;
    WEFT_D shifted = x + shifter;
    *n = WEFT_AS(WEFT_L, shifted) - WEFT_AS(WEFT_L, shifter);
    return shifted - shifter;
}

/** For each lane the first or second number of the table's pair `at`, of which the low 32 bits
 * count, of a table of 16 pairs the low four; compiler/backend/pairs.h. */
WEFT_D __attribute__((const)) WEFT_PAIR(WEFT_L at, __constant const double *table, int second);

/** x between -bound and bound; a NaN stays one. */
WEFT_HELPER WEFT_D weft_limit(WEFT_D x, double bound) {
    WEFT_D y = WEFT_SELECT(x > (WEFT_D)bound, (WEFT_D)bound, x);
    return WEFT_SELECT(y < (WEFT_D)-bound, (WEFT_D)-bound, y);
}

/** 2^n, -1022 <= n <= 1023. */
WEFT_HELPER WEFT_D weft_power_of_two(WEFT_L n) {
    return WEFT_AS(WEFT_D, (n + (WEFT_L)1023) << (WEFT_L)52);
}

/** x 2^n, |n| <= 2044, rounded once where |x| is near 1. */
WEFT_HELPER WEFT_D weft_scale(WEFT_D x, WEFT_L n) {
    WEFT_L halved = n >> (WEFT_L)1;
    return x * weft_power_of_two(halved) * weft_power_of_two(n - halved);
}

#include "math/core_exp.h"
#include "math/real_exp.h"
#include "math/core_root.h"
#include "math/core_log.h"
#include "math/core_pow.h"
#include "math/real_pow.h"
#include "math/core_trig.h"
#include "math/real_arc.h"
#include "math/core_pi.h"
#include "math/real_pi.h"
#include "math/core_far.h"
#include "math/core_gamma.h"
#include "math/real_gamma.h"
#include "math/core_erf.h"
#include "math/core_mod.h"
#undef WEFT_REAL_BITS
