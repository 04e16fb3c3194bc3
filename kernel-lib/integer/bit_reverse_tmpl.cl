// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype bit_reverse(gentype base) {
    return __builtin_elementwise_bitreverse(base);
}
