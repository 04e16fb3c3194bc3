// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* x + (y - x) * a */
WEFT_FN gentype mix(gentype x, gentype y, gentype a) {
#pragma clang fp contract(on)
#if WEFT_BITS == 16
    WEFT_F from = WEFT_CONVERT(WEFT_F, x), to = WEFT_CONVERT(WEFT_F, y);
    return WEFT_CONVERT(gentype, (to - from) * WEFT_CONVERT(WEFT_F, a) + from);
#else
    return (y - x) * a + x;
#endif
}
#if WEFT_N > 1
WEFT_FN gentype mix(gentype x, gentype y, sgentype a) {
    return mix(x, y, (gentype)a);
}
#endif
