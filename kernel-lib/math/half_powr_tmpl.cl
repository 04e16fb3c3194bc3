// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_powr(gentype x, gentype y) {
    return weft_quick_powr(x, y, 0);
}
