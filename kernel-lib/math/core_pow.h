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

/**
 * log a as the sum of the result and *low, to 2^-62 of it, of an a that is positive, finite and not
 * subnormal, where there is fma: a = 2^k m, 63/64 <= m < 63/32, and m c = 1 + r, exactly, with c
 * from a table; then k ln 2 - log c + r - r^2 / 2 + r^3 P(r), all but the last in two parts. (Ping
 * Tak Peter Tang, Table-driven implementation of the logarithm function in IEEE floating-point
 * arithmetic, ACM Transactions on Mathematical Software 16, 1990.)
 */
WEFT_HELPER WEFT_D weft_log_parts(WEFT_D a, __private WEFT_D *low) {
    WEFT_L above = WEFT_AS(WEFT_L, a) + (WEFT_L)0x0000800000000000; /* half a part */
    WEFT_UL place = WEFT_AS(WEFT_UL, above) >> (WEFT_UL)48;
    WEFT_L one = (above & (WEFT_L)0x000fffffffffffff) | (WEFT_L)0x3ff0000000000000;
    WEFT_D m = WEFT_AS(WEFT_D, one - (WEFT_L)0x0000800000000000);
    WEFT_L exponent = WEFT_AS(WEFT_L, (place >> (WEFT_UL)4) | (WEFT_UL)0x4330000000000000);
    WEFT_D k = WEFT_AS(WEFT_D, exponent) - (WEFT_D)(0x1p52 + 1023.0);
    WEFT_D first = WEFT_PAIR(WEFT_AS(WEFT_L, place), weft_pow_table, 0);
    WEFT_D rest = WEFT_PAIR(WEFT_AS(WEFT_L, place), weft_pow_table, 1);
    WEFT_D c = WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, rest) << (WEFT_L)47);
    WEFT_D r = weft_mad(m, c, (WEFT_D)-1.0), z = r * r, halved = (WEFT_D)-0.5 * r;
    WEFT_D p = (WEFT_D)0.092203632556522233863, q = (WEFT_D)-0.10019502569682074518;
    p = weft_mad(p, z, (WEFT_D)0.11110890415562274905);
    q = weft_mad(q, z, (WEFT_D)-0.12499984679280220652);
    p = weft_mad(p, z, (WEFT_D)0.14285714407360781575);
    q = weft_mad(q, z, (WEFT_D)-0.1666666667116004854);
    p = weft_mad(p, z, (WEFT_D)0.1999999999997881819);
    q = weft_mad(q, z, (WEFT_D)-0.24999999999999641207);
    p = weft_mad(p, z, (WEFT_D)0.3333333333333333389);
    p = weft_mad(q, r, p);
    WEFT_D whole = weft_mad(k, (WEFT_D)0x1.62e42fefa3800p-1, first); /* exact */
    WEFT_D sum = whole + r, high = weft_mad(halved, r, sum);
    WEFT_D lost = ((whole - sum) + r) + weft_mad(halved, r, sum - high);
    rest = weft_mad(k, (WEFT_D)0x1.ef35793c76730p-45, rest) + lost;
    *low = weft_mad(z * r, p, rest);
    return high;
}
