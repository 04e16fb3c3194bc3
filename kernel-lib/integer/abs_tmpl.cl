// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_SIGNED
/* abs(INT_MIN) wraps to INT_MIN, whose bits are 2^31 in ugentype. */
WEFT_FN ugentype abs(gentype x) {
    return WEFT_AS(ugentype, __builtin_elementwise_abs(x));
}
#else
WEFT_FN ugentype abs(gentype x) {
    return x;
}
#endif
