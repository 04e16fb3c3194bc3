// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN int all(gentype x) {
#if WEFT_N == 1
    return x < 0;
#else
    return __builtin_reduce_and(x) < 0;
#endif
}
