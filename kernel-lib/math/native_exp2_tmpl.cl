// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype exp2(gentype x);

/* As accurate as exp2 until there is something faster. */
WEFT_FN gentype native_exp2(gentype x) {
    return exp2(x);
}
