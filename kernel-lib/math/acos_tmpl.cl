// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS <= 32
WEFT_BY_CORE(acos, weft_acos_of)
#else
WEFT_FN gentype weft_clc_acos(gentype x);

WEFT_FN gentype acos(gentype x) {
    return weft_clc_acos(x);
}
#endif
