// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(tanpi, weft_tanpi_of)
#else
WEFT_FN gentype weft_clc_tanpi(gentype x);

/* "tanpi(±n) is copysign(0.0, n) for even n, copysign(0.0, -n) for odd n". */
WEFT_FN gentype tanpi(gentype x) {
    gentype result = weft_clc_tanpi(x);
    gentype half_of = x * (gentype)0.5;
    gentype sign = WEFT_SELECT(half_of == __builtin_elementwise_floor(half_of), x, -x);
    gentype zero = __builtin_elementwise_copysign((gentype)0, sign);
    return WEFT_SELECT(result == (gentype)0, zero, result);
}
#endif
