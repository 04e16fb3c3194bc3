// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_BY_CORE2(fmod, weft_fmod_of)
#else
WEFT_FN gentype fmod(gentype x, gentype y) {
    igentype n;
    gentype r = weft_mod_of(__builtin_elementwise_abs(x), __builtin_elementwise_abs(y), &n);
    return __builtin_elementwise_copysign(r, x);
}
#endif
