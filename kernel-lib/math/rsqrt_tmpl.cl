// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE(rsqrt, weft_rsqrt_of)
#else
WEFT_FN gentype rsqrt(gentype x) {
    return (gentype)1 / __builtin_elementwise_sqrt(x);
}
#endif
