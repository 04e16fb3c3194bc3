// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN relational signbit(gentype x) {
    return WEFT_AS(igentype, x) < (igentype)0;
}
