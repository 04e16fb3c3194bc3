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
 * m and *k of what is positive, finite and not subnormal. The exponent is shifted as a positive
 * number, as v3 has no other shift of longs, and made a double as the lower bits of 2^52.
 */
WEFT_HELPER WEFT_D weft_log_split_usual(WEFT_D x, __private WEFT_D *k) {
    WEFT_L bits = WEFT_AS(WEFT_L, x);
    WEFT_L above = bits - (WEFT_L)(0x3fe6a09e667f3bcd - 0x3ff0000000000000);
    WEFT_UL exponent = WEFT_AS(WEFT_UL, above) >> (WEFT_UL)52;
    *k = WEFT_AS(WEFT_D, exponent | (WEFT_UL)0x4330000000000000) - (WEFT_D)(0x1p52 + 1023.0);
    return WEFT_AS(WEFT_D,
                   bits - ((above & (WEFT_L)0xfff0000000000000) - (WEFT_L)0x3ff0000000000000));
}

/** m and *k, which is not finite where the logarithm is not. */
WEFT_HELPER WEFT_D weft_log_split(WEFT_D x, __private WEFT_D *k) {
    WEFT_D m = weft_log_split_usual(x, k);
    WEFT_L rare = weft_unusual(x);
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
 * log(a + lost), |lost| within half a unit of a, as the sum of the result and *low, where there is
 * fma: to 2^-62 of it without a `lost` (of which `loses` says whether there is one), to 2^-52 with
 * it. a is positive, finite and not subnormal: a = 2^k m, 63/64 <= m < 63/32, and m c = 1 + r,
 * exactly, with c from a table; then k ln 2 - log c + r - r^2 / 2 + r^3 P(r), all but the last in
 * two parts. (Ping Tak Peter Tang, Table-driven implementation of the logarithm function in IEEE
 * floating-point arithmetic, ACM Transactions on Mathematical Software 16, 1990.)
 */
WEFT_HELPER WEFT_D weft_log_sum_parts(WEFT_D a, WEFT_D lost, int loses, __private WEFT_D *low) {
    WEFT_L above = WEFT_AS(WEFT_L, a) + (WEFT_L)0x0000800000000000; /* half a part */
    WEFT_UL place = WEFT_AS(WEFT_UL, above) >> (WEFT_UL)48;
    WEFT_L one = (above & (WEFT_L)0x000fffffffffffff) | (WEFT_L)0x3ff0000000000000;
    WEFT_D m = WEFT_AS(WEFT_D, one - (WEFT_L)0x0000800000000000);
    WEFT_L exponent = WEFT_AS(WEFT_L, (place >> (WEFT_UL)4) | (WEFT_UL)0x4330000000000000);
    WEFT_D k = WEFT_AS(WEFT_D, exponent) - (WEFT_D)(0x1p52 + 1023.0);
    WEFT_D first = WEFT_PAIR(WEFT_AS(WEFT_L, place), weft_pow_table, 0);
    WEFT_D rest = WEFT_PAIR(WEFT_AS(WEFT_L, place), weft_pow_table, 1);
    WEFT_D c = WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, rest) << (WEFT_L)47);
    WEFT_D r = weft_mad(m, c, (WEFT_D)-1.0);
    if (loses) {
        WEFT_L less = (WEFT_L)(2046UL << 52) - (above & (WEFT_L)0x7ff0000000000000); /* 2^-k */
        r = weft_mad(lost * WEFT_AS(WEFT_D, less), c, r);
    }
    WEFT_D z = r * r, halved = (WEFT_D)-0.5 * r;
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
    WEFT_D rounded = ((whole - sum) + r) + weft_mad(halved, r, sum - high);
    rest = weft_mad(k, (WEFT_D)0x1.ef35793c76730p-45, rest) + rounded;
    *low = weft_mad(z * r, p, rest);
    return high;
}

/**
 * log(a + lost) as weft_log_sum_parts() has it, but as one number, to one unit of it. c is what an
 * instruction guesses of 1 / a, with five bits left, where there is such an instruction.
 */
