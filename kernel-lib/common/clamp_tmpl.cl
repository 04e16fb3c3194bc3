// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_FLOAT
/* "Returns fmin(fmax(x, minval), maxval)": fmax and fmin return the other operand for a NaN. */
WEFT_FN gentype clamp(gentype x, gentype low, gentype high) {
    gentype raised = WEFT_SELECT(x > low, x, low);
    return WEFT_SELECT(raised < high, raised, high);
}
#else
WEFT_FN gentype clamp(gentype x, gentype low, gentype high) {
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);
}
#endif
#if WEFT_N > 1
WEFT_FN gentype clamp(gentype x, sgentype low, sgentype high) {
    return clamp(x, (gentype)low, (gentype)high);
}
#endif
