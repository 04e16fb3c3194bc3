// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* As exact as the guess, 2^-14 with AVX-512, else 2^-11.4, of subnormal numbers too. */
WEFT_FN gentype half_rsqrt(gentype x) {
    gentype result = weft_rsqrt_guess(x);
    if (__weft_has_avx512())
        return result;
    igentype rare = (__builtin_elementwise_abs(x) < (gentype)0x1p-126f) & (x != (gentype)0.0f);
    if (WEFT_RARELY(rare)) {
        gentype scaled = weft_rsqrt_guess(x * (gentype)0x1p24f) * (gentype)0x1p12f;
        result = WEFT_SELECT(rare != (igentype)0, scaled, result);
    }
    return result;
}
