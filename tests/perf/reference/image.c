// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

static int clamped(int i, int size) {
    return i < 0 ? 0 : i > size - 1 ? size - 1 : i;
}

void ref_image_cross(void *const b[]) {
    const float *in = b[0];
    float *out = b[1];
#pragma omp parallel for
    for (int y = 0; y < IMAGE_N; y++) {
        const float *row = in + (size_t)y * IMAGE_N;
        const float *above = in + (size_t)clamped(y - 1, IMAGE_N) * IMAGE_N;
        const float *below = in + (size_t)clamped(y + 1, IMAGE_N) * IMAGE_N;
        float *to = out + (size_t)y * IMAGE_N;
#pragma omp simd
        for (int x = 0; x < IMAGE_N; x++)
            to[x] = (row[x] + row[clamped(x - 1, IMAGE_N)] + row[clamped(x + 1, IMAGE_N)] +
                     above[x] + below[x]) *
                    0.2f;
    }
}

void ref_image_luma(void *const b[]) {
    const uint8_t *in = b[0];
    float *out = b[1];
#pragma omp parallel for simd
    for (int i = 0; i < IMAGE_N * IMAGE_N; i++)
        out[i] =
            (0.299f * in[4 * i] + 0.587f * in[4 * i + 1] + 0.114f * in[4 * i + 2]) * (1.0f / 255);
}

void ref_image_scale(void *const b[]) {
    enum { HALF = IMAGE_N / 2 };
    const float *in = b[0];
    float *out = b[1];
#pragma omp parallel for
    for (int y = 0; y < IMAGE_N; y++) {
        const int y0 = (y + 1) / 2 - 1;
        const float v = y & 1 ? 0.25f : 0.75f;
        const float *a = in + (size_t)clamped(y0, HALF) * HALF;
        const float *c = in + (size_t)clamped(y0 + 1, HALF) * HALF;
        float *to = out + (size_t)y * IMAGE_N;
#pragma omp simd
        for (int x = 0; x < IMAGE_N; x++) {
            const int x0 = clamped((x + 1) / 2 - 1, HALF), x1 = clamped((x + 1) / 2, HALF);
            const float u = x & 1 ? 0.25f : 0.75f;
            to[x] = (1 - v) * ((1 - u) * a[x0] + u * a[x1]) + v * ((1 - u) * c[x0] + u * c[x1]);
        }
    }
}
