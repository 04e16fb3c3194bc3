// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by fp16.h: trigonometric functions. All finite halves are reduced by the same three
 * parts of pi (Cody and Waite): the largest is 20851 times pi. */

#define WEFT_ONE_OVER_PI 0x1.45f306p-2f
#define WEFT_PI          0x1.921fb6p+1f

/** x - n scale pi, n of at most 16 bits: the first two products are exact, and so are the sums. */
WEFT_HELPER WEFT_F weft_less_turns(WEFT_F x, WEFT_F n, float scale) {
    WEFT_F r = weft_mad(n, (WEFT_F)(-0x1.92p+1f * scale), x);
    r = weft_mad(n, (WEFT_F)(-0x1.fap-11f * scale), r);
    return weft_mad(n, (WEFT_F)(-0x1.54442ep-19f * scale), r);
}

/** sin r, |r| <= pi / 2; the product keeps the sign of 0. */
WEFT_HELPER WEFT_F weft_sine_poly(WEFT_F r) {
    WEFT_F z = r * r, p = (WEFT_F)-0.000185350218089f;
    p = weft_mad(p, z, (WEFT_F)0.00831401441246f);
    p = weft_mad(p, z, (WEFT_F)-0.166658312082f);
    return r * weft_mad(p, z, (WEFT_F)1.0f);
}

WEFT_HELPER WEFT_F weft_sin_of(WEFT_F x) {
    WEFT_F shifted = weft_mad(x, (WEFT_F)WEFT_ONE_OVER_PI, (WEFT_F)WEFT_SHIFTER_F);
    WEFT_F r = weft_less_turns(x, shifted - (WEFT_F)WEFT_SHIFTER_F, 1.0f);
    return weft_flip(weft_sine_poly(r), WEFT_AS(intn, shifted));
}

/** The sine of x + pi / 2. */
WEFT_HELPER WEFT_F weft_cos_of(WEFT_F x) {
    WEFT_F shifted = weft_mad(x, (WEFT_F)WEFT_ONE_OVER_PI, (WEFT_F)0.5f) + (WEFT_F)WEFT_SHIFTER_F;
    WEFT_F n = (shifted - (WEFT_F)WEFT_SHIFTER_F) - (WEFT_F)0.5f;
    return weft_flip(weft_sine_poly(weft_less_turns(x, n, 1.0f)), WEFT_AS(intn, shifted));
}

/** t or, where the lowest bit of n is set, -1 / t. */
WEFT_HELPER WEFT_F weft_tangent(WEFT_F t, intn n) {
    intn odd = (n & (intn)1) != (intn)0;
    return WEFT_SELECT(odd, (WEFT_F)-1.0f, t) / WEFT_SELECT(odd, t, (WEFT_F)1.0f);
}

/** By quarters of a turn: tan r or -1 / tan r, |r| <= pi / 4. */
WEFT_HELPER WEFT_F weft_tan_of(WEFT_F x) {
    WEFT_F shifted = weft_mad(x, (WEFT_F)(2 * WEFT_ONE_OVER_PI), (WEFT_F)WEFT_SHIFTER_F);
    WEFT_F r = weft_less_turns(x, shifted - (WEFT_F)WEFT_SHIFTER_F, 0.5f);
    WEFT_F z = r * r, p = (WEFT_F)0.0429936237633f;
    p = weft_mad(p, z, (WEFT_F)0.0415071509778f);
    p = weft_mad(p, z, (WEFT_F)0.136029422283f);
    p = weft_mad(p, z, (WEFT_F)0.333157271147f);
    return weft_tangent(r * weft_mad(p, z, (WEFT_F)1.0f), WEFT_AS(intn, shifted));
}

/** sin(pi r), |r| <= 1/2. */
WEFT_HELPER WEFT_F weft_sinpi_poly(WEFT_F r) {
    WEFT_F z = r * r, p = (WEFT_F)-0.558349728584f;
    p = weft_mad(p, z, (WEFT_F)2.54358553886f);
    p = weft_mad(p, z, (WEFT_F)-5.16736555099f);
    return r * weft_mad(p, z, (WEFT_F)3.14158964157f);
}

/** "sinpi(+n) is +0 and sinpi(-n) is -0". */
WEFT_HELPER WEFT_F weft_sinpi_of(WEFT_F x) {
    WEFT_F shifted = x + (WEFT_F)WEFT_SHIFTER_F;
    WEFT_F r = x - (shifted - (WEFT_F)WEFT_SHIFTER_F);
    WEFT_F result = weft_flip(weft_sinpi_poly(r), WEFT_AS(intn, shifted));
    WEFT_F zero = __builtin_elementwise_copysign((WEFT_F)0.0f, x);
    return WEFT_SELECT(r == (WEFT_F)0.0f, zero, result);
}

/** "cospi(n + 0.5) is +0": -0 + 0 = +0. */
WEFT_HELPER WEFT_F weft_cospi_of(WEFT_F x) {
    WEFT_F shifted = (x + (WEFT_F)0.5f) + (WEFT_F)WEFT_SHIFTER_F;
    WEFT_F r = x - ((shifted - (WEFT_F)WEFT_SHIFTER_F) - (WEFT_F)0.5f);
    return weft_flip(weft_sinpi_poly(r), WEFT_AS(intn, shifted)) + (WEFT_F)0.0f;
}

/** "tanpi(±n) is copysign(0.0, n) for even n, copysign(0.0, -n) for odd n; tanpi(±(n + 0.5)) is
 * ±inf for even n, and ∓inf for odd n": by the sign of the zero whose tangent or -1 / tangent that
 * is. */
