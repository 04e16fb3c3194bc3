// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by instance.h for floats: logarithms in float. x = 2^k (1 + f), within a factor sqrt(2).
 */

/** f and *k of a positive, finite x; of others whatever comes out. */
WEFT_HELPER gentype weft_split(gentype x, __private gentype *k) {
    gentype up = WEFT_SELECT(x < (gentype)0x1p-126f, x * (gentype)0x1p23f, x);
    igentype bits = WEFT_AS(igentype, up);
    igentype exponent = (bits - (igentype)0x3f3504f3) >> (igentype)23;
    gentype below = WEFT_SELECT(x < (gentype)0x1p-126f, (gentype)-23.0f, (gentype)0.0f);
    *k = WEFT_CONVERT(gentype, exponent) + below;
    return WEFT_AS(gentype, bits - (exponent << (igentype)23)) - (gentype)1.0f;
}

/** log(1 + f) - f + f^2 / 2. */
WEFT_HELPER gentype weft_log_poly(gentype f) {
#pragma clang fp contract(on)
    gentype p = (gentype)0.0697161147145f;
    p = p * f + (gentype)-0.114797338466f;
    p = p * f + (gentype)0.116854199235f;
    p = p * f + (gentype)-0.124256873315f;
    p = p * f + (gentype)0.142490576457f;
    p = p * f + (gentype)-0.166678023195f;
    p = p * f + (gentype)0.200007157489f;
    p = p * f + (gentype)-0.24999996958f;
    p = p * f + (gentype)0.3333333118f;
    return (f * f) * (f * p);
}

WEFT_HELPER gentype weft_log_ends(gentype x, gentype result) {
    result = WEFT_SELECT(x < (gentype)INFINITY, result, x);
    result = WEFT_SELECT(x == (gentype)0.0f, (gentype)-INFINITY, result);
    return WEFT_SELECT(x < (gentype)0.0f, (gentype)NAN, result);
}
