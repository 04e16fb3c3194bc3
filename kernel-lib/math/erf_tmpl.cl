// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(erf, weft_erf_of)
#else
#if WEFT_BITS == 32
/* The method of weft_erf_of() with shorter polynomials; beyond 4.1 the result is 1. */
WEFT_FN gentype exp(gentype x);

WEFT_HELPER gentype weft_erf_near(gentype z) {
#pragma clang fp contract(on)
    gentype p = (gentype)7.87587506269e-5f;
    p = p * z + (gentype)-0.000801686428717f;
    p = p * z + (gentype)0.00518908742343f;
    p = p * z + (gentype)-0.0268542120106f;
    p = p * z + (gentype)0.112835947152f;
    p = p * z + (gentype)-0.376126266667f;
    p = p * z + (gentype)1.12837916585f;
    return p;
}

WEFT_HELPER gentype weft_erfcx(gentype t) {
#pragma clang fp contract(on)
    gentype p = (gentype)-0.0244139178925f;
    p = p * t + (gentype)0.0684356632548f;
    p = p * t + (gentype)-0.119227773772f;
    p = p * t + (gentype)0.129642254985f;
    p = p * t + (gentype)-0.0475631109953f;
    p = p * t + (gentype)-0.135621068485f;
    p = p * t + (gentype)1.25300806006f;
    return p;
}

WEFT_FN gentype erf(gentype x) {
    gentype a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (gentype)4.1f, (gentype)4.1f, a);
    gentype t = (a - (gentype)3.0f) / (a + (gentype)3.0f);
    gentype rest = exp(-a * a) * weft_erfcx(t) / ((gentype)1.0f + a + a);
    gentype far = __builtin_elementwise_copysign((gentype)1.0f - rest, x);
    return WEFT_SELECT(a > (gentype)1.0f, far, x * weft_erf_near(x * x));
}
#else
WEFT_BY_CORE(erf, weft_erf_of)
#endif
#endif
