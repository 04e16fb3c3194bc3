// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: what real_pi.h needs. */

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

/** tan(pi r), |r| <= 1/4, is the result over *below. */
WEFT_HELPER WEFT_D weft_tanpi_near(WEFT_D r, __private WEFT_D *below) {
    WEFT_D z = r * r, p = (WEFT_D)-0.05394508033887874;
    p = weft_mad(p, z, (WEFT_D)1.0480679123277132);
    p = weft_mad(p, z, (WEFT_D)-4.135713036304213);
    p = weft_mad(p, z, (WEFT_D)0x1.1a62633145c07p-53);
    WEFT_D q = (WEFT_D)0.0047267531107322466472;
    q = weft_mad(q, z, (WEFT_D)-0.29976791265271856099);
    q = weft_mad(q, z, (WEFT_D)2.4998724745332653776);
    q = weft_mad(q, z, (WEFT_D)-4.6063064795712663817);
    *below = weft_mad(q, z, (WEFT_D)1.0);
    return weft_mad(r, p, r * (WEFT_D)0x1.921fb54442d18p+1);
}
