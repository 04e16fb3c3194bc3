// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by fp16.h: the exponential family and the error function. */

/** 2^x = 2^n 2^r; beyond 2^±100, which no half is, that. */
WEFT_HELPER WEFT_F weft_exp2_of(WEFT_F x) {
    WEFT_F y = weft_limit(x, 100.0f), shifted = y + (WEFT_F)WEFT_SHIFTER_F;
    WEFT_F r = y - (shifted - (WEFT_F)WEFT_SHIFTER_F);
    WEFT_F p = (WEFT_F)0.00955921970308f;
    p = weft_mad(p, r, (WEFT_F)0.0559170283377f);
    p = weft_mad(p, r, (WEFT_F)0.240250214934f);
    p = weft_mad(p, r, (WEFT_F)0.6931219697f);
    p = weft_mad(p, r, (WEFT_F)0.999999165535f);
    return p * weft_power_of_two(WEFT_AS(intn, shifted));
}

/* The argument of 2^x is 25 or less where the result is a half, and right to 2^-19. */
WEFT_HELPER WEFT_F weft_exp_of(WEFT_F x) {
    return weft_exp2_of(x * (WEFT_F)WEFT_LOG2_E);
}

WEFT_HELPER WEFT_F weft_exp10_of(WEFT_F x) {
    return weft_exp2_of(x * (WEFT_F)WEFT_LOG2_10);
}

/** 2^x - 1 = 2^n q + (2^n - 1), q = 2^r - 1: near 0, n is 0 and nothing cancels. */
WEFT_HELPER WEFT_F weft_exp2m1_of(WEFT_F x) {
    WEFT_F y = weft_limit(x, 100.0f), shifted = y + (WEFT_F)WEFT_SHIFTER_F;
    WEFT_F r = y - (shifted - (WEFT_F)WEFT_SHIFTER_F);
    WEFT_F p = (WEFT_F)0.00960841029882f;
    p = weft_mad(p, r, (WEFT_F)0.0558367632329f);
    p = weft_mad(p, r, (WEFT_F)0.240234330297f);
    p = weft_mad(p, r, (WEFT_F)0.693136930466f);
    WEFT_F scale = weft_power_of_two(WEFT_AS(intn, shifted));
    return weft_mad(p * r, scale, scale - (WEFT_F)1.0f);
}

WEFT_HELPER WEFT_F weft_expm1_of(WEFT_F x) {
    return __builtin_elementwise_copysign(weft_exp2m1_of(x * (WEFT_F)WEFT_LOG2_E), x);
}

/** tanh x = E / (E + 2), E = e^2x - 1. */
WEFT_HELPER WEFT_F weft_tanh_of(WEFT_F x) {
    WEFT_F e = weft_exp2m1_of(x * (WEFT_F)(2 * WEFT_LOG2_E));
    return __builtin_elementwise_copysign(weft_over(e, e + (WEFT_F)2.0f), x);
}

/** What sinh and cosh have in common: e^a = 2^n (s + c) and e^-a = 2^-n (c - s) with s = sinh r and
 * c - 1 = cosh r - 1; *up and *down are 2^(n - 1) and 2^-(n + 1). */
WEFT_HELPER void weft_hyperbolic(WEFT_F x, __private WEFT_F *s, __private WEFT_F *c,
                                 __private WEFT_F *up, __private WEFT_F *down) {
    WEFT_F a = weft_at_most(__builtin_elementwise_abs(x), 20.0f);
    WEFT_F shifted = weft_mad(a, (WEFT_F)WEFT_LOG2_E, (WEFT_F)WEFT_SHIFTER_F);
    WEFT_F r = weft_mad(shifted - (WEFT_F)WEFT_SHIFTER_F, (WEFT_F)-0x1.62e430p-1f, a);
    intn n = WEFT_AS(intn, shifted) << (intn)23;
    *up = WEFT_AS(WEFT_F, (intn)(126 << 23) + n);
    *down = WEFT_AS(WEFT_F, (intn)(126 << 23) - n);
    WEFT_F z = r * r;
    WEFT_F p = weft_mad((WEFT_F)0.00836683809757f, z, (WEFT_F)0.166665405035f);
    *s = weft_mad(p * z, r, r);
    *c = weft_mad((WEFT_F)0.0419011712074f, z, (WEFT_F)0.499991178513f) * z;
}

WEFT_HELPER WEFT_F weft_sinh_of(WEFT_F x) {
    WEFT_F s, c, up, down;
    weft_hyperbolic(x, &s, &c, &up, &down);
    WEFT_F result = weft_mad(up - down, c, (up + down) * s) + (up - down);
    return __builtin_elementwise_copysign(result, x);
}

WEFT_HELPER WEFT_F weft_cosh_of(WEFT_F x) {
    WEFT_F s, c, up, down;
    weft_hyperbolic(x, &s, &c, &up, &down);
    return weft_mad(up - down, s, (up + down) * c) + (up + down);
}

/** log2 of erfc(a), a >= 0, or of erfc(4), which is less than any half. */
WEFT_HELPER WEFT_F weft_log2_erfc(WEFT_F a) {
    a = weft_at_most(a, 4.0f);
    WEFT_F p = weft_mad((WEFT_F)-1.49530455928e-6f, a, (WEFT_F)2.80193053186e-5f);
    p = weft_mad(p, a, (WEFT_F)-0.000197814879357f);
    p = weft_mad(p, a, (WEFT_F)0.000425379257649f);
    p = weft_mad(p, a, (WEFT_F)0.00302052497864f);
    p = weft_mad(p, a, (WEFT_F)-0.0308203529567f);
    p = weft_mad(p, a, (WEFT_F)0.15004722774f);
    p = weft_mad(p, a, (WEFT_F)0.91796195507f);
    p = weft_mad(p, a, (WEFT_F)1.62795352936f);
    return -a * p;
}

/** As of floats, float_erf.h, with four terms, to 2^-14.6. */
WEFT_HELPER WEFT_F weft_erf_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x), middle = a - (WEFT_F)0.25f;
    WEFT_F shifted = weft_mad(middle, (WEFT_F)2.0f, (WEFT_F)WEFT_SHIFTER_F);
    intn at = WEFT_AS(intn, shifted);
    WEFT_F u = weft_mad(shifted - (WEFT_F)WEFT_SHIFTER_F, (WEFT_F)-0.5f, middle);
    WEFT_F p = weft_mad(WEFT_NUMBER(at, weft_erf_short3), u, WEFT_NUMBER(at, weft_erf_short2));
    p = weft_mad(p, u, WEFT_NUMBER(at, weft_erf_short1));
    p = weft_mad(p, u, WEFT_NUMBER(at, weft_erf_short0));
    WEFT_F ends = __builtin_elementwise_copysign((WEFT_F)1.0f, x);
    return WEFT_SELECT(a > (WEFT_F)3.92f, ends, x * p);
}

WEFT_HELPER WEFT_F weft_erfc_of(WEFT_F x) {
    WEFT_F far = weft_exp2_of(weft_log2_erfc(__builtin_elementwise_abs(x)));
    return WEFT_SELECT(x < (WEFT_F)0.0f, (WEFT_F)2.0f - far, far);
}
