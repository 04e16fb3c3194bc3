// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* x + (y - x) * a */
WEFT_FN gentype mix(gentype x, gentype y, gentype a) {
#pragma clang fp contract(on)
    return (y - x) * a + x;
}
#if WEFT_N > 1
WEFT_FN gentype mix(gentype x, gentype y, sgentype a) {
    return mix(x, y, (gentype)a);
}
#endif
