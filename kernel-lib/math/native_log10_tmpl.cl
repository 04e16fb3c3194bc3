// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype log10(gentype x);

/* As accurate as log10 until there is something faster. */
WEFT_FN gentype native_log10(gentype x) {
    return log10(x);
}
