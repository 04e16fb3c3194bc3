// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype copysign(gentype x, gentype y) {
    return __builtin_elementwise_copysign(x, y);
}
