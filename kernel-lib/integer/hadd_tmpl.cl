// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* (x + y) >> 1 in infinite precision: common bits plus half of the differing ones. */
WEFT_FN gentype hadd(gentype x, gentype y) {
    return (gentype)((x & y) + ((x ^ y) >> (sgentype)1));
}
