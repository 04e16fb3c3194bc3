// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: powers and roots. */

/**
 * log2 a as *high + *low, to 2^-31 of itself, a >= 0; where that is not finite, NaN: a = 2^k m,
 * then m c = 1 + f with c = 1 - g / 4 one of 3/4, 1, 5/4, which leaves |f| <= 0.1617, exact as (m -
 * 1) - g / 4 m; -log2 c is a polynomial of g; log2(1 + f) = (f - f^2 / 2) / ln 2 + f^3 P(f), all
 * but the last in two parts. *low may be 2^-7 of *high.
 */
WEFT_HELPER void weft_log2_parts(gentype a, __private gentype *high, __private gentype *low) {
    gentype k, m = weft_split(a, &k), f = m - (gentype)1.0f;
    gentype shifted = weft_mad(f, (gentype)3.1f, (gentype)WEFT_SHIFTER_F);
    gentype g = shifted - (gentype)WEFT_SHIFTER_F;
    f = weft_mad((gentype)-0.25f * g, m, f);
    gentype s1 = g * weft_mad(g, (gentype)0x1.7ep-5f, (gentype)0x1.794p-2f); /* exact */
    gentype s2 = g * weft_mad(g, (gentype)-7.61571792593e-5f, (gentype)7.45939581031e-5f);
    gentype p = (gentype)0.16723883152f;
    p = weft_mad(p, f, (gentype)-0.188401401043f);
    p = weft_mad(p, f, (gentype)0.205999985337f);
    p = weft_mad(p, f, (gentype)-0.240311399102f);
    p = weft_mad(p, f, (gentype)0.288539111614f);
    p = weft_mad(p, f, (gentype)-0.360674470663f);
    p = weft_mad(p, f, (gentype)0.480898350477f);
    gentype lost, halved = (gentype)0.5f * f, square = weft_product(halved, f, &lost);
    gentype u1 = f - square, u2 = ((f - u1) - square) - lost;
    gentype w2, w1 = weft_product(u1, (gentype)0x1.715476p+0f, &w2);
    w2 = weft_mad(u1, (gentype)0x1.4ae0cp-26f, w2);
    w2 = weft_mad(u2, (gentype)0x1.715476p+0f, w2);
    w2 = weft_mad((square + square) * f, p, w2 + s2);
    s1 += k; /* exact */
    *high = s1 + w1;
    *low = ((s1 - *high) + w1) + w2;
}

/** What a^y is where it is not 2^(y log2 a): beyond the exponents, or a or y have no logarithm. */
WEFT_HELPER gentype weft_pow_ends(gentype a, gentype y, gentype result) {
    gentype at_zero = WEFT_SELECT(y < (gentype)0.0f, (gentype)INFINITY, (gentype)0.0f);
    at_zero = WEFT_SELECT(y == (gentype)0.0f, (gentype)NAN, at_zero);
    gentype at_infinity = WEFT_SELECT(y < (gentype)0.0f, (gentype)0.0f, (gentype)INFINITY);
    at_infinity = WEFT_SELECT(y == (gentype)0.0f, (gentype)NAN, at_infinity);
    result = WEFT_SELECT(a == (gentype)0.0f, at_zero, result);
    result = WEFT_SELECT(a == (gentype)INFINITY, at_infinity, result);
    result = WEFT_SELECT(y == y, result, y);
    return WEFT_SELECT(a == a, result, a);
}

/**
 * a^(y + lost), |lost| within half a unit of y, of any a >= 0 and y. 0^0, infinity^0 and 1^infinity
 * are NaNs, as powr() has them.
 */
WEFT_HELPER gentype weft_pow_any(gentype a, gentype y, gentype lost) {
    gentype log1, log2, t2;
    weft_log2_parts(a, &log1, &log2);
    gentype t1 = weft_product(y, log1, &t2);
    t2 = weft_mad(lost, log1, weft_mad(y, log2, t2));
    gentype t = t1 + t2; /* t2 may be a hundredth of it */
    igentype rare = !(__builtin_elementwise_abs(t) < (gentype)125.0f);
    if (WEFT_RARELY(
            rare)) { /* beyond 190 the result is 0 or infinity, and t2 may have overflowed */
        igentype much = !(__builtin_elementwise_abs(t1) < (gentype)190.0f);
        t1 = WEFT_SELECT(much, weft_limit(t1, 200.0f), t1);
        t2 = WEFT_SELECT(much, (gentype)0.0f, t2);
        t = t1 + t2;
    }
    gentype shifted = t + (gentype)WEFT_SHIFTER_F;
    gentype r = (t1 - (shifted - (gentype)WEFT_SHIFTER_F)) + t2;
    gentype q = weft_mad(weft_exp2_poly(r) * r, r, r * (gentype)0.693147188026f);
    igentype n = WEFT_AS(igentype, shifted);
    gentype power = (gentype)1.0f + q;
    gentype result = WEFT_AS(gentype, WEFT_AS(igentype, power) + (n << (igentype)23));
    if (WEFT_RARELY(rare)) {
        igentype whole = n - WEFT_AS(igentype, (gentype)WEFT_SHIFTER_F);
        igentype halved = whole >> (igentype)1;
        power = (power * weft_power_of_two(halved)) * weft_power_of_two(whole - halved);
        result = WEFT_SELECT(rare, weft_pow_ends(a, y, power), result);
    }
    return result;
}

