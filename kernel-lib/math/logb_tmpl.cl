// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
/* Any half is a normal float; log2 has the ends. */
WEFT_FN gentype logb(gentype x) {
    WEFT_F a = __builtin_elementwise_abs(weft_float(x));
    intn exponent = (WEFT_AS(intn, a) >> (intn)23) - (intn)127;
    WEFT_F result = WEFT_CONVERT(WEFT_F, exponent);
    result = WEFT_SELECT(a == (WEFT_F)0.0f, (WEFT_F)-INFINITY, result);
    return weft_half(WEFT_SELECT(a < (WEFT_F)INFINITY, result, a));
}
#else
#define WEFT_MANTISSA (WEFT_BITS == 32 ? 23 : 52)
#define WEFT_BIAS     (WEFT_BITS == 32 ? 127 : 1023)

/* Subnormal numbers as larger ones; log2 has the ends. */
WEFT_FN gentype logb(gentype x) {
    const gentype normal = (gentype)(WEFT_BITS == 32 ? 0x1p-126 : 0x1p-1022);
    gentype a = __builtin_elementwise_abs(x), up = (gentype)(WEFT_BITS == 32 ? 0x1p23 : 0x1p52);
    relational tiny = a < normal;
    ugentype bits = WEFT_AS(ugentype, WEFT_SELECT(tiny != (relational)0, a * up, a));
    bits >>= (ugentype)WEFT_MANTISSA;
    /* the exponent as the lower bits of 2^WEFT_MANTISSA: v3 converts no longs */
    gentype result = WEFT_AS(gentype, bits | WEFT_AS(ugentype, up)) - up;
    result -= WEFT_SELECT(tiny != (relational)0, (gentype)(WEFT_BIAS + WEFT_MANTISSA),
                          (gentype)WEFT_BIAS);
    result = WEFT_SELECT(a == (gentype)0, (gentype)-INFINITY, result);
    return WEFT_SELECT(a < (gentype)INFINITY, result, a);
}
#undef WEFT_BIAS
#undef WEFT_MANTISSA
#endif
