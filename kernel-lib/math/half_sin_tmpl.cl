// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_sin(gentype x) {
    return WEFT_SELECT(x == (gentype)0.0f, x,
                       weft_quick_sine(x, 0, 0)); /* keeps the sign of zero */
}
