// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streaming kernels: one or a few memory accesses for each item, next to no arithmetic.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

kernel void copy(global const float *a, global float *b)
{
    size_t i = get_global_id(0);
    b[i] = a[i];
}

kernel void triad(global const real *a, global const real *b, global real *c, float s)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + (real)s * b[i];
}

// The way ported CUDA code does it: few items, each of which takes many elements.
kernel void saxpy_stride(global const float *x, global const float *y, global float *z, float s,
                         int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        z[i] = s * x[i] + y[i];
}

struct particle {
    float4 position;
    float4 velocity;
};

// A spring to the origin and walls at 1: a struct of vectors is read, changed, written.
kernel void particles(global const struct particle *in, global struct particle *out, float dt)
{
    size_t i = get_global_id(0);
    struct particle p = in[i];
    p.velocity -= p.position * dt;
    p.position += p.velocity * dt;
    p.velocity = select(p.velocity, -p.velocity, fabs(p.position) > 1.0f);
    out[i] = p;
}

// Enough arithmetic to leave the memory alone: a polynomial of degree 15 by Horner's rule.
kernel void polynomial(global const float *x, global float *y)
{
    size_t i = get_global_id(0);
    float v = x[i], sum = 1.0f;
    for (int k = 15; k > 0; k--)
        sum = sum * v + 1.0f / (float)k;
    y[i] = sum;
}

// Luma of RGBA bytes.
kernel void luma(global const uchar4 *in, global uchar *out)
{
    size_t i = get_global_id(0);
    float4 c = convert_float4(in[i]);
    out[i] = convert_uchar_sat_rte(0.25f * c.x + 0.625f * c.y + 0.125f * c.z);
}
