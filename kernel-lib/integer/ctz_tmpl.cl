// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype ctz(gentype x) {
    return WEFT_AS(gentype, __builtin_elementwise_ctzg(WEFT_AS(ugentype, x), (ugentype)WEFT_BITS));
}
