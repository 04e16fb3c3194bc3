// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_sin(gentype x);

#if WEFT_BITS == 32
WEFT_FN gentype sin(gentype x) {
    intn quadrant;
    gentype r = weft_reduce(x, &quadrant);
    intn odd = quadrant & (intn)1;
    gentype result = WEFT_SELECT(odd != (intn)0, weft_cos_poly(r), weft_sin_poly(r));
    return weft_negate_if(result, quadrant, 1); /* quadrants 2 and 3 */
}
#else
/* Beyond the reduction's limit, rare, libclc's serves. */
WEFT_FN gentype sin(gentype x) {
    WEFT_L n;
    gentype tail, r = weft_reduce_of(x, &tail, &n);
    WEFT_L odd = n & (WEFT_L)1;
    gentype result = WEFT_SELECT(odd != (WEFT_L)0, weft_cos_near(r, tail), weft_sin_near(r, tail));
    result = weft_negate_by(result, n, 1); /* quadrants 2 and 3 */
    WEFT_L huge = __builtin_elementwise_abs(x) > (gentype)WEFT_REDUCE_LIMIT;
    if (weft_any_of(huge))
        result = WEFT_SELECT(huge != (WEFT_L)0, weft_clc_sin(x), result);
    return WEFT_SELECT(x == (gentype)0, x, result);
}
#endif
