// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <math.h>

// As tests/perf/meson.build gives them to this folder.
#define OPTIONS " -O2 -march=native -fopenmp, maths lines with -ffast-math"

const char *reference_compiler(void) {
#ifdef __clang__
    return "clang " __clang_version__ OPTIONS;
#else
    return "gcc " __VERSION__ OPTIONS;
#endif
}

void ref_copy(void *const b[]) {
    const float *restrict in = b[0];
    float *restrict out = b[1];
#pragma omp parallel for simd
    for (long i = 0; i < STREAM_N; i++)
        out[i] = in[i];
}

void ref_triad(void *const b[]) {
    const float *restrict x = b[0], *restrict y = b[1];
    float *restrict z = b[2];
#pragma omp parallel for simd
    for (long i = 0; i < STREAM_N; i++)
        z[i] = x[i] + 0.5f * y[i];
}

void ref_triad_f64(void *const b[]) {
    const double *restrict x = b[0], *restrict y = b[1];
    double *restrict z = b[2];
#pragma omp parallel for simd
    for (long i = 0; i < STREAM_N / 2; i++)
        z[i] = x[i] + 0.5 * y[i];
}

void ref_saxpy(void *const b[]) {
    const float *restrict x = b[0], *restrict y = b[1];
    float *restrict z = b[2];
#pragma omp parallel for simd
    for (long i = 0; i < STREAM_N; i++)
        z[i] = 0.5f * x[i] + y[i];
}

void ref_particles(void *const b[]) {
    struct particle {
        float position[4], velocity[4];
    };
    const struct particle *restrict in = b[0];
    struct particle *restrict out = b[1];
#pragma omp parallel for
    for (long i = 0; i < PARTICLES_N; i++) {
#pragma omp simd
        for (int k = 0; k < 4; k++) {
            float velocity = in[i].velocity[k] - in[i].position[k] * 0.01f;
            float position = in[i].position[k] + velocity * 0.01f;
            out[i].position[k] = position;
            out[i].velocity[k] = fabsf(position) > 1.0f ? -velocity : velocity;
        }
    }
}

static void polynomial(const float *restrict x, float *restrict y, long n) {
#pragma omp parallel for simd
    for (long i = 0; i < n; i++) {
        float sum = 1.0f;
#pragma GCC unroll 16
        for (int k = 15; k > 0; k--)
            sum = sum * x[i] + 1.0f / (float)k;
        y[i] = sum;
    }
}

void ref_polynomial(void *const b[]) {
    polynomial(b[0], b[1], POLYNOMIAL_N);
}

void ref_local_one(void *const b[]) {
    polynomial(b[0], b[1], LOCAL_ONE_N);
}

void ref_prime(void *const b[]) {
    polynomial(b[0], b[1], PRIME_N);
}

void ref_luma(void *const b[]) {
    const unsigned char *restrict in = b[0];
    unsigned char *restrict out = b[1];
    // The weights are eighths, so that integers round to even in the same way.
#pragma omp parallel for simd
    for (long i = 0; i < LUMA_N; i++) {
        unsigned sum = 2u * in[4 * i] + 5u * in[4 * i + 1] + in[4 * i + 2];
        out[i] = (unsigned char)((sum + 3 + ((sum >> 3) & 1)) >> 3);
    }
}
