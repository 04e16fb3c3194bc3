// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The remainder of x / n * y with n the quotient rounded to nearest even, and the low seven bits of
 * n. */
#if WEFT_BITS == 16
WEFT_HELPER gentype weft_remquo(gentype x, gentype y, __private intn *quotient) {
    return weft_half(weft_remquo_of(weft_float(x), weft_float(y), quotient));
}
#else
WEFT_HELPER gentype weft_remquo(gentype x, gentype y, __private intn *quotient) {
    gentype b = __builtin_elementwise_abs(y);
    igentype q;
    gentype r = weft_mod_of(__builtin_elementwise_abs(x), b, &q);
    gentype rest = b - r;
    igentype odd = q & (igentype)1;
    igentype up = WEFT_SELECT(r == rest, odd, (igentype)0);
    up = WEFT_SELECT(r > rest, (igentype)1, up);
    r = WEFT_SELECT(up != (igentype)0, r - b, r);
    q = (q + up) & (igentype)0x7f;
    igentype sign_x = WEFT_AS(igentype, x) & ((igentype)1 << (igentype)(WEFT_BITS - 1));
    igentype sign = WEFT_AS(igentype, x) ^ WEFT_AS(igentype, y);
    q = WEFT_SELECT(sign < (igentype)0, -q, q);
    igentype invalid = WEFT_SELECT(r != r, (igentype)1, (igentype)0);
    *quotient = WEFT_CONVERT(intn, WEFT_SELECT(invalid != (igentype)0, (igentype)0, q));
    return WEFT_AS(gentype, WEFT_AS(igentype, r) ^ sign_x);
}
#endif
#define WEFT_OUT_TYPE intn
WEFT_OUT_SPACES(remquo, weft_remquo, gentype, (gentype x, gentype y), (x, y), intn)
#undef WEFT_OUT_TYPE
