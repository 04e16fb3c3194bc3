// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype popcount(gentype x) {
    return __builtin_elementwise_popcount(x);
}
