// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype add_sat(gentype x, gentype y) {
    return __builtin_elementwise_add_sat(x, y);
}
