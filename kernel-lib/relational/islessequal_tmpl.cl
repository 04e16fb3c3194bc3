// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational islessequal(gentype x, gentype y) {
    return x <= y;
}
