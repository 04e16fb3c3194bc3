// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic with square roots, exponentials and neighbours.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

// All pairs; w is the mass.
kernel void nbody(global const real4 *body, global real4 *force, int n)
{
    size_t i = get_global_id(0);
    real4 me = body[i];
    real4 sum = 0;
    for (int j = 0; j < n; j++) {
        real4 other = body[j];
        real dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        real square = dx * dx + dy * dy + dz * dz + (real)0.01f;
        real inverse = 1 / sqrt(square);
        real scale = other.w * inverse * inverse * inverse;
        sum.x += dx * scale;
        sum.y += dy * scale;
        sum.z += dz * scale;
    }
    force[i] = sum;
}

// The normal distribution's integral, after Abramowitz and Stegun 26.2.17.
real normal(real d)
{
    const real a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f,
               a5 = 1.330274429f, scale = 0.39894228040143267794f;
    real k = 1 / (1 + (real)0.2316419f * fabs(d));
    real tail = scale * exp(-d * d / 2) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1 - tail : tail;
}

kernel void black_scholes(global const real *price, global const real *strike,
                          global const real *years, global real *call, global real *put)
{
    const real rate = 0.02f, volatility = 0.3f;
    size_t i = get_global_id(0);
    real root = sqrt(years[i]);
    real d1 = (log(price[i] / strike[i]) + (rate + volatility * volatility / 2) * years[i]) /
              (volatility * root);
    real d2 = d1 - volatility * root;
    real discounted = strike[i] * exp(-rate * years[i]);
    call[i] = price[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * (1 - normal(d2)) - price[i] * (1 - normal(d1));
}

// Five points in two dimensions; the edge is copied.
kernel void stencil2d(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    int i = y * w + x;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        out[i] = in[i];
        return;
    }
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}

// Seven points in three dimensions; the edge is copied.
kernel void stencil3d(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);
    int i = (z * h + y) * w + x;
    if (x == 0 || y == 0 || z == 0 || x == w - 1 || y == h - 1 || z == d - 1) {
        out[i] = in[i];
        return;
    }
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w] +
                                    in[i - w * h] + in[i + w * h]);
}
