// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: the error function. */

/** erf(x) / x in z = x^2, |x| <= 1. */
WEFT_HELPER gentype weft_erf_poly(gentype z) {
    gentype p = (gentype)7.87587506269e-5f;
    p = weft_mad(p, z, (gentype)-0.000801686428717f);
    p = weft_mad(p, z, (gentype)0.00518908742343f);
    p = weft_mad(p, z, (gentype)-0.0268542120106f);
    p = weft_mad(p, z, (gentype)0.112835947152f);
    p = weft_mad(p, z, (gentype)-0.376126266667f);
    return weft_mad(p, z, (gentype)1.12837916585f);
}

/** Beyond 1, erf(x) - 1 by a polynomial, whose error is absolute; beyond 4.1 the result is 1. */
WEFT_HELPER gentype weft_erf_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x);
    gentype u = WEFT_SELECT(a > (gentype)4.1f, (gentype)4.1f, a) - (gentype)2.55f;
    gentype p = (gentype)-3.20957212807e-7f;
    p = weft_mad(p, u, (gentype)6.6055224579e-7f);
    p = weft_mad(p, u, (gentype)3.75617241843e-6f);
    p = weft_mad(p, u, (gentype)-1.35343152579e-5f);
    p = weft_mad(p, u, (gentype)-2.22313687459e-7f);
    p = weft_mad(p, u, (gentype)8.36133185658e-5f);
    p = weft_mad(p, u, (gentype)-0.000213393723243f);
    p = weft_mad(p, u, (gentype)0.000152920591063f);
    p = weft_mad(p, u, (gentype)0.00062743172748f);
    p = weft_mad(p, u, (gentype)-0.00259068631567f);
    p = weft_mad(p, u, (gentype)0.00530710397288f);
    p = weft_mad(p, u, (gentype)-0.00719612604007f);
    p = weft_mad(p, u, (gentype)0.00677181454375f);
    p = weft_mad(p, u, (gentype)-0.00431507779285f);
    p = weft_mad(p, u, (gentype)0.00169220659882f);
    p = weft_mad(p, u, (gentype)-0.000310661533149f);
    gentype far = __builtin_elementwise_copysign((gentype)1.0f + p, x);
    return WEFT_SELECT(a > (gentype)1.0f, far, x * weft_erf_poly(x * x));
}
