// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: roots, their reciprocals, and quotients that need not be rounded rightly. */

/**
 * a / b to one unit, where nothing on the way is subnormal or infinite. A division of AVX-512 keeps
 * its unit busy for as long as 32 other instructions of its kind take.
 */
WEFT_HELPER WEFT_D weft_quotient(WEFT_D a, WEFT_D b) {
    if (!__weft_has_avx512())
        return a / b;
    WEFT_D y = weft_reciprocal_guess(b);
    y = weft_mad(weft_mad(-b, y, (WEFT_D)1.0), y, y); /* to 2^-28 */
    WEFT_D q = a * y;
    return weft_mad(weft_mad(-b, y, (WEFT_D)1.0), q, q);
}

/** y (1 - e)^(-1/2), |e| <= 2^-13. */
WEFT_HELPER WEFT_D weft_rsqrt_series(WEFT_D y, WEFT_D e) {
    WEFT_D p = weft_mad((WEFT_D)0.2734375, e, (WEFT_D)0.3125);
    p = weft_mad(p, e, (WEFT_D)0.375);
    return weft_mad(y * e, weft_mad(p, e, (WEFT_D)0.5), y);
}

/**
 * 1 / sqrt(x), x positive, finite and normal, to one unit. What halves the bits, as an integer, is
 * it to 3.4 %, with a polynomial then to 2^-20: a number y; with e = 1 - x y^2 it is
 * y (1 + e / 2 + 3 e^2 / 8 + ...).
 */
WEFT_HELPER WEFT_D weft_rsqrt_usual(WEFT_D x) {
    if (__weft_has_avx512()) {
        WEFT_D y = weft_rsqrt_guess(x);
        return weft_rsqrt_series(y, weft_mad(-(x * y), y, (WEFT_D)1.0));
    }
    WEFT_D y = WEFT_AS(WEFT_D, (WEFT_UL)0x5fe6e950c7b537a9 - (WEFT_AS(WEFT_UL, x) >> (WEFT_UL)1));
    WEFT_D e = weft_mad(-(x * y), y, (WEFT_D)1.0);
    WEFT_D p = weft_mad((WEFT_D)0.3135074237621445334, e, (WEFT_D)0.3762771115240580617);
    p = weft_mad(p, e, (WEFT_D)0.4999996611326011);
    y *= weft_mad(p, e, (WEFT_D)0.9999992565317299556);
    e = weft_mad(-(x * y), y, (WEFT_D)1.0);
    return weft_mad(y * e, weft_mad((WEFT_D)0.375, e, (WEFT_D)0.5), y);
}

WEFT_HELPER WEFT_D weft_rsqrt_of(WEFT_D x) {
    if (!__weft_has_fma())
        return (WEFT_D)1.0 / __builtin_elementwise_sqrt(x);
    WEFT_D result = weft_rsqrt_usual(x);
    WEFT_L rare = weft_unusual(x);
    if (WEFT_RARELY(rare)) {
        WEFT_D other = (WEFT_D)1.0 / __builtin_elementwise_sqrt(x);
        result = WEFT_SELECT(rare != (WEFT_L)0, other, result);
    }
    return result;
}

/** The root of x, normal and at most 2^1022, to one unit. */
WEFT_HELPER WEFT_D weft_root(WEFT_D x) {
    if (!__weft_has_avx512())
        return __builtin_elementwise_sqrt(x);
    WEFT_D y = weft_rsqrt_guess(x), root = x * y;
    return weft_rsqrt_series(root, weft_mad(-root, y, (WEFT_D)1.0));
}

/**
 * The cube root of a, normal and finite: y, a^(-1/3), is a number less a third of the bits, as an
 * integer, to 3.4 %, then with a polynomial to 2^-23. A y^2 with what is lacking, e = 1 - a y^3, is
 * the root: a y^2 (1 + 2 e / 3 + 5 e^2 / 9).
 */
WEFT_HELPER WEFT_D weft_cbrt_usual(WEFT_D a) {
    WEFT_UL upper = (WEFT_AS(WEFT_UL, a) >> (WEFT_UL)20) | (WEFT_UL)0x4330000000000000;
    WEFT_D third = weft_mad(WEFT_AS(WEFT_D, upper), (WEFT_D)(-1.0 / 3.0),
                            (WEFT_D)(0x1.8p52 + 0x1p52 / 3.0 + (double)(0x553ee8ff289dd796 >> 20)));
    WEFT_D y = WEFT_AS(WEFT_D, WEFT_AS(WEFT_L, third) << (WEFT_L)20);
    WEFT_D e = weft_mad(-(a * y * y), y, (WEFT_D)1.0);
    WEFT_D p = (WEFT_D)0.1456043859727878308;
    p = weft_mad(p, e, (WEFT_D)0.1744802130266670309);
    p = weft_mad(p, e, (WEFT_D)0.2222175304783703218);
    p = weft_mad(p, e, (WEFT_D)0.333329047468172333);
    y *= weft_mad(p, e, (WEFT_D)1.000000000765089812);
    WEFT_D root = a * y * y;
    e = weft_mad(-root, y, (WEFT_D)1.0);
    return weft_mad(root * e, weft_mad(e, (WEFT_D)(5.0 / 9.0), (WEFT_D)(2.0 / 3.0)), root);
}

WEFT_HELPER WEFT_D weft_cbrt_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x), result = weft_cbrt_usual(a);
    WEFT_L rare = weft_unusual(a);
    if (WEFT_RARELY(rare)) {
        WEFT_D end = weft_cbrt_usual(a * (WEFT_D)0x1p54) * (WEFT_D)0x1p-18;
        end = WEFT_SELECT((a > (WEFT_D)0.0) & (a < (WEFT_D)INFINITY), end, a);
        result = WEFT_SELECT(rare != (WEFT_L)0, end, result);
    }
    return __builtin_elementwise_copysign(result, x);
}
