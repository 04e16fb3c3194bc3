// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype mul_hi(gentype x, gentype y);

/* The sum wraps, as that of mad24(): of a signed one LLVM would take for granted that it does not. */
WEFT_FN gentype mad_hi(gentype a, gentype b, gentype c) {
    return WEFT_AS(gentype, (ugentype)(WEFT_AS(ugentype, mul_hi(a, b)) + WEFT_AS(ugentype, c)));
}
