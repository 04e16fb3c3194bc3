// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The processor rounds to nearest even. For the other modes that result is compared with x,
 * exactly, and moved to its neighbour where it lies on the wrong side.
 */
#if WEFT_FROM_FLOAT
#define WEFT_EXACT (WEFT_FROM_BITS <= WEFT_BITS)
#else
#define WEFT_EXACT (WEFT_FROM_BITS < WEFT_PASTE(WEFT_PRECISION_, WEFT_BITS))
#endif
#if WEFT_EXACT
WEFT_SAME_FOR_ALL_ROUNDINGS(, WEFT_CONVERT(gentype, x))
#else

/* -1, 0, 1 as r lies below, at, above x: of the destination's integer type. */
WEFT_HELPER igentype WEFT_PASTE(weft_side_, gentype)(gentype r, WEFT_FROM x) {
#if WEFT_FROM_FLOAT
    WEFT_FROM back = WEFT_CONVERT(WEFT_FROM, r);
    relational above = WEFT_CONVERT(relational, back > x);
    relational below = WEFT_CONVERT(relational, back < x);
#elif WEFT_FROM_BITS == 32
    WEFT_VECTOR(double) back = WEFT_CONVERT(WEFT_VECTOR(double), r);
    WEFT_VECTOR(double) exact = WEFT_CONVERT(WEFT_VECTOR(double), x);
    relational above = WEFT_CONVERT(relational, back > exact);
    relational below = WEFT_CONVERT(relational, back < exact);
#else
    /* r is an integer; only the bound that x rounded up to does not fit back. */
#if WEFT_FROM_SIGNED
    gentype bound = (gentype)0x1p63f;
#else
    gentype bound = (gentype)0x1p64f;
#endif
    relational over = r >= bound;
    WEFT_FROM back = WEFT_CONVERT(WEFT_FROM, WEFT_SELECT(over, (gentype)0, r));
    relational above = WEFT_CONVERT(relational, back > x) | over;
    relational below = WEFT_CONVERT(relational, back < x) & ~over;
#endif
    igentype side = WEFT_SELECT(above, (igentype)1, (igentype)0);
    return WEFT_SELECT(below, (igentype)-1, side);
}
WEFT_HELPER gentype WEFT_PASTE(weft_down_, gentype)(WEFT_FROM x) {
    gentype r = WEFT_CONVERT(gentype, x);
    return weft_round_down(r, WEFT_PASTE(weft_side_, gentype)(r, x) > (igentype)0);
}
WEFT_HELPER gentype WEFT_PASTE(weft_up_, gentype)(WEFT_FROM x) {
    gentype r = WEFT_CONVERT(gentype, x);
    return weft_round_up(r, WEFT_PASTE(weft_side_, gentype)(r, x) < (igentype)0);
}
WEFT_HELPER gentype WEFT_PASTE(weft_toward_zero_, gentype)(WEFT_FROM x) {
    gentype r = WEFT_CONVERT(gentype, x);
    igentype side = WEFT_PASTE(weft_side_, gentype)(r, x);
    igentype sign = WEFT_SELECT(WEFT_AS(igentype, r) < (igentype)0, (igentype)-1, (igentype)1);
    return WEFT_AS(gentype, WEFT_SELECT((side * sign) > (igentype)0,
                                        WEFT_AS(igentype, r) - (igentype)1, WEFT_AS(igentype, r)));
}
WEFT_DEFINE(, WEFT_CONVERT(gentype, x))
WEFT_DEFINE(_rte, WEFT_CONVERT(gentype, x))
WEFT_DEFINE(_rtz, WEFT_PASTE(weft_toward_zero_, gentype)(x))
WEFT_DEFINE(_rtp, WEFT_PASTE(weft_up_, gentype)(x))
WEFT_DEFINE(_rtn, WEFT_PASTE(weft_down_, gentype)(x))
#endif
#undef WEFT_EXACT
