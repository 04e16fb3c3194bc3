// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Returns 1 if the most significant bit in any component of x is set." */
WEFT_FN int any(gentype x) {
#if WEFT_N == 1
    return x < 0;
#else
    return __builtin_reduce_or(x) < 0;
#endif
}
