// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included as real.h: the logarithm of the gamma function. */

/** log gamma(a), a > 0: to 3 by a polynomial that has its zeros at 1 and 2. */
WEFT_HELPER WEFT_R weft_lgamma_positive(WEFT_R a) {
    WEFT_R logarithm = weft_log_of(a);
    WEFT_I small = a < (WEFT_R)1.0;
    WEFT_R y = WEFT_SELECT(small != (WEFT_I)0, a, a - (WEFT_R)1.0), t = y - (WEFT_R)1.0;
    WEFT_R near = (y * t) * weft_lgamma_poly(t) + (WEFT_R)0.0; /* +0 at 1 */
    near = WEFT_SELECT(small != (WEFT_I)0, near - logarithm, near);
    WEFT_R far = weft_mad(a - (WEFT_R)0.5, logarithm - (WEFT_R)1.0, weft_stirling(a));
    return WEFT_SELECT(a < (WEFT_R)3.0, near, far);
}

/** log |gamma(x)|: for negative x by reflection, which loses accuracy where the result is near 0.
 * Next to 0, gamma is 1 / x. */
WEFT_HELPER WEFT_R weft_lgamma_of(WEFT_R x) {
    WEFT_R a = __builtin_elementwise_abs(x), result = weft_lgamma_positive(a);
    WEFT_I minus = x < (WEFT_R)0.0;
    if (WEFT_RARELY(minus)) {
        WEFT_R sine = __builtin_elementwise_abs(weft_sinpi_of(a));
        WEFT_R gamma = (WEFT_R)WEFT_PI_HIGH / (a * sine);
        WEFT_I tiny = a < (WEFT_R)(WEFT_REAL_BITS == 32 ? 0x1p-30 : 0x1p-60);
        WEFT_R logarithm = weft_log_of(WEFT_SELECT(tiny != (WEFT_I)0, a, gamma));
        WEFT_R reflected = WEFT_SELECT(tiny != (WEFT_I)0, -logarithm, logarithm - result);
        reflected = WEFT_SELECT(sine == (WEFT_R)0.0, (WEFT_R)INFINITY, reflected); /* a pole */
        result = WEFT_SELECT(minus != (WEFT_I)0, reflected, result);
    }
    return WEFT_SELECT(a < (WEFT_R)INFINITY, result, a);
}
