// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by instance.h for floats. */
WEFT_HELPER WEFT_D weft_two_over_pi_part(intn row, int part) {
#if WEFT_N == 1
    return weft_two_over_pi[row * 3 + part];
#else
    WEFT_D result;
    for (int i = 0; i < WEFT_N; i++)
        result[i] = weft_two_over_pi[row[i] * 3 + part];
    return result;
#endif
}

/* x = (quadrant + f) pi / 2: returns f pi / 2; a NaN for infinities and NaNs. */
WEFT_HELPER gentype weft_reduce_any(gentype x, __private intn *quadrant) {
    const WEFT_D shifter = (WEFT_D)0x1.8p52;
    intn exponent = (WEFT_AS(intn, x) >> (intn)23) & (intn)0xff;
    intn row = __builtin_elementwise_max(exponent - (intn)(127 + 24), (intn)0);
    WEFT_D wide = WEFT_CONVERT(WEFT_D, x);
    WEFT_D high = wide * weft_two_over_pi_part(row, 0);
    WEFT_D whole = high + shifter;
    WEFT_D f = high - (whole - shifter);
    f += wide * weft_two_over_pi_part(row, 1);
    WEFT_D more = f + shifter;
    f -= more - shifter;
    f += wide * weft_two_over_pi_part(row, 2);
    WEFT_L turns = WEFT_AS(WEFT_L, whole) + WEFT_AS(WEFT_L, more);
    *quadrant = WEFT_CONVERT(intn, turns);
    return WEFT_CONVERT(gentype, f * (WEFT_D)1.5707963267948966);
}

/* The same, quicker where all lanes are below 2^20, as almost always. */
WEFT_HELPER gentype weft_reduce(gentype x, __private intn *quadrant) {
    WEFT_L n;
    WEFT_D wide = WEFT_CONVERT(WEFT_D, x);
    WEFT_D r = weft_reduce_short(wide, &n);
    gentype result = WEFT_CONVERT(gentype, r);
    *quadrant = WEFT_CONVERT(intn, n);
    if (weft_any_of(!(__builtin_elementwise_abs(wide) < (WEFT_D)WEFT_REDUCE_LIMIT)))
        result = weft_reduce_any(x, quadrant);
    return result;
}

WEFT_HELPER gentype weft_sin_poly(gentype r) {
#pragma clang fp contract(on)
    gentype y = r * r;
    gentype p = (gentype)-0.000195828306788f;
    p = p * y + (gentype)0.00833272461378f;
    p = p * y + (gentype)-0.166666645394f;
    return r * (p * y + (gentype)1.0f); /* keeps the sign of zero */
}

WEFT_HELPER gentype weft_cos_poly(gentype r) {
#pragma clang fp contract(on)
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

/* sin(x + quarters pi / 2), as weft_sine_of() of core_trig.h. */
WEFT_HELPER gentype weft_sine(gentype x, int quarters) {
    intn n;
    gentype r = weft_reduce(x, &n);
    n += (intn)quarters;
    intn odd = n & (intn)1;
    gentype result = WEFT_SELECT(odd != (intn)0, weft_cos_poly(r), weft_sin_poly(r));
    return weft_negate_if(result, n, 1);
}
