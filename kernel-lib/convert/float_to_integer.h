// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The value is rounded to an integer first, then converted. "The result is undefined" without _sat
 * where it does not fit; with it, it is the nearest representable value, 0 for a NaN.
 */
#if WEFT_SIGNED
#define WEFT_TOP (WEFT_BITS - 1)
#define WEFT_LOW ((WEFT_FROM)(-(WEFT_SOURCE)((ulong)1 << WEFT_TOP)))
#else
#define WEFT_TOP WEFT_BITS
#define WEFT_LOW ((WEFT_FROM)0)
#endif
#define WEFT_MAX ((sgentype)(~(ulong)0 >> (64 - WEFT_TOP)))

WEFT_HELPER gentype WEFT_PASTE(weft_sat_, gentype)(WEFT_FROM x) {
    WEFT_FROM clamped = WEFT_SELECT(x > WEFT_LOW, x, WEFT_LOW);
#if WEFT_TOP <= WEFT_PASTE(WEFT_PRECISION_, WEFT_FROM_BITS)
    /* The largest value is exact in the source type. */
    clamped = WEFT_SELECT(clamped < (WEFT_FROM)WEFT_MAX, clamped, (WEFT_FROM)WEFT_MAX);
    clamped = WEFT_SELECT(x != x, (WEFT_FROM)0, clamped);
    return WEFT_CONVERT(gentype, clamped);
#else
    WEFT_FROM bound = (WEFT_FROM)((WEFT_SOURCE)2 * (WEFT_SOURCE)((ulong)1 << (WEFT_TOP - 1)));
    clamped = WEFT_SELECT(clamped >= bound, (WEFT_FROM)0, clamped);
    clamped = WEFT_SELECT(x != x, (WEFT_FROM)0, clamped);
    return WEFT_SELECT(WEFT_CONVERT(relational, x >= bound), (gentype)WEFT_MAX,
                       WEFT_CONVERT(gentype, clamped));
#endif
}
#define WEFT_ROUNDED(suffix, value)                                                                \
    WEFT_DEFINE(suffix, WEFT_CONVERT(gentype, value))                                              \
    WEFT_DEFINE(WEFT_PASTE(_sat, suffix), WEFT_PASTE(weft_sat_, gentype)(value))
WEFT_DEFINE(, WEFT_CONVERT(gentype, x))
WEFT_DEFINE(_sat, WEFT_PASTE(weft_sat_, gentype)(x))
WEFT_ROUNDED(_rtz, x)
WEFT_ROUNDED(_rte, __builtin_elementwise_rint(x))
WEFT_ROUNDED(_rtp, __builtin_elementwise_ceil(x))
WEFT_ROUNDED(_rtn, __builtin_elementwise_floor(x))
#undef WEFT_ROUNDED
#undef WEFT_MAX
#undef WEFT_LOW
#undef WEFT_TOP
