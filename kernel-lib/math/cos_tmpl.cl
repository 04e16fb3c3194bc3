// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS <= 32
WEFT_BY_CORE(cos, weft_cos_of)
#else
WEFT_FN gentype weft_far_cos(gentype x); /* rare/ */

WEFT_FN gentype cos(gentype x) {
    gentype result = weft_sine_of(x, 1);
    WEFT_L huge = __builtin_elementwise_abs(x) > (gentype)WEFT_REDUCE_LIMIT;
    if (WEFT_RARELY(huge))
        result = WEFT_SELECT(huge != (WEFT_L)0, weft_far_cos(x), result);
    return result;
}
#endif
