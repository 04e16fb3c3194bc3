// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_tan(gentype x);

#if WEFT_BITS == 32
/* weft_reduce and the polynomials: math/trig_reduce.h, which cos_tmpl.cl has included. */
WEFT_FN gentype tan(gentype x) {
    intn quadrant;
    gentype r = weft_reduce(x, &quadrant);
    intn odd = quadrant & (intn)1;
    gentype sine = weft_sin_poly(r), cosine = weft_cos_poly(r);
    gentype above = WEFT_SELECT(odd != (intn)0, -cosine, sine);
    return above / WEFT_SELECT(odd != (intn)0, sine, cosine);
}
#else
/* tan(±0) is ±0, which libclc's loses in double. */
WEFT_FN gentype tan(gentype x) {
    return WEFT_SELECT(x == (gentype)0, x, weft_clc_tan(x));
}
#endif
