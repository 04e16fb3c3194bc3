// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: sine, cosine and tangent of pi x, whose reduction is exact. */

/** a modulo 2, exactly, a >= 0; a NaN for infinities. */
WEFT_HELPER gentype weft_modulo_two(gentype a) {
    return a - (gentype)2.0f * __builtin_elementwise_floor(a * (gentype)0.5f);
}

/** sin(pi r), |r| <= 1/2. */
WEFT_HELPER gentype weft_sinpi_poly(gentype r) {
    gentype z = r * r, p = (gentype)-0.00685878051445f;
    p = weft_mad(p, z, (gentype)0.0819392129779f);
    p = weft_mad(p, z, (gentype)-0.599226474762f);
    p = weft_mad(p, z, (gentype)2.55016088486f);
    p = weft_mad(p, z, (gentype)-5.16771268845f);
    p = weft_mad(p, z, (gentype)-0x1.777a5cp-24f);
    return r * ((gentype)0x1.921fb6p+1f + p);
}

/** "sinpi(+n) is +0 and sinpi(-n) is -0". */
WEFT_HELPER gentype weft_sinpi_of(gentype x) {
    const gentype shifter = (gentype)WEFT_SHIFTER_F;
    gentype b = weft_modulo_two(__builtin_elementwise_abs(x)), shifted = b + shifter;
    gentype r = b - (shifted - shifter);
    gentype result = weft_flip(weft_sinpi_poly(r), WEFT_AS(igentype, shifted) << (igentype)31);
    result = WEFT_SELECT(r == (gentype)0.0f, (gentype)0.0f, result);
    return weft_flip(result, weft_sign_of(x));
}

/** cos(pi b) = -sin(pi (b - 1/2)); "cospi(n + 0.5) is +0": -0 + 0 = +0. */
WEFT_HELPER gentype weft_cospi_of(gentype x) {
    const gentype shifter = (gentype)WEFT_SHIFTER_F;
    gentype b = weft_modulo_two(__builtin_elementwise_abs(x)) - (gentype)0.5f;
    gentype shifted = b + shifter, r = (shifted - shifter) - b;
    return weft_flip(weft_sinpi_poly(r), WEFT_AS(igentype, shifted) << (igentype)31) +
           (gentype)0.0f;
}

/** "tanpi(±n) is copysign(0.0, n) for even n, copysign(0.0, -n) for odd n; tanpi(±(n + 0.5)) is
 * ±inf for even n, and ∓inf for odd n": by the sign of the zero whose tangent or -1 / tangent that
 * is. */
WEFT_HELPER gentype weft_tanpi_of(gentype x) {
    const gentype shifter = (gentype)WEFT_SHIFTER_F;
    gentype b = weft_modulo_two(__builtin_elementwise_abs(x)), shifted = (b + b) + shifter;
    gentype r = weft_mad((gentype)-0.5f, shifted - shifter, b);
    igentype n = WEFT_AS(igentype, shifted), odd = (n & (igentype)1) != (igentype)0;
    gentype z = r * r, p = (gentype)124551.84375f;
    p = weft_mad(p, z, (gentype)447.842376709f);
    p = weft_mad(p, z, (gentype)3171.92163086f);
    p = weft_mad(p, z, (gentype)635.078063965f);
    p = weft_mad(p, z, (gentype)163.262283325f);
    p = weft_mad(p, z, (gentype)40.8007202148f);
    p = weft_mad(p, z, (gentype)10.3354301453f);
    p = weft_mad(p, z, (gentype)-0x1.777a5cp-24f);
    gentype t = weft_mad(r, p, r * (gentype)0x1.921fb6p+1f);
    gentype zero = WEFT_AS(gentype, (n ^ (n >> (igentype)1)) << (igentype)31);
    t = WEFT_SELECT(r == (gentype)0.0f, zero, t);
    t = WEFT_SELECT(odd, (gentype)-1.0f, t) / WEFT_SELECT(odd, t, (gentype)1.0f);
    return weft_flip(t, weft_sign_of(x));
}
