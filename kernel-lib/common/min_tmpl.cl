// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_FLOAT
/* "Returns y if y < x, otherwise it returns x." */
WEFT_FN gentype min(gentype x, gentype y) {
    return WEFT_SELECT(y < x, y, x);
}
#else
WEFT_FN gentype min(gentype x, gentype y) {
    return __builtin_elementwise_min(x, y);
}
#endif
#if WEFT_N > 1
WEFT_FN gentype min(gentype x, sgentype y) {
    return min(x, (gentype)y);
}
#endif
