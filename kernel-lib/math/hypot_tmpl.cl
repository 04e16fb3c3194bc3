// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(hypot, weft_hypot_of)
#else
/* Squares that neither overflow nor lose bits as subnormals. "hypot(±inf, y) returns +inf, even if
 * y is a NaN." */
WEFT_FN gentype hypot(gentype x, gentype y) {
    const gentype large = (gentype)(WEFT_BITS == 32 ? 0x1p60 : 0x1p500);
    const gentype scale = (gentype)(WEFT_BITS == 32 ? 0x1p80 : 0x1p600);
    gentype ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    gentype a = WEFT_SELECT(ax < ay, ay, ax), b = WEFT_SELECT(ax < ay, ax, ay);
    gentype by = (gentype)1, back = (gentype)1;
    by = WEFT_SELECT(a > large, (gentype)1 / scale, by);
    back = WEFT_SELECT(a > large, scale, back);
    by = WEFT_SELECT(a < (gentype)1 / large, scale, by);
    back = WEFT_SELECT(a < (gentype)1 / large, (gentype)1 / scale, back);
    a *= by;
    b *= by;
    gentype result = __builtin_elementwise_sqrt(weft_mad(a, a, b * b)) * back;
    relational infinite = (ax == (gentype)INFINITY) | (ay == (gentype)INFINITY);
    return WEFT_SELECT(infinite != (relational)0, (gentype)INFINITY, result);
}
#endif
