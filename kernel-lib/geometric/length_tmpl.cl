// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
WEFT_FN sgentype length(gentype v) {
#if WEFT_N == 1
    return __builtin_elementwise_abs(v);
#else
    WEFT_F wide = WEFT_CONVERT(WEFT_F, v);
    wide *= wide;
    return (half)__builtin_elementwise_sqrt(WEFT_SUM(wide));
#endif
}
#elif WEFT_BITS == 32
/* In double, squares of floats are exact and cannot overflow. */
WEFT_FN sgentype length(gentype v) {
#if WEFT_N == 1
    return __builtin_elementwise_abs(v);
#else
    WEFT_DOUBLE wide = WEFT_CONVERT(WEFT_DOUBLE, v);
    wide *= wide;
    return (float)__builtin_elementwise_sqrt(WEFT_SUM(wide));
#endif
}
#else
WEFT_FN sgentype length(gentype v) {
    gentype magnitude = __builtin_elementwise_abs(v);
#if WEFT_N == 1
    return magnitude;
#else
    double largest = WEFT_LARGEST(magnitude);
    double scale = weft_scale(largest);
    gentype scaled = magnitude * scale;
    scaled *= scaled;
    double result = __builtin_elementwise_sqrt(WEFT_SUM(scaled)) / scale;
    return largest == (double)INFINITY ? (double)INFINITY : result;
#endif
}
#endif
