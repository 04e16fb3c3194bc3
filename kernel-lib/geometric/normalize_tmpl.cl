// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "normalize(v) returns v if all elements are zero", infinite elements count as +-1, others as 0.
 */
#if WEFT_N == 1
WEFT_FN gentype normalize(gentype v) {
    gentype one = __builtin_elementwise_copysign((gentype)1, v);
    return ((v == 0) | (v != v)) ? v : one;
}
#else
WEFT_FN gentype normalize(gentype v) {
    gentype magnitude = __builtin_elementwise_abs(v);
    sgentype largest = WEFT_LARGEST(magnitude);
    gentype units = WEFT_SELECT(magnitude == (gentype)INFINITY, (gentype)1, (gentype)0);
    units = WEFT_SELECT(v != v, v, __builtin_elementwise_copysign(units, v));
    gentype finite = largest == (sgentype)INFINITY ? units : v;
#if WEFT_BITS == 16
    WEFT_F wide = WEFT_CONVERT(WEFT_F, finite);
    WEFT_F squares = wide * wide;
    float sum = WEFT_SUM(squares);
    wide *= 1.0f / __builtin_elementwise_sqrt(sum);
    return sum == 0 ? v : WEFT_CONVERT(gentype, wide);
#elif WEFT_BITS == 32
    WEFT_DOUBLE wide = WEFT_CONVERT(WEFT_DOUBLE, finite);
    WEFT_DOUBLE squares = wide * wide;
    double sum = WEFT_SUM(squares);
    wide *= 1.0 / __builtin_elementwise_sqrt(sum);
    return sum == 0 ? v : WEFT_CONVERT(gentype, wide);
#else
    double scale = weft_scale(largest == (double)INFINITY ? 1.0 : largest);
    gentype scaled = finite * scale;
    gentype squares = scaled * scaled;
    double sum = WEFT_SUM(squares);
    return sum == 0 ? v : scaled / __builtin_elementwise_sqrt(sum);
#endif
}
#endif
