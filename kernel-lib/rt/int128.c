// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** 128-bit integers: products, quotients, conversions from and to floating point. */
#include "bits.h"

weft_i128 __multi3(weft_i128 a, weft_i128 b);
weft_u128 __udivti3(weft_u128 a, weft_u128 b);
weft_u128 __umodti3(weft_u128 a, weft_u128 b);
weft_i128 __divti3(weft_i128 a, weft_i128 b);
weft_i128 __modti3(weft_i128 a, weft_i128 b);
weft_u128 __udivmodti4(weft_u128 a, weft_u128 b, weft_u128 *rest);
weft_i128 __divmodti4(weft_i128 a, weft_i128 b, weft_i128 *rest);
weft_i128 __fixsfti(float x);
weft_i128 __fixdfti(double x);
weft_u128 __fixunssfti(float x);
weft_u128 __fixunsdfti(double x);
float __floattisf(weft_i128 x);
double __floattidf(weft_i128 x);
float __floatuntisf(weft_u128 x);
double __floatuntidf(weft_u128 x);

static inline weft_u128 weft_join(uint64_t high, uint64_t low) {
    return (weft_u128)high << 64 | low;
}

/* high:low / divisor for high < divisor, which is what the instruction can do. */
static inline uint64_t weft_divide(uint64_t high, uint64_t low, uint64_t divisor, uint64_t *rest) {
    uint64_t quotient;
    __asm__("divq %4" : "=a"(quotient), "=d"(*rest) : "a"(low), "d"(high), "r"(divisor) : "cc");
    return quotient;
}

/* Never traps: x / 0 is 0 with rest x, as nobody may ask. */
static inline weft_u128 weft_divmod(weft_u128 a, weft_u128 b, weft_u128 *rest) {
    uint64_t b_high = (uint64_t)(b >> 64), b_low = (uint64_t)b, remainder;
    if (a < b || b == 0) {
        *rest = a;
        return 0;
    }
    if (b_high == 0) {
        uint64_t high = weft_divide(0, (uint64_t)(a >> 64), b_low, &remainder);
        uint64_t low = weft_divide(remainder, (uint64_t)a, b_low, &remainder);
        *rest = remainder;
        return weft_join(high, low);
    }
    /* The divisor's leading 64 bits give a quotient that is at most one too large. */
    unsigned shift = (unsigned)__builtin_clzll(b_high);
    uint64_t leading = (uint64_t)((b << shift) >> 64);
    weft_u128 half = a >> 1;
    uint64_t estimate = weft_divide((uint64_t)(half >> 64), (uint64_t)half, leading, &remainder);
    uint64_t quotient = (uint64_t)(((weft_u128)estimate << shift) >> 63);
    quotient -= quotient != 0;
    weft_u128 left = a - b * quotient;
    if (left >= b) {
        left -= b;
        quotient++;
    }
    *rest = left;
    return quotient;
}

weft_i128 __multi3(weft_i128 a, weft_i128 b) {
    uint64_t a_low = (uint64_t)a, b_low = (uint64_t)b;
    weft_u128 low = (weft_u128)a_low * b_low;
    uint64_t cross =
        (uint64_t)((weft_u128)a >> 64) * b_low + a_low * (uint64_t)((weft_u128)b >> 64);
    return (weft_i128)(low + ((weft_u128)cross << 64));
}

weft_u128 __udivmodti4(weft_u128 a, weft_u128 b, weft_u128 *rest) {
    weft_u128 left, quotient = weft_divmod(a, b, &left);
    if (rest)
        *rest = left;
    return quotient;
}

weft_u128 __udivti3(weft_u128 a, weft_u128 b) {
    weft_u128 rest;
    return weft_divmod(a, b, &rest);
}

weft_u128 __umodti3(weft_u128 a, weft_u128 b) {
    weft_u128 rest;
    weft_divmod(a, b, &rest);
    return rest;
}

/* Towards zero; the rest has the dividend's sign. */
weft_i128 __divmodti4(weft_i128 a, weft_i128 b, weft_i128 *rest) {
    weft_u128 a_sign = (weft_u128)(a >> 127), b_sign = (weft_u128)(b >> 127), left;
    weft_u128 quotient =
        weft_divmod(((weft_u128)a ^ a_sign) - a_sign, ((weft_u128)b ^ b_sign) - b_sign, &left);
    if (rest)
        *rest = (weft_i128)((left ^ a_sign) - a_sign);
    a_sign ^= b_sign;
    return (weft_i128)((quotient ^ a_sign) - a_sign);
}

weft_i128 __divti3(weft_i128 a, weft_i128 b) {
    return __divmodti4(a, b, NULL);
}

weft_i128 __modti3(weft_i128 a, weft_i128 b) {
    weft_i128 rest;
    __divmodti4(a, b, &rest);
    return rest;
}

/* Truncates; what does not fit saturates, a NaN gives 0. */
weft_u128 __fixunsdfti(double x) {
    uint64_t bits = weft_bits64(x);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (!(x >= 1))
        return 0;
    if (exponent > 127)
        return ~(weft_u128)0;
    weft_u128 mantissa = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
    return exponent >= 52 ? mantissa << (exponent - 52) : mantissa >> (52 - exponent);
}

weft_i128 __fixdfti(double x) {
    double magnitude = x < 0 ? -x : x;
    weft_u128 most = (weft_u128)1 << 127;
    if (magnitude >= 0x1p127)
        return x < 0 ? (weft_i128)most : (weft_i128)(most - 1);
    weft_i128 value = (weft_i128)__fixunsdfti(magnitude);
    return x < 0 ? -value : value;
}

weft_u128 __fixunssfti(float x) {
    return __fixunsdfti(x);
}

weft_i128 __fixsfti(float x) {
    return __fixdfti(x);
}

/* Leading 64 bits with the rest jammed into the lowest: one rounding, then an exact scale. */
static inline uint64_t weft_leading(weft_u128 x, int *scale) {
    if (x >> 64 == 0) {
        *scale = 0;
        return (uint64_t)x;
    }
    unsigned shift = 64 - (unsigned)__builtin_clzll((uint64_t)(x >> 64));
    *scale = (int)shift;
    return (uint64_t)weft_shift_jam(x, shift);
}

double __floatuntidf(weft_u128 x) {
    int scale;
    double leading = (double)weft_leading(x, &scale);
    return leading * weft_double((uint64_t)(1023 + scale) << 52);
}

float __floatuntisf(weft_u128 x) {
    int scale;
    float leading = (float)weft_leading(x, &scale);
    return leading * weft_float((uint32_t)(127 + scale) << 23);
}

double __floattidf(weft_i128 x) {
    weft_u128 sign = (weft_u128)(x >> 127);
    double magnitude = __floatuntidf(((weft_u128)x ^ sign) - sign);
    return sign ? -magnitude : magnitude;
}

float __floattisf(weft_i128 x) {
    weft_u128 sign = (weft_u128)(x >> 127);
    float magnitude = __floatuntisf(((weft_u128)x ^ sign) - sign);
    return sign ? -magnitude : magnitude;
}
