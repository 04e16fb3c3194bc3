// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * From WEFT_WIDE (floats or doubles) to half in each rounding mode: to nearest even by the
 * processor or kernel-lib/rt, then moved to the neighbour where that lies on the wrong side of x.
 */
#define WEFT_HALVES WEFT_VECTOR(half)
#define WEFT_SHORTS WEFT_VECTOR(short)
#if WEFT_N == 1
#define WEFT_MASK int
#else
#define WEFT_MASK WEFT_SHORTS
#endif

#define WEFT_HALF_STEP(name, wrong_expression, step_expression)                                    \
    WEFT_HELPER WEFT_HALVES name(WEFT_WIDE x) {                                                    \
        WEFT_HALVES r = WEFT_CONVERT(WEFT_HALVES, x);                                              \
        WEFT_WIDE back = WEFT_CONVERT(WEFT_WIDE, r);                                               \
        WEFT_SHORTS bits = WEFT_AS(WEFT_SHORTS, r);                                                \
        WEFT_MASK wrong = WEFT_CONVERT(WEFT_MASK, wrong_expression);                               \
        WEFT_SHORTS step = step_expression;                                                        \
        bits = WEFT_SELECT(wrong, (WEFT_SHORTS)(bits + step), bits);                               \
        return WEFT_AS(WEFT_HALVES, bits);                                                         \
    }
WEFT_HELPER WEFT_HALVES weft_half(WEFT_WIDE x) {
    return WEFT_CONVERT(WEFT_HALVES, x);
}
WEFT_HELPER WEFT_HALVES weft_half_rte(WEFT_WIDE x) {
    return WEFT_CONVERT(WEFT_HALVES, x);
}
WEFT_HALF_STEP(weft_half_rtz, __builtin_elementwise_abs(back) > __builtin_elementwise_abs(x),
               (WEFT_SHORTS)-1)
WEFT_HALF_STEP(weft_half_rtp, back < x,
               WEFT_SELECT(bits < (WEFT_SHORTS)0, (WEFT_SHORTS)-1, (WEFT_SHORTS)1))
WEFT_HALF_STEP(weft_half_rtn, back > x,
               WEFT_SELECT(bits < (WEFT_SHORTS)0, (WEFT_SHORTS)1, (WEFT_SHORTS)-1))
#undef WEFT_HALF_STEP
#undef WEFT_MASK
#undef WEFT_SHORTS
#undef WEFT_HALVES
#undef WEFT_WIDE
