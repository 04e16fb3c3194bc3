// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * What the functions of halves are made of, in float, once per width: included by instance.h. A
 * half has 11 bits and is a normal float, whatever its exponent, so polynomials are short, two
 * floats are never needed and nothing underflows or overflows on the way; the result is rounded to
 * half once. Errors of 2^-16 or so in float are hundredths of a half's last place.
 *
 * Nothing needs fma: weft_mad() is one where the target has it. Polynomials: build/coefficients.py.
 */

/** Halves as floats, exactly. */
WEFT_HELPER WEFT_F weft_float(gentype x) {
    return WEFT_CONVERT(WEFT_F, x);
}

/** Floats as halves, rounded to nearest even. */
WEFT_HELPER gentype weft_half(WEFT_F x) {
    return WEFT_CONVERT(gentype, x);
}

/** a * b + c, rounded once or twice. */
WEFT_HELPER WEFT_F weft_mad(WEFT_F a, WEFT_F b, WEFT_F c) {
#pragma OPENCL FP_CONTRACT ON
    return a * b + c;
}

/** 1 / sqrt(x) and 1 / x, guessed: compiler/norm/instructions.h. */
WEFT_F __attribute__((const)) WEFT_FLOAT_INSTRUCTION(rsqrt)(WEFT_F x);
WEFT_F __attribute__((const)) WEFT_FLOAT_INSTRUCTION(reciprocal)(WEFT_F x);

/** a / b, b not subnormal, where a 16th of a half's last place does not count. */
WEFT_HELPER WEFT_F weft_over(WEFT_F a, WEFT_F b) {
    return __weft_has_avx512() ? a * WEFT_FLOAT_INSTRUCTION(reciprocal)(b) : a / b;
}

/** The root of x > 0, as good. */
WEFT_HELPER WEFT_F weft_root(WEFT_F x) {
    return __weft_has_avx512() ? x * WEFT_FLOAT_INSTRUCTION(rsqrt)(x)
                               : __builtin_elementwise_sqrt(x);
}

/** The number `at` of a table of 16 or 8, as in float.h. */
WEFT_F __attribute__((const)) WEFT_NUMBER(intn at, __constant const float *table);

/** Whether the comparison's result has a lane that is set. */
WEFT_HELPER int weft_any_of(intn mask) {
#if WEFT_N == 1
    return mask != 0;
#else
    return __builtin_reduce_or(mask) != 0;
#endif
}

/** 1.5 * 2^23: its sum with a float below 2^22 holds that, rounded, in its low bits. */
#define WEFT_SHIFTER_F 0x1.8p23f

/** x, but not more than the bound; a NaN stays one. */
WEFT_HELPER WEFT_F weft_at_most(WEFT_F x, float bound) {
    return WEFT_SELECT(x > (WEFT_F)bound, (WEFT_F)bound, x);
}

/** x between -bound and bound; a NaN stays one. */
WEFT_HELPER WEFT_F weft_limit(WEFT_F x, float bound) {
    WEFT_F y = weft_at_most(x, bound);
    return WEFT_SELECT(y < (WEFT_F)-bound, (WEFT_F)-bound, y);
}

/** 2^n, -126 <= n <= 127, n in the low bits of a sum with WEFT_SHIFTER_F. */
WEFT_HELPER WEFT_F weft_power_of_two(intn n) {
    return WEFT_AS(WEFT_F, (n << (intn)23) + (intn)(127 << 23));
}

/** x with its sign changed where the lowest bit of n is set. */
WEFT_HELPER WEFT_F weft_flip(WEFT_F x, intn n) {
    return WEFT_AS(WEFT_F, WEFT_AS(intn, x) ^ (n << (intn)31));
}

#include "math/fp16_exp.h"
#include "math/fp16_log.h"
#include "math/fp16_pow.h"
#include "math/fp16_trig.h"
#include "math/fp16_gamma.h"
#include "math/fp16_mod.h"
