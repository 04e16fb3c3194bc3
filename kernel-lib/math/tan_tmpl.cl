// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_tan(gentype x);

#if WEFT_BITS == 32
WEFT_FN gentype tan(gentype x) {
    intn quadrant;
    gentype r = weft_reduce(x, &quadrant);
    intn odd = quadrant & (intn)1;
    gentype sine = weft_sin_poly(r), cosine = weft_cos_poly(r);
    gentype above = WEFT_SELECT(odd != (intn)0, -cosine, sine);
    return above / WEFT_SELECT(odd != (intn)0, sine, cosine);
}
#else
/* Beyond the reduction's limit, rare, libclc's serves. */
WEFT_FN gentype tan(gentype x) {
    WEFT_L n;
    gentype tail, r = weft_reduce_of(x, &tail, &n);
    WEFT_L odd = n & (WEFT_L)1;
    gentype sine = weft_sin_near(r, tail), cosine = weft_cos_near(r, tail);
    gentype result =
        WEFT_SELECT(odd != (WEFT_L)0, -cosine, sine) / WEFT_SELECT(odd != (WEFT_L)0, sine, cosine);
    WEFT_L huge = __builtin_elementwise_abs(x) > (gentype)WEFT_REDUCE_LIMIT;
    if (weft_any_of(huge))
        result = WEFT_SELECT(huge != (WEFT_L)0, weft_clc_tan(x), result);
    return WEFT_SELECT(x == (gentype)0, x, result);
}
#endif
