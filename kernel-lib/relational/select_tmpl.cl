// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Vectors ask the most significant bit, scalars the whole value. */
#if WEFT_N == 1
WEFT_FN gentype select(gentype a, gentype b, igentype c) {
    return c ? b : a;
}
WEFT_FN gentype select(gentype a, gentype b, ugentype c) {
    return c ? b : a;
}
#else
WEFT_FN gentype select(gentype a, gentype b, igentype c) {
    return (c < (igentype)0) ? b : a;
}
WEFT_FN gentype select(gentype a, gentype b, ugentype c) {
    return (WEFT_AS(igentype, c) < (igentype)0) ? b : a;
}
#endif
