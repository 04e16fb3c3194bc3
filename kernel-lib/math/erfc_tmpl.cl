// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_erfc(gentype x);

#if WEFT_BITS == 32
WEFT_FN gentype exp(gentype x);
/*
 * libclc's loses the subnormal results, which lie above 9: there the asymptotic series
 * e^(-x^2) / (x sqrt(pi)) (1 - 1 / 2x^2 + 3 / 4x^4 - 15 / 8x^6), with x^2 in two parts and the
 * exponential as a square, so that only the last product can be subnormal.
 */
WEFT_FN gentype erfc(gentype x) {
    gentype t = WEFT_SELECT(x > (gentype)9.0f, x, (gentype)9.0f);
    t = WEFT_SELECT(t > (gentype)12.0f, (gentype)12.0f, t);
    gentype high = WEFT_AS(gentype, WEFT_AS(igentype, t) & (igentype)0xfffff000);
    gentype low = t - high;
    gentype square = high * high;
    gentype rest = low * (t + high);
    gentype root = exp(square * (gentype)-0.5f);
    gentype inverse = (gentype)1.0f / (t * t);
    gentype series = (gentype)-1.875f * inverse + (gentype)0.75f;
    series = (series * inverse - (gentype)0.5f) * inverse + (gentype)1.0f;
    gentype tail = root * (series * exp(-rest) / (t * (gentype)1.7724538509f)) * root;
    return WEFT_SELECT(x > (gentype)9.0f, tail, weft_clc_erfc(x));
}
#else
WEFT_FN gentype erfc(gentype x) {
    return weft_clc_erfc(x);
}
#endif
