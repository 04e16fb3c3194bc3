// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_divide(gentype x, gentype y) {
    return x / y;
}
