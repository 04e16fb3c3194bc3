// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype cos(gentype x);

/* As accurate as cos until there is something faster. */
WEFT_FN gentype native_cos(gentype x) {
    return cos(x);
}
