// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype exp10(gentype x);

/* As accurate as exp10 until there is something faster. */
WEFT_FN gentype half_exp10(gentype x) {
    return exp10(x);
}
