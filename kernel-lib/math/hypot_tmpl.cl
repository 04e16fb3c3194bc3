// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(hypot, weft_hypot_of)
#else
#define WEFT_HYPOT_LARGE (WEFT_BITS == 32 ? 0x1p60 : 0x1p500)

/* Squares that neither overflow nor lose bits as subnormals: where they might, the larger number a
 * of both decides by what they are multiplied. "hypot(±inf, y) returns +inf, even if y is a NaN." */
WEFT_HELPER gentype weft_hypot_scaled(gentype a, gentype b) {
    const gentype large = (gentype)WEFT_HYPOT_LARGE;
    const gentype scale = (gentype)(WEFT_BITS == 32 ? 0x1p80 : 0x1p600);
    gentype by = (gentype)1, back = (gentype)1;
    by = WEFT_SELECT(a > large, (gentype)1 / scale, by);
    back = WEFT_SELECT(a > large, scale, back);
    by = WEFT_SELECT(a < (gentype)1 / large, scale, by);
    back = WEFT_SELECT(a < (gentype)1 / large, (gentype)1 / scale, back);
    gentype c = a * by, d = b * by;
    gentype result = __builtin_elementwise_sqrt(weft_mad(c, c, d * d)) * back;
    relational infinite = (a == (gentype)INFINITY) | (b == (gentype)INFINITY);
    return WEFT_SELECT(infinite != (relational)0, (gentype)INFINITY, result);
}

WEFT_FN gentype hypot(gentype x, gentype y) {
    const gentype large = (gentype)WEFT_HYPOT_LARGE;
    gentype ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    gentype a = WEFT_SELECT(ax < ay, ay, ax), b = WEFT_SELECT(ax < ay, ax, ay);
    gentype result = __builtin_elementwise_sqrt(weft_mad(a, a, b * b));
    relational rare = !(a <= large) | !(a >= (gentype)1 / large);
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare != (relational)0, weft_hypot_scaled(a, b), result);
    return result;
}
#undef WEFT_HYPOT_LARGE
#endif
