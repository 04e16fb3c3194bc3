// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational isinf(gentype x) {
    return __builtin_elementwise_abs(x) == (gentype)INFINITY;
}
