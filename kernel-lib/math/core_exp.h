// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: the exponential family. e^x = 2^n e^r with |r| <= ln 2 / 2. */

/**
 * e^r - 1, relative error of the exponential 2^-56: r + r^2 P(r), even and odd powers apart, as
 * they need not wait for each other.
 */
WEFT_HELPER WEFT_D weft_exp_poly(WEFT_D r) {
    WEFT_D z = r * r;
    WEFT_D p = (WEFT_D)2.5100385495510319078e-8, q = (WEFT_D)2.7620088445409748161e-7;
    p = weft_mad(p, z, (WEFT_D)2.7557268459997064772e-6);
    q = weft_mad(q, z, (WEFT_D)0.000024801521295954375131);
    p = weft_mad(p, z, (WEFT_D)0.00019841269863053616878);
    q = weft_mad(q, z, (WEFT_D)0.0013888888917213716901);
    p = weft_mad(p, z, (WEFT_D)0.0083333333333300618325);
    q = weft_mad(q, z, (WEFT_D)0.041666666666624127873);
    p = weft_mad(p, z, (WEFT_D)0.16666666666666667453);
    q = weft_mad(q, z, (WEFT_D)0.50000000000000010221);
    return weft_mad(z, weft_mad(p, r, q), r);
}

/** x = n ln 2 + r, |x| <= 1500: n times the first part of ln 2 is exact. The result and *n have
 * sums with the shifter, WEFT_SHIFTER_D or WEFT_SIXTEENTHS: n is in the low bits of *n. */
WEFT_HELPER WEFT_D weft_exp_reduce(WEFT_D x, double shifter, __private WEFT_D *n) {
    *n = weft_mad(x, (WEFT_D)0x1.71547652b82fep+0, (WEFT_D)shifter);
    WEFT_D whole = *n - (WEFT_D)shifter;
    WEFT_D r = weft_mad(whole, (WEFT_D)-0x1.62e42fee00000p-1, x);
    return weft_mad(whole, (WEFT_D)-0x1.a39ef35793c76p-33, r);
}

/** Its sum with a double below 2^47 holds that, rounded to sixteenths, in its low bits. */
#define WEFT_SIXTEENTHS 0x1.8p48

/** What weft_exp_power() wants n to be a sum with. */
#define WEFT_EXP_SHIFTER (__weft_has_avx512() ? WEFT_SIXTEENTHS : WEFT_SHIFTER_D)

/**
 * 2^(n - WEFT_SIXTEENTHS) e^r, |r| <= ln 2 / 32, error less than 1.2 units of the last place, where
 * __weft_has_avx512(), which has the table in two registers: with half the terms of
 * weft_exp_poly(). The exponent is rounded down.
 */
WEFT_HELPER WEFT_D weft_exp_sixteenths(WEFT_D r, WEFT_D n) {
    WEFT_D z = r * r, power = WEFT_PAIR(WEFT_AS(WEFT_L, n), weft_power_table, 0);
    WEFT_D p = weft_mad((WEFT_D)0.0013889034377693011883, r, (WEFT_D)0.0083334497245283561569);
    WEFT_D q = weft_mad((WEFT_D)0.041666666664959767097, r, (WEFT_D)0.16666666665301144786);
    p = weft_mad(weft_mad(p, z, q), r, (WEFT_D)0.5);
    p = weft_mad(p, z, r);
    return weft_scale_by(weft_mad(power, p, power), n - (WEFT_D)WEFT_SIXTEENTHS);
}

/**
 * e^r 2^n, n a sum with WEFT_EXP_SHIFTER, |n| <= 2044, |r| as small as that leaves it. Where there
 * is no instruction for it, into the exponent where the result is normal, as it is for |x| below
 * `usual`; else by two factors, which round once.
 */
WEFT_HELPER WEFT_D weft_exp_power(WEFT_D r, WEFT_D n, WEFT_D x, double usual) {
    if (__weft_has_avx512())
        return weft_exp_sixteenths(r, n);
    WEFT_D q = weft_exp_poly(r);
    WEFT_L rare = !(__builtin_elementwise_abs(x) < (WEFT_D)usual);
    WEFT_D power = (WEFT_D)1.0 + q;
    WEFT_L low = WEFT_AS(WEFT_L, n);
    WEFT_D result = WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, power) + (low << (WEFT_L)52));
    if (WEFT_RARELY(rare)) {
        WEFT_D two = weft_scale(power, low - WEFT_AS(WEFT_L, (WEFT_D)WEFT_SHIFTER_D));
        result = WEFT_SELECT(rare != (WEFT_L)0, two, result);
    }
    return result;
}

WEFT_HELPER WEFT_D weft_exp_of(WEFT_D x) {
    WEFT_D n, r = weft_exp_reduce(weft_limit(x, 1400.0), WEFT_EXP_SHIFTER, &n);
    return weft_exp_power(r, n, x, 707.0);
}

