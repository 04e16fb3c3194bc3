// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype sin(gentype x);

/* As accurate as sin until there is something faster. */
WEFT_FN gentype half_sin(gentype x) {
    return sin(x);
}
