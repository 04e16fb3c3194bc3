// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype sub_sat(gentype x, gentype y) {
    return __builtin_elementwise_sub_sat(x, y);
}
