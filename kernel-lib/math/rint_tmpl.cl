// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype rint(gentype x) {
    return __builtin_elementwise_rint(x);
}
