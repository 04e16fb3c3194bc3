// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Lanes of a vector added one after the other, from x: the order that the result is defined by. */
#define WEFT_SUM_1(v)     (v)
#define WEFT_SUM_2(v)     ((v).x + (v).y)
#define WEFT_SUM_3(v)     ((v).x + (v).y + (v).z)
#define WEFT_SUM_4(v)     (((v).x + (v).y) + ((v).z + (v).w))
#define WEFT_SUM(v)       WEFT_PASTE(WEFT_SUM_, WEFT_N)(v)
#define WEFT_LARGEST_1(v) (v)
#define WEFT_LARGEST_2(v) __builtin_elementwise_max((v).x, (v).y)
#define WEFT_LARGEST_3(v) __builtin_elementwise_max(WEFT_LARGEST_2(v), (v).z)
#define WEFT_LARGEST_4(v)                                                                          \
    __builtin_elementwise_max(WEFT_LARGEST_2(v), __builtin_elementwise_max((v).z, (v).w))
/** The largest lane, NaN lanes ignored. */
#define WEFT_LARGEST(v) WEFT_PASTE(WEFT_LARGEST_, WEFT_N)(v)
#define WEFT_DOUBLE     WEFT_VECTOR(double)
/** Of halves: squares are exact, and nothing overflows. */
#define WEFT_F WEFT_VECTOR(float)

/**
 * A power of two that brings `largest`, a vector's largest magnitude, near 1: squares of the scaled
 * lanes neither overflow nor lose what counts. 1 for 0, infinities and NaN.
 */
static inline __attribute__((always_inline)) double weft_scale(double largest) {
    ulong exponent = as_ulong(largest) >> 52 & 0x7ff;
    /* both ends keep the power a normal number */
    exponent = exponent < 2 ? 2 : exponent > 2044 ? 2044 : exponent;
    double scale = as_double((2045 - exponent) << 52);
    return ((largest == (double)INFINITY) | (largest != largest) | (largest == 0)) ? 1.0 : scale;
}
