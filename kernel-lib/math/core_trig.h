// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: sine, cosine and arc tangent in double. */

/** a - b, rounded, and what the rounding lost. */
WEFT_HELPER WEFT_D weft_difference(WEFT_D a, WEFT_D b, __private WEFT_D *lost) {
    WEFT_D d = a - b, back = d - a;
    *lost = (a - (d - back)) - (b + back);
    return d;
}

/** Up to here weft_reduce_of() is exact enough: n has 20 bits, each part of pi / 2 but the last 33.
 */
#define WEFT_REDUCE_LIMIT 0x1p20

/**
 * x = n pi / 2 + r + *tail, |r| <= pi / 4, n modulo 2^32 in *n: Cody and Waite's reduction in four
 * parts. A double below 2^20 is at least 2^-62 away from a multiple; the error is below 2^-130.
 */
WEFT_HELPER WEFT_D weft_reduce_of(WEFT_D x, __private WEFT_D *tail, __private WEFT_L *n) {
    WEFT_D whole = weft_round(x * (WEFT_D)0x1.45f306dc9c883p-1, n);
    WEFT_D lost1, lost2;
    WEFT_D r = x - whole * (WEFT_D)0x1.921fb54400000p+0;
    r = weft_difference(r, whole * (WEFT_D)0x1.0b4611a600000p-34, &lost1);
    r = weft_difference(r, whole * (WEFT_D)0x1.3198a2e000000p-69, &lost2);
    WEFT_D low = (lost1 + lost2) - whole * (WEFT_D)0x1.b839a252049c1p-104;
    WEFT_D sum = r + low;
    *tail = (r - sum) + low;
    return sum;
}

/** sin(r + tail), |r| <= pi / 4. */
WEFT_HELPER WEFT_D weft_sin_near(WEFT_D r, WEFT_D tail) {
    WEFT_D z = r * r, p = (WEFT_D)1.5917848524808261007e-10;
    p = weft_mad(p, z, (WEFT_D)-2.5051127944014187575e-8);
    p = weft_mad(p, z, (WEFT_D)2.755731608381635861e-6);
    p = weft_mad(p, z, (WEFT_D)-0.00019841269836722417756);
    p = weft_mad(p, z, (WEFT_D)0.0083333333333309245621);
    p = weft_mad(p, z, (WEFT_D)-0.16666666666666664599);
    return r + weft_mad(r * z, p, weft_mad((WEFT_D)-0.5 * z, tail, tail));
}

/** cos(r + tail), |r| <= pi / 4. */
WEFT_HELPER WEFT_D weft_cos_near(WEFT_D r, WEFT_D tail) {
    WEFT_D z = r * r, p = (WEFT_D)-1.1382456778061305849e-11;
    p = weft_mad(p, z, (WEFT_D)2.0876143827993132496e-9);
    p = weft_mad(p, z, (WEFT_D)-2.7557317260008838164e-7);
    p = weft_mad(p, z, (WEFT_D)0.000024801587298743069286);
    p = weft_mad(p, z, (WEFT_D)-0.0013888888888887382271);
    p = weft_mad(p, z, (WEFT_D)0.041666666666666665373);
    WEFT_D halved = (WEFT_D)0.5 * z, top = (WEFT_D)1.0 - halved;
    WEFT_D rest = (((WEFT_D)1.0 - top) - halved) - r * tail;
    return top + weft_mad(z * z, p, rest);
}

/** v with its sign changed where bit `bit` of n is set. */
WEFT_HELPER WEFT_D weft_negate_by(WEFT_D v, WEFT_L n, int bit) {
    WEFT_L sign = (n << (WEFT_L)(63 - bit)) & (WEFT_L)LONG_MIN;
    return WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, v) ^ sign);
}

/**
 * a - n parts pi, by fma: Cody and Waite's reduction in three parts of 53 bits, n of at most 21, of
 * which the first step is exact; 2^-138 at most is lost.
 */
WEFT_HELPER WEFT_D weft_less_turns(WEFT_D a, WEFT_D n, double scale) {
    WEFT_D r = weft_mad(-n, (WEFT_D)(0x1.921fb54442d18p+1 * scale), a);
    r = weft_mad(-n, (WEFT_D)(0x1.1a62633145c07p-53 * scale), r);
    return weft_mad(n, (WEFT_D)(0x1.f1976b7ed8fbcp-109 * scale), r);
}

