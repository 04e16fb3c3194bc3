// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS <= 32
WEFT_BY_CORE(asin, weft_asin_of)
#else
WEFT_FN gentype weft_clc_asin(gentype x);

/* asin(±0) is ±0, which libclc's loses in double. */
WEFT_FN gentype asin(gentype x) {
    return WEFT_SELECT(x == (gentype)0, x, weft_clc_asin(x));
}
#endif
