// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Included by core.h: sine, cosine and tangent of doubles that are too large for Cody and Waite's
 * reduction, by as many bits of 2 / pi as the exponent asks for (M. H. Payne and R. N. Hanek,
 * Radian reduction for trigonometric functions, SIGNUM Newsletter 18, 1983), in integers.
 */

WEFT_TABLE(weft_two_over_pi_word, WEFT_UL, weft_two_over_pi_bits)

/** The upper 64 bits of m w, m below 2^53. */
WEFT_HELPER WEFT_UL weft_product_high(WEFT_UL m, WEFT_UL w) {
    const WEFT_UL low = (WEFT_UL)0xffffffff;
    WEFT_UL m1 = m >> (WEFT_UL)32, m0 = m & low, w1 = w >> (WEFT_UL)32, w0 = w & low;
    WEFT_UL middle = m1 * w0 + ((m0 * w0) >> (WEFT_UL)32), other = m0 * w1 + (middle & low);
    return m1 * w1 + (middle >> (WEFT_UL)32) + (other >> (WEFT_UL)32);
}

/**
 * a 2 / pi modulo 4 as a number of 2 and 126 bits, *low its lower 64; 2^20 <= a, finite. a is m
 * 2^e, m of 53 bits, and the bits of 2 / pi that only add multiples of 4 to the product are left
 * out.
 */
WEFT_HELPER WEFT_UL weft_turns_of(WEFT_D a, __private WEFT_UL *low) {
    WEFT_UL bits = WEFT_AS(WEFT_UL, a);
    WEFT_UL m = (bits & (WEFT_UL)0x000fffffffffffff) | (WEFT_UL)0x0010000000000000;
    WEFT_UL at = (bits >> (WEFT_UL)52) - (WEFT_UL)(1023 + 52 - 62); /* e + 62, of the first bit */
    WEFT_L word = WEFT_AS(WEFT_L, at >> (WEFT_UL)6);
    WEFT_UL by = at & (WEFT_UL)63, back = (WEFT_UL)63 - by;
    WEFT_UL t0 = weft_two_over_pi_word(word), t1 = weft_two_over_pi_word(word + (WEFT_L)1);
    WEFT_UL t2 = weft_two_over_pi_word(word + (WEFT_L)2);
    WEFT_UL t3 = weft_two_over_pi_word(word + (WEFT_L)3);
    WEFT_UL w0 = (t0 << by) | (t1 >> (WEFT_UL)1 >> back);
    WEFT_UL w1 = (t1 << by) | (t2 >> (WEFT_UL)1 >> back);
    WEFT_UL w2 = (t2 << by) | (t3 >> (WEFT_UL)1 >> back);
    WEFT_UL carry = weft_product_high(m, w2), sum = m * w1 + carry;
    WEFT_UL over = WEFT_SELECT(sum < carry, (WEFT_UL)1, (WEFT_UL)0);
    *low = sum;
    return m * w0 + weft_product_high(m, w1) + over;
}

/** (high 2^64 + low) 2^-128, high as a signed number, as a sum of two doubles. */
WEFT_HELPER WEFT_D weft_fraction(WEFT_UL high, WEFT_UL low, __private WEFT_D *tail) {
    const WEFT_UL half_word = (WEFT_UL)0xffffffff;
    WEFT_D d0 = weft_real_of(WEFT_AS(WEFT_L, high) >> (WEFT_L)32) * (WEFT_D)0x1p-32;
    WEFT_D d1 = weft_real_of(WEFT_AS(WEFT_L, high & half_word)) * (WEFT_D)0x1p-64;
    WEFT_D d2 = weft_real_of(WEFT_AS(WEFT_L, low >> (WEFT_UL)32)) * (WEFT_D)0x1p-96;
    WEFT_D d3 = weft_real_of(WEFT_AS(WEFT_L, low & half_word)) * (WEFT_D)0x1p-128;
    WEFT_D top = d0 + d1, rest = ((d0 - top) + d1) + (d2 + d3), sum = top + rest;
    *tail = (top - sum) + rest;
    return sum;
}

/** a = n pi / 2 + r + *tail, |r| <= pi / 4, n modulo 4; a NaN for infinities and NaNs. What is
 * below 2^20, of lanes for which nobody asks, reads no other places than 2^20. */
WEFT_HELPER WEFT_D weft_reduce_far(WEFT_D a, __private WEFT_D *tail, __private WEFT_L *n) {
    WEFT_L finite = a < (WEFT_D)INFINITY, far = finite & (a > (WEFT_D)0x1p20);
    WEFT_UL low, turns = weft_turns_of(WEFT_SELECT(far != (WEFT_L)0, a, (WEFT_D)0x1p20), &low);
    WEFT_D f_tail,
        f = weft_fraction((turns << (WEFT_UL)2) | (low >> (WEFT_UL)62), low << (WEFT_UL)2, &f_tail);
    /* the fraction is signed: half a quarter and more belongs to the next one */
    *n = WEFT_AS(WEFT_L, (turns >> (WEFT_UL)62) + ((turns >> (WEFT_UL)61) & (WEFT_UL)1));
    WEFT_D lost, r = weft_times_pi((WEFT_D)0.5 * f, &lost);
    lost += f_tail * (WEFT_D)0x1.921fb54442d18p+0;
    WEFT_D sum = r + lost;
    *tail = (r - sum) + lost;
    return WEFT_SELECT(finite != (WEFT_L)0, sum, (WEFT_D)NAN);
}

/** sin(a + quarters pi / 2), quarters 0 or 1. */
WEFT_HELPER WEFT_D weft_far_sine(WEFT_D a, int quarters) {
    WEFT_L n;
    WEFT_D tail, r = weft_reduce_far(a, &tail, &n);
    n += (WEFT_L)(long)quarters;
    WEFT_L odd = n & (WEFT_L)1;
    WEFT_D result = WEFT_SELECT(odd != (WEFT_L)0, weft_cos_near(r, tail), weft_sin_near(r, tail));
    return weft_negate_by(result, n, 1);
}

/** tan x. */
WEFT_HELPER WEFT_D weft_far_tan_of(WEFT_D x) {
    WEFT_L n;
    WEFT_D tail, r = weft_reduce_far(__builtin_elementwise_abs(x), &tail, &n);
    WEFT_D below, above = weft_tan_near(r, tail, &below);
    return weft_flip(weft_tangent(above, below, n), weft_sign_of(x));
}
