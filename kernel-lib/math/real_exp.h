// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included as real.h: the hyperbolic sine and cosine, of weft_hyperbolic(). */

WEFT_HELPER WEFT_R weft_sinh_of(WEFT_R x) {
    WEFT_R s, c, up, down;
    weft_hyperbolic(x, &s, &c, &up, &down);
    WEFT_R result = weft_mad(up - down, c, (up + down) * s) + (up - down);
    return __builtin_elementwise_copysign(result + result, x);
}

WEFT_HELPER WEFT_R weft_cosh_of(WEFT_R x) {
    WEFT_R s, c, up, down;
    weft_hyperbolic(x, &s, &c, &up, &down);
    WEFT_R result = weft_mad(up - down, s, (up + down) * c) + (up + down);
    return result + result;
}
