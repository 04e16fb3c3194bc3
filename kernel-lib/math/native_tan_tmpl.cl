// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype native_tan(gentype x) {
    return weft_quick_tan(x, 1);
}
