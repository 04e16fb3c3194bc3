// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype floor(gentype x) {
    return __builtin_elementwise_floor(x);
}
