// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(sinpi, weft_sinpi_of)
#else
WEFT_FN gentype weft_clc_sinpi(gentype x);

/* "sinpi(+n) is +0 and sinpi(-n) is -0". */
WEFT_FN gentype sinpi(gentype x) {
    gentype result = weft_clc_sinpi(x);
    gentype zero = __builtin_elementwise_copysign((gentype)0, x);
    return WEFT_SELECT(result == (gentype)0, zero, result);
}
#endif
