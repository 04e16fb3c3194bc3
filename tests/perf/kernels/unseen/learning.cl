// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers of neural networks.

// Convolution 3 x 3, planes of channels (NCHW), zeroes around.
kernel void conv3x3(global const float *in, global const float *weights, global float *out,
                    int channels)
{
    int x = get_global_id(0), y = get_global_id(1), o = get_global_id(2);
    int width = get_global_size(0), height = get_global_size(1);
    float sum = 0;
    for (int c = 0; c < channels; c++)
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++) {
                int ix = x + kx - 1, iy = y + ky - 1;
                if (ix >= 0 && ix < width && iy >= 0 && iy < height)
                    sum += in[(c * height + iy) * width + ix] *
                           weights[((o * channels + c) * 3 + ky) * 3 + kx];
            }
    out[(o * height + y) * width + x] = sum;
}

#define DIM 32

// Each item is one query, and goes over all keys of its head with a running softmax.
kernel void attention(global const float *queries, global const float *keys,
                      global const float *values, global float *out, int length)
{
    size_t item = get_global_id(0), head = item / length * length * DIM;
    float q[DIM], sum[DIM], most = -INFINITY, total = 0;
    for (int d = 0; d < DIM; d++) {
        q[d] = queries[item * DIM + d] * rsqrt((float)DIM);
        sum[d] = 0;
    }
    for (int k = 0; k < length; k++) {
        float score = 0;
        for (int d = 0; d < DIM; d++)
            score += q[d] * keys[head + k * DIM + d];
        float higher = fmax(most, score), old = exp(most - higher), now = exp(score - higher);
        for (int d = 0; d < DIM; d++)
            sum[d] = sum[d] * old + now * values[head + k * DIM + d];
        total = total * old + now;
        most = higher;
    }
    for (int d = 0; d < DIM; d++)
        out[item * DIM + d] = sum[d] / total;
}
