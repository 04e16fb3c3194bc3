// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 64 && WEFT_SIGNED
WEFT_FN ugentype mul_hi(ugentype x, ugentype y);
/* The unsigned product, minus what the sign bits counted too much. */
WEFT_FN gentype mul_hi(gentype x, gentype y) {
    ugentype high = mul_hi(WEFT_AS(ugentype, x), WEFT_AS(ugentype, y));
    ugentype too_much = WEFT_AS(ugentype, (x >> 63L) & y) + WEFT_AS(ugentype, (y >> 63L) & x);
    return WEFT_AS(gentype, high - too_much);
}
#elif WEFT_BITS == 64
/* The high half of a 128-bit product from four products of 32 bits. */
WEFT_FN gentype mul_hi(gentype x, gentype y) {
    gentype x_low = x & 0xffffffffUL, x_high = x >> 32UL;
    gentype y_low = y & 0xffffffffUL, y_high = y >> 32UL;
    gentype middle = x_high * y_low + ((x_low * y_low) >> 32UL);
    gentype other = x_low * y_high + (middle & 0xffffffffUL);
    return x_high * y_high + (middle >> 32UL) + (other >> 32UL);
}
#else
#if WEFT_SIGNED
#define WEFT_WIDE WEFT_VECTOR(WEFT_PASTE(WEFT_WIDE_, WEFT_BITS))
#else
#define WEFT_WIDE WEFT_VECTOR(WEFT_PASTE(WEFT_UWIDE_, WEFT_BITS))
#endif
WEFT_FN gentype mul_hi(gentype x, gentype y) {
    WEFT_WIDE product = WEFT_CONVERT(WEFT_WIDE, x) * WEFT_CONVERT(WEFT_WIDE, y);
    return WEFT_CONVERT(gentype, product >> WEFT_BITS);
}
#undef WEFT_WIDE
#endif
