// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 32
/* log2 e is 1 + 0.4427: the products with the latter round what is small already. */
WEFT_FN gentype log2(gentype x) {
#pragma clang fp contract(on)
    const gentype beyond = (gentype)0.44269504089f;
    gentype k, f = weft_split(x, &k);
    gentype y = weft_log_poly(f) - (gentype)0.5f * f * f;
    return weft_log_ends(x, ((f * beyond + y * beyond) + y) + f + k);
}
#else
WEFT_BY_CORE(log2, weft_log2_of)
#endif
