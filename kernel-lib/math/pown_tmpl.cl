// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype pown(gentype x, intn n) {
    gentype a = __builtin_elementwise_abs(x);
    WEFT_D y = WEFT_CONVERT(WEFT_D, n); /* exact, which a float would not be */
#if WEFT_BITS == 32
    gentype result = WEFT_CONVERT(gentype, weft_pow_short(WEFT_CONVERT(WEFT_D, a), y));
#else
    gentype result = weft_pow_of(a, y, (gentype)0);
#endif
    igentype even = WEFT_CONVERT(igentype, n & (intn)1) - (igentype)1;
    gentype sign = WEFT_AS(gentype, WEFT_AS(igentype, x) & ~even);
    result = __builtin_elementwise_copysign(result, sign);
    return WEFT_SELECT(WEFT_CONVERT(igentype, n) == (igentype)0, (gentype)1, result);
}
