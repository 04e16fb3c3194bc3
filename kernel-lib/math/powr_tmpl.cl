// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(powr, weft_powr_of)
#else
/* "powr(x, y) ... where x is >= 0": IEEE 754's powr, that is exp(y log x) at its ends. */
WEFT_FN gentype powr(gentype x, gentype y) {
    gentype result = weft_pow_of(__builtin_elementwise_abs(x), y);
    relational unknown = (x == (gentype)1) & (__builtin_elementwise_abs(y) == (gentype)INFINITY);
    unknown |= x < (gentype)0;
    return WEFT_SELECT(unknown != (relational)0, (gentype)NAN, result);
}
#endif
