// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled for vectors of this machine: what is done with each of 2^32 results.
#include "exhaust.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, 8);
    return x;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    return bits;
}

/** A format's digits and lowest exponent, and from where on a result is rounded to infinity. */
typedef struct weft_format {
    int digits, lowest;
    double over;
} weft_format;

static const weft_format of_float = {24, -126, 0x1p129}, of_half = {11, -14, 65520};

/** In units of the last place; NaN where that says nothing, 0 where it need not. */
static inline double error_of(double value, double exact, weft_format format) {
    uint64_t least = (uint64_t)(1023 + format.lowest), exponent = bits_of(exact) >> 52 & 0x7ff;
    exponent = exponent < least ? least : exponent;
    /* NaN if infinite */
    double units =
        value - value +
        fabs(value - exact) * of_bits(((uint64_t)(2046 + format.digits - 1) - exponent) << 52);
    int over = ((value == INFINITY) & (exact > format.over)) |
               ((value == -INFINITY) & (exact < -format.over));
    int nan = (value != value) & (exact != exact);
    uint64_t sides = (bits_of(value) ^ bits_of(exact)) >> 63; /* of a zero, too */
    units = sides ? NAN : over ? 0 : units;
    return nan ? 0 : units;
}

void weft_exhaust_errors(const float *restrict is, const double *restrict exact,
                         double *restrict error, int n) {
    for (int i = 0; i < n; i++)
        error[i] = error_of((double)is[i], exact[i], of_float);
}

void weft_exhaust_half_errors(const uint16_t *restrict is, const double *restrict exact,
                              double *restrict error, int n) {
    for (int i = 0; i < n; i++) {
        _Float16 half;
        memcpy(&half, &is[i], 2);
        error[i] = error_of((double)(float)half, exact[i], of_half);
    }
}

/** What is[i] and its neighbour below say of one side. */
static void count_steps(const float *is, int n, float before, uint64_t *falls, uint64_t *rises) {
    uint32_t down = is[0] < before;
    uint32_t up = is[0] > before;
    for (int i = 1; i < n; i++) {
        down += is[i] < is[i - 1];
        up += is[i] > is[i - 1];
    }
    *falls += down;
    *rises += up;
}

void weft_exhaust_see_shape(weft_exhaust_shape *shape, const float *is, int n) {
    const float *minus = is + n;
    uint32_t not_even = 0, not_odd = 0;
    for (int i = 0; i < n; i++) {
        uint32_t bits, minus_bits;
        memcpy(&bits, &is[i], 4);
        memcpy(&minus_bits, &minus[i], 4);
        uint32_t number = !((is[i] != is[i]) & (minus[i] != minus[i]));
        not_even += number & (bits != minus_bits);
        not_odd += number & (bits != (minus_bits ^ 0x80000000u));
    }
    shape->not_even += not_even;
    shape->not_odd += not_odd;
    count_steps(is, n, shape->last[0], &shape->falls, &shape->rises);
    count_steps(minus, n, shape->last[1], &shape->rises, &shape->falls);
    shape->last[0] = is[n - 1];
    shape->last[1] = minus[n - 1];
}
