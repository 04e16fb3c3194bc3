// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN sgentype fast_length(gentype v) {
    gentype squares = v * v;
    return __builtin_elementwise_sqrt(WEFT_SUM(squares));
}
