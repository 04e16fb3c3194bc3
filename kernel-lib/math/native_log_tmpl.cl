// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype native_log(gentype x) {
    return weft_quick_log2(x, 1) * (gentype)WEFT_LN_2;
}
