// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included as real.h: inverse trigonometric functions, in radians or, with `of_pi`, in units of pi.
 */

/**
 * Beyond 1/2, asin x = pi / 2 - 2 asin(sqrt((1 - x) / 2)), of which the argument is exact: asin
 * |x|, or where *far twice that of the other argument, whose root is of 2 - 2 x at once, as the
 * result is the root times a polynomial of its square.
 */
WEFT_HELPER WEFT_R weft_asin_far(WEFT_R x, int of_pi, __private WEFT_I *far) {
    WEFT_R a = __builtin_elementwise_abs(x);
    *far = a > (WEFT_R)0.5;
    WEFT_R root = __builtin_elementwise_sqrt((WEFT_R)2.0 - (a + a));
    WEFT_R z = WEFT_SELECT(*far != (WEFT_I)0, (WEFT_R)0.5 - (WEFT_R)0.5 * a, a * a);
    WEFT_R s = WEFT_SELECT(*far != (WEFT_I)0, root, a);
    return weft_in_unit(weft_asin_poly(s, z), of_pi);
}

WEFT_HELPER WEFT_R weft_asin_in(WEFT_R x, int of_pi) {
    const WEFT_R quarter = (WEFT_R)(of_pi ? 0.5 : 0.5 * WEFT_PI_HIGH);
    const WEFT_R less = (WEFT_R)(of_pi ? 0.0 : 0.5 * WEFT_PI_LOW);
    WEFT_I far;
    WEFT_R t = weft_asin_far(x, of_pi, &far);
    WEFT_R other = quarter - (t - less);
    return __builtin_elementwise_copysign(WEFT_SELECT(far != (WEFT_I)0, other, t), x);
}

/** pi / 2 - t, t, pi - t; of multiples of pi / 2, what they are more than a number is as much of
 * each. */
WEFT_HELPER WEFT_R weft_acos_in(WEFT_R x, int of_pi) {
    const WEFT_R whole = (WEFT_R)(of_pi ? 1.0 : WEFT_PI_HIGH);
    WEFT_I far;
    WEFT_R t = weft_asin_far(x, of_pi, &far);
    t = weft_flip(t, weft_sign_of(x) ^ WEFT_SELECT(far != (WEFT_I)0, (WEFT_I)0, (WEFT_I)WEFT_SIGN));
    WEFT_R high = WEFT_SELECT(WEFT_AS(WEFT_I, x) < (WEFT_I)0, whole, (WEFT_R)0.0);
    high = WEFT_SELECT(far != (WEFT_I)0, high, (WEFT_R)0.5 * whole);
    return high + (of_pi ? t : weft_mad(high, (WEFT_R)(WEFT_PI_LOW / WEFT_PI_HIGH), t));
}

/** Defines weft_<name>_of() and weft_<name>pi_of() by weft_<name>_in(). */
#define WEFT_IN_BOTH_UNITS(name)                                                                   \
    WEFT_HELPER WEFT_R weft_##name##_of(WEFT_R x) {                                                \
        return weft_##name##_in(x, 0);                                                             \
    }                                                                                              \
    WEFT_HELPER WEFT_R weft_##name##pi_of(WEFT_R x) {                                              \
        return weft_##name##_in(x, 1);                                                             \
    }
WEFT_IN_BOTH_UNITS(asin)
WEFT_IN_BOTH_UNITS(acos)
WEFT_IN_BOTH_UNITS(atan)
#undef WEFT_IN_BOTH_UNITS

WEFT_HELPER WEFT_R weft_atan2_of(WEFT_R y, WEFT_R x) {
    return weft_atan2_in(y, x, 0);
}

WEFT_HELPER WEFT_R weft_atan2pi_of(WEFT_R y, WEFT_R x) {
    return weft_atan2_in(y, x, 1);
}
