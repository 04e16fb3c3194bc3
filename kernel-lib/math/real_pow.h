// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h and float.h: powers, from weft_pow_usual() where there is fma and
 * weft_pow_any() for what that leaves, or all. */

/**
 * As weft_pow_any() where there is fma and weft_pow_left() has nothing against it; `lost` is looked
 * at only if `use_lost`. 2^n e^r; *t is about the result's logarithm, of floats without the rest,
 * for which n would have to wait and which is 0.03 at most: |r| may be so much larger.
 */
WEFT_HELPER WEFT_R weft_pow_usual(WEFT_R a, WEFT_R y, WEFT_R lost, int use_lost,
                                  __private WEFT_R *t) {
    const WEFT_R shifter = (WEFT_R)(WEFT_REAL_BITS == 32 ? WEFT_SHIFTER : WEFT_EXP_SHIFTER);
    WEFT_R log2, log1 = weft_log_parts(a, &log2);
    WEFT_R high = y * log1, low = weft_mad(y, log2, weft_mad(y, log1, -high));
    if (use_lost)
        low = weft_mad(lost, log1, low);
    *t = WEFT_REAL_BITS == 32 ? high : high + low;
    WEFT_R shifted = weft_mad(*t, (WEFT_R)WEFT_OVER_LN_2, shifter), n = shifted - shifter;
    WEFT_R r = weft_mad(n, -(WEFT_R)WEFT_LN_2_HIGH, high);
    r += weft_mad(n, -(WEFT_R)WEFT_LN_2_LOW, low);
#if WEFT_REAL_BITS == 64
    if (__weft_has_avx512())
        return weft_exp_sixteenths(r, shifted);
#endif
    WEFT_I power = WEFT_AS(WEFT_I, (WEFT_R)1.0 + weft_exp_poly(r));
    return WEFT_AS(WEFT_R, power + (WEFT_AS(WEFT_I, shifted) << (WEFT_I)WEFT_MANTISSA));
}

/** Lanes that weft_pow_usual() is not for: x is not positive, finite and normal, or the result may
 * not be. */
WEFT_HELPER WEFT_I weft_pow_left(WEFT_R x, WEFT_R t) {
    const WEFT_R end = (WEFT_R)(WEFT_REAL_BITS == 32 ? 87.0 : 708.0);
    return weft_unusual(x) | !(__builtin_elementwise_abs(t) < end);
}

/** a^(y + lost), |lost| within half a unit of y. */
WEFT_HELPER WEFT_R weft_pow_of(WEFT_R a, WEFT_R y, WEFT_R lost) {
    if (!__weft_has_fma())
        return weft_pow_any(a, y, lost);
    WEFT_R t, result = weft_pow_usual(a, y, lost, 1, &t);
    WEFT_I left = weft_pow_left(a, t);
    if (WEFT_RARELY(left))
        result = WEFT_SELECT(left != (WEFT_I)0, weft_pow_any(a, y, lost), result);
    return result;
}

/** |x|^y where x and y are no ends of their ranges and x is positive; else, and where the result is
 * yet to be found by weft_pow_rest(), lanes of *left are set. */
WEFT_HELPER WEFT_R weft_pow_first(WEFT_R x, WEFT_R y, __private WEFT_I *left, __private WEFT_R *t) {
    WEFT_R a = __builtin_elementwise_abs(x), result;
    if (__weft_has_fma()) {
        result = weft_pow_usual(a, y, y, 0, t);
        *left = weft_pow_left(x, *t);
    } else {
        result = weft_pow_any(a, y, (WEFT_R)0.0);
        *left = !((x > (WEFT_R)0.0) & (x < (WEFT_R)INFINITY) &
                  (__builtin_elementwise_abs(y) < (WEFT_R)INFINITY));
        *t = (WEFT_R)0.0;
    }
    return result;
}

/** |x|^y in all lanes. */
WEFT_HELPER WEFT_R weft_pow_rest(WEFT_R x, WEFT_R y, WEFT_R t, WEFT_R result) {
    WEFT_R a = __builtin_elementwise_abs(x);
    WEFT_I left = weft_pow_left(a, t);
    if (__weft_has_fma() && weft_any_of(left))
        return WEFT_SELECT(left != (WEFT_I)0, weft_pow_any(a, y, (WEFT_R)0.0), result);
    return result;
}
