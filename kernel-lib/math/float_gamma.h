// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: what real_gamma.h needs. */

/** What Stirling's series gives for the logarithm of gamma(a), but for (a - 1/2) (log a - 1); a
 * >= 3. */
WEFT_HELPER gentype weft_stirling(gentype a) {
    gentype i = (gentype)1.0f / a, w = i * i, p = (gentype)0.000709052721504f;
    p = weft_mad(p, w, (gentype)-0.00277444045059f);
    p = weft_mad(p, w, (gentype)0.0833333134651f);
    return weft_mad(p, i, (gentype)0.418938533205f);
}

/** log gamma(2 + t) / (t (t + 1)), |t| <= 1. */
WEFT_HELPER gentype weft_lgamma_poly(gentype t) {
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
    return weft_mad(p, t, (gentype)0.422784328461f);
}