/** sin r, |r| <= pi / 2. */
WEFT_HELPER WEFT_D weft_sine_poly(WEFT_D r) {
    WEFT_D z = r * r, p = (WEFT_D)2.7313658477694191634e-15;
    p = weft_mad(p, z, (WEFT_D)-7.6439639643418692251e-13);
    p = weft_mad(p, z, (WEFT_D)1.6058977114025027032e-10);
    p = weft_mad(p, z, (WEFT_D)-2.5052107613933993823e-8);
    p = weft_mad(p, z, (WEFT_D)2.7557319219139176176e-6);
    p = weft_mad(p, z, (WEFT_D)-0.00019841269841254884666);
    p = weft_mad(p, z, (WEFT_D)0.0083333333333333157466);
    p = weft_mad(p, z, (WEFT_D)-0.16666666666666666633);
    return weft_mad(p * z, r, r);
}

/**
 * sin(x + quarters pi / 2), quarters 0 or 1, for |x| up to WEFT_REDUCE_LIMIT. With fma by turns of
 * pi, so that one polynomial serves, its sign by the parity of n. Without, by quarters of a turn,
 * in which the polynomials of sine and cosine change places, and sums of two doubles.
 */
WEFT_HELPER WEFT_D weft_sine_of(WEFT_D x, long quarters) {
    WEFT_L n;
    if (__weft_has_fma()) {
        const WEFT_D shifter = (WEFT_D)WEFT_SHIFTER_D;
        WEFT_D turns = weft_mad(x, (WEFT_D)0x1.45f306dc9c883p-2, (WEFT_D)(0.5 * quarters));
        WEFT_D shifted = turns + shifter, whole = (shifted - shifter) - (WEFT_D)(0.5 * quarters);
        WEFT_D r = weft_less_turns(x, whole, 1.0);
        return weft_negate_by(weft_sine_poly(r), WEFT_AS(WEFT_L, shifted), 0);
    }
    WEFT_D tail, r = weft_reduce_of(x, &tail, &n);
    n += (WEFT_L)quarters;
    WEFT_L odd = n & (WEFT_L)1;
    WEFT_D result = WEFT_SELECT(odd != (WEFT_L)0, weft_cos_near(r, tail), weft_sin_near(r, tail));
    return weft_negate_by(result, n, 1);
}

/** tan(r + tail), |r| <= pi / 4, is the result over *below. */
WEFT_HELPER WEFT_D weft_tan_near(WEFT_D r, WEFT_D tail, __private WEFT_D *below) {
    WEFT_D z = r * r, p = (WEFT_D)-0.000017860813844047583738;
    p = weft_mad(p, z, (WEFT_D)0.0034248345595808867597);
    p = weft_mad(p, z, (WEFT_D)-0.13338306123824343484);
    WEFT_D q = (WEFT_D)4.9815141926524964025e-7;
    q = weft_mad(q, z, (WEFT_D)-0.00031180642259077288375);
    q = weft_mad(q, z, (WEFT_D)0.025663632750106538004);
    q = weft_mad(q, z, (WEFT_D)-0.46671639457157676973);
    *below = weft_mad(q, z, (WEFT_D)1.0);
    return r + weft_mad(r * z, p, weft_mad(tail * z, (WEFT_D)0.5, tail));
}

/** tan x for |x| up to WEFT_REDUCE_LIMIT, by quarters of a turn. */
WEFT_HELPER WEFT_D weft_tan_of(WEFT_D x) {
    WEFT_L n;
    WEFT_D r, tail = (WEFT_D)0.0;
    if (__weft_has_fma())
        r = weft_less_turns(x, weft_round(x * (WEFT_D)0x1.45f306dc9c883p-1, &n), 0.5);
    else
        r = weft_reduce_of(x, &tail, &n);
    WEFT_D below, above = weft_tan_near(r, tail, &below);
    return weft_tangent(above, below, n);
}

/** asin(s) = s + s^3 P(s^2), s <= 1/2; z is s^2, whose even and odd powers are apart, as they need
 * not wait for each other. */
