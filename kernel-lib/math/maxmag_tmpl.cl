// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Returns x if |x| > |y|, y if |y| > |x|, otherwise fmax(x, y)." */
WEFT_FN gentype maxmag(gentype x, gentype y) {
    gentype ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    gentype result = __builtin_elementwise_max(x, y);
    result = WEFT_SELECT(ay > ax, y, result);
    return WEFT_SELECT(ax > ay, x, result);
}
