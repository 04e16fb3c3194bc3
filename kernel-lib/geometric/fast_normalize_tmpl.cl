// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A zero vector stays as it is; a sum of squares that underflows counts as zero. */
WEFT_FN gentype fast_normalize(gentype v) {
    gentype squares = v * v;
    sgentype sum = WEFT_SUM(squares);
    return sum == 0 ? v : v * (1.0f / __builtin_elementwise_sqrt(sum));
}
