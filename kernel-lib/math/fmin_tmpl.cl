// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "If one argument is a NaN, fmin() returns the other argument. If both are NaNs, a NaN." Of two
 * zeros either. A constant is second mostly, and no NaN: one instruction is left. */
WEFT_FN gentype fmin(gentype x, gentype y) {
    gentype result = WEFT_SELECT(x < y, x, y);
    return WEFT_SELECT(y != y, x, result);
}
#if WEFT_N > 1
WEFT_FN gentype fmin(gentype x, sgentype y) {
    return fmin(x, (gentype)y);
}
#endif
