// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * What functions of floats and of doubles are the same in: included by core.h with WEFT_REAL_BITS
 * 64 and by float.h with 32, before what is of one of them only. WEFT_R is the type, WEFT_I and
 * WEFT_UI integers of its size.
 */
#undef WEFT_R
#undef WEFT_I
#undef WEFT_UI
#undef WEFT_SIGN
#undef WEFT_MANTISSA
#undef WEFT_BIAS
#undef WEFT_SHIFTER
#undef WEFT_PI_HIGH
#undef WEFT_PI_LOW
#undef WEFT_OVER_PI_HIGH
#undef WEFT_OVER_PI_LOW
#undef WEFT_OVER_LN_2
#undef WEFT_LN_2_HIGH
#undef WEFT_LN_2_LOW
#undef WEFT_TABLE
#undef WEFT_INSTRUCTION
#if WEFT_REAL_BITS == 64
#define WEFT_INSTRUCTION  WEFT_DOUBLE_INSTRUCTION
#define WEFT_R            WEFT_D
#define WEFT_I            WEFT_L
#define WEFT_UI           WEFT_UL
#define WEFT_SIGN         LONG_MIN
#define WEFT_MANTISSA     52
#define WEFT_BIAS         1023
#define WEFT_SHIFTER      0x1.8p52
#define WEFT_PI_HIGH      0x1.921fb54442d18p+1
#define WEFT_PI_LOW       0x1.1a62633145c07p-53
#define WEFT_OVER_PI_HIGH 0x1.45f306dc9c883p-2
#define WEFT_OVER_PI_LOW  -0x1.6b01ec5417056p-56
#define WEFT_OVER_LN_2    0x1.71547652b82fep+0
#define WEFT_LN_2_HIGH    0x1.62e42fefa39efp-1
#define WEFT_LN_2_LOW     0x1.abc9e3b39803fp-56
#else
#define WEFT_INSTRUCTION  WEFT_FLOAT_INSTRUCTION
#define WEFT_R            gentype
#define WEFT_I            igentype
#define WEFT_UI           ugentype
#define WEFT_SIGN         INT_MIN
#define WEFT_MANTISSA     23
#define WEFT_BIAS         127
#define WEFT_SHIFTER      0x1.8p23f
#define WEFT_PI_HIGH      0x1.921fb6p+1f
#define WEFT_PI_LOW       -0x1.777a5cp-24f
#define WEFT_OVER_PI_HIGH 0x1.45f306p-2f
#define WEFT_OVER_PI_LOW  0x1.b9391p-27f
#define WEFT_OVER_LN_2    0x1.715476p+0f
#define WEFT_LN_2_HIGH    0x1.62e43p-1f
#define WEFT_LN_2_LOW     -0x1.05c61p-29f
#endif

/** Defines name(at): what the table has at each lane's place. */
#if WEFT_N == 1
#define WEFT_TABLE(name, type, table)                                                              \
    WEFT_HELPER type name(WEFT_I at) {                                                             \
        return table[at];                                                                          \
    }
#else
#define WEFT_TABLE(name, type, table)                                                              \
    WEFT_HELPER type name(WEFT_I at) {                                                             \
        type result;                                                                               \
        for (int lane = 0; lane < WEFT_N; lane++)                                                  \
            result[lane] = table[at[lane]];                                                        \
        return result;                                                                             \
    }
#endif

/* compiler/norm/instructions.h */
WEFT_R __attribute__((const)) WEFT_INSTRUCTION(reciprocal)(WEFT_R x);
WEFT_R __attribute__((const)) WEFT_INSTRUCTION(rsqrt)(WEFT_R x);
WEFT_R __attribute__((const)) WEFT_INSTRUCTION(exponent)(WEFT_R x);
WEFT_R __attribute__((const)) WEFT_INSTRUCTION(scale)(WEFT_R x, WEFT_R n);

/** 1 / x, to the bits that a guess has. */
WEFT_HELPER WEFT_R weft_reciprocal_guess(WEFT_R x) {
    return WEFT_INSTRUCTION(reciprocal)(x);
}

/** 1 / sqrt(x), as good. */
WEFT_HELPER WEFT_R weft_rsqrt_guess(WEFT_R x) {
    return WEFT_INSTRUCTION(rsqrt)(x);
}

