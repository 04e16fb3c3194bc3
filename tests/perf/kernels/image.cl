// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image reads, the results in buffers so that they can be compared.

constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// The mean of five pixels of one float each.
kernel void image_cross(read_only image2d_t image, global float *out) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    float sum = read_imagef(image, nearest, (int2)(x, y)).x;
    sum += read_imagef(image, nearest, (int2)(x - 1, y)).x;
    sum += read_imagef(image, nearest, (int2)(x + 1, y)).x;
    sum += read_imagef(image, nearest, (int2)(x, y - 1)).x;
    sum += read_imagef(image, nearest, (int2)(x, y + 1)).x;
    out[y * w + x] = sum * 0.2f;
}

// Luma of RGBA bytes.
kernel void image_luma(read_only image2d_t image, global float *out) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    float4 p = read_imagef(image, nearest, (int2)(x, y));
    out[y * w + x] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}

// Twice as large, between the pixels.
kernel void image_scale(read_only image2d_t image, global float *out) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    float2 at = (float2)(x + 0.5f, y + 0.5f) * 0.5f;
    out[y * w + x] = read_imagef(image, linear, at).x;
}
