// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS <= 32
WEFT_BY_CORE(sin, weft_sin_of)
#else
WEFT_FN gentype weft_far_sin(gentype x); /* rare/ */

WEFT_FN gentype sin(gentype x) {
    gentype result = weft_sine_of(x, 0);
    WEFT_L huge = __builtin_elementwise_abs(x) > (gentype)WEFT_REDUCE_LIMIT;
    if (WEFT_RARELY(huge))
        result = WEFT_SELECT(huge != (WEFT_L)0, weft_far_sin(x), result);
    return WEFT_SELECT(x == (gentype)0, x, result);
}
#endif
