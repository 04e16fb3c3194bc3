// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype exp(gentype x) {
#if WEFT_BITS == 32
    return weft_exp_of(x);
#else
    return weft_exp_times(x, 0);
#endif
}
