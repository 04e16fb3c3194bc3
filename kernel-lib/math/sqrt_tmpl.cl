// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Of halves: fp16_pow.h. */
#if WEFT_BITS == 16
WEFT_BY_CORE(sqrt, weft_sqrt_of)
#else
WEFT_FN gentype sqrt(gentype x) {
    return __builtin_elementwise_sqrt(x);
}
#endif
