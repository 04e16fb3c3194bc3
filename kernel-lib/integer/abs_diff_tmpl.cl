// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* |x - y| without overflow: the unsigned difference of the larger and the smaller. */
WEFT_FN ugentype abs_diff(gentype x, gentype y) {
    gentype larger = __builtin_elementwise_max(x, y);
    gentype smaller = __builtin_elementwise_min(x, y);
    return WEFT_AS(ugentype, larger) - WEFT_AS(ugentype, smaller);
}
