// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype native_log(gentype x) {
    return weft_quick_log2(x, 1) * (gentype)0x1.62e430p-1f;
}
