// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_FN gentype rootn(gentype x, intn n) {
    return weft_half(weft_rootn_of(weft_float(x), n));
}
#else
/* |x|^(1 / n): 1 / n in two parts, since its error would be multiplied by the logarithm of x. */
WEFT_FN gentype rootn(gentype x, intn n) {
    gentype a = __builtin_elementwise_abs(x);
#if WEFT_BITS == 32
    gentype whole = WEFT_CONVERT(gentype, n), y = (gentype)1.0f / whole;
    /* n has bits that a float has not, but then |n| is so large that they do not count */
    gentype lost = weft_residual((gentype)1.0f, y, whole) / whole;
#else
    WEFT_D whole = WEFT_CONVERT(WEFT_D, n), y = (WEFT_D)1.0 / whole;
    WEFT_D top = weft_top(y);
    WEFT_D lost = (((WEFT_D)1.0 - top * whole) - (y - top) * whole) / whole;
#endif
    gentype result = weft_pow_of(a, y, lost);
    igentype even = WEFT_CONVERT(igentype, n & (intn)1) - (igentype)1;
    gentype sign = WEFT_AS(gentype, WEFT_AS(igentype, x) & ~even);
    result = __builtin_elementwise_copysign(result, sign);
    relational nowhere = (x < (gentype)0) & (even != (igentype)0);
    nowhere |= WEFT_CONVERT(igentype, n) == (igentype)0;
    return WEFT_SELECT(nowhere != (relational)0, (gentype)NAN, result);
}
#endif
