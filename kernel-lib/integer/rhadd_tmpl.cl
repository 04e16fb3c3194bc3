// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* (x + y + 1) >> 1 in infinite precision. */
WEFT_FN gentype rhadd(gentype x, gentype y) {
    return (gentype)((x | y) - ((x ^ y) >> (sgentype)1));
}
