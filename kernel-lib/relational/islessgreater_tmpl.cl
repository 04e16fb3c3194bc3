// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational islessgreater(gentype x, gentype y) {
    return (x < y) | (x > y);
}
