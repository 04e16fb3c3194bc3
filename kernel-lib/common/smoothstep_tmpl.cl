// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype smoothstep(gentype edge0, gentype edge1, gentype x) {
    gentype t = (x - edge0) / (edge1 - edge0);
    t = WEFT_SELECT(t > (gentype)0, t, (gentype)0);
    t = WEFT_SELECT(t < (gentype)1, t, (gentype)1);
    return t * t * ((gentype)3 - (gentype)2 * t);
}
#if WEFT_N > 1
WEFT_FN gentype smoothstep(sgentype edge0, sgentype edge1, gentype x) {
    return smoothstep((gentype)edge0, (gentype)edge1, x);
}
#endif
