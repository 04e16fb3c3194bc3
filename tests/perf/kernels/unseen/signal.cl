// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters.

#define TAPS 32

// Sixteen-bit samples, coefficients with 15 bits behind the point.
kernel void fir(global const short *in, global short *out, constant short *taps)
{
    size_t i = get_global_id(0);
    int sum = 1 << 14;
    for (int k = 0; k < TAPS; k++)
        sum += in[i + k] * taps[k];
    out[i] = convert_short_sat(sum >> 15);
}

// Two second-order sections in double; each item has a channel, which lies in one piece.
kernel void iir(global const double *in, global double *out, int length)
{
    size_t base = get_global_id(0) * length;
    double a1 = 0, a2 = 0, b1 = 0, b2 = 0;
    for (int i = 0; i < length; i++) {
        double w = in[base + i] + 1.2 * a1 - 0.5 * a2;
        double x = 0.1 * w + 0.2 * a1 + 0.1 * a2;
        a2 = a1;
        a1 = w;
        double v = x + 0.9 * b1 - 0.3 * b2;
        out[base + i] = 0.2 * v - 0.1 * b1 + 0.2 * b2;
        b2 = b1;
        b1 = v;
    }
}
