// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by fp16.h: the logarithms and what they serve. x = 2^k (1 + f), sqrt(1/2) <= 1 + f <
 * sqrt(2). */

/** k + log2(1 + f), which does not cancel. */
WEFT_HELPER WEFT_F weft_log2_sum(WEFT_F f, WEFT_F k) {
    WEFT_F p = (WEFT_F)0.167619377375f;
    p = weft_mad(p, f, (WEFT_F)-0.267769634724f);
    p = weft_mad(p, f, (WEFT_F)0.296202838421f);
    p = weft_mad(p, f, (WEFT_F)-0.359546810389f);
    p = weft_mad(p, f, (WEFT_F)0.480609297752f);
    p = weft_mad(p, f, (WEFT_F)-0.721359670162f);
    p = weft_mad(p, f, (WEFT_F)1.44269657135f);
    return weft_mad(p, f, k);
}

/** x: any float but a subnormal one. */
WEFT_HELPER WEFT_F weft_log2_of(WEFT_F x) {
    intn bits = WEFT_AS(intn, x), exponent = (bits - (intn)0x3f3504f3) >> (intn)23;
    WEFT_F f = WEFT_AS(WEFT_F, bits - (exponent << (intn)23)) - (WEFT_F)1.0f;
    WEFT_F result = weft_log2_sum(f, WEFT_CONVERT(WEFT_F, exponent));
    intn rare = !(x > (WEFT_F)0.0f) | !(x < (WEFT_F)INFINITY);
    if (WEFT_RARELY(rare)) {
        WEFT_F end = WEFT_SELECT(x > (WEFT_F)0.0f, x, (WEFT_F)NAN);
        end = WEFT_SELECT(x == (WEFT_F)0.0f, (WEFT_F)-INFINITY, end);
        result = WEFT_SELECT(rare, end, result);
    }
    return result;
}

WEFT_HELPER WEFT_F weft_log_of(WEFT_F x) {
    return weft_log2_of(x) * (WEFT_F)WEFT_LN_2;
}

WEFT_HELPER WEFT_F weft_log10_of(WEFT_F x) {
    return weft_log2_of(x) * (WEFT_F)WEFT_LOG10_2;
}

/** log(1 + x) of a sum between 0 and 2^100, and a NaN of a NaN: k from 1 + x, rounded, and f = 2^-k
 * x
 * + (2^-k - 1), which is x itself where k is 0, and rounded once or twice in any case. */
WEFT_HELPER WEFT_F weft_log1p_usual(WEFT_F x) {
    intn exponent = (WEFT_AS(intn, (WEFT_F)1.0f + x) - (intn)0x3f3504f3) & (intn)0xff800000;
    WEFT_F scale = WEFT_AS(WEFT_F, (intn)(127 << 23) - exponent);
    WEFT_F f = weft_mad(x, scale, scale - (WEFT_F)1.0f);
    WEFT_F k = WEFT_CONVERT(WEFT_F, exponent >> (intn)23);
    return weft_log2_sum(f, k) * (WEFT_F)WEFT_LN_2;
}

WEFT_HELPER WEFT_F weft_log1p_of(WEFT_F x) {
    WEFT_F u = (WEFT_F)1.0f + x, result = weft_log1p_usual(x);
    intn rare = !(u > (WEFT_F)0.0f) | !(u < (WEFT_F)INFINITY) | (x == (WEFT_F)0.0f);
    if (WEFT_RARELY(rare)) {
        WEFT_F end = WEFT_SELECT(u > (WEFT_F)0.0f, x, (WEFT_F)NAN);
        end = WEFT_SELECT(u == (WEFT_F)0.0f, (WEFT_F)-INFINITY, end);
        result = WEFT_SELECT(rare, end, result);
    }
    return result;
}

/** log(a + sqrt(a^2 + 1)) = log1p(a + (sqrt(a^2 + 1) - 1)), the latter without cancellation. */
WEFT_HELPER WEFT_F weft_asinh_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x), square = a * a;
    WEFT_F root = weft_root(square + (WEFT_F)1.0f);
    WEFT_F result = weft_log1p_usual(a + weft_over(square, root + (WEFT_F)1.0f));
    result = WEFT_SELECT(a < (WEFT_F)INFINITY, result, a);
    return __builtin_elementwise_copysign(result, x);
}

/** log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(t (t + 2))), t = x - 1, which is exact near 1. */
WEFT_HELPER WEFT_F weft_acosh_of(WEFT_F x) {
    WEFT_F t = x - (WEFT_F)1.0f;
    WEFT_F result = weft_log1p_usual(t + __builtin_elementwise_sqrt(t * (t + (WEFT_F)2.0f)));
    result = WEFT_SELECT(x < (WEFT_F)INFINITY, result, x);
    return WEFT_SELECT(x >= (WEFT_F)1.0f, result, (WEFT_F)NAN);
}

/** log((1 + a) / (1 - a)) / 2 = log1p(2 a / (1 - a)) / 2. */
WEFT_HELPER WEFT_F weft_atanh_of(WEFT_F x) {
    const WEFT_F one = (WEFT_F)1.0f;
    WEFT_F a = __builtin_elementwise_abs(x);
    WEFT_F result = (WEFT_F)0.5f * weft_log1p_usual(weft_over(a + a, one - a));
    WEFT_F end = WEFT_SELECT(a == one, (WEFT_F)INFINITY, (WEFT_F)NAN);
    return __builtin_elementwise_copysign(WEFT_SELECT(a < one, result, end), x);
}
