// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_FN sgentype distance(gentype a, gentype b) {
    WEFT_F wide = WEFT_CONVERT(WEFT_F, a) - WEFT_CONVERT(WEFT_F, b);
    wide *= wide;
    return (half)__builtin_elementwise_sqrt(WEFT_SUM(wide));
}
#elif WEFT_BITS == 32
/* The difference is taken in double, too: it may overflow where the distance does not. */
WEFT_FN sgentype distance(gentype a, gentype b) {
    WEFT_DOUBLE wide = WEFT_CONVERT(WEFT_DOUBLE, a) - WEFT_CONVERT(WEFT_DOUBLE, b);
    wide *= wide;
    return (float)__builtin_elementwise_sqrt(WEFT_SUM(wide));
}
#else
WEFT_FN sgentype length(gentype v);

WEFT_FN sgentype distance(gentype a, gentype b) {
    return length(a - b);
}
#endif
