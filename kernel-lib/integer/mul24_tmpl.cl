// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Operands outside of 24 bits give an implementation-defined result: the product of all bits. */
WEFT_FN gentype mul24(gentype x, gentype y) {
    return WEFT_AS(gentype, WEFT_AS(ugentype, x) * WEFT_AS(ugentype, y));
}
