// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational isunordered(gentype x, gentype y) {
    return (x != x) | (y != y);
}
