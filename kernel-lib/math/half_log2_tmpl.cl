// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype log2(gentype x);

/* As accurate as log2 until there is something faster. */
WEFT_FN gentype half_log2(gentype x) {
    return log2(x);
}
