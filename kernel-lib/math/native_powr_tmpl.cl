// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype powr(gentype x, gentype y);

/* As accurate as powr until there is something faster. */
WEFT_FN gentype native_powr(gentype x, gentype y) {
    return powr(x, y);
}
