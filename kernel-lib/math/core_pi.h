// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: sine, cosine and tangent of pi x, whose reduction is exact. */

/** pi r, rounded, and what the rounding lost, to 2^-100. */
WEFT_HELPER WEFT_D weft_times_pi(WEFT_D r, __private WEFT_D *tail) {
    const WEFT_D high = (WEFT_D)0x1.921fb54442d18p+1, low = (WEFT_D)0x1.1a62633145c07p-53;
    WEFT_D product = r * high;
    if (__weft_has_fma()) {
        *tail = weft_mad(r, low, weft_mad(r, high, -product));
    } else {
        const WEFT_D high1 = (WEFT_D)0x1.921fb54000000p+1, high2 = (WEFT_D)0x1.10b4610000000p-29;
        WEFT_D r1 = weft_top(r), r2 = r - r1;
        WEFT_D exact = ((r1 * high1 - product) + r2 * high1) + r1 * high2;
        *tail = exact + (r2 * high2 + r * (WEFT_D)0x1.a62633145c06ep-57);
    }
    return product;
}

/** a modulo 2, exactly, a >= 0; a NaN for infinities. */
WEFT_HELPER WEFT_D weft_modulo_two(WEFT_D a) {
    return a - (WEFT_D)2.0 * __builtin_elementwise_floor(a * (WEFT_D)0.5);
}

/** sin(pi r), |r| <= 1/2. */
WEFT_HELPER WEFT_D weft_sinpi_poly(WEFT_D r) {
    WEFT_D z = r * r, p = (WEFT_D)7.7257430307898758766e-7;
    p = weft_mad(p, z, (WEFT_D)-0.000021906201655131957992);
    p = weft_mad(p, z, (WEFT_D)0.00046630087411496363204);
    p = weft_mad(p, z, (WEFT_D)-0.007370430719634586526);
    p = weft_mad(p, z, (WEFT_D)0.082145886596752321938);
    p = weft_mad(p, z, (WEFT_D)-0.59926452932034303476);
    p = weft_mad(p, z, (WEFT_D)2.5501640398773400994);
    p = weft_mad(p, z, (WEFT_D)-5.1677127800499700188);
    p = weft_mad(p, z, (WEFT_D)0x1.1a62633145c07p-53);
    return r * ((WEFT_D)0x1.921fb54442d18p+1 + p);
}

/** "sinpi(+n) is +0 and sinpi(-n) is -0". */
WEFT_HELPER WEFT_D weft_sinpi_of(WEFT_D x) {
    const WEFT_D shifter = (WEFT_D)WEFT_SHIFTER_D;
    WEFT_D b = weft_modulo_two(__builtin_elementwise_abs(x)), shifted = b + shifter;
    WEFT_D r = b - (shifted - shifter);
    WEFT_D result = weft_negate_by(weft_sinpi_poly(r), WEFT_AS(WEFT_L, shifted), 0);
    result = WEFT_SELECT(r == (WEFT_D)0.0, (WEFT_D)0.0, result);
    return WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, result) ^ (WEFT_AS(WEFT_L, x) & (WEFT_L)LONG_MIN));
}

/** cos(pi b) = -sin(pi (b - 1/2)); "cospi(n + 0.5) is +0": -0 + 0 = +0. */
WEFT_HELPER WEFT_D weft_cospi_of(WEFT_D x) {
    const WEFT_D shifter = (WEFT_D)WEFT_SHIFTER_D;
    WEFT_D b = weft_modulo_two(__builtin_elementwise_abs(x)) - (WEFT_D)0.5, shifted = b + shifter;
    WEFT_D r = (shifted - shifter) - b;
    return weft_negate_by(weft_sinpi_poly(r), WEFT_AS(WEFT_L, shifted), 0) + (WEFT_D)0.0;
}

/** "tanpi(±n) is copysign(0.0, n) for even n, copysign(0.0, -n) for odd n; tanpi(±(n + 0.5)) is
 * ±inf for even n, and ∓inf for odd n": by the sign of the zero that the tangent is. */
WEFT_HELPER WEFT_D weft_tanpi_of(WEFT_D x) {
    const WEFT_D shifter = (WEFT_D)WEFT_SHIFTER_D;
    WEFT_D b = weft_modulo_two(__builtin_elementwise_abs(x)), shifted = (b + b) + shifter;
    WEFT_D r = weft_mad((WEFT_D)-0.5, shifted - shifter, b);
    WEFT_L n = WEFT_AS(WEFT_L, shifted);
    WEFT_D tail, angle = weft_times_pi(r, &tail);
    WEFT_D zero = weft_negate_by((WEFT_D)0.0, n ^ (n >> (WEFT_L)1), 0);
    WEFT_D t = WEFT_SELECT(r == (WEFT_D)0.0, zero, weft_tan_near(angle, tail));
    WEFT_D result = weft_tangent(t, n);
    return WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, result) ^ (WEFT_AS(WEFT_L, x) & (WEFT_L)LONG_MIN));
}
