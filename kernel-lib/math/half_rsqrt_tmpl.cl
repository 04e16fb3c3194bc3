// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_rsqrt(gentype x) {
    return (gentype)1 / __builtin_elementwise_sqrt(x);
}
