// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype native_cos(gentype x) {
    return weft_quick_sine(x, 1, 1);
}
