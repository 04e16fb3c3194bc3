// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_log2(gentype x) {
    return weft_quick_log2(x, 0);
}
