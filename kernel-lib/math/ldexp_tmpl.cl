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
WEFT_FN gentype ldexp(gentype x, intn k) {
    k = __builtin_elementwise_max(__builtin_elementwise_min(k, (intn)2200), (intn)-2200);
    igentype e = WEFT_CONVERT(igentype, k);
    x *= weft_ldexp_factor(e);
    e = weft_ldexp_rest(e);
    x *= weft_ldexp_factor(e);
    e = weft_ldexp_rest(e);
    e = __builtin_elementwise_max(__builtin_elementwise_min(e, (igentype)1023), (igentype)-1022);
    return x * WEFT_AS(gentype, (e + (igentype)1023) << (igentype)52);
}
#endif
#if WEFT_N > 1
WEFT_FN gentype ldexp(gentype x, int k) {
    return ldexp(x, (intn)k);
}
#endif
