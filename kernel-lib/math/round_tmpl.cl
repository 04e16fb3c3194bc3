// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype round(gentype x) {
    return __builtin_elementwise_round(x);
}
