// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Exponents: ldexp, frexp, modf and integer powers. */
#include "bits.h"

double ldexp(double x, int exponent);
float ldexpf(float x, int exponent);
double frexp(double x, int *exponent);
float frexpf(float x, int *exponent);
double modf(double x, double *whole);
float modff(float x, float *whole);
double trunc(double x);
float truncf(float x);
double __powidf2(double x, int power);
float __powisf2(float x, int power);

static inline double weft_power(int exponent) {
    return weft_double((uint64_t)(exponent + 1023) << 52);
}

/* Three factors reach every result from every x; all but the last product are exact. */
double ldexp(double x, int exponent) {
    exponent = exponent > 2200 ? 2200 : exponent < -2200 ? -2200 : exponent;
    if (exponent > 1023) {
        x *= 0x1p1023;
        exponent -= 1023;
        if (exponent > 1023) {
            x *= 0x1p1023;
            exponent -= 1023;
            exponent = exponent > 1023 ? 1023 : exponent;
        }
    } else if (exponent < -1022) {
        /* by 2^-969 = 2^-1022 * 2^53 a normal x stays normal: only one product rounds */
        x *= 0x1p-969;
        exponent += 969;
        if (exponent < -1022) {
            x *= 0x1p-969;
            exponent += 969;
            exponent = exponent < -1022 ? -1022 : exponent;
        }
    }
    return x * weft_power(exponent);
}

/* In double nothing overflows or rounds before the conversion. */
float ldexpf(float x, int exponent) {
    exponent = exponent > 600 ? 600 : exponent < -600 ? -600 : exponent;
    return (float)(x * weft_power(exponent));
}

double frexp(double x, int *exponent) {
    uint64_t bits = weft_bits64(x);
    int raw = (int)(bits >> 52 & 0x7ff), more = 0;
    if (raw == 0 && x != 0) {
        bits = weft_bits64(x * 0x1p54);
        raw = (int)(bits >> 52 & 0x7ff);
        more = 54;
    }
    if (raw == 0x7ff || x == 0) {
        *exponent = 0;
        return x;
    }
    *exponent = raw - 1022 - more;
    return weft_double((bits & 0x800fffffffffffff) | (uint64_t)1022 << 52);
}

float frexpf(float x, int *exponent) {
    return (float)frexp(x, exponent);
}

double modf(double x, double *whole) {
    double integer = trunc(x);
    *whole = integer;
    double part = x - integer;
    if (x == integer)
        part = 0;
    return weft_double((weft_bits64(part) & ~((uint64_t)1 << 63)) |
                       (weft_bits64(x) & (uint64_t)1 << 63));
}

float modff(float x, float *whole) {
    double integer;
    float part = (float)modf(x, &integer);
    *whole = (float)integer;
    return part;
}

double __powidf2(double x, int power) {
    unsigned left = power < 0 ? 0u - (unsigned)power : (unsigned)power;
    double result = 1;
    for (; left != 0; left >>= 1, x *= x)
        if (left & 1)
            result *= x;
    return power < 0 ? 1 / result : result;
}

float __powisf2(float x, int power) {
    return (float)__powidf2(x, power);
}
