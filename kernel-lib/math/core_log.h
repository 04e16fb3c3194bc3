// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: the logarithms. x = 2^k m, sqrt(1/2) <= m < sqrt(2). */

/** What of weft_log_split() hardly any argument needs: subnormal numbers; of 0 the logarithm k is
 * -infinity, of infinity infinity, of what is negative or NaN, NaN. */
WEFT_HELPER void weft_log_rare(WEFT_D x, WEFT_L rare, __private WEFT_D *m, __private WEFT_D *k) {
    WEFT_L bits = WEFT_AS(WEFT_L, x * (WEFT_D)0x1p54);
    WEFT_L exponent = (bits - (WEFT_L)0x3fe6a09e667f3bcd) >> (WEFT_L)52;
    WEFT_D whole = weft_real_of(exponent - (WEFT_L)54);
    WEFT_D part = WEFT_AS(WEFT_D, bits - (exponent << (WEFT_L)52));
    whole = WEFT_SELECT(x > (WEFT_D)0.0, whole, (WEFT_D)NAN);
    whole = WEFT_SELECT(x == (WEFT_D)0.0, (WEFT_D)-INFINITY, whole);
    whole = WEFT_SELECT(x == (WEFT_D)INFINITY, x, whole);
    part = WEFT_SELECT(x > (WEFT_D)0.0, part, (WEFT_D)1.0);
    part = WEFT_SELECT(x == (WEFT_D)INFINITY, (WEFT_D)1.0, part);
    *m = WEFT_SELECT(rare != (WEFT_L)0, part, *m);
    *k = WEFT_SELECT(rare != (WEFT_L)0, whole, *k);
}

/**
 * m and *k, which is not finite where the logarithm is not. The exponent is shifted as a positive
 * number, as v3 has no other shift of longs, and made a double as the lower bits of 2^52.
 */
WEFT_HELPER WEFT_D weft_log_split(WEFT_D x, __private WEFT_D *k) {
    WEFT_L bits = WEFT_AS(WEFT_L, x);
    WEFT_L above = bits - (WEFT_L)(0x3fe6a09e667f3bcd - 0x3ff0000000000000);
    WEFT_UL exponent = WEFT_AS(WEFT_UL, above) >> (WEFT_UL)52;
    *k = WEFT_AS(WEFT_D, exponent | (WEFT_UL)0x4330000000000000) - (WEFT_D)(0x1p52 + 1023.0);
    WEFT_D m =
        WEFT_AS(WEFT_D, bits - ((above & (WEFT_L)0xfff0000000000000) - (WEFT_L)0x3ff0000000000000));
    WEFT_L rare =
        WEFT_AS(WEFT_UL, bits) - (WEFT_UL)0x0010000000000000 >= (WEFT_UL)0x7fe0000000000000;
    if (WEFT_RARELY(rare))
        weft_log_rare(x, rare, &m, k);
    return m;
}

/** (2 atanh(s) - 2 s) / s as a polynomial of z = s^2, error 2^-58. */
WEFT_HELPER WEFT_D weft_atanh_poly(WEFT_D z) {
    WEFT_D p = (WEFT_D)0.1308803485092755383;
    p = weft_mad(p, z, (WEFT_D)0.13268638369266823879);
    p = weft_mad(p, z, (WEFT_D)0.15386244737621666606);
    p = weft_mad(p, z, (WEFT_D)0.18181795547521136235);
    p = weft_mad(p, z, (WEFT_D)0.22222222392581045097);
    p = weft_mad(p, z, (WEFT_D)0.28571428570799785031);
    p = weft_mad(p, z, (WEFT_D)0.40000000000000883236);
    return z * weft_mad(p, z, (WEFT_D)0.66666666666666666463);
}

/**
 * k a + log(1 + f) + lost, |f| within a factor sqrt(2) of 0, where ln 2 = a: with s = f / (2 + f),
 * log(1 + f) = 2 atanh(s) = f - f^2 / 2 + s (f^2 / 2 + R(s^2)), which leaves f itself exact.
 */
WEFT_HELPER WEFT_D weft_log_sum(WEFT_D f, WEFT_D k, WEFT_D lost) {
    WEFT_D s = f / ((WEFT_D)2.0 + f), halved = (WEFT_D)0.5 * f * f;
    WEFT_D small = weft_mad(k, (WEFT_D)0x1.a39ef35793c76p-33, lost);
    small = weft_mad(s, halved + weft_atanh_poly(s * s), small);
    return k * (WEFT_D)0x1.62e42fee00000p-1 - ((halved - small) - f);
}

