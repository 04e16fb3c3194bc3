// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_exp(gentype x) {
    return weft_quick_exp2(x * (gentype)WEFT_LOG2_E, 0);
}
