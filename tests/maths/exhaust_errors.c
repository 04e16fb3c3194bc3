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

void weft_exhaust_errors(const float *restrict is, const double *restrict exact,
                         double *restrict error, int n) {
    const double range = 0x1p129;
    for (int i = 0; i < n; i++) {
        double value = (double)is[i], difference = fabs(value - exact[i]);
        uint64_t exponent = bits_of(exact[i]) >> 52 & 0x7ff;
        exponent = exponent < 1023 - 126 ? 1023 - 126 : exponent;
        /* NaN if infinite */
        double units = value - value + difference * of_bits((2046 + 23 - exponent) << 52);
        int over = ((value == INFINITY) & (exact[i] > range)) |
                   ((value == -INFINITY) & (exact[i] < -range));
        int nan = (value != value) & (exact[i] != exact[i]);
        uint64_t sides = (bits_of(value) ^ bits_of(exact[i])) >> 63; /* of a zero, too */
        units = sides ? NAN : over ? 0 : units;
        error[i] = nan ? 0 : units;
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
