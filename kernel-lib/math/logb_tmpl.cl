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
/* log2 has the ends. */
WEFT_FN gentype logb(gentype x) {
    if (__weft_has_avx512())
        return weft_exponent(x);
    gentype a = __builtin_elementwise_abs(x), result = weft_real_of(weft_exponent_of(a));
    result = WEFT_SELECT(a == (gentype)0, (gentype)-INFINITY, result);
    return WEFT_SELECT(a < (gentype)INFINITY, result, a);
}
#endif