WEFT_HELPER WEFT_F weft_tanpi_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x), shifted = (a + a) + (WEFT_F)WEFT_SHIFTER_F;
    WEFT_F r = weft_mad((WEFT_F)-0.5f, shifted - (WEFT_F)WEFT_SHIFTER_F, a);
    intn n = WEFT_AS(intn, shifted);
    WEFT_F z = r * r, p = (WEFT_F)1299.33288574f;
    p = weft_mad(p, z, (WEFT_F)122.870140076f);
    p = weft_mad(p, z, (WEFT_F)41.7440414429f);
    p = weft_mad(p, z, (WEFT_F)10.3279695511f);
    WEFT_F t = r * weft_mad(p, z, (WEFT_F)3.14160180092f);
    WEFT_F zero = WEFT_AS(WEFT_F, (n ^ (n >> (intn)1)) << (intn)31);
    t = weft_tangent(WEFT_SELECT(r == (WEFT_F)0.0f, zero, t), n);
    return WEFT_AS(WEFT_F, WEFT_AS(intn, t) ^ (WEFT_AS(intn, x) & (intn)INT_MIN));
}

/** asin(s) for s <= 1/2; beyond, asin a = pi / 2 - 2 asin(sqrt((1 - a) / 2)). */
WEFT_HELPER WEFT_F weft_asin_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x);
    intn far = a > (WEFT_F)0.5f;
    WEFT_F z = WEFT_SELECT(far, (WEFT_F)0.5f - (WEFT_F)0.5f * a, a * a);
    WEFT_F s = WEFT_SELECT(far, __builtin_elementwise_sqrt(z), a);
    WEFT_F p = weft_mad((WEFT_F)0.0641274154186f, z, (WEFT_F)0.0718908756971f);
    p = weft_mad(p, z, (WEFT_F)0.166802257299f);
    WEFT_F t = weft_mad(p * z, s, s);
    t = WEFT_SELECT(far, (WEFT_F)(0.5f * WEFT_PI) - (t + t), t);
    return __builtin_elementwise_copysign(t, x);
}

/** acos(a) = sqrt(1 - a) P(a), a NaN beyond 1; pi less that of -x. */
WEFT_HELPER WEFT_F weft_acos_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x), p = (WEFT_F)0.00844896305352f;
    p = weft_mad(p, a, (WEFT_F)-0.0353555753827f);
    p = weft_mad(p, a, (WEFT_F)0.0844146758318f);
    p = weft_mad(p, a, (WEFT_F)-0.2140737921f);
    p = weft_mad(p, a, (WEFT_F)1.57078623772f);
    WEFT_F angle = __builtin_elementwise_sqrt((WEFT_F)1.0f - a) * p;
    return WEFT_SELECT(x < (WEFT_F)0.0f, (WEFT_F)WEFT_PI - angle, angle);
}

/** atan(t), 0 <= t <= 1. */
WEFT_HELPER WEFT_F weft_atan_poly(WEFT_F t) {
    WEFT_F z = t * t, p = (WEFT_F)-0.01360880211f;
    p = weft_mad(p, z, (WEFT_F)0.057907178998f);
    p = weft_mad(p, z, (WEFT_F)-0.121767491102f);
    p = weft_mad(p, z, (WEFT_F)0.195924401283f);
    p = weft_mad(p, z, (WEFT_F)-0.333060413599f);
    return weft_mad(p * z, t, t);
}

/** Beyond 1, pi / 2 - atan(1 / x). */
WEFT_HELPER WEFT_F weft_atan_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x);
    intn steep = a > (WEFT_F)1.0f;
    WEFT_F t = weft_over(WEFT_SELECT(steep, (WEFT_F)1.0f, a), WEFT_SELECT(steep, a, (WEFT_F)1.0f));
    WEFT_F angle = weft_atan_poly(t);
    angle = WEFT_SELECT(steep, (WEFT_F)(0.5f * WEFT_PI) - angle, angle);
    return __builtin_elementwise_copysign(angle, x);
}

/** The angle of (x, y): the smaller over the larger, then by octants. Of two zeros the quotient
 * counts as 0, of two infinities as 1. */
WEFT_HELPER WEFT_F weft_atan2_of(WEFT_F y, WEFT_F x) {
    WEFT_F ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    intn steep = ay > ax;
    WEFT_F u = WEFT_SELECT(steep, ax, ay), v = WEFT_SELECT(steep, ay, ax), t = weft_over(u, v);
    t = WEFT_SELECT(u == v, (WEFT_F)1.0f, t);
    t = WEFT_SELECT(v == (WEFT_F)0.0f, u, t); /* which may be a NaN */
    WEFT_F angle = weft_atan_poly(t);
    angle = WEFT_SELECT(steep, (WEFT_F)(0.5f * WEFT_PI) - angle, angle);
    angle = WEFT_SELECT(WEFT_AS(intn, x) < (intn)0, (WEFT_F)WEFT_PI - angle, angle);
    return __builtin_elementwise_copysign(angle, y);
}

WEFT_HELPER WEFT_F weft_asinpi_of(WEFT_F x) {
    return weft_asin_of(x) * (WEFT_F)WEFT_ONE_OVER_PI;
}

WEFT_HELPER WEFT_F weft_acospi_of(WEFT_F x) {
    return weft_acos_of(x) * (WEFT_F)WEFT_ONE_OVER_PI;
}

WEFT_HELPER WEFT_F weft_atanpi_of(WEFT_F x) {
    return weft_atan_of(x) * (WEFT_F)WEFT_ONE_OVER_PI;
}

WEFT_HELPER WEFT_F weft_atan2pi_of(WEFT_F y, WEFT_F x) {
    return weft_atan2_of(y, x) * (WEFT_F)WEFT_ONE_OVER_PI;
}
