// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included as real.h: sine, cosine and tangent of pi x, whose reduction is exact. */

/** |x|, from where WEFT_SHIFTER would not round it modulo 2, exactly; a NaN for infinities. */
WEFT_HELPER WEFT_R weft_modulo_two(WEFT_R x) {
    WEFT_R a = __builtin_elementwise_abs(x);
    WEFT_I rare = !(a < (WEFT_R)(0.0625 * WEFT_SHIFTER));
    if (WEFT_RARELY(rare)) {
        WEFT_R less = a - (WEFT_R)2.0 * __builtin_elementwise_floor(a * (WEFT_R)0.5);
        a = WEFT_SELECT(rare != (WEFT_I)0, less, a);
    }
    return a;
}

/** "sinpi(+n) is +0 and sinpi(-n) is -0". */
WEFT_HELPER WEFT_R weft_sinpi_of(WEFT_R x) {
    const WEFT_R shifter = (WEFT_R)WEFT_SHIFTER;
    WEFT_R b = weft_modulo_two(x), shifted = b + shifter;
    WEFT_R r = b - (shifted - shifter);
    WEFT_R result = weft_flip(weft_sinpi_poly(r), weft_sign_if_odd(WEFT_AS(WEFT_I, shifted)));
    return weft_flip(result + (WEFT_R)0.0, weft_sign_of(x)); /* -0 + 0 = +0 */
}

/** cos(pi b) = -sin(pi (b - 1/2)); "cospi(n + 0.5) is +0": -0 + 0 = +0. */
WEFT_HELPER WEFT_R weft_cospi_of(WEFT_R x) {
    const WEFT_R shifter = (WEFT_R)WEFT_SHIFTER;
    WEFT_R b = weft_modulo_two(x) - (WEFT_R)0.5;
    WEFT_R shifted = b + shifter, r = (shifted - shifter) - b;
    return weft_flip(weft_sinpi_poly(r), weft_sign_if_odd(WEFT_AS(WEFT_I, shifted))) + (WEFT_R)0.0;
}

/** "tanpi(±n) is copysign(0.0, n) for even n, copysign(0.0, -n) for odd n; tanpi(±(n + 0.5)) is
 * ±inf for even n, and ∓inf for odd n": by the sign of the zero whose tangent or -1 / tangent that
 * is. */
WEFT_HELPER WEFT_R weft_tanpi_of(WEFT_R x) {
    const WEFT_R shifter = (WEFT_R)WEFT_SHIFTER;
    WEFT_R b = weft_modulo_two(x), shifted = weft_mad(b, (WEFT_R)2.0, shifter);
    WEFT_R r = weft_mad((WEFT_R)-0.5, shifted - shifter, b);
    WEFT_I n = WEFT_AS(WEFT_I, shifted);
    WEFT_R zero = WEFT_AS(WEFT_R, weft_sign_if_odd(n ^ (n >> (WEFT_I)1)));
    WEFT_R below, above = weft_tanpi_near(r, &below);
    above = WEFT_SELECT(r == (WEFT_R)0.0, zero, above);
    return weft_flip(weft_tangent(above, below, n), weft_sign_of(x));
}
