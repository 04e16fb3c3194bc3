// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
/* Any half is a normal float. */
WEFT_HELPER gentype weft_frexp(gentype x, __private intn *exponent) {
    WEFT_F wide = weft_float(x), a = __builtin_elementwise_abs(wide);
    intn bits = WEFT_AS(intn, wide), e = ((bits >> (intn)23) & (intn)0xff) - (intn)126;
    WEFT_F mantissa = WEFT_AS(WEFT_F, (bits & (intn)0x807fffff) | (intn)0x3f000000);
    intn usual = (a > (WEFT_F)0.0f) & (a < (WEFT_F)INFINITY);
    *exponent = WEFT_SELECT(usual, e, (intn)0);
    return weft_half(WEFT_SELECT(usual, mantissa, wide));
}
#else
#if WEFT_BITS == 32
#define WEFT_MANTISSA 23
#define WEFT_EXPONENT 0xff
#define WEFT_HALF     126
#define WEFT_UP       0x1p25f
#define WEFT_UP_BITS  25
#else
#define WEFT_MANTISSA 52
#define WEFT_EXPONENT 0x7ff
#define WEFT_HALF     1022
#define WEFT_UP       0x1p54
#define WEFT_UP_BITS  54
#endif
/* x = m * 2^e with |m| in [0.5, 1); zeros, infinities and NaNs are returned as they are, e = 0. */
WEFT_HELPER gentype weft_frexp(gentype x, __private intn *exponent) {
    igentype raw = (WEFT_AS(igentype, x) >> (igentype)WEFT_MANTISSA) & (igentype)WEFT_EXPONENT;
    igentype subnormal = WEFT_SELECT(raw == (igentype)0, (igentype)-1, (igentype)0);
    gentype normal = WEFT_SELECT(subnormal != (igentype)0, x * (gentype)WEFT_UP, x);
    igentype bits = WEFT_AS(igentype, normal);
    igentype biased = (bits >> (igentype)WEFT_MANTISSA) & (igentype)WEFT_EXPONENT;
    igentype e = biased - (igentype)WEFT_HALF - (subnormal & (igentype)WEFT_UP_BITS);
    igentype keep = ~((igentype)WEFT_EXPONENT << (igentype)WEFT_MANTISSA);
    igentype half_bits = (bits & keep) | ((igentype)WEFT_HALF << (igentype)WEFT_MANTISSA);
    igentype special = WEFT_SELECT(raw == (igentype)WEFT_EXPONENT, (igentype)1, (igentype)0);
    special = WEFT_SELECT(x == (gentype)0, (igentype)1, special);
    *exponent = WEFT_CONVERT(intn, WEFT_SELECT(special != (igentype)0, (igentype)0, e));
    return WEFT_SELECT(special != (igentype)0, x, WEFT_AS(gentype, half_bits));
}
#undef WEFT_MANTISSA
#undef WEFT_EXPONENT
#undef WEFT_HALF
#undef WEFT_UP
#undef WEFT_UP_BITS
#endif
#define WEFT_OUT_TYPE intn
WEFT_OUT_SPACES(frexp, weft_frexp, gentype, (gentype x), (x), intn)
#undef WEFT_OUT_TYPE
