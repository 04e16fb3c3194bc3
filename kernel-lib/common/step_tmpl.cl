// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype step(gentype edge, gentype x) {
    return WEFT_SELECT(x < edge, (gentype)0, (gentype)1);
}
#if WEFT_N > 1
WEFT_FN gentype step(sgentype edge, gentype x) {
    return step((gentype)edge, x);
}
#endif
