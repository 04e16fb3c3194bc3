// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN sgentype fast_distance(gentype a, gentype b) {
    gentype difference = a - b;
    difference *= difference;
    return __builtin_elementwise_sqrt(WEFT_SUM(difference));
}
