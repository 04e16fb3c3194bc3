// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(pow, weft_pow_of)
#else
/* The ends as section 7.5.1 of the OpenCL C specification refers to IEEE 754's pow. */
WEFT_HELPER gentype weft_pow_signed(gentype x, gentype y, gentype result) {
    const gentype one = (gentype)1;
    gentype a = __builtin_elementwise_abs(x), halved = y * (gentype)0.5;
    relational whole = __builtin_elementwise_rint(y) == y;
    relational odd = whole & (__builtin_elementwise_rint(halved) != halved);
    result = WEFT_SELECT(a == one, one, result); /* also for an infinite y */
    gentype sign = WEFT_SELECT(odd != (relational)0, x, one);
    result = __builtin_elementwise_copysign(result, sign);
    relational nowhere = (x < (gentype)0) & (a < (gentype)INFINITY) & (y != (gentype)0);
    result =
        WEFT_SELECT((nowhere & (whole == (relational)0)) != (relational)0, (gentype)NAN, result);
    result = WEFT_SELECT(y == y, result, y);
    return WEFT_SELECT(((x == one) | (y == (gentype)0)) != (relational)0, one, result);
}

WEFT_FN gentype pow(gentype x, gentype y) {
    igentype left;
    gentype t, result = weft_pow_first(x, y, &left, &t);
    if (WEFT_RARELY(left))
        result = weft_pow_signed(x, y, weft_pow_rest(x, y, t, result));
    return result;
}
#endif
