// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_sin(gentype x);

#if WEFT_BITS == 32
/* weft_reduce and the polynomials: math/trig_reduce.h, which cos_tmpl.cl has included. */
WEFT_FN gentype sin(gentype x) {
    intn quadrant;
    gentype r = weft_reduce(x, &quadrant);
    intn odd = quadrant & (intn)1;
    gentype result = WEFT_SELECT(odd != (intn)0, weft_cos_poly(r), weft_sin_poly(r));
    return weft_negate_if(result, quadrant, 1); /* quadrants 2 and 3 */
}
#else
/* sin(±0) is ±0, which libclc's loses in double. */
WEFT_FN gentype sin(gentype x) {
    return WEFT_SELECT(x == (gentype)0, x, weft_clc_sin(x));
}
#endif
