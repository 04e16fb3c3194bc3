// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 32
/* 2^x = 2^n 2^r, n = rint(x): the reduction is exact. */
WEFT_FN gentype exp2(gentype x) {
#pragma clang fp contract(on)
    gentype y = WEFT_SELECT(x > (gentype)200.0f, (gentype)200.0f, x);
    y = WEFT_SELECT(y < (gentype)-200.0f, (gentype)-200.0f, y);
    gentype shifted = y + (gentype)WEFT_SHIFTER_F;
    gentype r = y - (shifted - (gentype)WEFT_SHIFTER_F);
    gentype q = (gentype)0.000154531629451f;
    q = q * r + (gentype)0.00133908633647f;
    q = q * r + (gentype)0.00961808255728f;
    q = q * r + (gentype)0.0555035711422f;
    q = q * r + (gentype)0.240226507606f;
    q = q * r + (gentype)0.693147188026f;
    igentype e = WEFT_AS(igentype, shifted) - WEFT_AS(igentype, (gentype)WEFT_SHIFTER_F);
    return WEFT_SCALE(q * r + (gentype)1.0f, e);
}
#else
WEFT_FN gentype exp2(gentype x) {
    return weft_exp2_of(weft_limit(x, 1500.0));
}
#endif
