// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_sin(gentype x) {
    return weft_quick_sine(x, 0, 0);
}
