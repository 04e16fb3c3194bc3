// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_SIGNED
#define WEFT_WIDE WEFT_VECTOR(WEFT_PASTE(WEFT_WIDE_, WEFT_BITS))
#else
#define WEFT_WIDE WEFT_VECTOR(WEFT_PASTE(WEFT_UWIDE_, WEFT_BITS))
#endif
WEFT_FN WEFT_WIDE upsample(gentype hi, ugentype lo) {
    return (WEFT_WIDE)((WEFT_CONVERT(WEFT_WIDE, hi) << WEFT_BITS) | WEFT_CONVERT(WEFT_WIDE, lo));
}
#undef WEFT_WIDE
