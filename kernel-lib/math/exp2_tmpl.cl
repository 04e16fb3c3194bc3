// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(exp2, weft_exp2_of)
#else
WEFT_FN gentype exp2(gentype x) {
#if WEFT_BITS == 32
    return weft_exp2_sum(x, (gentype)0.0f);
#else
    return weft_exp2_of(weft_limit(x, 1500.0));
#endif
}
#endif
