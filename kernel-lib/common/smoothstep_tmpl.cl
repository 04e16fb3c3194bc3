// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_FN gentype smoothstep(gentype edge0, gentype edge1, gentype x) {
    WEFT_F low = WEFT_CONVERT(WEFT_F, edge0), high = WEFT_CONVERT(WEFT_F, edge1);
    WEFT_F t = (WEFT_CONVERT(WEFT_F, x) - low) / (high - low);
    t = WEFT_SELECT(t > (WEFT_F)0, t, (WEFT_F)0);
    t = WEFT_SELECT(t < (WEFT_F)1, t, (WEFT_F)1);
    return WEFT_CONVERT(gentype, t * t * ((WEFT_F)3 - (WEFT_F)2 * t));
}
#else
WEFT_FN gentype smoothstep(gentype edge0, gentype edge1, gentype x) {
    gentype t = (x - edge0) / (edge1 - edge0);
    t = WEFT_SELECT(t > (gentype)0, t, (gentype)0);
    t = WEFT_SELECT(t < (gentype)1, t, (gentype)1);
    return t * t * ((gentype)3 - (gentype)2 * t);
}
#endif
#if WEFT_N > 1
WEFT_FN gentype smoothstep(sgentype edge0, sgentype edge1, gentype x) {
    return smoothstep((gentype)edge0, (gentype)edge1, x);
}
#endif
