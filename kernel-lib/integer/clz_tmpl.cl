// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype clz(gentype x) {
    return WEFT_AS(gentype, __builtin_elementwise_clzg(WEFT_AS(ugentype, x), (ugentype)WEFT_BITS));
}
