// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Each bit of the result is the corresponding bit of a if the corresponding bit of c is 0." */
WEFT_FN gentype bitselect(gentype a, gentype b, gentype c) {
    ugentype from_a = WEFT_AS(ugentype, a), from_b = WEFT_AS(ugentype, b);
    ugentype mask = WEFT_AS(ugentype, c);
    return WEFT_AS(gentype, (ugentype)((from_a & ~mask) | (from_b & mask)));
}