WEFT_HELPER WEFT_D weft_asin_poly(WEFT_D s, WEFT_D z) {
    WEFT_D w = z * z;
    WEFT_D p = (WEFT_D)0.028778442612593040849, q = (WEFT_D)-0.014881409392818066643;
    p = weft_mad(p, w, (WEFT_D)0.017419357964884857174);
    q = weft_mad(q, w, (WEFT_D)0.0054508781877205499483);
    p = weft_mad(p, w, (WEFT_D)0.010324318288744112046);
    q = weft_mad(q, w, (WEFT_D)0.011478952690257386742);
    p = weft_mad(p, w, (WEFT_D)0.013971235301124539149);
    q = weft_mad(q, w, (WEFT_D)0.017352391265909227862);
    p = weft_mad(p, w, (WEFT_D)0.022372173002005597387);
    q = weft_mad(q, w, (WEFT_D)0.030381944137085214301);
    p = weft_mad(p, w, (WEFT_D)0.044642857146373380882);
    q = weft_mad(q, w, (WEFT_D)0.074999999999984242597);
    p = weft_mad(p, w, (WEFT_D)0.16666666666666667833);
    return weft_mad(weft_mad(q, z, p) * z, s, s);
}

/** atan(t) for |t| <= tan(pi / 8) as t + the result, which is small: even and odd powers of t^2
 * apart, as they need not wait for each other. */
WEFT_HELPER WEFT_D weft_atan_poly(WEFT_D t) {
    WEFT_D z = t * t, w = z * z;
    WEFT_D p = (WEFT_D)0.016271944751624060358, q = (WEFT_D)-0.034558092551413796109;
    p = weft_mad(p, w, (WEFT_D)0.045511081263251718832);
    q = weft_mad(q, w, (WEFT_D)-0.052303478730160741827);
    p = weft_mad(p, w, (WEFT_D)0.05878914544400621696);
    q = weft_mad(q, w, (WEFT_D)-0.066664236280692575788);
    p = weft_mad(p, w, (WEFT_D)0.076922963049744700568);
    q = weft_mad(q, w, (WEFT_D)-0.090909087510766358766);
    p = weft_mad(p, w, (WEFT_D)0.11111111105106705143);
    q = weft_mad(q, w, (WEFT_D)-0.14285714285659327298);
    p = weft_mad(p, w, (WEFT_D)0.19999999999999802534);
    q = weft_mad(q, w, (WEFT_D)-0.33333333333333333216);
    return (t * z) * weft_mad(p, z, q);
}

/** For atan2: the smaller and the larger, where the larger is so large or small that sums overflow
 * or quotients lose bits, or is infinite or 0. */
WEFT_HELPER void weft_atan2_scale(__private WEFT_D *u, __private WEFT_D *v) {
    WEFT_D by = WEFT_SELECT(*v > (WEFT_D)0x1p1000, (WEFT_D)0x1p-60, (WEFT_D)1.0);
    by = WEFT_SELECT(*v < (WEFT_D)0x1p-900, (WEFT_D)0x1p120, by);
    WEFT_D us = *u * by, vs = *v * by;
    WEFT_L infinite = (*u == (WEFT_D)INFINITY) & (*v == (WEFT_D)INFINITY);
    us = WEFT_SELECT(infinite != (WEFT_L)0, (WEFT_D)1.0, us);
    vs = WEFT_SELECT(infinite != (WEFT_L)0, (WEFT_D)1.0, vs);
    vs = WEFT_SELECT(*v == (WEFT_D)0.0, (WEFT_D)1.0, vs);
    *u = us;
    *v = vs;
}

/**
 * The angle between 0 and pi of (x, y), one division: the smaller over the larger, u / v, or,
 * beyond tan(pi / 8), (u - v) / (u + v), whose arc tangent is pi / 4 less; then, by octants, a
 * multiple of pi / 4, plus or minus. In radians or, with `of_pi`, in units of pi. swapped: |y| is
 * the larger. Of x the sign counts.
 */
