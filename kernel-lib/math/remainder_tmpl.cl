// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(remainder, weft_remainder_of)
#else
/*
 * x - n y with n = x / y rounded to nearest even: the rest of the truncated quotient, less |y|
 * where that is nearer. r > b - r stands for 2 r > b, without overflow or rounding.
 */
WEFT_FN gentype remainder(gentype x, gentype y) {
    gentype b = __builtin_elementwise_abs(y);
    igentype n;
    gentype r = weft_mod_of(__builtin_elementwise_abs(x), b, &n), rest = b - r;
    igentype up = (r > rest) | ((r == rest) & ((n & (igentype)1) != (igentype)0));
    r = WEFT_SELECT(up != (igentype)0, r - b, r);
    igentype sign = WEFT_AS(igentype, x) & ((igentype)1 << (igentype)(WEFT_BITS - 1));
    return WEFT_AS(gentype, WEFT_AS(igentype, r) ^ sign);
}
#endif
