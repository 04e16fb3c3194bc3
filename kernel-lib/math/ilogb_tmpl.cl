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
WEFT_FN intn ilogb(gentype x) {
    gentype a = __builtin_elementwise_abs(x);
    igentype exponent = weft_exponent_of(a);
    exponent = WEFT_SELECT(a == (gentype)0, (igentype)FP_ILOGB0, exponent);
    exponent = WEFT_SELECT(a == (gentype)INFINITY, (igentype)INT_MAX, exponent);
    return WEFT_CONVERT(intn, WEFT_SELECT(a == a, exponent, (igentype)FP_ILOGBNAN));
}
#endif
