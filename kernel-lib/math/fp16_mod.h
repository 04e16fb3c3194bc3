// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by fp16.h. */

/**
 * a - n b for n = trunc(a / b), exactly, a >= 0 and b >= 0, and the low bits of n in *n, at least
 * 7. NaN where a is infinite, b is 0 or one of them NaN. A quotient of halves that is no integer is
 * 2^-11 or more away from one. So below 2^11 the float is on its right side, and n b has 22 bits;
 * any has 40 bits before the point, which double has room for.
 */
WEFT_HELPER WEFT_F weft_mod_of(WEFT_F a, WEFT_F b, __private intn *n) {
    WEFT_F whole = __builtin_elementwise_trunc(a / b), r = weft_mad(-whole, b, a);
    intn rare = !(whole < (WEFT_F)0x1p11f) | !(b < (WEFT_F)INFINITY);
    *n = WEFT_CONVERT(intn, WEFT_SELECT(rare, (WEFT_F)0.0f, whole));
    if (WEFT_RARELY(rare)) {
        WEFT_D wide = WEFT_CONVERT(WEFT_D, a), by = WEFT_CONVERT(WEFT_D, b);
        WEFT_D quotient = __builtin_elementwise_trunc(wide / by);
        WEFT_F slow = WEFT_CONVERT(WEFT_F, wide - quotient * by);
        intn beyond = (b == (WEFT_F)INFINITY) & (a < (WEFT_F)INFINITY);
        r = WEFT_SELECT(rare, WEFT_SELECT(beyond, a, slow), r);
        WEFT_L bits = WEFT_AS(WEFT_L, quotient + (WEFT_D)0x1.8p52) & (WEFT_L)0x7fffffff;
        *n = WEFT_SELECT(rare, WEFT_CONVERT(intn, bits), *n);
    }
    return r;
}

WEFT_HELPER WEFT_F weft_fmod_of(WEFT_F x, WEFT_F y) {
    intn n;
    WEFT_F r = weft_mod_of(__builtin_elementwise_abs(x), __builtin_elementwise_abs(y), &n);
    return __builtin_elementwise_copysign(r, x);
}

/** x - n y with n = x / y rounded to nearest even, and low bits of the magnitude of n. */
WEFT_HELPER WEFT_F weft_nearest_mod(WEFT_F x, WEFT_F y, __private intn *n) {
    WEFT_F b = __builtin_elementwise_abs(y);
    WEFT_F r = weft_mod_of(__builtin_elementwise_abs(x), b, n), rest = b - r;
    intn up = (r > rest) | ((r == rest) & ((*n & (intn)1) != (intn)0));
    *n = WEFT_SELECT(up, *n + (intn)1, *n);
    r = WEFT_SELECT(up, r - b, r);
    return WEFT_AS(WEFT_F, WEFT_AS(intn, r) ^ (WEFT_AS(intn, x) & (intn)INT_MIN));
}

WEFT_HELPER WEFT_F weft_remainder_of(WEFT_F x, WEFT_F y) {
    intn n;
    return weft_nearest_mod(x, y, &n);
}

WEFT_HELPER WEFT_F weft_remquo_of(WEFT_F x, WEFT_F y, __private intn *quotient) {
    intn n, negative = (WEFT_AS(intn, x) ^ WEFT_AS(intn, y)) < (intn)0;
    WEFT_F r = weft_nearest_mod(x, y, &n);
    n &= (intn)0x7f;
    n = WEFT_SELECT(negative, -n, n);
    *quotient = WEFT_SELECT(r != r, (intn)0, n);
    return r;
}
