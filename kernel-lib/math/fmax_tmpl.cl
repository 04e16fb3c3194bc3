// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "If one argument is a NaN, fmax() returns the other argument. If both are NaNs, a NaN." */
WEFT_FN gentype fmax(gentype x, gentype y) {
    gentype result = WEFT_SELECT(x < y, y, x);
    return WEFT_SELECT(x != x, y, result);
}
#if WEFT_N > 1
WEFT_FN gentype fmax(gentype x, sgentype y) {
    return fmax(x, (gentype)y);
}
#endif
