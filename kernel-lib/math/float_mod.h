// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h. */

/**
 * a - n b for n = trunc(a / b), exactly, a >= 0 and b >= 0, and the low bits of n in *n, at
 * least 7. NaN where a is infinite, b is 0 or one of them NaN. Where n has 24 bits, one step: the
 * quotient is n or, rounded up, n + 1, and the rest has no more bits than b. Else long division in
 * double by digits of 28 bits, each of which leaves a rest of no more bits than b.
 */
WEFT_HELPER gentype weft_mod_of(gentype a, gentype b, __private igentype *n) {
    gentype whole = __builtin_elementwise_trunc(a / b);
    gentype r = weft_residual(a, whole, b);
    igentype over = r < (gentype)0.0f;
    igentype rare = !(whole < (gentype)0x1p24f) | !(a < (gentype)0x1p126f);
    rare |= !(b < (gentype)0x1p126f);
    whole = WEFT_SELECT(rare, (gentype)0.0f, whole);
    *n = WEFT_CONVERT(igentype, whole) - WEFT_SELECT(over, (igentype)1, (igentype)0);
    r = WEFT_SELECT(over, r + b, r);
    if (WEFT_RARELY(rare)) {
        igentype good = (a < (gentype)INFINITY) & (b > (gentype)0.0f) & rare;
        WEFT_D rest = WEFT_CONVERT(WEFT_D, WEFT_SELECT(good, a, (gentype)NAN));
        WEFT_D by = WEFT_CONVERT(WEFT_D, b);
        WEFT_L exponent = WEFT_AS(WEFT_L, by) >> (WEFT_L)52, quotient = (WEFT_L)0;
        while (weft_any_of((WEFT_L)(rest >= by))) {
            WEFT_L up = (WEFT_AS(WEFT_L, rest) >> (WEFT_L)52) - exponent - (WEFT_L)28;
            up = __builtin_elementwise_min(__builtin_elementwise_max(up, (WEFT_L)0), (WEFT_L)300);
            WEFT_D part = by * weft_power_of_two(up);
            WEFT_D digit = __builtin_elementwise_trunc(rest / part);
            WEFT_D left = rest - digit * part;
            WEFT_D lower = WEFT_SELECT(left < (WEFT_D)0.0, (WEFT_D)1.0, (WEFT_D)0.0);
            left += lower * part;
            WEFT_L bits = WEFT_AS(WEFT_L, (digit - lower) + (WEFT_D)WEFT_SHIFTER_D);
            WEFT_L low = (bits & (WEFT_L)0x7fffffff) << __builtin_elementwise_min(up, (WEFT_L)31);
            quotient += WEFT_SELECT(rest >= by, low, (WEFT_L)0);
            rest = WEFT_SELECT(rest >= by, left, rest);
        }
        gentype slow = WEFT_CONVERT(gentype, rest);
        slow = WEFT_SELECT(b == b, slow, b);
        r = WEFT_SELECT(rare, slow, r);
        intn low = WEFT_CONVERT(intn, quotient & (WEFT_L)0x7fffffff);
        *n = WEFT_SELECT(rare, low, *n);
    }
    return r;
}