WEFT_HELPER WEFT_D weft_log_near(WEFT_D a, WEFT_D lost) {
    if (!__weft_has_avx512()) {
        WEFT_D low, high = weft_log_sum_parts(a, lost, 1, &low);
        return high + low;
    }
    WEFT_L bits = WEFT_AS(WEFT_L, weft_reciprocal_guess(a)) + (WEFT_L)0x0000800000000000;
    WEFT_D c = WEFT_AS(WEFT_D, bits & (WEFT_L)0xffff000000000000), k = weft_exponent(c);
    WEFT_D r = weft_mad(lost, c, weft_mad(a, c, (WEFT_D)-1.0)), z = r * r;
    WEFT_L at = WEFT_AS(WEFT_L, WEFT_AS(WEFT_UL, bits) >> (WEFT_UL)48);
    WEFT_D p = weft_mad((WEFT_D)0.11129026291748004645, r, (WEFT_D)-0.12519706356593861008);
    WEFT_D q = weft_mad((WEFT_D)0.14285703261661019377, r, (WEFT_D)-0.16666654540483609844);
    WEFT_D s = weft_mad((WEFT_D)0.20000000002170294638, r, (WEFT_D)-0.25000000002387264775);
    p = weft_mad(weft_mad(p, z, q), z, s);
    p = weft_mad(p, z, weft_mad((WEFT_D)0.33333333333333266581, r, (WEFT_D)-0.5));
    WEFT_D first = WEFT_PAIR(at, weft_log_table, 0), rest = WEFT_PAIR(at, weft_log_table, 1);
    WEFT_D whole = weft_mad(k, (WEFT_D)-0x1.62e42fefa3800p-1, first); /* exact */
    rest = weft_mad(k, (WEFT_D)-0x1.ef35793c76730p-45, rest);
    WEFT_D sum = whole + r;
    rest += (whole - sum) + r;
    return sum + weft_mad(z, p, rest);
}

/**
 * log(u + lost), u positive, finite and not subnormal, and u + lost = 1 + x, where there is fma. As
 * near to 1 as a factor sqrt(2) of x itself; else lost / u counts for two units of the last place
 * at most, and 1 / m is right to a twentieth.
 */
WEFT_HELPER WEFT_D weft_log1p_sum(WEFT_D x, WEFT_D u, WEFT_D lost) {
    WEFT_D k, m = weft_log_split_usual(u, &k), f = m - (WEFT_D)1.0;
    WEFT_D half_over_m = weft_mad(weft_mad((WEFT_D)0.415, f, (WEFT_D)-0.5), f, (WEFT_D)0.5);
    /* 2^(1 - k), as u is 2^k m; of 2^1024, which 1 does not change, 0 */
    WEFT_L exponent = WEFT_AS(WEFT_L, u) - WEFT_AS(WEFT_L, m);
    WEFT_D less = WEFT_AS(WEFT_D, (WEFT_L)0x4000000000000000 - exponent);
    WEFT_L near = k == (WEFT_D)0.0;
    lost = WEFT_SELECT(near, (WEFT_D)0.0, lost * (less * half_over_m));
    return weft_log_sum(WEFT_SELECT(near, x, f), k, lost);
}

/**
 * log(1 + x): of u = 1 + x, rounded, and what the rounding lost. With fma, but below AVX-512, by a
 * division or (`beside` other divisions, for which it would wait) by a table. Without fma as that
 * over u; where u is within a factor sqrt(2) of 1, of x itself.
 */
