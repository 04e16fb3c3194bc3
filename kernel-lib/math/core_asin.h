// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: arc sine and arc cosine, in radians or, with `of_pi`, in units of pi. */

/** t / pi where the result is in units of pi. */
WEFT_HELPER WEFT_D weft_in_unit(WEFT_D t, int of_pi) {
    if (!of_pi)
        return t;
    return weft_mad(t, (WEFT_D)0x1.45f306dc9c883p-2, t * (WEFT_D)-0x1.6b01ec5417056p-56);
}

/** asin(s) = s + s^3 P(s^2), s <= 1/2; z is s^2. */
WEFT_HELPER WEFT_D weft_asin_poly(WEFT_D s, WEFT_D z) {
    WEFT_D p = (WEFT_D)0.028778442612593040849;
    p = weft_mad(p, z, (WEFT_D)-0.014881409392818066643);
    p = weft_mad(p, z, (WEFT_D)0.017419357964884857174);
    p = weft_mad(p, z, (WEFT_D)0.0054508781877205499483);
    p = weft_mad(p, z, (WEFT_D)0.010324318288744112046);
    p = weft_mad(p, z, (WEFT_D)0.011478952690257386742);
    p = weft_mad(p, z, (WEFT_D)0.013971235301124539149);
    p = weft_mad(p, z, (WEFT_D)0.017352391265909227862);
    p = weft_mad(p, z, (WEFT_D)0.022372173002005597387);
    p = weft_mad(p, z, (WEFT_D)0.030381944137085214301);
    p = weft_mad(p, z, (WEFT_D)0.044642857146373380882);
    p = weft_mad(p, z, (WEFT_D)0.074999999999984242597);
    p = weft_mad(p, z, (WEFT_D)0.16666666666666667833);
    return weft_mad(p * z, s, s);
}

/** Beyond 1/2, asin x = pi / 2 - 2 asin(sqrt((1 - x) / 2)), of which the argument is exact. */
WEFT_HELPER WEFT_D weft_asin_in(WEFT_D x, int of_pi) {
    WEFT_D a = __builtin_elementwise_abs(x);
    WEFT_L far = a > (WEFT_D)0.5;
    WEFT_D z = WEFT_SELECT(far != (WEFT_L)0, (WEFT_D)0.5 - (WEFT_D)0.5 * a, a * a);
    WEFT_D s = WEFT_SELECT(far != (WEFT_L)0, __builtin_elementwise_sqrt(z), a);
    WEFT_D t = weft_in_unit(weft_asin_poly(s, z), of_pi);
    WEFT_D other = of_pi ? (WEFT_D)0.5 - (t + t)
                         : (WEFT_D)0x1.921fb54442d18p+0 - ((t + t) - (WEFT_D)0x1.1a62633145c07p-54);
    return __builtin_elementwise_copysign(WEFT_SELECT(far != (WEFT_L)0, other, t), x);
}

/** pi / 2 - t, 2 t, pi - 2 t. */
WEFT_HELPER WEFT_D weft_acos_in(WEFT_D x, int of_pi) {
    const WEFT_D whole = (WEFT_D)(of_pi ? 1.0 : 0x1.921fb54442d18p+1);
    const WEFT_D less = (WEFT_D)(of_pi ? 0.0 : 0x1.1a62633145c07p-53);
    WEFT_D a = __builtin_elementwise_abs(x);
    WEFT_L far = a > (WEFT_D)0.5, minus = x < (WEFT_D)0.0;
    WEFT_D z = WEFT_SELECT(far != (WEFT_L)0, (WEFT_D)0.5 - (WEFT_D)0.5 * a, a * a);
    WEFT_D s = WEFT_SELECT(far != (WEFT_L)0, __builtin_elementwise_sqrt(z), a);
    WEFT_D t = weft_in_unit(weft_asin_poly(s, z), of_pi);
    t = __builtin_elementwise_copysign(t, x);
    t = WEFT_SELECT(far != (WEFT_L)0, t + t, -t);
    WEFT_D high = WEFT_SELECT(minus != (WEFT_L)0, whole, (WEFT_D)0.0);
    WEFT_D low = WEFT_SELECT(minus != (WEFT_L)0, less, (WEFT_D)0.0);
    high = WEFT_SELECT(far != (WEFT_L)0, high, (WEFT_D)0.5 * whole);
    low = WEFT_SELECT(far != (WEFT_L)0, low, (WEFT_D)0.5 * less);
    return high + (t + low);
}

WEFT_HELPER WEFT_D weft_asin_of(WEFT_D x) {
    return weft_asin_in(x, 0);
}

WEFT_HELPER WEFT_D weft_asinpi_of(WEFT_D x) {
    return weft_asin_in(x, 1);
}

WEFT_HELPER WEFT_D weft_acos_of(WEFT_D x) {
    return weft_acos_in(x, 0);
}

WEFT_HELPER WEFT_D weft_acospi_of(WEFT_D x) {
    return weft_acos_in(x, 1);
}
