// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense linear algebra: matrix products, transposition, convolution.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

#define TILE 16

// One item for each element, everything from global memory: what a beginner writes.
kernel void matmul(global const real *a, global const real *b, global real *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    real sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

kernel void matmul_tiled(global const real *a, global const real *b, global real *c, int n)
{
    local real tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0), ly = get_local_id(1);
    real sum = 0;
    for (int t = 0; t < n; t += TILE) {
        tile_a[ly][lx] = a[y * n + t + lx];
        tile_b[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ly][k] * tile_b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

kernel void transpose(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x];
}

kernel void transpose_tiled(global const float *in, global float *out, int n)
{
    local float tile[TILE][TILE + 1];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x0 = get_group_id(0) * TILE, y0 = get_group_id(1) * TILE;
    tile[ly][lx] = in[(y0 + ly) * n + x0 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(x0 + ly) * n + y0 + lx] = tile[lx][ly];
}

// 7 x 7 filter over an image with a border of 3 on each side.
kernel void convolve(global const float *in, constant float *filter, global float *out, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            sum += filter[j * 7 + i] * in[(y + j) * pitch + x + i];
    out[y * get_global_size(0) + x] = sum;
}
