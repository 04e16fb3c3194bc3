// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(exp, weft_exp_of)
#else
WEFT_FN gentype exp(gentype x) {
#if WEFT_BITS == 32
    return weft_exp_of(x);
#else
    return weft_exp_of(x);
#endif
}
#endif
