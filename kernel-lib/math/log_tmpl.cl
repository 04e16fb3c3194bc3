// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 32
/* k ln 2 + log(1 + f), the latter f - f^2 / 2 + f^3 P(f). */
WEFT_FN gentype log(gentype x) {
#pragma clang fp contract(on)
    gentype k, f = weft_split(x, &k);
    gentype y = weft_log_poly(f) + k * (gentype)-2.12194440e-4f;
    y -= (gentype)0.5f * f * f;
    return weft_log_ends(x, k * (gentype)0x1.63p-1f + (f + y));
}
#else
WEFT_BY_CORE(log, weft_log_of)
#endif
