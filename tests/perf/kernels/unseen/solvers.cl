// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear algebra and physics on grids and particles.

#define N 16

// Each group of 16 items factors one matrix of 16 x 16.
kernel void cholesky(global const double *in, global double *out)
{
    local double a[N][N];
    int row = get_local_id(0);
    size_t base = get_group_id(0) * N * N;
    for (int c = 0; c < N; c++)
        a[row][c] = in[base + row * N + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < N; k++) {
        if (row == k)
            a[k][k] = sqrt(a[k][k]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row > k)
            a[row][k] /= a[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row > k)
            for (int c = k + 1; c <= row; c++)
                a[row][c] -= a[row][k] * a[c][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int c = 0; c < N; c++)
        out[base + row * N + c] = c <= row ? a[row][c] : 0;
}

// One sweep over a square, from a tile with its border in local memory; the edge stays.
kernel void jacobi(global const float *in, global float *out, int size)
{
    local float tile[18][18];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    int at = y * size + x;
    tile[ly + 1][lx + 1] = in[at];
    if (lx == 0 && x > 0)
        tile[ly + 1][0] = in[at - 1];
    if (lx == 15 && x < size - 1)
        tile[ly + 1][17] = in[at + 1];
    if (ly == 0 && y > 0)
        tile[0][lx + 1] = in[at - size];
    if (ly == 15 && y < size - 1)
        tile[17][lx + 1] = in[at + size];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == 0 || y == 0 || x == size - 1 || y == size - 1)
        out[at] = tile[ly + 1][lx + 1];
    else
        out[at] = 0.25f * (tile[ly][lx + 1] + tile[ly + 2][lx + 1] + tile[ly + 1][lx] +
                           tile[ly + 1][lx + 2]);
}

constant int lbm_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int lbm_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float lbm_weight[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

// Lattice Boltzmann, D2Q9: streaming and collision, periodic; one plane for each direction.
kernel void lattice_boltzmann(global const float *in, global float *out, float omega)
{
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    int plane = width * height;
    float f[9], density = 0, ux = 0, uy = 0;
    for (int k = 0; k < 9; k++) {
        int from_x = (x - lbm_x[k] + width) % width, from_y = (y - lbm_y[k] + height) % height;
        f[k] = in[k * plane + from_y * width + from_x];
        density += f[k];
        ux += f[k] * lbm_x[k];
        uy += f[k] * lbm_y[k];
    }
    ux /= density;
    uy /= density;
    for (int k = 0; k < 9; k++) {
        float along = 3 * (lbm_x[k] * ux + lbm_y[k] * uy);
        float equal = lbm_weight[k] * density *
                      (1 + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
        out[k * plane + y * width + x] = f[k] + omega * (equal - f[k]);
    }
}

// Density of particles within a radius of one cell, with a list of particles for each cell.
kernel void sph_density(global const float2 *positions, global const int *starts,
                        global float *densities, int cells)
{
    size_t item = get_global_id(0);
    float2 p = positions[item];
    int cx = (int)p.x, cy = (int)p.y;
    float density = 0;
    for (int y = max(cy - 1, 0); y <= min(cy + 1, cells - 1); y++)
        for (int x = max(cx - 1, 0); x <= min(cx + 1, cells - 1); x++) {
            int cell = y * cells + x;
            for (int k = starts[cell]; k < starts[cell + 1]; k++) {
                float2 d = positions[k] - p;
                float left = 1 - dot(d, d);
                if (left > 0)
                    density += left * left * left;
            }
        }
    densities[item] = density;
}
