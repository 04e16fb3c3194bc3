// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: complex numbers as structs, an iteration that may end early.
struct complex_$ID {
    float re, im;
};

struct complex_$ID times_$ID(struct complex_$ID a, struct complex_$ID b)
{
    struct complex_$ID c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
}

float square_$ID(struct complex_$ID a)
{
    return a.re * a.re + a.im * a.im;
}

kernel void k_$ID(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    struct complex_$ID z, c;
    z.re = in[i] - 0.5f;
    z.im = 0.25f - in[i] * 0.5f;
    c.re = 0.1f * $F;
    c.im = 0.05f * $F;
    int steps = 0;
    for (; steps < 10; steps++) {
        z = times_$ID(z, z);
        z.re += c.re;
        z.im += c.im;
        if (square_$ID(z) > 1.0e6f)
            break;
    }
    float size = sqrt(square_$ID(z));
    out[i] = size + (float)steps + (float)($A & 63u);
}

