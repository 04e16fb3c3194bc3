// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Included by core.h: magnitudes of powers, a^y = 2^(y log2 a) or e^(y log a), a >= 0. An error in
 * y log2 a, up to 1075, becomes a relative one of the result, so double needs the logarithm in two
 * parts.
 */

/** What a^y is for the ends of the range of a, whose logarithm is not finite; else `result`. */
WEFT_HELPER WEFT_D weft_pow_ends(WEFT_D a, WEFT_D y, WEFT_D result) {
    WEFT_D at_zero = WEFT_SELECT(y < (WEFT_D)0.0, (WEFT_D)INFINITY, (WEFT_D)0.0);
    at_zero = WEFT_SELECT(y == (WEFT_D)0.0, (WEFT_D)NAN, at_zero);
    WEFT_D at_infinity = WEFT_SELECT(y < (WEFT_D)0.0, (WEFT_D)0.0, (WEFT_D)INFINITY);
    at_infinity = WEFT_SELECT(y == (WEFT_D)0.0, (WEFT_D)NAN, at_infinity);
    result = WEFT_SELECT(a == (WEFT_D)0.0, at_zero, result);
    result = WEFT_SELECT(a == (WEFT_D)INFINITY, at_infinity, result);
    result = WEFT_SELECT(y == y, result, y);
    return WEFT_SELECT(a == a, result, a);
}

/**
 * log2 a as *high, of 21 bits, and *low, together to 2^-64: with g = m + 1 and s = (m - 1) / g in
 * two parts, log2 m = 2 / (3 ln 2) s (3 + z + z^2 L(z)), z = s^2, where each product that counts is
 * one of numbers of at most 26 bits, so exact. (The method of Kwok Ng's pow in Sun's libm.)
 */
WEFT_HELPER void weft_log2_parts(WEFT_D a, __private WEFT_D *high, __private WEFT_D *low) {
    WEFT_D k, m = weft_log_split(a, &k);
    WEFT_D f = m - (WEFT_D)1.0, g = m + (WEFT_D)1.0, over = (WEFT_D)1.0 / g;
    WEFT_D g1 = weft_top(g), g2 = m - (g1 - (WEFT_D)1.0);
    WEFT_D s = f * over, s1 = weft_top(s);
    WEFT_D s2 = over * ((f - s1 * g1) - s1 * g2);
    WEFT_D z = s * s, z1 = s1 * s1;
    WEFT_D p = (WEFT_D)0.19372068275902635849;
    p = weft_mad(p, z, (WEFT_D)0.19928803256318612357);
    p = weft_mad(p, z, (WEFT_D)0.23078366194962216389);
    p = weft_mad(p, z, (WEFT_D)0.2727271231638282213);
    p = weft_mad(p, z, (WEFT_D)0.33333333406990212286);
    p = weft_mad(p, z, (WEFT_D)0.42857142857007016076);
    p = weft_mad(p, z, (WEFT_D)0.60000000000000040856);
    WEFT_D rest = weft_mad(z * z, p, s2 * (s1 + s));
    WEFT_D h1 = weft_top((WEFT_D)3.0 + z1 + rest), h2 = rest - ((h1 - (WEFT_D)3.0) - z1);
    WEFT_D u = s1 * h1, v = s2 * h1 + h2 * s;
    WEFT_D p1 = weft_top(u + v), p2 = v - (p1 - u);
    WEFT_D q1 = (WEFT_D)0x1.ec70900000000p-1 * p1;
    WEFT_D q2 = (WEFT_D)0x1.b87407fae93f8p-22 * p1 + p2 * (WEFT_D)0x1.ec709dc3a03fdp-1;
    *high = weft_top((q1 + q2) + k);
    *low = q2 - ((*high - k) - q1);
}

/** a^(y + lost), |lost| within half a unit of y, of any a and y, to less than 2 units of the last
 * place. */
WEFT_HELPER WEFT_D weft_pow_any(WEFT_D a, WEFT_D y, WEFT_D lost) {
    WEFT_D log1, log2;
    weft_log2_parts(a, &log1, &log2);
    WEFT_D yb = weft_limit(y, 0x1p65); /* beyond, any a but 1 gives 0 or infinity */
    WEFT_D y1 = weft_top(yb);
    WEFT_D high = y1 * log1;
    WEFT_D low = weft_mad(lost, log1, weft_mad(yb - y1, log1, yb * log2));
    WEFT_D t = high + low;
    WEFT_L n, rare = !(__builtin_elementwise_abs(t) < (WEFT_D)1021.0);
    WEFT_D whole = weft_round(weft_limit(t, 2040.0), &n);
    WEFT_D r = ((high - whole) + low) * (WEFT_D)0x1.62e42fefa39efp-1;
    r = weft_limit(r, 0.5); /* where t was limited */
    WEFT_D q = weft_exp_poly(r), power = (WEFT_D)1.0 + q;
    WEFT_D result = WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, power) + (n << (WEFT_L)52));
    if (WEFT_RARELY(rare)) {
        power = weft_pow_ends(a, y, weft_scale(power, n));
        result = WEFT_SELECT(rare != (WEFT_L)0, power, result);
    }
    return result;
}

/** log a to 2^-62 of it, as the sum of the result and *low: weft_log_sum_parts(). */
WEFT_HELPER WEFT_D weft_log_parts(WEFT_D a, __private WEFT_D *low) {
    return weft_log_sum_parts(a, (WEFT_D)0.0, 0, low);
}
