// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS <= 32
WEFT_BY_CORE(atan, weft_atan_of)
#else
WEFT_FN gentype atan(gentype x) {
    return weft_atan2_of(x, (gentype)1.0);
}
#endif
