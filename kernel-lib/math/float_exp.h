// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: the exponential family. e^x = 2^n e^r with |r| <= ln 2 / 2. */

/**
 * x = n ln 2 + r, |x| < 2^14 (of anything else nothing useful). n is *whole and in the low bits of
 * the result, below those of WEFT_SHIFTER_F; n times the first part of ln 2 is exact.
 */
WEFT_HELPER igentype weft_exp_reduce(gentype x, __private gentype *whole, __private gentype *r) {
    gentype shifted = weft_mad(x, (gentype)0x1.715476p+0f, (gentype)WEFT_SHIFTER_F);
    *whole = shifted - (gentype)WEFT_SHIFTER_F;
    gentype part = weft_mad(*whole, (gentype)-0x1.62e4p-1f, x);
    *r = weft_mad(*whole, (gentype)-0x1.7f7d1cp-20f, part);
    return WEFT_AS(igentype, shifted);
}

/** e^r - 1, in pairs of powers, as they need not wait for each other. */
WEFT_HELPER gentype weft_exp_poly(gentype r) {
    gentype z = r * r;
    gentype p = weft_mad(r, (gentype)0.166665766661f, (gentype)0.5f);
    gentype q = weft_mad(r, (gentype)0.00836323288368f, (gentype)0.041666554213f);
    q = weft_mad(z, (gentype)0.00139262508315f, q);
    return weft_mad(weft_mad(q, z, p), z, r);
}

/**
 * (1 + q) 2^n, n as weft_exp_reduce() returns it, |n| <= 252. Where there is no instruction for it,
 * into the exponent where the result is normal; else (`rare`, which NaN must be) by two factors,
 * which round once.
 */
WEFT_HELPER gentype weft_exp_scale(gentype q, igentype n, igentype rare) {
    gentype power = (gentype)1.0f + q;
    if (__weft_has_avx512())
        return weft_scale_by(power, WEFT_AS(gentype, n) - (gentype)WEFT_SHIFTER_F);
    gentype result = WEFT_AS(gentype, WEFT_AS(igentype, power) + (n << (igentype)23));
    if (WEFT_RARELY(rare)) {
        igentype whole = n - WEFT_AS(igentype, (gentype)WEFT_SHIFTER_F);
        igentype halved = whole >> (igentype)1;
        power = (power * weft_power_of_two(halved)) * weft_power_of_two(whole - halved);
        result = WEFT_SELECT(rare != (igentype)0, power, result);
    }
    return result;
}

WEFT_HELPER gentype weft_exp_of(gentype x) {
    gentype whole, r, y = weft_limit(x, 150.0f);
    igentype n = weft_exp_reduce(y, &whole, &r);
    return weft_exp_scale(weft_exp_poly(r), n, !(__builtin_elementwise_abs(x) < (gentype)87.0f));
}

WEFT_HELPER gentype weft_exp2_poly(gentype r) {
    gentype p = (gentype)0.000154531629451f;
    p = weft_mad(p, r, (gentype)0.00133908633647f);
    p = weft_mad(p, r, (gentype)0.00961808255728f);
    p = weft_mad(p, r, (gentype)0.0555035711422f);
    p = weft_mad(p, r, (gentype)0.240226507606f);
    return p;
}

/** 2^(x + lost), |lost| below 2^-16 of 1 or of x. */
WEFT_HELPER gentype weft_exp2_sum(gentype x, gentype lost) {
    gentype y = weft_limit(x, 220.0f), shifted = y + (gentype)WEFT_SHIFTER_F;
    gentype r = (y - (shifted - (gentype)WEFT_SHIFTER_F)) + lost;
    gentype q = weft_mad(weft_exp2_poly(r) * r, r, r * (gentype)0.693147188026f);
    igentype rare = !(__builtin_elementwise_abs(x) < (gentype)126.0f);
    return weft_exp_scale(q, WEFT_AS(igentype, shifted), rare);
}

