// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_tan(gentype x) {
    return WEFT_SELECT(x == (gentype)0.0f, x, weft_quick_tan(x, 0)); /* keeps the sign of zero */
}
