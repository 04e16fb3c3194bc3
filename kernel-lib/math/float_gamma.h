// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: the logarithm of the gamma function. */

/** What Stirling's series gives for the logarithm of gamma(a), but for (a - 1/2) (log a - 1); a
 * >= 3. */
WEFT_HELPER gentype weft_stirling(gentype a) {
    gentype i = (gentype)1.0f / a, w = i * i, p = (gentype)0.000709052721504f;
    p = weft_mad(p, w, (gentype)-0.00277444045059f);
    p = weft_mad(p, w, (gentype)0.0833333134651f);
    return weft_mad(p, i, (gentype)0.418938533205f);
}

/** log gamma(a), a > 0: to 3 by a polynomial that has its zeros at 1 and 2. */
WEFT_HELPER gentype weft_lgamma_positive(gentype a) {
    gentype logarithm = weft_log_of(a);
    igentype small = a < (gentype)1.0f;
    gentype y = WEFT_SELECT(small, a, a - (gentype)1.0f), t = y - (gentype)1.0f;
    gentype p = (gentype)-8.0404261098e-6f;
    p = weft_mad(p, t, (gentype)1.68477963598e-5f);
    p = weft_mad(p, t, (gentype)-1.25566402858e-5f);
    p = weft_mad(p, t, (gentype)2.81907778117e-5f);
    p = weft_mad(p, t, (gentype)-8.5214531282e-5f);
    p = weft_mad(p, t, (gentype)0.000185957396752f);
    p = weft_mad(p, t, (gentype)-0.00040583635564f);
    p = weft_mad(p, t, (gentype)0.000916349701583f);
    p = weft_mad(p, t, (gentype)-0.00210784142837f);
    p = weft_mad(p, t, (gentype)0.00499779870734f);
    p = weft_mad(p, t, (gentype)-0.0123842479661f);
    p = weft_mad(p, t, (gentype)0.0329651534557f);
    p = weft_mad(p, t, (gentype)-0.100317299366f);
    p = weft_mad(p, t, (gentype)0.422784328461f);
    gentype near = (y * t) * p + (gentype)0.0f; /* +0 at 1 */
    near = WEFT_SELECT(small, near - logarithm, near);
    gentype far = weft_mad(a - (gentype)0.5f, logarithm - (gentype)1.0f, weft_stirling(a));
    return WEFT_SELECT(a < (gentype)3.0f, near, far);
}

/** log |gamma(x)|: for negative x by reflection, which loses accuracy where the result is near 0.
 * Next to 0, gamma is 1 / x. */
WEFT_HELPER gentype weft_lgamma_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x), result = weft_lgamma_positive(a);
    igentype minus = x < (gentype)0.0f;
    if (WEFT_RARELY(minus)) {
        gentype sine = __builtin_elementwise_abs(weft_sinpi_of(a));
        gentype gamma = (gentype)3.14159265358979f / (a * sine);
        igentype tiny = a < (gentype)0x1p-30f;
        gentype logarithm = weft_log_of(WEFT_SELECT(tiny, a, gamma));
        gentype reflected = WEFT_SELECT(tiny, -logarithm, logarithm - result);
        reflected = WEFT_SELECT(sine == (gentype)0.0f, (gentype)INFINITY, reflected); /* a pole */
        result = WEFT_SELECT(minus, reflected, result);
    }
    return WEFT_SELECT(a < (gentype)INFINITY, result, a);
}
