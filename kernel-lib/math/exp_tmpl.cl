// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 32
/* e^x = 2^n e^r, n = rint(x / ln 2), ln 2 in two parts of which the first gives exact products. */
WEFT_FN gentype exp(gentype x) {
#pragma clang fp contract(on)
    gentype y = WEFT_SELECT(x > (gentype)130.0f, (gentype)130.0f, x);
    y = WEFT_SELECT(y < (gentype)-150.0f, (gentype)-150.0f, y);
    gentype shifted = y * (gentype)1.44269504f + (gentype)WEFT_SHIFTER_F;
    gentype n = shifted - (gentype)WEFT_SHIFTER_F;
    gentype r = (y - n * (gentype)0x1.63p-1f) + n * (gentype)2.12194440e-4f;
    gentype q = (gentype)0.0013926926614f;
    q = q * r + (gentype)0.00836377387441f;
    q = q * r + (gentype)0.0416665501103f;
    q = q * r + (gentype)0.166665733819f;
    q = q * r + (gentype)0.5f;
    gentype power = (q * r) * r + r + (gentype)1.0f;
    igentype e = WEFT_AS(igentype, shifted) - WEFT_AS(igentype, (gentype)WEFT_SHIFTER_F);
    return WEFT_SCALE(power, e);
}
#else
WEFT_FN gentype exp(gentype x) {
    return weft_exp_times(x, 0);
}
#endif
