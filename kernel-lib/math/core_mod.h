// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: weft_mod_of() in double. */

/** c - a b where that is exact and a b does not overflow, |a| and |b| below 2^990; Dekker's
 * product, in halves of 26 bits. */
WEFT_HELPER WEFT_D weft_residual(WEFT_D c, WEFT_D a, WEFT_D b) {
    if (__weft_has_fma())
        return weft_mad(-a, b, c);
    const WEFT_D split = (WEFT_D)134217729.0;
    WEFT_D a1 = a * split, b1 = b * split, product = a * b;
    a1 -= a1 - a;
    b1 -= b1 - b;
    WEFT_D a2 = a - a1, b2 = b - b1;
    WEFT_D lost = (((a1 * b1 - product) + a1 * b2) + a2 * b1) + a2 * b2;
    return (c - product) - lost;
}

/** What weft_mod_of() of float_mod.h does, there with its proof; here digits have 52 bits. */
WEFT_HELPER WEFT_D weft_mod_of(WEFT_D a, WEFT_D b, __private WEFT_L *n) {
    WEFT_D whole = __builtin_elementwise_trunc(a / b);
    WEFT_D r = weft_residual(a, whole, b);
    WEFT_L over = r < (WEFT_D)0.0;
    WEFT_L rare = !(whole < (WEFT_D)0x1p50) | !(a < (WEFT_D)0x1p990) | !(b < (WEFT_D)0x1p990);
    *n = WEFT_AS(WEFT_L, whole + (WEFT_D)WEFT_SHIFTER_D) - WEFT_SELECT(over, (WEFT_L)1, (WEFT_L)0);
    r = WEFT_SELECT(over, r + b, r);
    if (WEFT_RARELY(rare)) {
        WEFT_L good = (a < (WEFT_D)INFINITY) & (b > (WEFT_D)0.0) & rare;
        WEFT_D rest = WEFT_SELECT(good, a, (WEFT_D)NAN);
        WEFT_L exponent = weft_exponent_of(b), quotient = (WEFT_L)0;
        while (weft_any_of((WEFT_L)(rest >= b))) {
            WEFT_L up = weft_exponent_of(rest) - exponent - (WEFT_L)50;
            up = __builtin_elementwise_min(__builtin_elementwise_max(up, (WEFT_L)0), (WEFT_L)2044);
            WEFT_D part = weft_scale(b, up);
            WEFT_D digit = __builtin_elementwise_trunc(rest / part);
            WEFT_D left = __builtin_elementwise_fma(-digit, part, rest);
            WEFT_D lower = WEFT_SELECT(left < (WEFT_D)0.0, (WEFT_D)1.0, (WEFT_D)0.0);
            left = WEFT_SELECT(left < (WEFT_D)0.0, left + part, left);
            WEFT_L bits = WEFT_AS(WEFT_L, (digit - lower) + (WEFT_D)WEFT_SHIFTER_D);
            WEFT_L low = (bits & (WEFT_L)0x7fffffff) << __builtin_elementwise_min(up, (WEFT_L)31);
            quotient += WEFT_SELECT(rest >= b, low, (WEFT_L)0);
            rest = WEFT_SELECT(rest >= b, left, rest);
        }
        rest = WEFT_SELECT(b == b, rest, b);
        r = WEFT_SELECT(rare, rest, r);
        *n = WEFT_SELECT(rare, quotient, *n);
    }
    return r;
}
