// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype log(gentype x);

/* As accurate as log until there is something faster. */
WEFT_FN gentype native_log(gentype x) {
    return log(x);
}
