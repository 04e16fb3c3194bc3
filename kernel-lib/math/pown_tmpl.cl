// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
#define WEFT_POWN_REAL WEFT_F
#define WEFT_POWN_INT  intn
#define weft_far_pown weft_pown_of
#else
#define WEFT_POWN_REAL gentype
#define WEFT_POWN_INT  igentype
WEFT_FN gentype weft_far_pown(gentype x, intn n); /* rare/ */
#endif

/* Of doubles, ints are asked where what was asked is in bits (AVX-512): half as much to do. Else masks
 * would have to be made longer. */
#define WEFT_POWN_ASKED(bit) ((m & (WEFT_POWN_INT)(bit)) != (WEFT_POWN_INT)0)
#if WEFT_BITS == 64
#define WEFT_POWN_HAS(bit)                                                                         \
    (__weft_has_avx512() ? WEFT_CONVERT(igentype, (size & (intn)(bit)) != (intn)0)                 \
                         : WEFT_POWN_ASKED(bit))
#else
#define WEFT_POWN_HAS WEFT_POWN_ASKED
#endif

/* Up to the seventh power by multiplication, where that neither overflows nor nearly so: 7 ULP. */
WEFT_HELPER WEFT_POWN_REAL weft_short_pown(WEFT_POWN_REAL x, intn n) {
    const WEFT_POWN_REAL one = (WEFT_POWN_REAL)1;
    const WEFT_POWN_INT wide = WEFT_CONVERT(WEFT_POWN_INT, n);
    const WEFT_POWN_INT negative = wide < (WEFT_POWN_INT)0, m = WEFT_SELECT(negative, -wide, wide);
#if WEFT_BITS == 64
    const intn size = __builtin_elementwise_abs(n);
#endif
    WEFT_POWN_REAL square = x * x, p = WEFT_SELECT(WEFT_POWN_HAS(1), x, one);
    p *= WEFT_SELECT(WEFT_POWN_HAS(2), square, one);
    p *= WEFT_SELECT(WEFT_POWN_HAS(4), square * square, one);
#if WEFT_BITS == 16
    /* The seventh power of any half but 0 and infinity is a float, or as a half is 0 or infinity
     * anyhow, and so is its reciprocal. */
    WEFT_POWN_REAL result = p;
    if (weft_any_of(negative))
        result = WEFT_SELECT(negative, weft_over(one, p), p);
    WEFT_POWN_INT rare = m != (m & (WEFT_POWN_INT)7);
#else
    const WEFT_POWN_REAL large = (WEFT_POWN_REAL)(WEFT_BITS == 64 ? 0x1p1000 : 0x1p100);
    WEFT_POWN_REAL a = __builtin_elementwise_abs(p), result = p;
    if (weft_any_of(negative))
        result = WEFT_SELECT(negative, one / p, p);
    WEFT_POWN_INT rare = (m != (m & (WEFT_POWN_INT)7)) | !(a <= large) | !(a >= one / large);
#endif
    if (WEFT_RARELY(rare))
        result = WEFT_SELECT(rare, weft_far_pown(x, n), result);
    return result;
}

WEFT_FN gentype pown(gentype x, intn n) {
#if WEFT_BITS == 16
    return weft_half(weft_short_pown(weft_float(x), n));
#else
    return weft_short_pown(x, n);
#endif
}

#undef WEFT_POWN_REAL
#undef WEFT_POWN_INT
#undef WEFT_POWN_HAS
#undef WEFT_POWN_ASKED
#undef weft_far_pown
