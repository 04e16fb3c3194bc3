// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Returns x if |x| < |y|, y if |y| < |x|, otherwise fmin(x, y)." */
WEFT_FN gentype minmag(gentype x, gentype y) {
    gentype ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    gentype result = __builtin_elementwise_min(x, y);
    result = WEFT_SELECT(ay < ax, y, result);
    return WEFT_SELECT(ax < ay, x, result);
}
