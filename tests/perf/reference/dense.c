// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <string.h>

enum { BLOCK = 64 };

// Blocks of k for the cache; the innermost loop runs along rows of b and c.
#define MATMUL(NAME, T)                                                                            \
    void NAME(void *const buffers[]) {                                                             \
        enum { N = MATMUL_N };                                                                     \
        const T *restrict a = buffers[0], *restrict b = buffers[1];                                \
        T *restrict c = buffers[2];                                                                \
        _Pragma("omp parallel for") for (int y0 = 0; y0 < N; y0 += BLOCK) {                        \
            memset(c + (size_t)y0 * N, 0, sizeof(T) * BLOCK * N);                                  \
            for (int k0 = 0; k0 < N; k0 += BLOCK)                                                  \
                for (int y = y0; y < y0 + BLOCK; y++)                                              \
                    for (int k = k0; k < k0 + BLOCK; k += 4) {                                     \
                        const T *w = a + y * N + k, *r = b + k * N;                                \
                        T *out = c + y * N;                                                        \
                        _Pragma("omp simd") for (int x = 0; x < N; x++) out[x] +=                  \
                            w[0] * r[x] + w[1] * r[x + N] + w[2] * r[x + 2 * N] +                  \
                            w[3] * r[x + 3 * N];                                                   \
                    }                                                                              \
        }                                                                                          \
    }

MATMUL(ref_matmul, float)
MATMUL(ref_matmul_f64, double)

void ref_transpose(void *const b[]) {
    enum { N = TRANSPOSE_N, T = 16 };
    const float *restrict in = b[0];
    float *restrict out = b[1];
#pragma omp parallel for
    for (int y0 = 0; y0 < N; y0 += T)
        for (int x0 = 0; x0 < N; x0 += T)
            for (int x = x0; x < x0 + T; x++)
#pragma omp simd
                for (int y = y0; y < y0 + T; y++)
                    out[x * N + y] = in[y * N + x];
}

void ref_convolve(void *const b[]) {
    const float *restrict in = b[0], *restrict filter = b[1];
    float *restrict out = b[2];
#pragma omp parallel for
    for (int y = 0; y < CONVOLVE_N; y++) {
        float sum[CONVOLVE_N] = {0};
        for (int j = 0; j < 7; j++) {
            const float *row = in + (y + j) * CONVOLVE_PITCH, *f = filter + 7 * j;
#pragma omp simd
            for (int x = 0; x < CONVOLVE_N; x++)
                sum[x] += f[0] * row[x] + f[1] * row[x + 1] + f[2] * row[x + 2] +
                          f[3] * row[x + 3] + f[4] * row[x + 4] + f[5] * row[x + 5] +
                          f[6] * row[x + 6];
        }
        memcpy(out + y * CONVOLVE_N, sum, sizeof sum);
    }
}
