// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: the cube root and the error function. */

/**
 * The cube root of 2^3q m, 0.35 < m < 2.84: y = m^(-1/3) from a polynomial to 1 %, twice refined by
 * y (1 + e / 3 + 2 e^2 / 9), e = 1 - m y^3, then m y^2 with its last error, (m - c^3) / (3 c^2),
 * added.
 */
WEFT_HELPER WEFT_D weft_cbrt_of(WEFT_D x) {
    WEFT_D k, a = __builtin_elementwise_abs(x), m = weft_log_split(a, &k);
    WEFT_L q;
    WEFT_D third = weft_round(k * (WEFT_D)0x1.5555555555555p-2, &q);
    WEFT_D left = k - (WEFT_D)3.0 * third; /* -1, 0 or 1 */
    m *= WEFT_SELECT(left > (WEFT_D)0.0, (WEFT_D)2.0, (WEFT_D)1.0);
    m *= WEFT_SELECT(left < (WEFT_D)0.0, (WEFT_D)0.5, (WEFT_D)1.0);
    WEFT_D y = weft_mad(m, (WEFT_D)0.0414486700385, (WEFT_D)-0.340223195011);
    y = weft_mad(y, m, (WEFT_D)1.06006209346);
    y = weft_mad(y, m, (WEFT_D)-1.61912671297);
    y = weft_mad(y, m, (WEFT_D)1.8538350939);
    for (int i = 0; i < 2; i++) {
        WEFT_D e = (WEFT_D)1.0 - m * y * y * y;
        y = weft_mad(y * e, weft_mad(e, (WEFT_D)(2.0 / 9.0), (WEFT_D)(1.0 / 3.0)), y);
    }
    WEFT_D square = y * y, c = m * square;
    c = weft_mad(m - c * c * c, square * (WEFT_D)0x1.5555555555555p-2, c);
    c = __builtin_elementwise_copysign(c * weft_power_of_two(q), x);
    c = WEFT_SELECT(a < (WEFT_D)INFINITY, c, x);
    return WEFT_SELECT(x == (WEFT_D)0.0, x, c);
}

/** erf(x) / x for |x| <= 1, less its value at 0, 2 / sqrt(pi), whose first part the caller has. */
WEFT_HELPER WEFT_D weft_erf_poly(WEFT_D z) {
    WEFT_D p = (WEFT_D)5.957176147748911404e-11;
    p = weft_mad(p, z, (WEFT_D)-1.137284885679167367e-9);
    p = weft_mad(p, z, (WEFT_D)1.465977527404743581e-8);
    p = weft_mad(p, z, (WEFT_D)-1.635031270105469501e-7);
    p = weft_mad(p, z, (WEFT_D)1.646100048412136803e-6);
    p = weft_mad(p, z, (WEFT_D)-0.00001492559526683118157);
    p = weft_mad(p, z, (WEFT_D)0.0001205533111164271092);
    p = weft_mad(p, z, (WEFT_D)-0.0008548326980833789905);
    p = weft_mad(p, z, (WEFT_D)0.005223977624818014467);
    p = weft_mad(p, z, (WEFT_D)-0.02686617064507679325);
    p = weft_mad(p, z, (WEFT_D)0.1128379167095487867);
    p = weft_mad(p, z, (WEFT_D)-0.3761263890318374806);
    return p * z;
}

/**
 * erfc(x) for x >= 1: e^(-x^2) Q(t) / (1 + 2 x), t = (x - 3) / (x + 3), which makes the rest smooth
 * (Shepherd and Laframboise, Mathematics of Computation 36, 1981). x^2 in two parts, the first
 * exact, as its error would be one of the result.
 */
