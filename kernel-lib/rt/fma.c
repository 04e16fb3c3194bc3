// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Fused multiply-add with one rounding, for processors without the instruction (below v3). */
#include "bits.h"

double fma(double x, double y, double z);
float fmaf(float x, float y, float z);

/* The product of two floats is exact in double; the sum is rounded to odd, so that the final
 * rounding to float sees whether anything lies below its last bits. */
float fmaf(float x, float y, float z) {
    double product = (double)x * y;
    double sum = product + z;
    uint64_t bits = weft_bits64(sum);
    if ((bits >> 52 & 0x7ff) == 0x7ff)
        return (float)sum;
    double z_part = sum - product;
    double error = (product - (sum - z_part)) + (z - z_part);
    if (error != 0 && !(bits & 1)) {
        uint64_t away = (error < 0) == (bits >> 63);
        bits += away ? 1 : (uint64_t)-1;
    }
    return (float)weft_double(bits);
}

/** mantissa * 2^exponent with the mantissa's leading bit at 52. */
typedef struct weft_parts {
    uint64_t mantissa;
    int exponent;
} weft_parts;

static inline weft_parts weft_split(double x) {
    uint64_t bits = weft_bits64(x), mantissa = bits & 0xfffffffffffff;
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0) {
        int shift = __builtin_clzll(mantissa) - 11;
        return (weft_parts){mantissa << shift, 1 - shift - 1075};
    }
    return (weft_parts){mantissa | (uint64_t)1 << 52, exponent - 1075};
}

/* value * 2^exponent, value not zero, its lowest bit sticky, to nearest even. */
static inline double weft_round(weft_u128 value, int exponent, uint64_t sign) {
    uint64_t high = (uint64_t)(value >> 64);
    int top = high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)value);
    /* two bits more than the result keeps: the half and what lies below it */
    int lost = top - 54;
    if (exponent + lost < -1076) /* subnormal: the last place is fixed */
        lost = -1076 - exponent;
    value = lost < 0 ? value << -lost : weft_shift_jam(value, (unsigned)lost);
    exponent += lost + 2;
    uint64_t kept = (uint64_t)value >> 2, tail = (uint64_t)value & 3;
    kept += tail == 3 || (tail == 2 && (kept & 1));
    if (kept >> 53) {
        kept >>= 1;
        exponent++;
    }
    if (exponent > 971)
        return weft_double(sign << 63 | 0x7ff0000000000000u);
    uint64_t biased = kept >> 52 ? (uint64_t)(exponent + 1075) : 0;
    return weft_double(sign << 63 | biased << 52 | (kept & 0xfffffffffffff));
}

static inline int weft_is_special(double x) {
    return (weft_bits64(x) >> 52 & 0x7ff) == 0x7ff;
}

double fma(double x, double y, double z) {
    if (weft_is_special(x) || weft_is_special(y) || x == 0 || y == 0)
        return x * y + z;
    if (weft_is_special(z)) /* a product that overflows is still finite */
        return z + z;
    if (z == 0)
        return x * y;
    weft_parts a = weft_split(x), b = weft_split(y), c = weft_split(z);
    /* both summands with their leading bit at 124 or 125: no overflow, and bits that a shift loses
     * matter as a sticky bit only, since then nothing cancels */
    weft_u128 product = (weft_u128)a.mantissa * b.mantissa << 20;
    weft_u128 addend = (weft_u128)c.mantissa << 73;
    int exponent = a.exponent + b.exponent - 20, addend_exponent = c.exponent - 73;
    uint64_t sign = (weft_bits64(x) ^ weft_bits64(y)) >> 63, addend_sign = weft_bits64(z) >> 63;
    if (exponent < addend_exponent) {
        product = weft_shift_jam(product, (unsigned)(addend_exponent - exponent));
        exponent = addend_exponent;
    } else {
        addend = weft_shift_jam(addend, (unsigned)(exponent - addend_exponent));
    }
    if (sign == addend_sign)
        return weft_round(product + addend, exponent, sign);
    if (product == addend)
        return 0;
    return product > addend ? weft_round(product - addend, exponent, sign)
                            : weft_round(addend - product, exponent, addend_sign);
}
