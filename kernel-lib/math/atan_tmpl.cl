// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype atan(gentype x) {
#if WEFT_BITS == 32
    return weft_atan_of(x);
#else
    return weft_atan2_of(x, (gentype)1.0);
#endif
}
