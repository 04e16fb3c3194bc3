// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_FLOAT
/* "Returns y if x < y, otherwise it returns x." */
WEFT_FN gentype max(gentype x, gentype y) {
    return WEFT_SELECT(x < y, y, x);
}
#else
WEFT_FN gentype max(gentype x, gentype y) {
    return __builtin_elementwise_max(x, y);
}
#endif
#if WEFT_N > 1
WEFT_FN gentype max(gentype x, sgentype y) {
    return max(x, (gentype)y);
}
#endif
