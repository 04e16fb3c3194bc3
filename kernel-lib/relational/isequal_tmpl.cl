// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational isequal(gentype x, gentype y) {
    return x == y;
}
