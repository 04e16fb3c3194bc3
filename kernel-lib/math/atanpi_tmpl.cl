// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(atanpi, weft_atanpi_of)
#else
WEFT_FN gentype weft_clc_atanpi(gentype x);

/* atanpi(±0) is ±0, which libclc's loses in double. */
WEFT_FN gentype atanpi(gentype x) {
    return WEFT_SELECT(x == (gentype)0, x, weft_clc_atanpi(x));
}
#endif
