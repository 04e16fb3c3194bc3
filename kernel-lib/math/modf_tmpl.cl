// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Both parts have the sign of x; the fraction of an infinity is zero. */
#if WEFT_BITS == 16
WEFT_HELPER gentype weft_modf(gentype x, __private gentype *whole) {
    WEFT_F wide = weft_float(x), truncated = __builtin_elementwise_trunc(wide);
    WEFT_F part = WEFT_SELECT(wide == truncated, (WEFT_F)0.0f, wide - truncated);
    *whole = weft_half(truncated);
    return weft_half(__builtin_elementwise_copysign(part, wide));
}
#else
WEFT_HELPER gentype weft_modf(gentype x, __private gentype *whole) {
    gentype truncated = __builtin_elementwise_trunc(x);
    gentype part = WEFT_SELECT(x == truncated, (gentype)0, x - truncated);
    *whole = truncated;
    return __builtin_elementwise_copysign(part, x);
}
#endif
#define WEFT_OUT_TYPE gentype
WEFT_OUT_SPACES(modf, weft_modf, gentype, (gentype x), (x), gentype)
#undef WEFT_OUT_TYPE