WEFT_HELPER WEFT_D weft_log1p_by(WEFT_D x, int beside) {
    const int by_table = beside || __weft_has_avx512();
    WEFT_D u = (WEFT_D)1.0 + x;
    WEFT_D more = WEFT_SELECT(x > (WEFT_D)1.0, x, (WEFT_D)1.0);
    WEFT_D lost = WEFT_SELECT(x > (WEFT_D)1.0, (WEFT_D)1.0, x) - (u - more);
    if (by_table && __weft_has_fma()) {
        const WEFT_UL least = (WEFT_UL)1 << (WEFT_UL)52;
        WEFT_D result = weft_log_near(u, lost);
        WEFT_L rare = WEFT_AS(WEFT_UL, u) - least >= least * (WEFT_UL)2044;
        WEFT_L tiny = __builtin_elementwise_abs(x) < (WEFT_D)0x1p-54;
        if (!__weft_has_avx512()) /* what is in the last bits of pow's table */
            rare |= tiny;
        if (WEFT_RARELY(rare)) {
            WEFT_D end = WEFT_SELECT(tiny != (WEFT_L)0, x, weft_log_of(u));
            result = WEFT_SELECT(rare != (WEFT_L)0, end, result);
        }
        return __builtin_elementwise_copysign(result, x);
    }
    if (__weft_has_fma()) {
        WEFT_D result = weft_log1p_sum(x, u, lost);
        WEFT_L rare = weft_unusual(u);
        if (WEFT_RARELY(rare))
            result = WEFT_SELECT(rare != (WEFT_L)0, weft_log_of(u), result);
        return __builtin_elementwise_copysign(result, x);
    }
    WEFT_D k, m = weft_log_split(u, &k);
    WEFT_D f = WEFT_SELECT(k == (WEFT_D)0.0, x, m - (WEFT_D)1.0);
    WEFT_D result = weft_log_sum(f, k, WEFT_SELECT(k == (WEFT_D)0.0, (WEFT_D)0.0, lost / u));
    result = weft_log_special(u, result);
    return WEFT_SELECT(x == (WEFT_D)0.0, x, result);
}

WEFT_HELPER WEFT_D weft_log1p_of(WEFT_D x) {
    return weft_log1p_by(x, 0);
}

/** asinh x = log(x + sqrt(x^2 + 1)), written so that nothing cancels or overflows. */
WEFT_HELPER WEFT_D weft_asinh_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x), square = a * a;
    WEFT_D near = a + weft_quotient(square, (WEFT_D)1.0 + weft_root(square + (WEFT_D)1.0));
    WEFT_D huge = WEFT_SELECT(a > (WEFT_D)0x1p500, (WEFT_D)1.0, (WEFT_D)0.0);
    /* beyond 2^500, where squares overflow: log a + ln 2 */
    WEFT_D result = weft_log1p_by(WEFT_SELECT(huge != (WEFT_D)0.0, a, near), 1);
    result = weft_mad(huge, (WEFT_D)0x1.62e42fefa39efp-1, result);
    return __builtin_elementwise_copysign(result, x);
}

WEFT_HELPER WEFT_D weft_acosh_of(WEFT_D x) {
    WEFT_D t = x - (WEFT_D)1.0, square = t * (t + (WEFT_D)2.0);
    WEFT_D near = t + WEFT_SELECT(square > (WEFT_D)0.0, weft_root(square), (WEFT_D)0.0);
    WEFT_D huge = WEFT_SELECT(x > (WEFT_D)0x1p500, (WEFT_D)1.0, (WEFT_D)0.0);
    WEFT_D result = weft_log1p_by(WEFT_SELECT(huge != (WEFT_D)0.0, x, near), 1);
    result = weft_mad(huge, (WEFT_D)0x1.62e42fefa39efp-1, result);
    return WEFT_SELECT(x < (WEFT_D)1.0, (WEFT_D)NAN, result);
}

/** atanh x = log1p(2 x / (1 - x)) / 2. */
WEFT_HELPER WEFT_D weft_atanh_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x);
    WEFT_D result = (WEFT_D)0.5 * weft_log1p_by((a + a) / ((WEFT_D)1.0 - a), 1);
    result = WEFT_SELECT(a > (WEFT_D)1.0, (WEFT_D)NAN, result);
    return __builtin_elementwise_copysign(result, x);
}