WEFT_HELPER WEFT_D weft_angle_of(WEFT_D u, WEFT_D v, WEFT_L swapped, WEFT_D x, int of_pi) {
    const WEFT_D whole = (WEFT_D)(of_pi ? 1.0 : 0x1.921fb54442d18p+1);
    WEFT_L steep = u > v * (WEFT_D)0.41421356237309503;
    WEFT_D over = WEFT_SELECT(steep != (WEFT_L)0, u - v, u);
    WEFT_D t = over / WEFT_SELECT(steep != (WEFT_L)0, u + v, v);
    WEFT_D high = WEFT_SELECT(swapped != (WEFT_L)0, (WEFT_D)0.5 * whole, (WEFT_D)0.0);
    high = WEFT_SELECT(steep != (WEFT_L)0, (WEFT_D)0.25 * whole, high);
    high = WEFT_SELECT(WEFT_AS(WEFT_L, x) < (WEFT_L)0, whole - high, high);
    WEFT_L minus = WEFT_SELECT(swapped != (WEFT_L)0, (WEFT_L)WEFT_SIGN, (WEFT_L)0);
    t = weft_flip(t, minus ^ weft_sign_of(x));
    if (of_pi)
        t = weft_in_unit(t + weft_atan_poly(t), 1);
    else /* what pi is more than a double, of multiples of pi / 4 as much as of it */
        t += weft_mad(high, (WEFT_D)(0x1.1a62633145c07p-53 / 0x1.921fb54442d18p+1),
                      weft_atan_poly(t));
    return high + t;
}

WEFT_HELPER WEFT_D weft_atan2_in(WEFT_D y, WEFT_D x, int of_pi) {
    WEFT_D ax = __builtin_elementwise_abs(x), ay = __builtin_elementwise_abs(y);
    WEFT_D u = WEFT_SELECT(ay < ax, ay, ax), v = WEFT_SELECT(ay < ax, ax, ay);
    WEFT_L rare = !((v >= (WEFT_D)0x1p-900) & (v <= (WEFT_D)0x1p1000));
    if (WEFT_RARELY(rare))
        weft_atan2_scale(&u, &v);
    return __builtin_elementwise_copysign(weft_angle_of(u, v, ay > ax, x, of_pi), y);
}

/**
 * atan x = atan c + atan((x - c) / (1 + c x)) for one c of a half octave, where the table is in two
 * registers (__weft_has_avx512()): with half the terms of weft_atan_poly(). Below the first half
 * octave c is 0, beyond the last tan(pi / 2), where pi / 2 is the double, for finite x.
 */
WEFT_HELPER WEFT_D weft_atan_in_octaves(WEFT_D x) {
    const WEFT_D first = (WEFT_D)0x1p-4, last = (WEFT_D)12.0;
    WEFT_D a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a > (WEFT_D)0x1p100, (WEFT_D)0x1p100, a);
    WEFT_D known = WEFT_SELECT(a < first, first, a);
    known = WEFT_SELECT(known > last, last, known);
    WEFT_L at = WEFT_AS(WEFT_L, WEFT_AS(WEFT_UL, known) >> (WEFT_UL)51);
    WEFT_D c = WEFT_PAIR(at, weft_atan_table, 0), high = WEFT_PAIR(at, weft_atan_table, 1);
    WEFT_D t = (a - c) / weft_mad(a, c, (WEFT_D)1.0), z = t * t, w = z * z;
    WEFT_D p = (WEFT_D)0.074993117120936530768, q = (WEFT_D)-0.09088790964451093571;
    p = weft_mad(p, w, (WEFT_D)0.11111100366831455548);
    q = weft_mad(q, w, (WEFT_D)-0.14285714261050558458);
    p = weft_mad(p, w, (WEFT_D)0.19999999999979280913);
    q = weft_mad(q, w, (WEFT_D)-0.33333333333333330512);
    t = weft_mad(t * z, weft_mad(p, z, q), t);
    return __builtin_elementwise_copysign(high + t, x);
}

/** No sum overflows: beyond tan(pi / 8) the larger is at most 1 / tan(pi / 8). */
WEFT_HELPER WEFT_D weft_atan_in(WEFT_D x, int of_pi) {
    const WEFT_D one = (WEFT_D)1.0;
    if (__weft_has_avx512() && !of_pi)
        return weft_atan_in_octaves(x);
    WEFT_D a = __builtin_elementwise_abs(x);
    WEFT_D u = WEFT_SELECT(a < one, a, one), v = WEFT_SELECT(a < one, one, a);
    return __builtin_elementwise_copysign(weft_angle_of(u, v, a > one, one, of_pi), x);
}
