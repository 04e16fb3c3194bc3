// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Included by float.h: trigonometric functions. Usual arguments are reduced in float by fma (Cody
 * and Waite's reduction in three parts of 24 bits), without fma in double; those beyond
 * WEFT_TURNS_LIMIT in double with as many bits of 2 / pi as the exponent asks for.
 */

#define WEFT_TURNS_LIMIT 0x1p16

WEFT_TABLE(weft_two_over_pi_part, WEFT_D, weft_two_over_pi)

/* x = (quadrant + f) pi / 2: returns f, |f| <= 1/2; a NaN for infinities and NaNs. */
WEFT_HELPER WEFT_D weft_reduce_any(gentype x, __private WEFT_L *quadrant) {
    const WEFT_D shifter = (WEFT_D)0x1.8p52;
    intn exponent = (WEFT_AS(intn, x) >> (intn)23) & (intn)0xff;
    intn row = __builtin_elementwise_max(exponent - (intn)(127 + 24), (intn)0) * (intn)3;
    WEFT_D wide = WEFT_CONVERT(WEFT_D, x);
    WEFT_D high = wide * weft_two_over_pi_part(row);
    WEFT_D whole = high + shifter;
    WEFT_D f = high - (whole - shifter);
    f += wide * weft_two_over_pi_part(row + (intn)1);
    WEFT_D more = f + shifter;
    f -= more - shifter;
    f += wide * weft_two_over_pi_part(row + (intn)2);
    *quadrant = WEFT_AS(WEFT_L, whole) + WEFT_AS(WEFT_L, more);
    return f;
}

/* a - n parts pi, n of at most 17 bits: n may have a half, and is *n below WEFT_SHIFTER_F. */
WEFT_HELPER gentype weft_less_turns(gentype a, gentype n, float scale) {
    if (__weft_has_fma()) {
        gentype r = weft_mad(-n, (gentype)(0x1.921fb6p+1f * scale), a); /* exact */
        r = weft_mad(n, (gentype)(0x1.777a5cp-24f * scale), r);
        return weft_mad(n, (gentype)(0x1.ee59dap-49f * scale), r);
    }
    WEFT_D turns = WEFT_CONVERT(WEFT_D, n), wide = WEFT_CONVERT(WEFT_D, a);
    WEFT_D r = wide - turns * (WEFT_D)(0x1.921fb54400000p+1 * scale);
    return WEFT_CONVERT(gentype, r - turns * (WEFT_D)(0x1.0b4611a626331p-33 * scale));
}

/* sin r, |r| <= pi / 2. */
WEFT_HELPER gentype weft_sine_poly(gentype r) {
    gentype z = r * r, p = (gentype)2.60608180724e-6f;
    p = weft_mad(p, z, (gentype)-0.000198097739485f);
    p = weft_mad(p, z, (gentype)0.00833306927234f);
    p = weft_mad(p, z, (gentype)-0.166666597128f);
    return weft_mad(p * z, r, r);
}

/*
 * sin(a + quarters pi / 2), quarters 0 or 1, a >= 0: a + quarters pi / 2 = n pi + r, so that one
 * polynomial serves, its sign by the parity of n. a below WEFT_TURNS_LIMIT.
 */
WEFT_HELPER gentype weft_sine(gentype a, int quarters) {
    gentype turns = weft_mad(a, (gentype)0x1.45f306p-2f, (gentype)(0.5f * quarters));
    gentype shifted = turns + (gentype)WEFT_SHIFTER_F;
    gentype whole = shifted - (gentype)WEFT_SHIFTER_F - (gentype)(0.5f * quarters);
    gentype r = weft_less_turns(a, whole, 1.0f);
    return weft_flip(weft_sine_poly(r), WEFT_AS(igentype, shifted) << (igentype)31);
}

/* The same of any a. */
WEFT_HELPER gentype weft_far_sine(gentype a, int quarters) {
    WEFT_L quadrant;
    WEFT_D f = weft_reduce_any(a, &quadrant);
    quadrant += (WEFT_L)(long)quarters;
    /* to an even quadrant, the nearer one */
    WEFT_D odd = weft_real_of(quadrant & (WEFT_L)1);
    WEFT_D step = __builtin_elementwise_copysign(odd, f);
    f -= step;
    quadrant += WEFT_SELECT(step > (WEFT_D)0.0, (WEFT_L)1, (WEFT_L)0);
    quadrant -= WEFT_SELECT(step < (WEFT_D)0.0, (WEFT_L)1, (WEFT_L)0);
    gentype r = WEFT_CONVERT(gentype, f * (WEFT_D)1.5707963267948966);
    intn half_turns = WEFT_CONVERT(intn, quadrant >> (WEFT_L)1);
    return weft_flip(weft_sine_poly(r), half_turns << (intn)31);
}

/* rare/: functions of their own. */
WEFT_FN gentype weft_far_sin(gentype x);
WEFT_FN gentype weft_far_cos(gentype x);

WEFT_HELPER gentype weft_sin_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x);
    gentype result = weft_flip(weft_sine(a, 0), weft_sign_of(x));
    igentype rare = !(a < (gentype)WEFT_TURNS_LIMIT);
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare, weft_far_sin(x), result);
    return result;
}

