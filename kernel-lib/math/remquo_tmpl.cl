// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype fmod(gentype x, gentype y);

/*
 * The remainder of x / n * y with n the quotient rounded to nearest even, and the low seven bits of
 * n. |x| is first reduced to below 128 |y|, then seven exact subtractions find the quotient's bits.
 */
WEFT_HELPER gentype weft_remquo(gentype x, gentype y, __private intn *quotient) {
    gentype a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y);
    gentype limit = b * (gentype)128;
    gentype r = WEFT_SELECT(limit == (gentype)INFINITY, a, fmod(a, limit));
    r = WEFT_SELECT(a == (gentype)INFINITY, (gentype)NAN, r);
    igentype q = (igentype)0;
#pragma unroll
    for (int bit = 64; bit != 0; bit >>= 1) {
        gentype part = b * (gentype)(sgentype)bit;
        q = WEFT_SELECT(r >= part, q + (igentype)(isgentype)bit, q);
        r = WEFT_SELECT(r >= part, r - part, r);
    }
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
#define WEFT_OUT_TYPE intn
WEFT_OUT_SPACES(remquo, weft_remquo, gentype, (gentype x, gentype y), (x, y), intn)
#undef WEFT_OUT_TYPE
