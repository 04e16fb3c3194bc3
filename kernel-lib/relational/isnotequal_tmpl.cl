// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational isnotequal(gentype x, gentype y) {
    return x != y;
}
