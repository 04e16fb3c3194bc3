// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 32
/* log10 e and log10 2 in two parts, of which the first gives exact products. */
WEFT_FN gentype log10(gentype x) {
    gentype k, f = weft_split(x, &k);
    gentype y = weft_log_poly(f) - (gentype)0.5f * f * f;
    gentype low = k * (gentype)2.48745663981e-4f + (f + y) * (gentype)-3.20551810967e-3f;
    return weft_log_ends(x, ((low + y * (gentype)0.4375f) + f * (gentype)0.4375f) +
                                k * (gentype)0x1.34p-2f);
}
#else
WEFT_BY_CORE(log10, weft_log10_of)
#endif
