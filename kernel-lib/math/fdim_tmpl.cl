// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "x - y if x > y, +0 if x is less than or equal to y"; a NaN if either is one. */
WEFT_FN gentype fdim(gentype x, gentype y) {
    return WEFT_SELECT(x <= y, (gentype)0, x - y);
}