/** 10^x = 2^n 10^r: n times the first part of log10 2 is exact. */
WEFT_HELPER gentype weft_exp10_of(gentype x) {
    gentype y = weft_limit(x, 60.0f);
    gentype shifted = weft_mad(y, (gentype)0x1.a934fp+1f, (gentype)WEFT_SHIFTER_F);
    gentype whole = shifted - (gentype)WEFT_SHIFTER_F;
    gentype r = weft_mad(whole, (gentype)-0x1.344p-2f, y);
    r = weft_mad(whole, (gentype)-0x1.3509f8p-18f, r);
    gentype p = (gentype)0.207664157882f;
    p = weft_mad(p, r, (gentype)0.541705746729f);
    p = weft_mad(p, r, (gentype)1.17124945748f);
    p = weft_mad(p, r, (gentype)2.03465880867f);
    p = weft_mad(p, r, (gentype)2.65094906242f);
    gentype q = weft_mad(p * r, r, r * (gentype)2.30258511795f);
    igentype rare = !(__builtin_elementwise_abs(x) < (gentype)37.5f);
    return weft_exp_scale(q, WEFT_AS(igentype, shifted), rare);
}

/**
 * e^x - 1 = 2^n q + (2^n - 1), q = e^r - 1: near 0, n is 0 and nothing cancels. Twice, by halves of
 * 2^n, as 2^128 has no float. Beyond -20 it is -1.
 */
WEFT_HELPER gentype weft_expm1_of(gentype x) {
    gentype whole, r, y = WEFT_SELECT(x > (gentype)89.0f, (gentype)89.0f, x);
    y = WEFT_SELECT(y < (gentype)-20.0f, (gentype)-20.0f, y);
    igentype n = weft_exp_reduce(y, &whole, &r);
    gentype scale = WEFT_AS(gentype, (n << (igentype)23) + (igentype)(126 << 23));
    gentype result = weft_mad(weft_exp_poly(r), scale, scale - (gentype)0.5f);
    result += result;
    return WEFT_SELECT(x == (gentype)0.0f, x, result); /* keeps the sign of zero */
}

/** What sinh and cosh have in common: e^a = 2^n (s + c) and e^-a = 2^-n (c - s) with s = sinh r and
 * c - 1 = cosh r - 1; *up and *down are 2^(n - 2) and 2^-(n + 2). */
WEFT_HELPER void weft_hyperbolic(gentype x, __private gentype *s, __private gentype *c,
                                 __private gentype *up, __private gentype *down) {
    gentype whole, r, a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (gentype)89.5f, (gentype)89.5f, a); /* n <= 129 */
    igentype n = weft_exp_reduce(a, &whole, &r) << (igentype)23;
    *up = WEFT_AS(gentype, n + (igentype)(125 << 23));
    /* at least 0: 2^-130 counts for nothing beside 2^126 */
    *down = WEFT_AS(gentype, __builtin_elementwise_max((igentype)(125 << 23) - n, (igentype)0));
    gentype z = r * r;
    gentype p = weft_mad((gentype)0.00019891080464f, z, (gentype)0.00833331084465f);
    p = weft_mad(p, z, (gentype)0.166666666817f);
    *s = weft_mad(p * z, r, r);
    p = weft_mad((gentype)0.00139337307158f, z, (gentype)0.0416664641974f);
    *c = weft_mad(p, z, (gentype)0.5f) * z;
}

/** tanh x = 1 - 2 / (e^2x + 1) = E / (E + 2), E = e^2x - 1. */
WEFT_HELPER gentype weft_tanh_of(gentype x) {
    gentype whole, r, a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (gentype)10.0f, (gentype)10.0f, a);
    igentype n = weft_exp_reduce(a + a, &whole, &r);
    gentype scale = WEFT_AS(gentype, (n << (igentype)23) + (igentype)(127 << 23));
    gentype e = weft_mad(weft_exp_poly(r), scale, scale - (gentype)1.0f);
    return __builtin_elementwise_copysign(e / (e + (gentype)2.0f), x);
}

/** e^-a^2 times a polynomial for each of 16 parts of [0, 10.125); from there on it is 0. */
WEFT_HELPER gentype weft_erfc_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (gentype)10.1f, (gentype)10.1f, a);
    gentype low = a - (gentype)0x1.44p-2f;
    gentype shifted = weft_mad(low, (gentype)0x1.948bp+0f, (gentype)WEFT_SHIFTER_F);
    igentype at = WEFT_AS(igentype, shifted);
    gentype u = weft_mad(shifted - (gentype)WEFT_SHIFTER_F, (gentype)-0x1.44p-1f, low);
    gentype p = WEFT_PART_POLY(at, u, weft_erfc_part);
    gentype lost, square = weft_product(a, a, &lost), whole, r;
    igentype n = weft_exp_reduce(-square, &whole, &r);
    gentype e = weft_exp_scale(weft_exp_poly(r - lost), n, !(square < (gentype)87.0f));
    return WEFT_SELECT(x < (gentype)0.0f, (gentype)2.0f - e * p, e * p);
}
