// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by fp16.h: powers and roots, 2^(y log2 |x|): where that is a half, y log2 |x| is below
 * 26 and, as the logarithm is right to 2^-19, right to 2^-14. */

/** The ends as section 7.5.1 of the OpenCL C specification refers to IEEE 754's pow. */
WEFT_HELPER WEFT_F weft_pow_signed(WEFT_F x, WEFT_F y, WEFT_F result) {
    const WEFT_F one = (WEFT_F)1.0f;
    WEFT_F a = __builtin_elementwise_abs(x), halved = y * (WEFT_F)0.5f;
    intn whole = __builtin_elementwise_rint(y) == y;
    intn odd = whole & (__builtin_elementwise_rint(halved) != halved);
    result = WEFT_SELECT(a == one, one, result); /* also for an infinite y */
    result = __builtin_elementwise_copysign(result, WEFT_SELECT(odd, x, one));
    intn nowhere = (x < (WEFT_F)0.0f) & (a < (WEFT_F)INFINITY) & (y != (WEFT_F)0.0f);
    result = WEFT_SELECT(nowhere & !whole, (WEFT_F)NAN, result);
    result = WEFT_SELECT(y == y, result, y);
    return WEFT_SELECT((x == one) | (y == (WEFT_F)0.0f), one, result);
}

WEFT_HELPER WEFT_F weft_pow_of(WEFT_F x, WEFT_F y) {
    WEFT_F result = weft_exp2_of(y * weft_log2_of(__builtin_elementwise_abs(x)));
    intn usual = (x > (WEFT_F)0.0f) & (x < (WEFT_F)INFINITY);
    intn rare = !(usual & (__builtin_elementwise_abs(y) < (WEFT_F)INFINITY));
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare, weft_pow_signed(x, y, result), result);
    return result;
}

/** "powr(x, y) ... where x is >= 0": IEEE 754's powr, that is exp(y log x) at its ends. */
WEFT_HELPER WEFT_F weft_powr_of(WEFT_F x, WEFT_F y) {
    WEFT_F result = weft_exp2_of(y * weft_log2_of(__builtin_elementwise_abs(x)));
    intn unknown = (x == (WEFT_F)1.0f) & (__builtin_elementwise_abs(y) == (WEFT_F)INFINITY);
    return WEFT_SELECT(unknown | (x < (WEFT_F)0.0f), (WEFT_F)NAN, result);
}

/** `result`, of |x|, with the sign of x where n is odd. */
WEFT_HELPER WEFT_F weft_odd_sign(WEFT_F result, WEFT_F x, intn n) {
    return WEFT_AS(WEFT_F, WEFT_AS(intn, result) | (WEFT_AS(intn, x) & (n << (intn)31)));
}

/* n has bits that a float has not, but then |n| is so large that they do not count. */
WEFT_HELPER WEFT_F weft_pown_of(WEFT_F x, intn n) {
    WEFT_F y = WEFT_CONVERT(WEFT_F, n);
    WEFT_F result = weft_exp2_of(y * weft_log2_of(__builtin_elementwise_abs(x)));
    return WEFT_SELECT(n == (intn)0, (WEFT_F)1.0f, weft_odd_sign(result, x, n));
}

WEFT_HELPER WEFT_F weft_rootn_of(WEFT_F x, intn n) {
    WEFT_F y = WEFT_CONVERT(WEFT_F, n);
    WEFT_F result = weft_exp2_of(weft_log2_of(__builtin_elementwise_abs(x)) / y);
    intn even = (n & (intn)1) == (intn)0;
    intn nowhere = ((x < (WEFT_F)0.0f) & even) | (n == (intn)0);
    return WEFT_SELECT(nowhere, (WEFT_F)NAN, weft_odd_sign(result, x, n));
}

/**
 * The cube root: a third of the bits is it to 3.2 %, and Halley's y (y^3 + 2 a) / (2 y^3 + a) then
 * to 2^-15. Of 0 it makes a number that is no half.
 */
WEFT_HELPER WEFT_F weft_cbrt_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x);
    WEFT_F third = WEFT_CONVERT(WEFT_F, WEFT_AS(intn, a)) * (WEFT_F)0x1.555556p-2f;
    WEFT_F y = WEFT_AS(WEFT_F, WEFT_CONVERT(intn, third) + (intn)0x2a510680);
    WEFT_F cube = y * y * y;
    WEFT_F result = y * weft_over(cube + (a + a), (cube + cube) + a);
    result = WEFT_SELECT(a < (WEFT_F)INFINITY, result, a);
    return __builtin_elementwise_copysign(result, x);
}

/** A guess, which is enough where it has 14 bits, else improved; what that makes NaN of is an end,
 * of which the guess is right. */
WEFT_HELPER WEFT_F weft_rsqrt_of(WEFT_F x) {
    WEFT_F y = WEFT_FLOAT_INSTRUCTION(rsqrt)(x);
    if (__weft_has_avx512())
        return y;
    WEFT_F e = weft_mad(-(x * y), y, (WEFT_F)1.0f);
    WEFT_F result = weft_mad(y * (WEFT_F)0.5f, e, y);
    return WEFT_SELECT(result == result, result, y);
}

/** A guess of 14 bits once improved, which is right to 2^-24 and rounds to the right half always
 * (all are tried: tests/maths): quicker than AVX-512's own instruction. */
WEFT_HELPER WEFT_F weft_sqrt_of(WEFT_F x) {
    if (!__weft_has_avx512())
        return __builtin_elementwise_sqrt(x);
    WEFT_F y = WEFT_FLOAT_INSTRUCTION(rsqrt)(x), root = x * y;
    WEFT_F result = weft_mad(weft_mad(-root, root, x), y * (WEFT_F)0.5f, root);
    return WEFT_SELECT((x == (WEFT_F)0.0f) | (x == (WEFT_F)INFINITY), x, result);
}

/* "hypot(±inf, y) returns +inf, even if y is a NaN." */
WEFT_HELPER WEFT_F weft_hypot_of(WEFT_F x, WEFT_F y) {
    WEFT_F result = __builtin_elementwise_sqrt(weft_mad(x, x, y * y));
    intn infinite = __builtin_elementwise_abs(x) == (WEFT_F)INFINITY;
    infinite |= __builtin_elementwise_abs(y) == (WEFT_F)INFINITY;
    return WEFT_SELECT(infinite, (WEFT_F)INFINITY, result);
}
