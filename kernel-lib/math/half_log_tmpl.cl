// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_log(gentype x) {
    return weft_quick_log2(x, 0) * (gentype)0x1.62e430p-1f;
}
