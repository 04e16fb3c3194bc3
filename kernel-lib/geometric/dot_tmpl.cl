// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN sgentype dot(gentype a, gentype b) {
    gentype product = a * b;
    return WEFT_SUM(product);
}
