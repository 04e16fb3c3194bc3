// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_atan2(gentype y, gentype x);

WEFT_FN gentype atan2(gentype y, gentype x) {
#if WEFT_BITS == 32
    return weft_clc_atan2(y, x);
#else
    return weft_atan2_of(y, x);
#endif
}
