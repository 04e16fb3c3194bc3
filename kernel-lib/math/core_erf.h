// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: the error function. */

/** How far |x|, `end` at most (also of a NaN), is from the nearest *whole / steps, a power of two;
 * *i is *whole in its lower half. */
WEFT_HELPER WEFT_D weft_from_nearest(WEFT_D x, double end, double steps, __private WEFT_D *whole,
                                     __private WEFT_L *i) {
    WEFT_D a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a < (WEFT_D)end, a, (WEFT_D)end);
    WEFT_D shifted = weft_mad(a, (WEFT_D)steps, (WEFT_D)WEFT_SHIFTER_D);
    *i = WEFT_AS(WEFT_L, shifted);
    *whole = shifted - (WEFT_D)WEFT_SHIFTER_D;
    return weft_mad(*whole, (WEFT_D)(-1.0 / steps), a);
}

/**
 * Taylor's series at the nearest r = i / 64: erf(r + d) = erf(r) + erf'(r) (d - r d^2 + ...), whose
 * coefficients are Hermite's polynomials of r, (-1)^k H_k(r) / (k + 1)!. |d| is 2^-7 at most, so
 * d^7 is the last that counts, and only near 0: its coefficient is that of r = 0. Beyond 6 the
 * result is 1.
 */
WEFT_HELPER WEFT_D weft_erf_of(WEFT_D x) {
    WEFT_L i;
    WEFT_D whole, d = weft_from_nearest(x, WEFT_ERF_END, WEFT_ERF_STEPS, &whole, &i);
    WEFT_D r = whole * (WEFT_D)(1.0 / WEFT_ERF_STEPS), q = r * r;
    WEFT_D c6 = weft_mad(q, (WEFT_D)(-4.0 / 90.0), (WEFT_D)(20.0 / 90.0));
    c6 = weft_mad(c6, q, (WEFT_D)(-15.0 / 90.0)) * r;
    WEFT_D c5 = weft_mad(q, (WEFT_D)(4.0 / 30.0), (WEFT_D)(-12.0 / 30.0));
    c5 = weft_mad(c5, q, (WEFT_D)(3.0 / 30.0));
    WEFT_D c4 = weft_mad(q, (WEFT_D)(-2.0 / 6.0), (WEFT_D)(3.0 / 6.0)) * r;
    WEFT_D c3 = weft_mad(q, (WEFT_D)(2.0 / 3.0), (WEFT_D)(-1.0 / 3.0));
    WEFT_D p = weft_mad(weft_mad((WEFT_D)(-15.0 / 630.0), d, c6), d, c5);
    p = weft_mad(weft_mad(p, d, c4), d, c3);
    p = weft_mad(weft_mad(p, d, -r), d * d, d);
    WEFT_D result = weft_mad(WEFT_PAIR(i, weft_erf_table, 1), p, WEFT_PAIR(i, weft_erf_table, 0));
    result = __builtin_elementwise_copysign(result, x);
    return WEFT_SELECT(x == x, result, x);
}

/**
 * At the nearest r = i / 128: erfc(r + d) = erfc(r) + erfc'(r) F(d), where F is the integral of
 * e^(-t^2 - 2 r t) from 0 to d, a polynomial of s = 2 r d and q = d^2, |s| < 0.22. The table has
 * both times 2^64, so that none is subnormal; beyond its end the result is 0.
 */
WEFT_HELPER WEFT_D weft_erfc_of(WEFT_D x) {
    WEFT_L i;
    WEFT_D whole, d = weft_from_nearest(x, WEFT_ERFC_END, WEFT_ERFC_STEPS, &whole, &i);
    WEFT_D s = whole * (WEFT_D)(2.0 / WEFT_ERFC_STEPS) * d, q = d * d;
    WEFT_D p2 = weft_mad((WEFT_D)-0.010435635346906031, s, (WEFT_D)0.035819698446408984);
    p2 = weft_mad(p2, s, (WEFT_D)-0.08333322546313794);
    p2 = weft_mad(p2, s, (WEFT_D)0.09999940051849325);
    WEFT_D p1 = weft_mad((WEFT_D)0.0001545005694787186337, s, (WEFT_D)-0.001043247181950964074);
    p1 = weft_mad(p1, s, (WEFT_D)0.00595237686723686084);
    p1 = weft_mad(p1, s, (WEFT_D)-0.02777774182273688286);
    p1 = weft_mad(p1, s, (WEFT_D)0.1000000000232298262);
    p1 = weft_mad(p1, s, (WEFT_D)-0.2500000002044578213);
    p1 = weft_mad(p1, s, (WEFT_D)0.3333333333333333333);
    WEFT_D p = weft_mad((WEFT_D)2.7582971276644812e-6, s, (WEFT_D)-0.00002482980680376591049);
    p = weft_mad(p, s, (WEFT_D)0.0001984126108843898389);
    p = weft_mad(p, s, (WEFT_D)-0.001388887925976817706);
    p = weft_mad(p, s, (WEFT_D)0.008333333334439389206);
    p = weft_mad(p, s, (WEFT_D)-0.04166666667883468424);
    p = weft_mad(p, s, (WEFT_D)0.1666666666666628931);
    p = weft_mad(p, s, (WEFT_D)-0.4999999999999584857);
    p = weft_mad(p, s, (WEFT_D)1.0);
    p = weft_mad(-q, weft_mad(-q, p2, p1), p) * d;
    WEFT_D result = weft_mad(WEFT_PAIR(i, weft_erfc_table, 1), p, WEFT_PAIR(i, weft_erfc_table, 0));
    result *= (WEFT_D)0x1p-64;
    result = WEFT_SELECT(x < (WEFT_D)0.0, (WEFT_D)2.0 - result, result);
    return WEFT_SELECT(x == x, result, x);
}
