// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(lgamma, weft_lgamma_of)
#else
WEFT_FN gentype weft_clc_lgamma(gentype x);
WEFT_FN gentype log(gentype x);

/* Next to 0, gamma is 1 / x: of floats libclc's is infinite below it, as at minus infinity -infinity. */
WEFT_FN gentype lgamma(gentype x) {
    gentype a = __builtin_elementwise_abs(x), result = weft_clc_lgamma(x);
    relational rare = !(a >= (gentype)0x1p-60) | !(a < (gentype)INFINITY);
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare != (relational)0, __builtin_elementwise_abs(log(a)), result);
    return result;
}
#endif
