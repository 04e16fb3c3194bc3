// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Saturation is a clamp in the source type to what both types hold; rounding does not matter. */
WEFT_HELPER gentype WEFT_PASTE(weft_sat_, gentype)(WEFT_FROM x) {
#if WEFT_FROM_SIGNED && !WEFT_SIGNED
    x = __builtin_elementwise_max(x, (WEFT_FROM)0);
#endif
#if WEFT_SIGNED
#define WEFT_TOP (WEFT_BITS - 1)
#else
#define WEFT_TOP WEFT_BITS
#endif
#if WEFT_FROM_SIGNED
#define WEFT_FROM_TOP (WEFT_FROM_BITS - 1)
#else
#define WEFT_FROM_TOP WEFT_FROM_BITS
#endif
#if WEFT_TOP < WEFT_FROM_TOP
    x = __builtin_elementwise_min(x, (WEFT_FROM)((WEFT_SOURCE)(((ulong)1 << WEFT_TOP) - 1)));
#if WEFT_FROM_SIGNED && WEFT_SIGNED
    x = __builtin_elementwise_max(x, (WEFT_FROM)((WEFT_SOURCE)(-((long)1 << WEFT_TOP))));
#endif
#endif
#undef WEFT_TOP
#undef WEFT_FROM_TOP
    return WEFT_CONVERT(gentype, x);
}
WEFT_SAME_FOR_ALL_ROUNDINGS(, WEFT_CONVERT(gentype, x))
WEFT_SAME_FOR_ALL_ROUNDINGS(_sat, WEFT_PASTE(weft_sat_, gentype)(x))
