// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational isfinite(gentype x) {
    return __builtin_elementwise_abs(x) < (gentype)INFINITY;
}
