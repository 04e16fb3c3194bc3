// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exhaust.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void weft_exhaust_errors(const float *is, const double *exact, double *error, int n) {
    for (int i = 0; i < n; i++) {
        uint64_t bits, exact_bits;
        memcpy(&bits, &exact[i], 8);
        exact_bits = bits;
        uint64_t exponent = bits >> 52 & 0x7ff;
        exponent = exponent < 1023 - 126 ? 1023 - 126 : exponent;
        bits = (2046 + 23 - exponent) << 52;
        double unit, difference = (double)is[i] - exact[i];
        memcpy(&unit, &bits, 8);
        difference = difference < 0 ? -difference : difference;
        double value = (double)is[i] - (double)is[i] + difference * unit; /* NaN if infinite */
        uint32_t is_bits;
        memcpy(&is_bits, &is[i], 4);
        int over = (is_bits == 0x7f800000u) & (exact[i] > 0x1p129);
        over |= (is_bits == 0xff800000u) & (exact[i] < -0x1p129);
        int sides = (is_bits >> 31) != (uint32_t)(exact_bits >> 63); /* of a zero, too */
        int nan = (is[i] != is[i]) & (exact[i] != exact[i]);
        error[i] = nan ? 0 : sides ? NAN : over ? 0 : value;
    }
}
