// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_exp2(gentype x) {
    return weft_quick_exp2(x, 0);
}
