// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * To float and double exactly. To integers by way of float and, as every finite half is in 32 bits,
 * int; "the result is undefined" without _sat where it does not fit, NaNs become 0 with it.
 */
#if WEFT_FLOAT
WEFT_SAME_FOR_ALL_ROUNDINGS(, WEFT_CONVERT(gentype, x))
#else
#if WEFT_SIGNED
#define WEFT_TOP (WEFT_BITS - 1)
#else
#define WEFT_TOP WEFT_BITS
#endif
#define WEFT_MAX ((sgentype)(~(ulong)0 >> (64 - WEFT_TOP)))
WEFT_HELPER gentype WEFT_PASTE(weft_wrap_, gentype)(WEFT_F x) {
    return WEFT_CONVERT(gentype, WEFT_CONVERT(intn, x));
}
WEFT_HELPER gentype WEFT_PASTE(weft_sat_, gentype)(WEFT_F x) {
#if !WEFT_SIGNED
    x = WEFT_SELECT(x > (WEFT_F)0.0f, x, (WEFT_F)0.0f); /* also for a NaN */
#endif
#if WEFT_BITS < 32
#if WEFT_SIGNED
    x = WEFT_SELECT(x > (WEFT_F)(-(1 << WEFT_TOP)), x,
                    WEFT_SELECT(x != x, (WEFT_F)0.0f, (WEFT_F)(-(1 << WEFT_TOP))));
#endif
    x = WEFT_SELECT(x < (WEFT_F)WEFT_MAX, x, (WEFT_F)WEFT_MAX);
    return WEFT_PASTE(weft_wrap_, gentype)(x);
#else
    intn finite = __builtin_elementwise_abs(x) < (WEFT_F)INFINITY;
    gentype result = WEFT_PASTE(weft_wrap_, gentype)(WEFT_SELECT(finite, x, (WEFT_F)0.0f));
    result =
        WEFT_SELECT(WEFT_CONVERT(relational, x == (WEFT_F)INFINITY), (gentype)WEFT_MAX, result);
#if WEFT_SIGNED
    result = WEFT_SELECT(WEFT_CONVERT(relational, x == (WEFT_F)-INFINITY), (gentype)(-WEFT_MAX - 1),
                         result);
#endif
    return result;
#endif
}
#define WEFT_ROUNDED(suffix, value)                                                                \
    WEFT_DEFINE(suffix, WEFT_PASTE(weft_wrap_, gentype)(value))                                    \
    WEFT_DEFINE(WEFT_PASTE(_sat, suffix), WEFT_PASTE(weft_sat_, gentype)(value))
WEFT_DEFINE(, WEFT_PASTE(weft_wrap_, gentype)(WEFT_CONVERT(WEFT_F, x)))
WEFT_DEFINE(_sat, WEFT_PASTE(weft_sat_, gentype)(WEFT_CONVERT(WEFT_F, x)))
WEFT_ROUNDED(_rtz, WEFT_CONVERT(WEFT_F, x))
WEFT_ROUNDED(_rte, __builtin_elementwise_rint(WEFT_CONVERT(WEFT_F, x)))
WEFT_ROUNDED(_rtp, __builtin_elementwise_ceil(WEFT_CONVERT(WEFT_F, x)))
WEFT_ROUNDED(_rtn, __builtin_elementwise_floor(WEFT_CONVERT(WEFT_F, x)))
#undef WEFT_ROUNDED
#undef WEFT_MAX
#undef WEFT_TOP
#endif
