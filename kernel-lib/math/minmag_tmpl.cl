// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Returns x if |x| < |y|, y if |y| < |x|, otherwise fmin(x, y)." */
#if WEFT_BITS == 16
WEFT_FN gentype minmag(gentype x, gentype y) {
    WEFT_F wide_x = weft_float(x), wide_y = weft_float(y);
    WEFT_F ax = __builtin_elementwise_abs(wide_x), ay = __builtin_elementwise_abs(wide_y);
    WEFT_F result = __builtin_elementwise_min(wide_x, wide_y);
    result = WEFT_SELECT(ay < ax, wide_y, result);
    return weft_half(WEFT_SELECT(ax < ay, wide_x, result));
}
#else
WEFT_FN gentype minmag(gentype x, gentype y) {
    gentype ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    gentype result = __builtin_elementwise_min(x, y);
    result = WEFT_SELECT(ay < ax, y, result);
    return WEFT_SELECT(ax < ay, x, result);
}
#endif
