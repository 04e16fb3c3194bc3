// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype mad24(gentype x, gentype y, gentype z) {
    return WEFT_AS(gentype, WEFT_AS(ugentype, x) * WEFT_AS(ugentype, y) + WEFT_AS(ugentype, z));
}
