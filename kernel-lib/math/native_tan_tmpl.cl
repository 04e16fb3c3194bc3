// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype tan(gentype x);

/* As accurate as tan until there is something faster. */
WEFT_FN gentype native_tan(gentype x) {
    return tan(x);
}
