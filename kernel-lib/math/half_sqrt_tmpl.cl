// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_sqrt(gentype x) {
    return __builtin_elementwise_sqrt(x);
}
