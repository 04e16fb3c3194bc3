// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN sgentype dot(gentype a, gentype b) {
#if WEFT_BITS == 16
    WEFT_F product = WEFT_CONVERT(WEFT_F, a) * WEFT_CONVERT(WEFT_F, b);
    return (half)WEFT_SUM(product);
#else
    gentype product = a * b;
    return WEFT_SUM(product);
#endif
}
