// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* a * b + c, saturated. */
#if WEFT_BITS == 64
WEFT_FN gentype mul_hi(gentype x, gentype y);
WEFT_FN gentype mad_sat(gentype a, gentype b, gentype c) {
    ugentype low = WEFT_AS(ugentype, a) * WEFT_AS(ugentype, b);
    ugentype sum = low + WEFT_AS(ugentype, c);
#if WEFT_SIGNED
    /* 128-bit sum: high half plus carry, c sign-extended; it fits if high is the sign of low. */
    gentype high = mul_hi(a, b) + (c >> 63L);
    high = WEFT_SELECT(sum < low, high + 1L, high);
    gentype value = WEFT_AS(gentype, sum);
    gentype limit = (high >> 63L) ^ (gentype)0x7fffffffffffffffL;
    return WEFT_SELECT(high == (value >> 63L), value, limit);
#else
    gentype high = mul_hi(a, b);
    high = WEFT_SELECT(sum < low, high + 1UL, high);
    return WEFT_SELECT(high == (gentype)0, sum, (gentype)0xffffffffffffffffUL);
#endif
}
#else
#if WEFT_SIGNED
#define WEFT_WIDE WEFT_VECTOR(WEFT_PASTE(WEFT_WIDE_, WEFT_BITS))
#define WEFT_LOW  (-((WEFT_PASTE(WEFT_WIDE_, WEFT_BITS))1 << (WEFT_BITS - 1)))
#define WEFT_HIGH (((WEFT_PASTE(WEFT_WIDE_, WEFT_BITS))1 << (WEFT_BITS - 1)) - 1)
#else
#define WEFT_WIDE WEFT_VECTOR(WEFT_PASTE(WEFT_UWIDE_, WEFT_BITS))
#define WEFT_LOW  0
#define WEFT_HIGH (((WEFT_PASTE(WEFT_UWIDE_, WEFT_BITS))1 << WEFT_BITS) - 1)
#endif
/* Twice the width holds every product plus addend. */
WEFT_FN gentype mad_sat(gentype a, gentype b, gentype c) {
    WEFT_WIDE sum =
        WEFT_CONVERT(WEFT_WIDE, a) * WEFT_CONVERT(WEFT_WIDE, b) + WEFT_CONVERT(WEFT_WIDE, c);
    sum = __builtin_elementwise_max(sum, (WEFT_WIDE)WEFT_LOW);
    return WEFT_CONVERT(gentype, __builtin_elementwise_min(sum, (WEFT_WIDE)WEFT_HIGH));
}
#undef WEFT_WIDE
#undef WEFT_LOW
#undef WEFT_HIGH
#endif
