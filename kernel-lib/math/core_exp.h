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

/** x = n ln 2 + r, |x| <= 1500: n times the first part of ln 2 is exact. */
WEFT_HELPER WEFT_D weft_exp_reduce(WEFT_D x, __private WEFT_L *n) {
    const WEFT_D shifter = (WEFT_D)WEFT_SHIFTER_D;
    WEFT_D shifted = weft_mad(x, (WEFT_D)0x1.71547652b82fep+0, shifter), whole = shifted - shifter;
    *n = WEFT_AS(WEFT_L, shifted) - WEFT_AS(WEFT_L, shifter);
    WEFT_D r = weft_mad(whole, (WEFT_D)-0x1.62e42fee00000p-1, x);
    return weft_mad(whole, (WEFT_D)-0x1.a39ef35793c76p-33, r);
}

/**
 * (1 + q) 2^n, |n| <= 2044, 1 + q between 1/2 and 2. Where there is no instruction for it, into the
 * exponent where the result is normal; else (`rare`, which NaN must be) by two factors, which round
 * once.
 */
WEFT_HELPER WEFT_D weft_exp_scale(WEFT_D q, WEFT_L n, WEFT_L rare) {
    if (__weft_has_scale())
        return __builtin_elementwise_ldexp((WEFT_D)1.0 + q, WEFT_CONVERT(intn, n));
    WEFT_D power = (WEFT_D)1.0 + q;
    WEFT_D result = WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, power) + (n << (WEFT_L)52));
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare != (WEFT_L)0, weft_scale(power, n), result);
    return result;
}

/** e^x 2^k, k -1, 0 or 1: of any x; the power of two keeps what is finite from overflowing. */
WEFT_HELPER WEFT_D weft_exp_times(WEFT_D x, long k) {
    WEFT_L n;
    WEFT_D r = weft_exp_reduce(weft_limit(x, 1400.0), &n);
    WEFT_D q = weft_exp_poly(r);
    WEFT_L rare = !(__builtin_elementwise_abs(x) < (WEFT_D)707.0);
    return weft_exp_scale(q, n + (WEFT_L)k, rare);
}

/** 2^x for |x| <= 2000 or NaN, where 2^x = 2^n e^(r ln 2), as accurate as weft_exp_times(). */
WEFT_HELPER WEFT_D weft_exp2_of(WEFT_D x) {
    WEFT_L n;
    WEFT_D r = (x - weft_round(x, &n)) * (WEFT_D)0x1.62e42fefa39efp-1;
    WEFT_D q = weft_exp_poly(r);
    return weft_exp_scale(q, n, !(__builtin_elementwise_abs(x) < (WEFT_D)1021.0));
}

/** 10^x = 2^n 10^r: n times the first part of log10 2 is exact. */
WEFT_HELPER WEFT_D weft_exp10_of(WEFT_D x) {
    WEFT_L n;
    WEFT_D y = weft_limit(x, 600.0);
    WEFT_D whole = weft_round(y * (WEFT_D)0x1.a934f0979a371p+1, &n);
    WEFT_D r = y - whole * (WEFT_D)0x1.3441350800000p-2;
    r = weft_mad(whole, (WEFT_D)-0x1.f79fef311f12bp-34, r);
    /* r ln 10, whose first part alone would lose half a unit */
    r = weft_mad(r, (WEFT_D)0x1.26bb1bbb55516p+1, r * (WEFT_D)-0x1.f48ad494ea3e9p-53);
    WEFT_D q = weft_exp_poly(r);
    return weft_exp_scale(q, n, !(__builtin_elementwise_abs(x) < (WEFT_D)307.0));
}

/**
 * e^x - 1 = 2^n q + (2^n - 1), q = e^r - 1: near 0, n is 0 and nothing cancels. Two powers of two,
 * as 2^1024 has no double: q 2^n + 2^n - 1 = ((q a + a) - 1 / b) b with a b = 2^n.
 */
WEFT_HELPER WEFT_D weft_expm1_of(WEFT_D x) {
    WEFT_L n;
    WEFT_D r = weft_exp_reduce(weft_limit(x, 1400.0), &n);
    WEFT_D q = weft_exp_poly(r);
    WEFT_L halved = n >> (WEFT_L)1;
    WEFT_D a = weft_power_of_two(halved), b = weft_power_of_two(n - halved);
    WEFT_D result = weft_mad(q, a, a - weft_power_of_two(halved - n)) * b;
    result = WEFT_SELECT(x < (WEFT_D)-40.0, (WEFT_D)-1.0, result);
    return WEFT_SELECT(x == (WEFT_D)0.0, x, result); /* keeps the sign of zero */
}

WEFT_HELPER WEFT_D weft_sinh_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x);
    WEFT_D e = weft_expm1_of(a);
    WEFT_D near = (WEFT_D)0.5 * (e + e / (e + (WEFT_D)1.0));
    WEFT_D far = weft_exp_times(a, -1);
    return __builtin_elementwise_copysign(WEFT_SELECT(a > (WEFT_D)20.0, far, near), x);
}

WEFT_HELPER WEFT_D weft_cosh_of(WEFT_D x) {
    WEFT_D halved = weft_exp_times(__builtin_elementwise_abs(x), -1);
    return halved + (WEFT_D)0.25 / halved;
}

/** tanh x = 1 - 2 / (e^2x + 1) = E / (E + 2), E = e^2x - 1. */
WEFT_HELPER WEFT_D weft_tanh_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (WEFT_D)25.0, (WEFT_D)25.0, a);
    WEFT_D e = weft_expm1_of(a + a);
    return __builtin_elementwise_copysign(e / (e + (WEFT_D)2.0), x);
}
