// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Remainders with the dividend's sign: exact by definition, what `frem` becomes. */
#include "bits.h"

double fmod(double x, double y);
float fmodf(float x, float y);

/** A mantissa with its leading bit at `top`, and the exponent as if every number were normal. */
static inline uint64_t weft_normalise(uint64_t mantissa, int *exponent, int top) {
    if (*exponent != 0)
        return mantissa | (uint64_t)1 << top;
    int shift = __builtin_clzll(mantissa) - (63 - top);
    *exponent = 1 - shift;
    return mantissa << shift;
}

double fmod(double x, double y) {
    uint64_t bits_x = weft_bits64(x), bits_y = weft_bits64(y) & ~((uint64_t)1 << 63);
    uint64_t sign = bits_x & (uint64_t)1 << 63;
    bits_x ^= sign;
    if (bits_y == 0 || bits_x >= 0x7ff0000000000000u || bits_y > 0x7ff0000000000000u)
        return (x * y) / (x * y);
    if (bits_x < bits_y)
        return x;
    int exponent = (int)(bits_x >> 52), exponent_y = (int)(bits_y >> 52);
    uint64_t rest = weft_normalise(bits_x & 0xfffffffffffff, &exponent, 52);
    uint64_t divisor = weft_normalise(bits_y & 0xfffffffffffff, &exponent_y, 52);
    rest %= divisor;
    for (int left = exponent - exponent_y; left > 0; left -= 11)
        rest = (rest << (left < 11 ? left : 11)) % divisor;
    if (rest == 0)
        return weft_double(sign);
    int shift = __builtin_clzll(rest) - 11;
    if (exponent_y - shift >= 1)
        return weft_double(sign | ((rest << shift) & 0xfffffffffffff) |
                           (uint64_t)(exponent_y - shift) << 52);
    /* subnormal: the divisor's place is the lowest there is, or above it */
    return weft_double(sign |
                       (exponent_y >= 1 ? rest << (exponent_y - 1) : rest >> (1 - exponent_y)));
}

float fmodf(float x, float y) {
    /* exact in double, and the result is a float: it is a multiple of y's last place */
    return (float)fmod(x, y);
}
