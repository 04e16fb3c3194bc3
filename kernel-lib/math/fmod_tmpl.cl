// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype fmod(gentype x, gentype y) {
    igentype n;
    gentype r = weft_mod_of(__builtin_elementwise_abs(x), __builtin_elementwise_abs(y), &n);
    return __builtin_elementwise_copysign(r, x);
}