/** 2^x for |x| <= 2000 or NaN, where 2^x = 2^n e^(r ln 2), as accurate as weft_exp_of(). */
WEFT_HELPER WEFT_D weft_exp2_of(WEFT_D x) {
    const WEFT_D shifter = (WEFT_D)WEFT_EXP_SHIFTER;
    WEFT_D n = x + shifter, r = (x - (n - shifter)) * (WEFT_D)0x1.62e42fefa39efp-1;
    return weft_exp_power(r, n, x, 1021.0);
}

/** 10^x = 2^n 10^r: n times the first part of log10 2 is exact. */
WEFT_HELPER WEFT_D weft_exp10_of(WEFT_D x) {
    const WEFT_D shifter = (WEFT_D)WEFT_EXP_SHIFTER, ln_10 = (WEFT_D)0x1.26bb1bbb55516p+1;
    WEFT_D y = weft_limit(x, 600.0);
    WEFT_D n = weft_mad(y, (WEFT_D)0x1.a934f0979a371p+1, shifter), whole = n - shifter;
    WEFT_D r = weft_mad(whole, (WEFT_D)-0x1.3441350800000p-2, y);
    r = weft_mad(whole, (WEFT_D)-0x1.f79fef311f12bp-34, r);
    /* r ln 10, whose first part alone would lose half a unit, of so small an r next to nothing */
    r = __weft_has_avx512() ? r * ln_10 : weft_mad(r, ln_10, r * (WEFT_D)-0x1.f48ad494ea3e9p-53);
    return weft_exp_power(r, n, x, 307.0);
}

/**
 * e^x - 1 = 2^n q + (2^n - 1), q = e^r - 1: near 0, n is 0 and nothing cancels. Twice, by halves of
 * 2^n, as 2^1024 has no double. Below -40 it is -1.
 */
WEFT_HELPER WEFT_D weft_expm1_of(WEFT_D x) {
    WEFT_D y = WEFT_SELECT(x > (WEFT_D)710.0, (WEFT_D)710.0, x);
    y = WEFT_SELECT(y < (WEFT_D)-40.0, (WEFT_D)-40.0, y);
    WEFT_D n, q = weft_exp_poly(weft_exp_reduce(y, WEFT_SHIFTER_D, &n));
    WEFT_L power = (WEFT_AS(WEFT_L, n) << (WEFT_L)52) + ((WEFT_L)1022 << (WEFT_L)52);
    WEFT_D scale = WEFT_AS(WEFT_D, power);
    WEFT_D result = weft_mad(q, scale, scale - (WEFT_D)0.5);
    WEFT_L sign = WEFT_AS(WEFT_L, x) & (WEFT_L)WEFT_SIGN; /* of a zero */
    return WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, result + result) | sign);
}

/** What sinh and cosh have in common: e^a = 2^n (c + s) and e^-a = 2^-n (c - s) with s = sinh r and
 * c - 1 = cosh r - 1; *up and *down are 2^(n - 2) and 2^-(n + 2), or, where that counts for nothing
 * beside it, 2^-66. */
WEFT_HELPER void weft_hyperbolic(WEFT_D x, __private WEFT_D *s, __private WEFT_D *c,
                                 __private WEFT_D *up, __private WEFT_D *down) {
    WEFT_D a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (WEFT_D)710.6, (WEFT_D)710.6, a); /* n <= 1025 */
    WEFT_D n, r = weft_exp_reduce(a, WEFT_SHIFTER_D, &n);
    WEFT_D least =
        WEFT_SELECT(n > (WEFT_D)(WEFT_SHIFTER_D + 64.0), (WEFT_D)(WEFT_SHIFTER_D + 64.0), n);
    *up = WEFT_AS(WEFT_D, (WEFT_AS(WEFT_L, n) << (WEFT_L)52) + ((WEFT_L)1021 << (WEFT_L)52));
    *down = WEFT_AS(WEFT_D, ((WEFT_L)1021 << (WEFT_L)52) - (WEFT_AS(WEFT_L, least) << (WEFT_L)52));
    WEFT_D z = r * r;
    WEFT_D p = (WEFT_D)2.51013469283503402e-8, q = (WEFT_D)2.091192320685758757e-9;
    p = weft_mad(p, z, (WEFT_D)2.75572664186123037e-6);
    q = weft_mad(q, z, (WEFT_D)2.755728151175639206e-7);
    p = weft_mad(p, z, (WEFT_D)0.000198412698643805133);
    q = weft_mad(q, z, (WEFT_D)0.00002480158731809206542);
    p = weft_mad(p, z, (WEFT_D)0.0083333333333297935);
    q = weft_mad(q, z, (WEFT_D)0.001388888888888636089);
    p = weft_mad(p, z, (WEFT_D)0.1666666666666666753);
    q = weft_mad(q, z, (WEFT_D)0.04166666666666666729);
    *s = weft_mad(p * z, r, r);
    *c = weft_mad(q, z, (WEFT_D)0.5) * z;
}

/** tanh x = 1 - 2 / (e^2x + 1) = E / (E + 2), E = e^2x - 1. */
WEFT_HELPER WEFT_D weft_tanh_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (WEFT_D)25.0, (WEFT_D)25.0, a);
    WEFT_D e = weft_expm1_of(a + a);
    return __builtin_elementwise_copysign(e / (e + (WEFT_D)2.0), x);
}
