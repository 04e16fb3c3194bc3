// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* x * 2^k. No step but the last rounds what counts: see the comments. */
#if WEFT_BITS == 16
/* In float the product of any half and any power up to 2^±50 is exact. */
WEFT_FN gentype ldexp(gentype x, intn k) {
    k = __builtin_elementwise_max(__builtin_elementwise_min(k, (intn)50), (intn)-50);
    return weft_half(weft_float(x) * weft_power_of_two(k));
}
#elif WEFT_BITS == 32
#define WEFT_DOUBLES WEFT_VECTOR(double)
#define WEFT_LONGS   WEFT_VECTOR(long)
/* In double the product of any float and any power up to 2^±300 is exact. */
WEFT_FN gentype ldexp(gentype x, intn k) {
    if (__weft_has_avx512())
        return weft_scale_by(x, WEFT_CONVERT(gentype, k));
    k = __builtin_elementwise_max(__builtin_elementwise_min(k, (intn)300), (intn)-300);
    WEFT_LONGS bits = WEFT_CONVERT(WEFT_LONGS, k + (intn)1023) << (WEFT_LONGS)52;
    return WEFT_CONVERT(gentype, WEFT_CONVERT(WEFT_DOUBLES, x) * WEFT_AS(WEFT_DOUBLES, bits));
}
#undef WEFT_DOUBLES
#undef WEFT_LONGS
#else
/* One of at most two preliminary factors: 2^1023 up; 2^-969 down, after which a normal result is
 * still normal, and a subnormal one is at least 53 binary places away from being rounded twice. */
WEFT_HELPER gentype weft_ldexp_factor(igentype k) {
    gentype factor = WEFT_SELECT(k > (igentype)1023, (gentype)0x1p1023, (gentype)1.0);
    return WEFT_SELECT(k < (igentype)-1022, (gentype)0x1p-969, factor);
}
WEFT_HELPER igentype weft_ldexp_rest(igentype k) {
    igentype rest = WEFT_SELECT(k > (igentype)1023, k - (igentype)1023, k);
    return WEFT_SELECT(k < (igentype)-1022, k + (igentype)969, rest);
}
/** Of any x, |k| <= 2200. */
WEFT_HELPER gentype weft_ldexp_any(gentype x, igentype e) {
    x *= weft_ldexp_factor(e);
    e = weft_ldexp_rest(e);
    x *= weft_ldexp_factor(e);
    e = weft_ldexp_rest(e);
    e = __builtin_elementwise_max(__builtin_elementwise_min(e, (igentype)1023), (igentype)-1022);
    return x * WEFT_AS(gentype, (e + (igentype)1023) << (igentype)52);
}
/* Into the exponent, where x and the result are normal. */
WEFT_FN gentype ldexp(gentype x, intn k) {
    if (__weft_has_avx512())
        return weft_scale_by(x, WEFT_CONVERT(gentype, k));
    k = __builtin_elementwise_max(__builtin_elementwise_min(k, (intn)2200), (intn)-2200);
    igentype n = WEFT_CONVERT(igentype, k), bits = WEFT_AS(igentype, x);
    igentype before = WEFT_AS(igentype, WEFT_AS(ugentype, bits) >> (ugentype)52) & (igentype)2047;
    igentype after = before + n, last = (igentype)2046;
    igentype rare =
        (before - (igentype)1) | (after - (igentype)1) | (last - before) | (last - after);
    gentype result = WEFT_AS(gentype, bits + (n << (igentype)52));
    if (WEFT_RARELY(rare < (igentype)0))
        result = WEFT_SELECT(rare < (igentype)0, weft_ldexp_any(x, n), result);
    return result;
}
#endif
#if WEFT_N > 1
WEFT_FN gentype ldexp(gentype x, int k) {
    return ldexp(x, (intn)k);
}
#endif
