// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational isnan(gentype x) {
    return x != x;
}
