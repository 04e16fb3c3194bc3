// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Included by float.h: what native_ and half_ functions are made of. Those of `native` keep about
 * 2^-19 (sines 2^-23), which is what hardware that has such instructions keeps, in ranges that
 * programs use; half_ functions keep the specification's 8192 ULP (2^-11) and all ends, but for
 * subnormal results, which are 0 ("support for denormal values is optional for half_ functions").
 */

/** 2^x for x of at least -126: into the exponent, where what is 128 or more becomes infinity, whose
 * bits these are. */
WEFT_HELPER gentype weft_quick_exp2_usual(gentype x, int native) {
    gentype y = WEFT_SELECT(x > (gentype)128.0f, (gentype)128.0f, x);
    gentype shifted = y + (gentype)WEFT_SHIFTER_F;
    gentype r = y - (shifted - (gentype)WEFT_SHIFTER_F), p;
    if (native) {
        p = weft_mad((gentype)0.00132289074827f, r, (gentype)0.00967170018703f);
        p = weft_mad(p, r, (gentype)0.0555085688829f);
        p = weft_mad(p, r, (gentype)0.240222379565f);
        p = weft_mad(p, r, (gentype)0.693146884441f);
    } else {
        p = weft_mad((gentype)0.0545927658677f, r, (gentype)0.242217838764f);
        p = weft_mad(p, r, (gentype)0.69336861372f);
    }
    p = weft_mad(p, r, (gentype)1.0f);
    return WEFT_AS(gentype, WEFT_AS(igentype, p) + (WEFT_AS(igentype, shifted) << (igentype)23));
}

/** 2^x. Results that are subnormal, and NaNs, whose bits a sum may spoil, are rare. */
WEFT_HELPER gentype weft_quick_exp2(gentype x, int native) {
    gentype result = weft_quick_exp2_usual(x, native);
    igentype rare = !(x >= (gentype)-126.0f);
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare != (igentype)0, weft_exp2_sum(x, (gentype)0.0f), result);
    return result;
}

/** k + log2(1 + f): as near to 1 as f, it is as right as elsewhere. */
WEFT_HELPER gentype weft_quick_log2_sum(gentype f, gentype k, int native) {
    gentype p;
    if (native) {
        p = weft_mad((gentype)0.167619377375f, f, (gentype)-0.267769634724f);
        p = weft_mad(p, f, (gentype)0.296202838421f);
        p = weft_mad(p, f, (gentype)-0.359546810389f);
        p = weft_mad(p, f, (gentype)0.480609297752f);
        p = weft_mad(p, f, (gentype)-0.721359670162f);
        p = weft_mad(p, f, (gentype)1.44269657135f);
    } else {
        p = weft_mad((gentype)0.249393180013f, f, (gentype)-0.38942617178f);
        p = weft_mad(p, f, (gentype)0.485823065042f);
        p = weft_mad(p, f, (gentype)-0.72064447403f);
        p = weft_mad(p, f, (gentype)1.44263935089f);
    }
    return weft_mad(p, f, k);
}

WEFT_HELPER gentype weft_quick_log2(gentype x, int native) {
    gentype k, m = weft_split(x, &k);
    return weft_quick_log2_sum(m - (gentype)1.0f, k, native);
}

WEFT_FN gentype powr(gentype x, gentype y);

/** 2^(y log2 x); the longer logarithm in any case, whose error y multiplies. Ends of x, small
 * results and NaNs are powr's; large y the product's and the exponential's. */
WEFT_HELPER gentype weft_quick_powr(gentype x, gentype y, int native) {
    gentype k, m = weft_split_usual(x, &k);
    gentype log2 = weft_quick_log2_sum(m - (gentype)1.0f, k, 1), t = y * log2;
    gentype result = weft_quick_exp2_usual(t, native);
    igentype rare = weft_unusual(x) | !(t >= (gentype)-126.0f);
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare != (igentype)0, powr(x, y), result);
    return result;
}

/** x - n parts pi, as weft_less_turns(), in two parts where that is enough: products are exact. */
WEFT_HELPER gentype weft_quick_less_turns(gentype x, gentype n, float scale, int native) {
    if (!native || !__weft_has_fma())
        return weft_less_turns(x, n, scale);
    gentype r = weft_mad(-n, (gentype)(0x1.921fb6p+1f * scale), x);
    return weft_mad(n, (gentype)(0x1.777a5cp-24f * scale), r);
}

/** sin(x + quarters pi / 2), as weft_sine(). Beyond 2^23 a native one is some value of at most 1.
 */
WEFT_HELPER gentype weft_quick_sine(gentype x, int quarters, int native) {
    gentype turns = weft_mad(x, (gentype)0x1.45f306p-2f, (gentype)(0.5f * quarters));
    gentype shifted = turns + (gentype)WEFT_SHIFTER_F;
    gentype whole = shifted - (gentype)WEFT_SHIFTER_F - (gentype)(0.5f * quarters);
    gentype r = weft_limit(weft_quick_less_turns(x, whole, 1.0f, native), 0x1.921fb6p+0f), sine;
    if (native) {
        sine = weft_sine_poly(r);
    } else {
        gentype p = weft_mad((gentype)0.00765158282593f, r * r, (gentype)-0.166118711233f);
        sine = weft_mad(p * (r * r), r, r);
    }
    return weft_flip(sine, WEFT_AS(igentype, shifted) << (igentype)31);
}

WEFT_HELPER gentype weft_quick_tan(gentype x, int native) {
    gentype shifted = weft_mad(x, (gentype)0x1.45f306p-1f, (gentype)WEFT_SHIFTER_F);
    gentype r = weft_quick_less_turns(x, shifted - (gentype)WEFT_SHIFTER_F, 0.5f, native);
    gentype z = r * r, p;
    if (native) {
        p = weft_mad((gentype)0.0429936237633f, z, (gentype)0.0415071509778f);
        p = weft_mad(p, z, (gentype)0.136029422283f);
        p = weft_mad(p, z, (gentype)0.333157271147f);
    } else {
        p = weft_mad((gentype)0.0919628664851f, z, (gentype)0.118220210075f);
        p = weft_mad(p, z, (gentype)0.334936261177f);
    }
    gentype t = weft_mad(p * z, r, r);
    igentype odd = (WEFT_AS(igentype, shifted) & (igentype)1) != (igentype)0;
    return WEFT_SELECT(odd, (gentype)-1.0f, t) / WEFT_SELECT(odd, t, (gentype)1.0f);
}
