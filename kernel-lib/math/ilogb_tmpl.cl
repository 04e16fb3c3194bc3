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
#if WEFT_BITS == 64
    if (__weft_has_avx512()) {
        /* of infinities and NaNs INT_MAX, of 0, whose exponent is -infinity, FP_ILOGB0 = INT_MIN */
        const gentype most = (gentype)0x7fffffff, least = (gentype)FP_ILOGB0;
        gentype exponent = weft_exponent(x);
        exponent = WEFT_SELECT(exponent < most, exponent, most);
        return WEFT_CONVERT(intn, WEFT_SELECT(exponent > least, exponent, least));
    }
#endif
    gentype a = __builtin_elementwise_abs(x);
    igentype exponent = weft_exponent_of(a);
    exponent = WEFT_SELECT(a == (gentype)0, (igentype)FP_ILOGB0, exponent);
    exponent = WEFT_SELECT(a == (gentype)INFINITY, (igentype)INT_MAX, exponent);
    return WEFT_CONVERT(intn, WEFT_SELECT(a == a, exponent, (igentype)FP_ILOGBNAN));
}
#endif
