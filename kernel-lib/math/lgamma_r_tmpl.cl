// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
/* As below. */
WEFT_HELPER gentype weft_lgamma_r(gentype x, __private intn *sign) {
    WEFT_F wide = weft_float(x), whole = __builtin_elementwise_floor(wide);
    intn zero_sign = WEFT_SELECT(WEFT_AS(intn, wide) < (intn)0, (intn)-1, (intn)1);
    intn odd = WEFT_CONVERT(intn, weft_limit(whole, 0x1p17f)) & (intn)1;
    intn one = WEFT_SELECT(wide < (WEFT_F)0.0f, (intn)1 - (odd + odd), (intn)1);
    one = WEFT_SELECT(wide == (WEFT_F)0.0f, zero_sign, one);
    *sign = WEFT_SELECT((wide == whole) & (wide < (WEFT_F)0.0f), (intn)0, one);
    return weft_half(weft_lgamma_of(wide));
}
#else
WEFT_FN gentype lgamma(gentype x);

/* The sign of gamma(x): negative between odd negative integers and the even ones above; 0 at poles.
 */
WEFT_HELPER gentype weft_lgamma_r(gentype x, __private intn *sign) {
    gentype whole = __builtin_elementwise_floor(x);
    gentype half_of = whole * (gentype)0.5;
    igentype odd =
        WEFT_SELECT(half_of != __builtin_elementwise_floor(half_of), (igentype)1, (igentype)0);
    igentype one = WEFT_SELECT(x < (gentype)0, (igentype)1 - (odd + odd), (igentype)1);
    igentype zero_sign = WEFT_SELECT(WEFT_AS(igentype, x) < (igentype)0, (igentype)-1, (igentype)1);
    one = WEFT_SELECT(x == (gentype)0, zero_sign, one);
    igentype pole = WEFT_SELECT(x == whole, (igentype)1, (igentype)0);
    pole = WEFT_SELECT(x < (gentype)0, pole, (igentype)0);
    *sign = WEFT_CONVERT(intn, WEFT_SELECT(pole != (igentype)0, (igentype)0, one));
    return lgamma(x);
}
#endif
#define WEFT_OUT_TYPE intn
WEFT_OUT_SPACES(lgamma_r, weft_lgamma_r, gentype, (gentype x), (x), intn)
#undef WEFT_OUT_TYPE
