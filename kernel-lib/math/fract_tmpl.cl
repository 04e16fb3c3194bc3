// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "fmin(x - floor(x), 0x1.fffffep-1f). floor(x) is returned in iptr." For half 0x1.ffcp-1h. */
#if WEFT_BITS == 16
WEFT_HELPER gentype weft_fract(gentype x, __private gentype *whole) {
    WEFT_F wide = weft_float(x), floored = __builtin_elementwise_floor(wide);
    WEFT_F part = wide - floored;
    part = WEFT_SELECT(part > (WEFT_F)0x1.ffcp-1f, (WEFT_F)0x1.ffcp-1f, part);
    part = WEFT_SELECT(wide == floored, __builtin_elementwise_copysign((WEFT_F)0.0f, wide), part);
    *whole = weft_half(floored);
    return weft_half(part);
}
#else
#if WEFT_BITS == 32
#define WEFT_BELOW_ONE 0x1.fffffep-1f
#else
#define WEFT_BELOW_ONE 0x1.fffffffffffffp-1
#endif
WEFT_HELPER gentype weft_fract(gentype x, __private gentype *whole) {
    gentype floored = __builtin_elementwise_floor(x);
    gentype part = x - floored;
    *whole = floored;
    part = WEFT_SELECT(part >= (gentype)1, (gentype)WEFT_BELOW_ONE, part);
    /* inf - inf would be a NaN; -0 - -0 would lose the sign */
    part = WEFT_SELECT(x == floored, (gentype)0, part);
    return __builtin_elementwise_copysign(part, WEFT_SELECT(part == (gentype)0, x, part));
}
#undef WEFT_BELOW_ONE
#endif
#define WEFT_OUT_TYPE gentype
WEFT_OUT_SPACES(fract, weft_fract, gentype, (gentype x), (x), gentype)
#undef WEFT_OUT_TYPE
