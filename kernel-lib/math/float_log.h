// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: the logarithms. x = 2^k m, sqrt(1/2) <= m < sqrt(2). */

/** What of weft_split() hardly any argument needs: subnormal numbers; of 0 the logarithm k is
 * -infinity, of infinity infinity, of what is negative or NaN, NaN. */
WEFT_HELPER void weft_split_rare(gentype x, igentype rare, __private gentype *m,
                                 __private gentype *k) {
    igentype bits = WEFT_AS(igentype, x * (gentype)0x1p23f);
    igentype exponent = (bits - (igentype)0x3f3504f3) >> (igentype)23;
    gentype whole = WEFT_CONVERT(gentype, exponent - (igentype)23);
    gentype part = WEFT_AS(gentype, bits - (exponent << (igentype)23));
    whole = WEFT_SELECT(x > (gentype)0.0f, whole, (gentype)NAN);
    whole = WEFT_SELECT(x == (gentype)0.0f, (gentype)-INFINITY, whole);
    whole = WEFT_SELECT(x == (gentype)INFINITY, x, whole);
    part = WEFT_SELECT(x > (gentype)0.0f, part, (gentype)1.0f);
    part = WEFT_SELECT(x == (gentype)INFINITY, (gentype)1.0f, part);
    *m = WEFT_SELECT(rare != (igentype)0, part, *m);
    *k = WEFT_SELECT(rare != (igentype)0, whole, *k);
}

/** m and *k of what is positive, finite and not subnormal. */
WEFT_HELPER gentype weft_split_usual(gentype x, __private gentype *k) {
    igentype bits = WEFT_AS(igentype, x);
    igentype exponent = (bits - (igentype)0x3f3504f3) >> (igentype)23;
    gentype m = WEFT_AS(gentype, bits - (exponent << (igentype)23));
    *k = WEFT_CONVERT(gentype, exponent);
    return m;
}

/** m and *k, which is not finite where the logarithm is not. */
WEFT_HELPER gentype weft_split(gentype x, __private gentype *k) {
    gentype m = weft_split_usual(x, k);
    igentype rare = weft_unusual(x);
    if (WEFT_RARELY(rare))
        weft_split_rare(x, rare, &m, k);
    return m;
}

/** k ln 2 + log(1 + f): f is within a factor sqrt(2) of 0, and nothing cancels. */
WEFT_HELPER gentype weft_log_sum(gentype f, gentype k) {
    gentype p = (gentype)-0.0735380277038f;
    p = weft_mad(p, f, (gentype)0.126151874661f);
    p = weft_mad(p, f, (gentype)-0.13203458488f);
    p = weft_mad(p, f, (gentype)0.142280995846f);
    p = weft_mad(p, f, (gentype)-0.166213154793f);
    p = weft_mad(p, f, (gentype)0.199997663498f);
    p = weft_mad(p, f, (gentype)-0.250008523464f);
    p = weft_mad(p, f, (gentype)0.333333551884f);
    gentype square = f * f;
    p = weft_mad(p, f, (gentype)-0.5f);
    /* ln 2 as a float is right to 28 bits */
    return weft_mad(k, (gentype)0x1.62e43p-1f, weft_mad(p, square, f));
}

WEFT_HELPER gentype weft_log_of(gentype x) {
    gentype k, m = weft_split(x, &k);
    return weft_log_sum(m - (gentype)1.0f, k);
}

/** k + f + f G(f). */
WEFT_HELPER gentype weft_log2_of(gentype x) {
    gentype k, m = weft_split(x, &k), f = m - (gentype)1.0f;
    gentype p = (gentype)-0.107497894181f;
    p = weft_mad(p, f, (gentype)0.184760333652f);
    p = weft_mad(p, f, (gentype)-0.191388376567f);
    p = weft_mad(p, f, (gentype)0.204857647786f);
    p = weft_mad(p, f, (gentype)-0.23960812191f);
    p = weft_mad(p, f, (gentype)0.288552561437f);
    p = weft_mad(p, f, (gentype)-0.360696541808f);
    p = weft_mad(p, f, (gentype)0.480898520324f);
    p = weft_mad(p, f, (gentype)-0.721347354479f);
    p = weft_mad(p, f, (gentype)0.442695039999f);
    return k + weft_mad(p, f, f);
}

/** k log10 2 + f / 2 + f H(f). */
WEFT_HELPER gentype weft_log10_of(gentype x) {
    gentype k, m = weft_split(x, &k), f = m - (gentype)1.0f;
    gentype p = (gentype)-0.0323600906191f;
    p = weft_mad(p, f, (gentype)0.0556184024381f);
    p = weft_mad(p, f, (gentype)-0.057613642168f);
    p = weft_mad(p, f, (gentype)0.0616682968248f);
    p = weft_mad(p, f, (gentype)-0.0721292318995f);
    p = weft_mad(p, f, (gentype)0.0868629763184f);
    p = weft_mad(p, f, (gentype)-0.108580478416f);
    p = weft_mad(p, f, (gentype)0.144764879488f);
    p = weft_mad(p, f, (gentype)-0.217147190991f);
    p = weft_mad(p, f, (gentype)-0.0657055183646f);
    p = weft_mad(p, f, (gentype)0.5f * f);
    return weft_mad(k, (gentype)0x1.344136p-2f, p);
}