/**
 * log a as the sum of the result and *low, to 2^-33 of it, where a is positive, finite and not
 * subnormal, and there is fma: as of doubles, core_pow.h.
 */
WEFT_HELPER gentype weft_log_parts(gentype a, __private gentype *low) {
    const igentype one = (igentype)0x3f800000, middle = (igentype)0x00040000; /* of a part */
    igentype above = WEFT_AS(igentype, a) - (one - middle), at = above >> (igentype)19;
    gentype k = WEFT_CONVERT(gentype, above >> (igentype)23);
    gentype m = WEFT_AS(gentype, ((above & (igentype)0x007fffff) | one) - middle);
    gentype r = weft_mad(m, WEFT_NUMBER(at, weft_pow_reciprocals), (gentype)-1.0f);
    gentype z = r * r, halved = (gentype)-0.5f * r;
    gentype p = (gentype)-0.167601421475f;
    p = weft_mad(p, r, (gentype)0.200221657753f);
    p = weft_mad(p, r, (gentype)-0.249999374151f);
    p = weft_mad(p, r, (gentype)0.33333325386f);
    gentype whole = weft_mad(k, (gentype)0x1.62e4p-1f, WEFT_NUMBER(at, weft_pow_firsts));
    gentype sum = whole + r, high = weft_mad(halved, r, sum);
    gentype lost = ((whole - sum) + r) + weft_mad(halved, r, sum - high);
    lost += weft_mad(k, (gentype)0x1.7f7d1cp-20f, WEFT_NUMBER(at, weft_pow_rests));
    *low = weft_mad(z * r, p, lost);
    return high;
}

/**
 * 1 / sqrt(x), x positive, finite and normal: a guess y, improved by what e = 1 - x y^2 says, which
 * is 2^-13 or, below AVX-512, 2^-10.4: y (1 + e / 2 + 3 e^2 / 8 + 5 e^3 / 16), of which so many
 * `terms` are taken.
 */
WEFT_HELPER gentype weft_rsqrt_usual(gentype x, int terms) {
    gentype y = weft_rsqrt_guess(x), e = weft_mad(-(x * y), y, (gentype)1.0f);
    gentype p = (gentype)0.5f;
    if (terms == 2)
        p = weft_mad(e, (gentype)0.375f, p);
    if (terms == 3)
        p = weft_mad(e, weft_mad(e, (gentype)0.3125f, (gentype)0.375f), p);
    return weft_mad(y * e, p, y);
}

/** As weft_rsqrt_usual(), of any x; a guess of an end is that end's result. */
WEFT_HELPER gentype weft_rsqrt_terms(gentype x, int terms) {
    gentype result = weft_rsqrt_usual(x, terms);
    if (__weft_has_avx512())
        return WEFT_SELECT(result == result, result, weft_rsqrt_guess(x));
    igentype rare = weft_unusual(x);
    if (WEFT_RARELY(rare)) {
        gentype other = (gentype)1.0f / __builtin_elementwise_sqrt(x);
        result = WEFT_SELECT(rare != (igentype)0, other, result);
    }
    return result;
}

WEFT_HELPER gentype weft_rsqrt_of(gentype x) {
    if (!__weft_has_fma())
        return (gentype)1.0f / __builtin_elementwise_sqrt(x);
    return weft_rsqrt_terms(x, __weft_has_avx512() ? 2 : 3);
}

/**
 * The cube root: y = a^(-1/3) from the bits of a (a third of the exponent, 4 %), twice refined by
 * y (1 + e / 3 + 2 e^2 / 9), e = 1 - a y^3, then c = a y^2 with its last error, (a - c^3) / (3
 * c^2), added. 0, infinity, NaN and subnormal numbers are rare.
 */
WEFT_HELPER gentype weft_cbrt_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x), unit = (gentype)1.0f;
    igentype rare = WEFT_AS(ugentype, a) - (ugentype)0x00800000 >= (ugentype)0x7f000000;
    if (WEFT_RARELY(rare)) {
        a = WEFT_SELECT(rare, a * (gentype)0x1p24f, a);
        a = WEFT_SELECT(a < (gentype)INFINITY, a, (gentype)1.0f);
        unit = WEFT_SELECT(rare, (gentype)0x1p-8f, unit);
    }
    gentype third = WEFT_CONVERT(gentype, WEFT_AS(igentype, a)) * (gentype)0x1.555556p-2f;
    gentype y = WEFT_AS(gentype, (igentype)0x54a21d29 - WEFT_CONVERT(igentype, third));
    for (int i = 0; i < 2; i++) {
        gentype e = weft_mad(-(a * y), y * y, (gentype)1.0f);
        y = weft_mad(y * e, weft_mad(e, (gentype)(2.0f / 9.0f), (gentype)(1.0f / 3.0f)), y);
    }
    gentype c = (a * y) * y, lost, square = weft_product(c, c, &lost);
    gentype rest = weft_mad(-lost, c, weft_residual(a, square, c));
    c = weft_mad(rest, (y * y) * (gentype)0x1.555556p-2f, c);
    if (WEFT_RARELY(rare)) {
        c *= unit;
        gentype end = __builtin_elementwise_abs(x);
        c = WEFT_SELECT((end == (gentype)0.0f) | !(end < (gentype)INFINITY), end, c);
    }
    return __builtin_elementwise_copysign(c, x);
}
