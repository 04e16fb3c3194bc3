// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype radians(gentype x) {
#if WEFT_BITS == 16
    return WEFT_CONVERT(gentype,
                        WEFT_CONVERT(WEFT_F, x) * (WEFT_F)0.01745329251994329576923690768489f);
#else
    return x * (sgentype)0.01745329251994329576923690768489;
#endif
}
