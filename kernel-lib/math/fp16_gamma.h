// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by fp16.h: the gamma function and its logarithm. */

/** What Stirling's series gives for the logarithm of gamma(z), but for (z - 1/2) log z - z; z >= 3:
 * right to 2^-18. */
WEFT_HELPER WEFT_F weft_stirling(WEFT_F z) {
    WEFT_F i = (WEFT_F)1.0f / z;
    WEFT_F p = weft_mad(i * i, (WEFT_F)(-1.0f / 360.0f), (WEFT_F)(1.0f / 12.0f));
    return weft_mad(p, i, (WEFT_F)0.918938533204f);
}

/**
 * gamma(a) = gamma(a + 3) / (a (a + 1) (a + 2)), gamma(-a) = -pi / (a sin(pi a) gamma(a)), beyond
 * 40 what is infinite or 0 in any case; at the poles a NaN, but infinities at 0.
 */
WEFT_HELPER WEFT_F weft_tgamma_of(WEFT_F x) {
    WEFT_F whole = __builtin_elementwise_abs(x), a = weft_at_most(whole, 40.0f);
    WEFT_F z = a + (WEFT_F)3.0f, next = (a + (WEFT_F)1.0f) * (a + (WEFT_F)2.0f);
    WEFT_F power = weft_mad(z - (WEFT_F)0.5f, weft_log2_of(z), z * (WEFT_F)-WEFT_LOG2_E);
    WEFT_F far = weft_exp2_of(weft_mad(weft_stirling(z), (WEFT_F)WEFT_LOG2_E, power));
    intn minus = WEFT_AS(intn, x) < (intn)0;
    WEFT_F over = WEFT_SELECT(minus, (WEFT_F)-WEFT_PI * next, far);
    WEFT_F under = WEFT_SELECT(minus, weft_sinpi_of(whole) * far, a * next);
    intn pole = (x == __builtin_elementwise_floor(x)) & (x < (WEFT_F)0.0f);
    return WEFT_SELECT(pole, (WEFT_F)NAN, over / under);
}

/** log gamma(a), a > 0: to 3 by a polynomial that has its zeros at 1 and 2. */
WEFT_HELPER WEFT_F weft_lgamma_positive(WEFT_F a) {
    WEFT_F logarithm = weft_log_of(a);
    intn small = a < (WEFT_F)1.0f;
    WEFT_F y = WEFT_SELECT(small, a, a - (WEFT_F)1.0f), p = (WEFT_F)-0.000676503113937f;
    p = weft_mad(p, y, (WEFT_F)0.00616087112576f);
    p = weft_mad(p, y, (WEFT_F)-0.0246393568814f);
    p = weft_mad(p, y, (WEFT_F)0.0591064728796f);
    p = weft_mad(p, y, (WEFT_F)-0.10202319175f);
    p = weft_mad(p, y, (WEFT_F)0.152657285333f);
    p = weft_mad(p, y, (WEFT_F)-0.245015919209f);
    p = weft_mad(p, y, (WEFT_F)0.577212274075f);
    WEFT_F near = (y * (y - (WEFT_F)1.0f)) * p + (WEFT_F)0.0f; /* +0 at 1 */
    near = WEFT_SELECT(small, near - logarithm, near);
    WEFT_F far = weft_mad(a - (WEFT_F)0.5f, logarithm, weft_stirling(a) - a);
    return WEFT_SELECT(a < (WEFT_F)3.0f, near, far);
}

/** log |gamma(x)|: for negative x by reflection, which loses accuracy where the result is near 0.
 */
WEFT_HELPER WEFT_F weft_lgamma_of(WEFT_F x) {
    WEFT_F a = __builtin_elementwise_abs(x), result = weft_lgamma_positive(a);
    intn minus = x < (WEFT_F)0.0f;
    if (WEFT_RARELY(minus)) {
        WEFT_F sine = __builtin_elementwise_abs(weft_sinpi_of(a));
        WEFT_F reflected = weft_log_of((WEFT_F)WEFT_PI / (a * sine)) - result;
        result = WEFT_SELECT(minus, reflected, result);
    }
    return WEFT_SELECT(a < (WEFT_F)INFINITY, result, a);
}
