// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Returns 1.0 if x > 0, -0.0 if x = -0.0, +0.0 if x = +0.0, or -1.0 if x < 0. Returns 0.0 if x is
 * a NaN." */
WEFT_FN gentype sign(gentype x) {
    gentype one = __builtin_elementwise_copysign((gentype)1, x);
    gentype result = WEFT_SELECT(x == (gentype)0, x, one);
    return WEFT_SELECT(x != x, (gentype)0, result);
}