/**
 * log(1 + x) = k ln 2 + log(1 + f) with k from 1 + x, rounded, and f = 2^-k x + (2^-k - 1), which
 * is x itself where k is 0, and rounded once in any case: both terms are exact. In quarters, as
 * 2^-128 is no normal number.
 */
WEFT_HELPER gentype weft_log1p_of(gentype x) {
    gentype u = (gentype)1.0f + x;
    igentype exponent = (WEFT_AS(igentype, u) - (igentype)0x3f3504f3) & (igentype)0xff800000;
    gentype scale = WEFT_AS(gentype, (igentype)(129 << 23) - exponent); /* 4 2^-k */
    gentype f =
        weft_mad((gentype)0.25f * x, scale, weft_mad(scale, (gentype)0.25f, (gentype)-1.0f));
    gentype k = WEFT_CONVERT(gentype, exponent >> (igentype)23);
    gentype result = weft_log_sum(f, k);
    /* 1 + x is 0, negative, infinite or NaN, or x below 2^-30, where a quarter may be subnormal */
    igentype rare = !(u > (gentype)0.0f) | !(u < (gentype)INFINITY);
    rare |= __builtin_elementwise_abs(x) < (gentype)0x1p-30f;
    if (WEFT_RARELY(rare)) {
        gentype end = WEFT_SELECT(u > (gentype)0.0f, x, (gentype)NAN);
        end = WEFT_SELECT(u == (gentype)0.0f, (gentype)-INFINITY, end);
        result = WEFT_SELECT(rare != (igentype)0, end, result);
    }
    return result;
}

/** asinh x: up to 1 a polynomial, log(a + sqrt(a^2 + 1)) beyond, log a + log 2 beyond 2^30. */
WEFT_HELPER gentype weft_asinh_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x), z = a * a;
    gentype p = (gentype)0.000656670832541f;
    p = weft_mad(p, z, (gentype)-0.0037689676974f);
    p = weft_mad(p, z, (gentype)0.0103176152334f);
    p = weft_mad(p, z, (gentype)-0.0190860312432f);
    p = weft_mad(p, z, (gentype)0.0294112488627f);
    p = weft_mad(p, z, (gentype)-0.0444764718413f);
    p = weft_mad(p, z, (gentype)0.0749857649207f);
    p = weft_mad(p, z, (gentype)-0.1666662395f);
    gentype near = weft_mad(p * z, a, a);
    igentype huge = a > (gentype)0x1p30f;
    gentype sum = a + __builtin_elementwise_sqrt(weft_mad(a, a, (gentype)1.0f));
    gentype far = weft_log_of(WEFT_SELECT(huge, a, sum));
    far += WEFT_SELECT(huge, (gentype)0x1.62e43p-1f, (gentype)0.0f);
    return __builtin_elementwise_copysign(WEFT_SELECT(a < (gentype)1.0f, near, far), x);
}

/** log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(t^2 + 2 t)), t = x - 1; log x + log 2 beyond 2^30. */
WEFT_HELPER gentype weft_acosh_of(gentype x) {
    gentype t = x - (gentype)1.0f;
    igentype huge = x > (gentype)0x1p30f;
    gentype sum = t + __builtin_elementwise_sqrt(weft_mad(t, t, t + t));
    gentype result = weft_log1p_of(WEFT_SELECT(huge, x, sum));
    result += WEFT_SELECT(huge, (gentype)0x1.62e43p-1f, (gentype)0.0f);
    return WEFT_SELECT(x < (gentype)1.0f, (gentype)NAN, result);
}

/** atanh x: up to 1/2 a polynomial, beyond log((1 + a) / (1 - a)) / 2, a NaN beyond 1. */
WEFT_HELPER gentype weft_atanh_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x), z = a * a;
    gentype p = (gentype)0.176092490554f;
    p = weft_mad(p, z, (gentype)0.0518017634749f);
    p = weft_mad(p, z, (gentype)0.118115156889f);
    p = weft_mad(p, z, (gentype)0.142242878675f);
    p = weft_mad(p, z, (gentype)0.200024351478f);
    p = weft_mad(p, z, (gentype)0.333333015442f);
    gentype near = weft_mad(p * z, a, a);
    gentype far = (gentype)0.5f * weft_log_of(((gentype)1.0f + a) / ((gentype)1.0f - a));
    return __builtin_elementwise_copysign(WEFT_SELECT(a < (gentype)0.5f, near, far), x);
}
