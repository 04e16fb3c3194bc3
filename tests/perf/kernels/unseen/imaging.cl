// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in buffers.

// The median of 3 x 3 pixels.
kernel void median(global const uchar *in, global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    uchar v[9];
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            v[n++] = in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) {
                uchar t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
    out[y * width + x] = v[4];
}

#define TILE 4096

// Histogram equalisation of each group's tile of 4096 pixels.
kernel void equalise(global const uchar *in, global uchar *out)
{
    local uint bins[256];
    local uint sums[256];
    int l = get_local_id(0);
    size_t base = get_group_id(0) * TILE;
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < TILE; i += 256)
        atomic_inc(&bins[in[base + i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[l] = bins[l];
    for (int step = 1; step < 256; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint value = sums[l];
        if (l >= step)
            value += sums[l - step];
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < TILE; i += 256)
        out[base + i] = (uchar)(sums[in[base + i]] * 255 / TILE);
}

// RGB to hue (in degrees), saturation and value.
kernel void rgb_to_hsv(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float3 rgb = vload3(i, in), hsv;
    float most = fmax(rgb.x, fmax(rgb.y, rgb.z)), least = fmin(rgb.x, fmin(rgb.y, rgb.z));
    float chroma = most - least;
    hsv.z = most;
    hsv.y = most > 0 ? chroma / most : 0;
    if (chroma == 0)
        hsv.x = 0;
    else if (most == rgb.x)
        hsv.x = 60 * (rgb.y - rgb.z) / chroma;
    else if (most == rgb.y)
        hsv.x = 120 + 60 * (rgb.z - rgb.x) / chroma;
    else
        hsv.x = 240 + 60 * (rgb.x - rgb.y) / chroma;
    if (hsv.x < 0)
        hsv.x += 360;
    vstore3(hsv, i, out);
}
