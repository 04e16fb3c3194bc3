// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <math.h>

// Structure of arrays for the inner loop, as somebody who knows the machine would copy it first.
#define NBODY(NAME, T, N, SQRT)                                                                    \
    void NAME(void *const b[]) {                                                                   \
        static T x[N], y[N], z[N], m[N];                                                           \
        const T *restrict body = b[0];                                                             \
        T *restrict force = b[1];                                                                  \
        for (int i = 0; i < N; i++) {                                                              \
            x[i] = body[4 * i];                                                                    \
            y[i] = body[4 * i + 1];                                                                \
            z[i] = body[4 * i + 2];                                                                \
            m[i] = body[4 * i + 3];                                                                \
        }                                                                                          \
        _Pragma("omp parallel for") for (int i = 0; i < N; i++) {                                  \
            T fx = 0, fy = 0, fz = 0;                                                              \
            _Pragma("omp simd reduction(+ : fx, fy, fz)") for (int j = 0; j < N; j++) {            \
                T dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];                            \
                T inverse = 1 / SQRT(dx * dx + dy * dy + dz * dz + (T)0.01f);                      \
                T scale = m[j] * inverse * inverse * inverse;                                      \
                fx += dx * scale;                                                                  \
                fy += dy * scale;                                                                  \
                fz += dz * scale;                                                                  \
            }                                                                                      \
            force[4 * i] = fx;                                                                     \
            force[4 * i + 1] = fy;                                                                 \
            force[4 * i + 2] = fz;                                                                 \
            force[4 * i + 3] = 0;                                                                  \
        }                                                                                          \
    }

NBODY(ref_nbody, float, NBODY_N, sqrtf)
NBODY(ref_nbody_f64, double, NBODY_F64_N, sqrt)

#define BLACK_SCHOLES(NAME, T, N, SQRT, EXP, LOG, FABS)                                            \
    static inline T NAME##_normal(T d) {                                                           \
        const T a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f,       \
                a5 = 1.330274429f, scale = (T)0.39894228040143267794f;                             \
        T k = 1 / (1 + (T)0.2316419f * FABS(d));                                                   \
        T tail = scale * EXP(-d * d / 2) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));   \
        return d > 0 ? 1 - tail : tail;                                                            \
    }                                                                                              \
                                                                                                   \
    void NAME(void *const b[]) {                                                                   \
        const T rate = 0.02f, volatility = 0.3f;                                                   \
        const T *restrict price = b[0], *restrict strike = b[1], *restrict years = b[2];           \
        T *restrict call = b[3], *restrict put = b[4];                                             \
        _Pragma("omp parallel for") for (long i = 0; i < N; i++) {                                 \
            T root = SQRT(years[i]);                                                               \
            T d1 = (LOG(price[i] / strike[i]) + (rate + volatility * volatility / 2) * years[i]) / \
                   (volatility * root);                                                            \
            T d2 = d1 - volatility * root;                                                         \
            T n1 = NAME##_normal(d1), n2 = NAME##_normal(d2);                                      \
            T discounted = strike[i] * EXP(-rate * years[i]);                                      \
            call[i] = price[i] * n1 - discounted * n2;                                             \
            put[i] = discounted * (1 - n2) - price[i] * (1 - n1);                                  \
        }                                                                                          \
    }

BLACK_SCHOLES(ref_black_scholes, float, OPTIONS_N, sqrtf, expf, logf, fabsf)
BLACK_SCHOLES(ref_black_scholes_f64, double, OPTIONS_N / 2, sqrt, exp, log, fabs)

void ref_stencil2d(void *const b[]) {
    enum { N = STENCIL2D_N };
    const float *restrict in = b[0];
    float *restrict out = b[1];
#pragma omp parallel for
    for (int y = 0; y < N; y++) {
        const float *row = in + (size_t)y * N;
        float *to = out + (size_t)y * N;
        if (y == 0 || y == N - 1) {
            for (int x = 0; x < N; x++)
                to[x] = row[x];
            continue;
        }
        to[0] = row[0];
        to[N - 1] = row[N - 1];
#pragma omp simd
        for (int x = 1; x < N - 1; x++)
            to[x] = 0.5f * row[x] + 0.125f * (row[x - 1] + row[x + 1] + row[x - N] + row[x + N]);
    }
}

void ref_stencil3d(void *const b[]) {
    enum { N = STENCIL3D_N, SLICE = N * N };
    const float *restrict in = b[0];
    float *restrict out = b[1];
#pragma omp parallel for
    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++) {
            const float *row = in + ((size_t)z * N + y) * N;
            float *to = out + ((size_t)z * N + y) * N;
            if (z == 0 || y == 0 || z == N - 1 || y == N - 1) {
                for (int x = 0; x < N; x++)
                    to[x] = row[x];
                continue;
            }
            to[0] = row[0];
            to[N - 1] = row[N - 1];
#pragma omp simd
            for (int x = 1; x < N - 1; x++)
                to[x] = 0.4f * row[x] + 0.1f * (row[x - 1] + row[x + 1] + row[x - N] + row[x + N] +
                                                row[x - SLICE] + row[x + SLICE]);
        }
}
