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

/* Up to the seventh power by multiplication, where that neither overflows nor nearly so: 7 ULP. */
WEFT_HELPER WEFT_POWN_REAL weft_short_pown(WEFT_POWN_REAL x, intn n) {
    const WEFT_POWN_REAL one = (WEFT_POWN_REAL)1;
    const WEFT_POWN_INT zero = (WEFT_POWN_INT)0, seven = (WEFT_POWN_INT)7;
    WEFT_POWN_INT m = WEFT_CONVERT(WEFT_POWN_INT, n), size = WEFT_SELECT(m < zero, -m, m);
    WEFT_POWN_REAL square = x * x, p = WEFT_SELECT((size & (WEFT_POWN_INT)1) != zero, x, one);
    p *= WEFT_SELECT((size & (WEFT_POWN_INT)2) != zero, square, one);
    p *= WEFT_SELECT((size & (WEFT_POWN_INT)4) != zero, square * square, one);
#if WEFT_BITS == 16
    /* The seventh power of any half but 0 and infinity is a float, or as a half is 0 or infinity
     * anyhow, and so is its reciprocal. */
    WEFT_POWN_REAL result = p;
    if (weft_any_of(m < zero))
        result = WEFT_SELECT(m < zero, weft_over(one, p), p);
    WEFT_POWN_INT rare = size != (size & seven);
#else
    const WEFT_POWN_REAL large = (WEFT_POWN_REAL)(WEFT_BITS == 64 ? 0x1p1000 : 0x1p100);
    WEFT_POWN_REAL a = __builtin_elementwise_abs(p), result = p;
    if (weft_any_of(m < zero))
        result = WEFT_SELECT(m < zero, one / p, p);
    WEFT_POWN_INT rare = (size != (size & seven)) | !(a <= large) | !(a >= one / large);
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
#undef weft_far_pown
