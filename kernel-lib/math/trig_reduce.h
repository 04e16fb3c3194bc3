// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* For one instantiation in float, included by cos_tmpl.cl, the first of its users. */
#define WEFT_DOUBLES WEFT_VECTOR(double)
#define WEFT_LONGS   WEFT_VECTOR(long)

WEFT_HELPER WEFT_DOUBLES weft_two_over_pi_part(intn row, int part) {
#if WEFT_N == 1
    return weft_two_over_pi[row * 3 + part];
#else
    WEFT_DOUBLES result;
    for (int i = 0; i < WEFT_N; i++)
        result[i] = weft_two_over_pi[row[i] * 3 + part];
    return result;
#endif
}

/* x = (quadrant + f) pi / 2: returns f pi / 2; a NaN for infinities and NaNs. */
WEFT_HELPER gentype weft_reduce(gentype x, __private intn *quadrant) {
    const WEFT_DOUBLES shifter = (WEFT_DOUBLES)0x1.8p52;
    intn exponent = (WEFT_AS(intn, x) >> (intn)23) & (intn)0xff;
    intn row = __builtin_elementwise_max(exponent - (intn)(127 + 24), (intn)0);
    WEFT_DOUBLES wide = WEFT_CONVERT(WEFT_DOUBLES, x);
    WEFT_DOUBLES high = wide * weft_two_over_pi_part(row, 0);
    WEFT_DOUBLES whole = high + shifter;
    WEFT_DOUBLES f = high - (whole - shifter);
    f += wide * weft_two_over_pi_part(row, 1);
    WEFT_DOUBLES more = f + shifter;
    f -= more - shifter;
    f += wide * weft_two_over_pi_part(row, 2);
    WEFT_LONGS turns = WEFT_AS(WEFT_LONGS, whole) + WEFT_AS(WEFT_LONGS, more);
    *quadrant = WEFT_CONVERT(intn, turns);
    return WEFT_CONVERT(gentype, f * (WEFT_DOUBLES)1.5707963267948966);
}

WEFT_HELPER gentype weft_sin_poly(gentype r) {
    gentype y = r * r;
    gentype p = (gentype)-0.000195828306788f;
    p = p * y + (gentype)0.00833272461378f;
    p = p * y + (gentype)-0.166666645394f;
    return r * (p * y + (gentype)1.0f); /* keeps the sign of zero */
}

WEFT_HELPER gentype weft_cos_poly(gentype r) {
    gentype y = r * r;
    gentype p = (gentype)2.45428711109e-5f;
    p = p * y + (gentype)-0.00138882793306f;
    p = p * y + (gentype)0.0416666645363f;
    return (p * y) * y + ((gentype)1.0f - (gentype)0.5f * y);
}

/* -v where bit `bit` of the quadrant is set. */
WEFT_HELPER gentype weft_negate_if(gentype v, intn quadrant, int bit) {
    return WEFT_AS(gentype, WEFT_AS(intn, v) ^ ((quadrant << (intn)(31 - bit)) & (intn)INT_MIN));
}
#undef WEFT_DOUBLES
#undef WEFT_LONGS