WEFT_HELPER gentype weft_cos_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x), result = weft_sine(a, 1);
    igentype rare = !(a < (gentype)WEFT_TURNS_LIMIT);
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare, weft_far_cos(x), result);
    return result;
}

/* By quarters of a turn: tan r or -1 / tan r, |r| <= pi / 4. */
WEFT_HELPER gentype weft_tan_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x);
    gentype shifted = weft_mad(a, (gentype)0x1.45f306p-1f, (gentype)WEFT_SHIFTER_F);
    gentype r = weft_less_turns(a, shifted - (gentype)WEFT_SHIFTER_F, 0.5f);
    igentype n = WEFT_AS(igentype, shifted);
    igentype rare = !(a < (gentype)(0.5f * WEFT_TURNS_LIMIT));
    if (WEFT_RARELY(rare)) {
        WEFT_L quadrant;
        WEFT_D f = weft_reduce_any(a, &quadrant);
        r = WEFT_SELECT(rare, WEFT_CONVERT(gentype, f * (WEFT_D)1.5707963267948966), r);
        n = WEFT_SELECT(rare, WEFT_CONVERT(intn, quadrant & (WEFT_L)1), n);
    }
    gentype z = r * r, p = (gentype)0.00826236448145f;
    p = weft_mad(p, z, (gentype)0.00508136422033f);
    p = weft_mad(p, z, (gentype)0.0231698752244f);
    p = weft_mad(p, z, (gentype)0.0537728714102f);
    p = weft_mad(p, z, (gentype)0.133343863245f);
    p = weft_mad(p, z, (gentype)0.333333242715f);
    gentype t = weft_mad(p * z, r, r);
    return weft_flip(weft_tangent(t, (gentype)1.0f, n), weft_sign_of(x));
}

/* asin(s) = s + s^3 P(s^2), s <= 1/2; z is s^2. */
WEFT_HELPER gentype weft_asin_poly(gentype s, gentype z) {
    gentype p = (gentype)0.038093962148f;
    p = weft_mad(p, z, (gentype)0.0265506629637f);
    p = weft_mad(p, z, (gentype)0.0450018940883f);
    p = weft_mad(p, z, (gentype)0.0749885296226f);
    p = weft_mad(p, z, (gentype)0.166666724277f);
    return weft_mad(p * z, s, s);
}

/* atan(t), 0 <= t <= 1. */
WEFT_HELPER gentype weft_atan_poly(gentype t) {
    gentype z = t * t, p = (gentype)0.00284148403443f;
    p = weft_mad(p, z, (gentype)-0.0160497575998f);
    p = weft_mad(p, z, (gentype)0.0426927283406f);
    p = weft_mad(p, z, (gentype)-0.0750814303756f);
    p = weft_mad(p, z, (gentype)0.106453262269f);
    p = weft_mad(p, z, (gentype)-0.142058208585f);
    p = weft_mad(p, z, (gentype)0.199931353331f);
    p = weft_mad(p, z, (gentype)-0.333331257105f);
    return weft_mad(p * z, t, t);
}

/* Beyond 1, pi / 2 - atan(1 / x). */
WEFT_HELPER gentype weft_atan_in(gentype x, int of_pi) {
    gentype a = __builtin_elementwise_abs(x);
    igentype steep = a > (gentype)1.0f;
    gentype t = WEFT_SELECT(steep, (gentype)1.0f, a) / WEFT_SELECT(steep, a, (gentype)1.0f);
    gentype angle = weft_in_unit(weft_atan_poly(t), of_pi);
    gentype other = of_pi ? (gentype)0.5f - angle
                          : (gentype)0x1.921fb6p+0f - (angle + (gentype)0x1.777a5cp-25f);
    return __builtin_elementwise_copysign(WEFT_SELECT(steep, other, angle), x);
}

/* The angle of (x, y): the smaller over the larger, then by octants. */
WEFT_HELPER gentype weft_atan2_in(gentype y, gentype x, int of_pi) {
    const gentype whole = (gentype)(of_pi ? 1.0f : 0x1.921fb6p+1f);
    const gentype more = (gentype)(of_pi ? 0.0f : 0x1.777a5cp-24f);
    gentype ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    igentype steep = ay > ax;
    gentype u = WEFT_SELECT(steep, ax, ay), v = WEFT_SELECT(steep, ay, ax), t = u / v;
    igentype rare = !(v < (gentype)INFINITY) | !(v > (gentype)0.0f) | !(u < (gentype)INFINITY);
    if (WEFT_RARELY(rare)) {
        gentype end = WEFT_SELECT(v == (gentype)0.0f, (gentype)0.0f, t);
        end = WEFT_SELECT((v == (gentype)INFINITY) & (u == v), (gentype)1.0f, end);
        end = WEFT_SELECT(u == u, end, u);
        end = WEFT_SELECT(v == v, end, v);
        t = WEFT_SELECT(rare, end, t);
    }
    gentype angle = weft_in_unit(weft_atan_poly(t), of_pi);
    gentype other = (gentype)0.5f * whole - (angle + (gentype)0.5f * more);
    angle = WEFT_SELECT(steep, other, angle);
    other = whole - (angle + more);
    angle = WEFT_SELECT(WEFT_AS(igentype, x) < (igentype)0, other, angle);
    return __builtin_elementwise_copysign(angle, y);
}
