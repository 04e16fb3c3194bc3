// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
/* Any half is a normal float. */
WEFT_FN intn ilogb(gentype x) {
    WEFT_F a = __builtin_elementwise_abs(weft_float(x));
    intn exponent = (WEFT_AS(intn, a) >> (intn)23) - (intn)127;
    exponent = WEFT_SELECT(a == (WEFT_F)0.0f, (intn)FP_ILOGB0, exponent);
    exponent = WEFT_SELECT(a == (WEFT_F)INFINITY, (intn)INT_MAX, exponent);
    return WEFT_SELECT(a != a, (intn)FP_ILOGBNAN, exponent);
}
#else
#define WEFT_MANTISSA (WEFT_BITS == 32 ? 23 : 52)
#define WEFT_BIAS     (WEFT_BITS == 32 ? 127 : 1023)

/* Subnormal numbers as larger ones. */
WEFT_FN intn ilogb(gentype x) {
    const gentype normal = (gentype)(WEFT_BITS == 32 ? 0x1p-126 : 0x1p-1022);
    gentype a = __builtin_elementwise_abs(x), up = (gentype)(WEFT_BITS == 32 ? 0x1p23 : 0x1p52);
    relational tiny = a < normal;
    ugentype bits = WEFT_AS(ugentype, WEFT_SELECT(tiny != (relational)0, a * up, a));
    igentype exponent = WEFT_AS(igentype, bits >> (ugentype)WEFT_MANTISSA);
    exponent -= WEFT_SELECT(tiny != (relational)0, (igentype)(WEFT_BIAS + WEFT_MANTISSA),
                            (igentype)WEFT_BIAS);
    exponent = WEFT_SELECT(a == (gentype)0, (igentype)FP_ILOGB0, exponent);
    exponent = WEFT_SELECT(a == (gentype)INFINITY, (igentype)INT_MAX, exponent);
    return WEFT_CONVERT(intn, WEFT_SELECT(a == a, exponent, (igentype)FP_ILOGBNAN));
}
#undef WEFT_BIAS
#undef WEFT_MANTISSA
#endif
