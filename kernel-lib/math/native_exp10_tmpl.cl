// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype native_exp10(gentype x) {
    return weft_quick_exp2(x * (gentype)WEFT_LOG2_10, 1);
}
