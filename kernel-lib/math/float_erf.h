// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by float.h: the error function. */

/** erf(a) / a by a polynomial for each of eight parts of [0, 4); from 3.92 on the result is 1. */
WEFT_HELPER gentype weft_erf_of(gentype x) {
    gentype a = __builtin_elementwise_abs(x), middle = a - (gentype)0.25f;
    gentype shifted = weft_mad(middle, (gentype)2.0f, (gentype)WEFT_SHIFTER_F);
    igentype at = WEFT_AS(igentype, shifted);
    gentype u = weft_mad(shifted - (gentype)WEFT_SHIFTER_F, (gentype)-0.5f, middle);
    gentype p = WEFT_PART_POLY(at, u, weft_erf_part);
    gentype ends = __builtin_elementwise_copysign((gentype)1.0f, x);
    return WEFT_SELECT(a > (gentype)3.92f, ends, x * p);
}