/** What the logarithm of 0, of infinity, of a negative number and of a NaN is; else `result`. */
WEFT_HELPER WEFT_D weft_log_special(WEFT_D x, WEFT_D result) {
    result = WEFT_SELECT(x < (WEFT_D)INFINITY, result, x);
    result = WEFT_SELECT(x == (WEFT_D)0.0, (WEFT_D)-INFINITY, result);
    return WEFT_SELECT(x < (WEFT_D)0.0, (WEFT_D)NAN, result);
}

WEFT_HELPER WEFT_D weft_log_of(WEFT_D x) {
    WEFT_D k, m = weft_log_split(x, &k);
    return weft_log_sum(m - (WEFT_D)1.0, k, (WEFT_D)0.0);
}

WEFT_HELPER WEFT_D weft_log2_of(WEFT_D x) {
    WEFT_D k, m = weft_log_split(x, &k);
    WEFT_D part = weft_log_sum(m - (WEFT_D)1.0, (WEFT_D)0.0, (WEFT_D)0.0);
    /* log2 e in two parts: the second counts where the result is small */
    part = weft_mad(part, (WEFT_D)0x1.71547652b82fep+0, part * (WEFT_D)0x1.777d0ffda0d24p-56);
    return k + part;
}

WEFT_HELPER WEFT_D weft_log10_of(WEFT_D x) {
    WEFT_D k, m = weft_log_split(x, &k);
    WEFT_D part = weft_log_sum(m - (WEFT_D)1.0, (WEFT_D)0.0, (WEFT_D)0.0);
    part = weft_mad(part, (WEFT_D)0x1.bcb7b1526e50ep-2, k * (WEFT_D)0x1.f79fef311f12bp-34);
    return weft_mad(k, (WEFT_D)0x1.3441350800000p-2, part);
}

/**
 * log(1 + x): of u = 1 + x, rounded, with what the rounding lost, c, as c / u; where u is within a
 * factor sqrt(2) of 1, of x itself.
 */
WEFT_HELPER WEFT_D weft_log1p_of(WEFT_D x) {
    WEFT_D u = (WEFT_D)1.0 + x;
    WEFT_D lost = WEFT_SELECT(x > (WEFT_D)1.0, (WEFT_D)1.0 - (u - x), x - (u - (WEFT_D)1.0)) / u;
    WEFT_D k, m = weft_log_split(u, &k);
    WEFT_D f = WEFT_SELECT(k == (WEFT_D)0.0, x, m - (WEFT_D)1.0);
    WEFT_D result = weft_log_sum(f, k, WEFT_SELECT(k == (WEFT_D)0.0, (WEFT_D)0.0, lost));
    result = weft_log_special(u, result);
    return WEFT_SELECT(x == (WEFT_D)0.0, x, result);
}

/** asinh x = log(x + sqrt(x^2 + 1)), written so that nothing cancels or overflows. */
WEFT_HELPER WEFT_D weft_asinh_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x), square = a * a;
    WEFT_D root = __builtin_elementwise_sqrt(square + (WEFT_D)1.0);
    WEFT_D near = a + square / ((WEFT_D)1.0 + root);
    WEFT_D huge = WEFT_SELECT(a > (WEFT_D)0x1p500, (WEFT_D)1.0, (WEFT_D)0.0);
    /* beyond 2^500, where squares overflow: log a + ln 2 */
    WEFT_D result = weft_log1p_of(WEFT_SELECT(huge != (WEFT_D)0.0, a, near));
    result += huge * (WEFT_D)0x1.62e42fefa39efp-1;
    return __builtin_elementwise_copysign(result, x);
}

WEFT_HELPER WEFT_D weft_acosh_of(WEFT_D x) {
    WEFT_D t = x - (WEFT_D)1.0;
    WEFT_D near = t + __builtin_elementwise_sqrt(t * (t + (WEFT_D)2.0));
    WEFT_D huge = WEFT_SELECT(x > (WEFT_D)0x1p500, (WEFT_D)1.0, (WEFT_D)0.0);
    WEFT_D result = weft_log1p_of(WEFT_SELECT(huge != (WEFT_D)0.0, x, near));
    result += huge * (WEFT_D)0x1.62e42fefa39efp-1;
    return WEFT_SELECT(x < (WEFT_D)1.0, (WEFT_D)NAN, result);
}

/** atanh x = log1p(2 x / (1 - x)) / 2. */
WEFT_HELPER WEFT_D weft_atanh_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x);
    WEFT_D result = (WEFT_D)0.5 * weft_log1p_of((a + a) / ((WEFT_D)1.0 - a));
    result = WEFT_SELECT(a > (WEFT_D)1.0, (WEFT_D)NAN, result);
    return __builtin_elementwise_copysign(result, x);
}
