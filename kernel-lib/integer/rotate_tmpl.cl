// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Bits shifted off the left side are shifted back in from the right side": counts wrap. */
WEFT_FN gentype rotate(gentype v, gentype i) {
    ugentype bits = WEFT_AS(ugentype, v);
    return WEFT_AS(gentype, __builtin_elementwise_fshl(bits, bits, WEFT_AS(ugentype, i)));
}
