// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* pown(x, n) of any n. */
WEFT_FN gentype weft_far_pown(gentype x, intn n) {
    gentype a = __builtin_elementwise_abs(x);
#if WEFT_BITS == 32
    gentype y = WEFT_CONVERT(gentype, n); /* and what that lost; y may be 2^31 */
    intn whole = WEFT_CONVERT(intn, __builtin_elementwise_min(y, (gentype)0x1.fffffep30f));
    whole = WEFT_SELECT(y == (gentype)0x1p31f, (intn)INT_MIN, whole);
    intn rest = WEFT_AS(intn, WEFT_AS(ugentype, n) - WEFT_AS(ugentype, whole));
    gentype lost = WEFT_CONVERT(gentype, rest);
#else
    gentype y = WEFT_CONVERT(gentype, n), lost = (gentype)0;
#endif
    gentype result = weft_pow_of(a, y, lost);
    igentype even = WEFT_CONVERT(igentype, n & (intn)1) - (igentype)1;
    gentype sign = WEFT_AS(gentype, WEFT_AS(igentype, x) & ~even);
    result = __builtin_elementwise_copysign(result, sign);
    return WEFT_SELECT(WEFT_CONVERT(igentype, n) == (igentype)0, (gentype)1, result);
}