WEFT_HELPER WEFT_D weft_erfc_far(WEFT_D x) {
    WEFT_D a = WEFT_SELECT(x > (WEFT_D)28.0, (WEFT_D)28.0, x);
    WEFT_D t = (a - (WEFT_D)3.0) / (a + (WEFT_D)3.0);
    WEFT_D p = (WEFT_D)-1.931714456702024978e-8;
    p = weft_mad(p, t, (WEFT_D)2.990965615259368443e-8);
    p = weft_mad(p, t, (WEFT_D)1.17239820181198073e-7);
    p = weft_mad(p, t, (WEFT_D)-1.376147549154280882e-7);
    p = weft_mad(p, t, (WEFT_D)-6.297759451393114939e-7);
    p = weft_mad(p, t, (WEFT_D)3.587834036736691512e-7);
    p = weft_mad(p, t, (WEFT_D)3.478223979434168546e-6);
    p = weft_mad(p, t, (WEFT_D)-7.335442578147225831e-7);
    p = weft_mad(p, t, (WEFT_D)-0.00002010210880125603255);
    p = weft_mad(p, t, (WEFT_D)4.95023889860153958e-6);
    p = weft_mad(p, t, (WEFT_D)0.0001250996151961800135);
    p = weft_mad(p, t, (WEFT_D)-0.0001051599544156666478);
    p = weft_mad(p, t, (WEFT_D)-0.0007798323021497182597);
    p = weft_mad(p, t, (WEFT_D)0.001888690377734149696);
    p = weft_mad(p, t, (WEFT_D)0.002529391818395593221);
    p = weft_mad(p, t, (WEFT_D)-0.02377051491988564852);
    p = weft_mad(p, t, (WEFT_D)0.06830802734386265959);
    p = weft_mad(p, t, (WEFT_D)-0.1192736634152681295);
    p = weft_mad(p, t, (WEFT_D)0.1296451587027636505);
    p = weft_mad(p, t, (WEFT_D)-0.04756229435345124584);
    p = weft_mad(p, t, (WEFT_D)-0.1356211061245811981);
    p = weft_mad(p, t, (WEFT_D)1.253008058269729653);
    WEFT_D a1 = weft_top(a);
    WEFT_L n;
    WEFT_D r = weft_exp_reduce(-a1 * a1, &n) - (a - a1) * (a + a1);
    WEFT_D q = weft_exp_poly(r);
    return weft_scale(((WEFT_D)1.0 + q) * (p / weft_mad((WEFT_D)2.0, a, (WEFT_D)1.0)), n);
}

/**
 * Taylor's series at the nearest r = i / 64: erf(r + d) = erf(r) + erf'(r) (d - r d^2 + ...), whose
 * coefficients are Hermite's polynomials of r, (-1)^k H_k(r) / (k + 1)!. |d| is 2^-7 at most, so
 * d^7 is the last that counts, and only near 0: its coefficient is that of r = 0. Beyond 6 the
 * result is 1.
 */
WEFT_HELPER WEFT_D weft_erf_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x);
    a = WEFT_SELECT(a < (WEFT_D)WEFT_ERF_END, a, (WEFT_D)WEFT_ERF_END); /* of a NaN, too */
    WEFT_D shifted = weft_mad(a, (WEFT_D)WEFT_ERF_STEPS, (WEFT_D)WEFT_SHIFTER_D);
    WEFT_L i = WEFT_AS(WEFT_L, shifted); /* in its lower half */
    WEFT_D r = (shifted - (WEFT_D)WEFT_SHIFTER_D) * (WEFT_D)(1.0 / WEFT_ERF_STEPS);
    WEFT_D d = a - r, q = r * r;
    WEFT_D c6 = weft_mad(q, (WEFT_D)(-4.0 / 90.0), (WEFT_D)(20.0 / 90.0));
    c6 = weft_mad(c6, q, (WEFT_D)(-15.0 / 90.0)) * r;
    WEFT_D c5 = weft_mad(q, (WEFT_D)(4.0 / 30.0), (WEFT_D)(-12.0 / 30.0));
    c5 = weft_mad(c5, q, (WEFT_D)(3.0 / 30.0));
    WEFT_D c4 = weft_mad(q, (WEFT_D)(-2.0 / 6.0), (WEFT_D)(3.0 / 6.0)) * r;
    WEFT_D c3 = weft_mad(q, (WEFT_D)(2.0 / 3.0), (WEFT_D)(-1.0 / 3.0));
    WEFT_D p = weft_mad(weft_mad((WEFT_D)(-15.0 / 630.0), d, c6), d, c5);
    p = weft_mad(weft_mad(p, d, c4), d, c3);
    p = weft_mad(weft_mad(p, d, -r), d * d, d);
    WEFT_D result = weft_mad(WEFT_PAIR(i, weft_erf_table, 1), p, WEFT_PAIR(i, weft_erf_table, 0));
    result = __builtin_elementwise_copysign(result, x);
    return WEFT_SELECT(x == x, result, x);
}

WEFT_HELPER WEFT_D weft_erfc_of(WEFT_D x) {
    WEFT_D a = __builtin_elementwise_abs(x);
    WEFT_D near = (WEFT_D)1.0 - weft_mad(x, (WEFT_D)0x1.20dd750429b6dp+0, x * weft_erf_poly(x * x));
    WEFT_D far = weft_erfc_far(a);
    far = WEFT_SELECT(x < (WEFT_D)0.0, (WEFT_D)2.0 - far, far);
    return WEFT_SELECT(a > (WEFT_D)1.0, far, near);
}
