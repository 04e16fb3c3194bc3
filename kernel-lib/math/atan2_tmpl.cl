// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(atan2, weft_atan2_of)
#else
WEFT_FN gentype atan2(gentype y, gentype x) {
    return weft_atan2_of(y, x);
}
#endif
