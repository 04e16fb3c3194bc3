// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(powr, weft_powr_of)
#else
/* "powr(x, y) ... where x is >= 0": IEEE 754's powr, that is exp(y log x) at its ends. */
WEFT_FN gentype powr(gentype x, gentype y) {
    igentype left;
    gentype t, result = weft_pow_first(x, y, &left, &t);
    if (WEFT_RARELY(left)) {
        igentype unknown = (x == (gentype)1) & (__builtin_elementwise_abs(y) == (gentype)INFINITY);
        unknown |= x < (gentype)0;
        result = weft_pow_rest(x, y, t, result);
        result = WEFT_SELECT(unknown != (igentype)0, (gentype)NAN, result);
    }
    return result;
}
#endif