/** floor(log2 |x|), where __weft_has_avx512(). */
WEFT_HELPER WEFT_R weft_exponent(WEFT_R x) {
    return WEFT_INSTRUCTION(exponent)(x);
}

/** x 2^n, rounded once, n an integer, where __weft_has_avx512(). */
WEFT_HELPER WEFT_R weft_scale_by(WEFT_R x, WEFT_R n) {
    return WEFT_INSTRUCTION(scale)(x, n);
}

/** a * b + c, rounded once or twice. */
WEFT_HELPER WEFT_R weft_mad(WEFT_R a, WEFT_R b, WEFT_R c) {
#pragma OPENCL FP_CONTRACT ON
    return a * b + c;
}

/** Lanes of what is not positive, finite and normal. */
WEFT_HELPER WEFT_I weft_unusual(WEFT_R x) {
    const WEFT_UI least = (WEFT_UI)1 << (WEFT_UI)WEFT_MANTISSA;
    return WEFT_AS(WEFT_UI, x) - least >= least * (WEFT_UI)(2 * WEFT_BIAS);
}

/** Whether the comparison's result has a lane that is set. */
WEFT_HELPER int weft_any_of(WEFT_I mask) {
#if WEFT_N == 1
    return mask != 0;
#else
    return __builtin_reduce_or(mask) != 0;
#endif
}

/** The number that equals n, of doubles |n| < 2^51: v3 converts no longs. */
WEFT_HELPER WEFT_R weft_real_of(WEFT_I n) {
#if WEFT_REAL_BITS == 64
    const WEFT_R shifter = (WEFT_R)WEFT_SHIFTER;
    return WEFT_AS(WEFT_R, n + WEFT_AS(WEFT_I, shifter)) - shifter;
#else
    return WEFT_CONVERT(WEFT_R, n);
#endif
}

/** x with the sign bits of `sign`, of which other bits are 0, changed. */
WEFT_HELPER WEFT_R weft_flip(WEFT_R x, WEFT_I sign) {
    return WEFT_AS(WEFT_R, WEFT_AS(WEFT_I, x) ^ sign);
}

WEFT_HELPER WEFT_I weft_sign_of(WEFT_R x) {
    return WEFT_AS(WEFT_I, x) & (WEFT_I)WEFT_SIGN;
}

/** The sign bit of a number that is odd. */
WEFT_HELPER WEFT_I weft_sign_if_odd(WEFT_I n) {
    return n << (WEFT_I)(WEFT_REAL_BITS - 1);
}

/** above / below, the tangent of some r, or for odd n -below / above, that of r + pi / 2. */
WEFT_HELPER WEFT_R weft_tangent(WEFT_R above, WEFT_R below, WEFT_I n) {
    WEFT_I odd = n & (WEFT_I)1;
    return WEFT_SELECT(odd != (WEFT_I)0, -below, above) /
           WEFT_SELECT(odd != (WEFT_I)0, above, below);
}

/** t / pi where the result is in units of pi. */
WEFT_HELPER WEFT_R weft_in_unit(WEFT_R t, int of_pi) {
    if (!of_pi)
        return t;
    return weft_mad(t, (WEFT_R)WEFT_OVER_PI_HIGH, t * (WEFT_R)WEFT_OVER_PI_LOW);
}

/** The exponent of a, finite and above 0: of a subnormal number by way of a larger one. */
WEFT_HELPER WEFT_I weft_exponent_of(WEFT_R a) {
    const WEFT_R normal = (WEFT_R)(WEFT_REAL_BITS == 32 ? 0x1p-126 : 0x1p-1022);
    const WEFT_R up = (WEFT_R)(WEFT_REAL_BITS == 32 ? 0x1p23 : 0x1p52);
    WEFT_I tiny = a < normal;
    WEFT_I bits = WEFT_AS(WEFT_I, WEFT_SELECT(tiny != (WEFT_I)0, a * up, a));
    WEFT_I less =
        WEFT_SELECT(tiny != (WEFT_I)0, (WEFT_I)(WEFT_BIAS + WEFT_MANTISSA), (WEFT_I)WEFT_BIAS);
    return (bits >> (WEFT_I)WEFT_MANTISSA) - less;
}
