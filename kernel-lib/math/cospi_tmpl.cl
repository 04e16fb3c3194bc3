// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(cospi, weft_cospi_of)
#else
WEFT_FN gentype weft_clc_cospi(gentype x);

/* "cospi(n + 0.5) is +0": -0 + 0 = +0. */
WEFT_FN gentype cospi(gentype x) {
    return weft_clc_cospi(x) + (gentype)0;
}
#endif
