// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by core.h: what real_gamma.h needs. */

/** What Stirling's series gives for the logarithm of gamma(a), but for (a - 1/2) (log a - 1); a
 * >= 3. */
WEFT_HELPER WEFT_D weft_stirling(WEFT_D a) {
    WEFT_D i = (WEFT_D)1.0 / a, w = i * i, p = (WEFT_D)-1.2591741378706647059;
    p = weft_mad(p, w, (WEFT_D)1.0364376287210755688);
    p = weft_mad(p, w, (WEFT_D)-0.4130294009167201116);
    p = weft_mad(p, w, (WEFT_D)0.11229667461420963086);
    p = weft_mad(p, w, (WEFT_D)-0.025917635484284590177);
    p = weft_mad(p, w, (WEFT_D)0.0062663550722074515575);
    p = weft_mad(p, w, (WEFT_D)-0.0019135564194573534086);
    p = weft_mad(p, w, (WEFT_D)0.00084167886259876102405);
    p = weft_mad(p, w, (WEFT_D)-0.00059523730632270158914);
    p = weft_mad(p, w, (WEFT_D)0.00079365078910204882157);
    p = weft_mad(p, w, (WEFT_D)-0.0027777777777673532552);
    p = weft_mad(p, w, (WEFT_D)0.083333333333333329325);
    return weft_mad(p, i, (WEFT_D)0.41893853320467274178);
}

/** log gamma(2 + t) / (t (t + 1)), |t| <= 1. */
WEFT_HELPER WEFT_D weft_lgamma_poly(WEFT_D t) {
    WEFT_D p = (WEFT_D)-7.6392923458362009061e-10;
    p = weft_mad(p, t, (WEFT_D)1.574660698277730178e-9);
    p = weft_mad(p, t, (WEFT_D)2.0986002157033105261e-9);
    p = weft_mad(p, t, (WEFT_D)-4.3124957703508173871e-9);
    p = weft_mad(p, t, (WEFT_D)-7.842557720538355431e-9);
    p = weft_mad(p, t, (WEFT_D)1.6194359237484172678e-8);
    p = weft_mad(p, t, (WEFT_D)-2.7296358592514825817e-9);
    p = weft_mad(p, t, (WEFT_D)5.9105658535078691771e-9);
    p = weft_mad(p, t, (WEFT_D)-4.9827532071170234718e-8);
    p = weft_mad(p, t, (WEFT_D)1.0420418266082639707e-7);
    p = weft_mad(p, t, (WEFT_D)-1.8784426446437580391e-7);
    p = weft_mad(p, t, (WEFT_D)3.9589404593674680815e-7);
    p = weft_mad(p, t, (WEFT_D)-8.5456090897588298568e-7);
    p = weft_mad(p, t, (WEFT_D)1.8113906873056683887e-6);
    p = weft_mad(p, t, (WEFT_D)-3.8468580915330143467e-6);
    p = weft_mad(p, t, (WEFT_D)8.2212344759429058757e-6);
    p = weft_mad(p, t, (WEFT_D)-0.000017661767658452518613);
    p = weft_mad(p, t, (WEFT_D)0.000038169076582760812003);
    p = weft_mad(p, t, (WEFT_D)-0.000083095114777095615987);
    p = weft_mad(p, t, (WEFT_D)0.00018255261539826382389);
    p = weft_mad(p, t, (WEFT_D)-0.00040570739837751511159);
    p = weft_mad(p, t, (WEFT_D)0.00091537692403869071436);
    p = weft_mad(p, t, (WEFT_D)-0.0021081308339216706726);
    p = weft_mad(p, t, (WEFT_D)0.0049986411646271282266);
    p = weft_mad(p, t, (WEFT_D)-0.012384192193371804342);
    p = weft_mad(p, t, (WEFT_D)0.032965000621156908764);
    p = weft_mad(p, t, (WEFT_D)-0.10031730167435391981);
    return weft_mad(p, t, (WEFT_D)0.42278433509846713663);
}
