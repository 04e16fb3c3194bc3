// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Conversions between half and float or double, for processors or types without an instruction. */
#include "bits.h"

float __extendhfsf2(_Float16 x);
double __extendhfdf2(_Float16 x);
_Float16 __truncsfhf2(float x);
_Float16 __truncdfhf2(double x);

static inline float weft_from_half(_Float16 x) {
    uint32_t half = __builtin_bit_cast(uint16_t, x);
    uint32_t sign = (half & 0x8000) << 16, rest = half & 0x7fff;
    uint32_t bits = (rest << 13) + (112u << 23);
    if (rest < 0x400) /* subnormal; no float may be, where those count as zero */
        bits = weft_bits32((float)rest * 0x1p-24f);
    if (rest >= 0x7c00) /* infinity or NaN; NaNs become quiet */
        bits = 0x7f800000 | rest << 13 | (rest > 0x7c00 ? 0x400000 : 0);
    return weft_float(sign | bits);
}

/* To nearest even in one rounding; `x` without its sign. */
static inline uint16_t weft_to_half(uint64_t x) {
    if (x > 0x7ff0000000000000u) /* NaN: quiet, as much of the payload as fits */
        return (uint16_t)(0x7e00 | (x >> 42 & 0x1ff));
    int exponent = (int)(x >> 52) - 1023;
    if (exponent >= 16)
        return 0x7c00;
    if (exponent < -25)
        return 0;
    uint64_t mantissa = (x & 0xfffffffffffff) | (uint64_t)1 << 52;
    unsigned lost = exponent >= -14 ? 42 : (unsigned)(42 - 14 - exponent);
    uint64_t kept = mantissa >> lost, rest = mantissa & (((uint64_t)1 << lost) - 1);
    uint64_t half_way = (uint64_t)1 << (lost - 1);
    kept += rest > half_way || (rest == half_way && (kept & 1));
    /* a carry into the exponent is right as it is; normal halves bring their implicit bit along */
    return (uint16_t)(exponent >= -14 ? kept + ((uint64_t)(exponent + 14) << 10) : kept);
}

float __extendhfsf2(_Float16 x) {
    return weft_from_half(x);
}

double __extendhfdf2(_Float16 x) {
    return weft_from_half(x);
}

_Float16 __truncdfhf2(double x) {
    uint64_t bits = weft_bits64(x), sign = bits >> 63;
    uint16_t half = (uint16_t)(sign << 15 | weft_to_half(bits & ~((uint64_t)1 << 63)));
    return __builtin_bit_cast(_Float16, half);
}

_Float16 __truncsfhf2(float x) {
    return __truncdfhf2(x);
}
