// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_log(gentype x) {
    return weft_quick_log2(x, 0) * (gentype)WEFT_LN_2;
}
