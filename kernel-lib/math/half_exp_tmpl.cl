// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype exp(gentype x);

/* As accurate as exp until there is something faster. */
WEFT_FN gentype half_exp(gentype x) {
    return exp(x);
}
