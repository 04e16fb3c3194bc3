// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <math.h>
#include <string.h>

// Sixteen pixels side by side, until the last of them has left.
static void mandelbrot_block(int *restrict out, int px, int py) {
    enum { LANES = 16 };
    float cx[LANES], x[LANES] = {0}, y[LANES] = {0};
    int count[LANES] = {0};
    const float cy = (float)py / (float)MANDELBROT_W * 3.0f - 1.0f;
    for (int l = 0; l < LANES; l++)
        cx[l] = (float)(px + l) / (float)MANDELBROT_W * 3.0f - 2.25f;
    for (int step = 0; step < MANDELBROT_LIMIT; step++) {
        int inside = 0;
#pragma omp simd reduction(+ : inside)
        for (int l = 0; l < LANES; l++) {
            const int in = x[l] * x[l] + y[l] * y[l] < 4.0f;
            const float next_x = x[l] * x[l] - y[l] * y[l] + cx[l];
            const float next_y = 2 * x[l] * y[l] + cy;
            x[l] = in ? next_x : x[l];
            y[l] = in ? next_y : y[l];
            count[l] += in;
            inside += in;
        }
        if (!inside)
            break;
    }
    memcpy(out + py * MANDELBROT_W + px, count, sizeof count);
}

void ref_mandelbrot(void *const b[]) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int py = 0; py < MANDELBROT_H; py++)
        for (int px = 0; px < MANDELBROT_W; px += 16)
            mandelbrot_block(b[0], px, py);
}

static inline float scene(float x, float y, float z) {
    float cx = x - floorf(x) - 0.5f, cz = z - floorf(z) - 0.5f;
    float ball = sqrtf(cx * cx + y * y + cz * cz) - 0.3f;
    return ball < y + 0.4f ? ball : y + 0.4f;
}

void ref_raymarch(void *const b[]) {
    enum { N = RAYMARCH_N };
    float *restrict out = b[0];
#pragma omp parallel for schedule(dynamic, 8)
    for (int py = 0; py < N; py++)
        for (int px = 0; px < N; px++) {
            float dx = ((float)px - 0.5f * N) / N, dy = (0.5f * N - (float)py) / N;
            float scale = 1.0f / sqrtf(dx * dx + dy * dy + 1.0f), t = 0;
            for (int step = 0; step < 96; step++) {
                float distance = scene(0.3f + t * dx * scale, 0.6f + t * dy * scale, t * scale);
                if (distance < 0.002f * t || t > 40.0f)
                    break;
                t += 0.8f * distance;
            }
            out[py * N + px] = t;
        }
}

static inline uint32_t switch_round(uint32_t x) {
    switch (x & 7) {
    case 0:
        return x * 2654435761u + 1;
    case 1:
        return (x ^ x >> 13) + 0x9e3779b9u;
    case 2:
        return x << 7 | x >> 25;
    case 3:
        return x * 5 + (x >> 3);
    case 4:
        return ~x - (x << 4);
    case 5:
        return (x ^ 0x55555555u) + 12345;
    case 6:
        return x >> 1 | x << 31;
    default:
        return x / 3 + 0x80000001u;
    }
}

void ref_switch(void *const b[]) {
    const uint32_t *restrict in = b[0];
    uint32_t *restrict out = b[1];
#pragma omp parallel for
    for (long i = 0; i < SWITCH_N; i++) {
        uint32_t x = in[i];
        for (int round = 0; round < 16; round++)
            x = switch_round(x);
        out[i] = x;
    }
}

void ref_collatz(void *const b[]) {
    int *restrict out = b[0];
#pragma omp parallel for schedule(dynamic, 1024)
    for (long i = 0; i < COLLATZ_N; i++) {
        uint64_t n = (uint64_t)i + 1;
        int steps = 0;
        while (n != 1) {
            n = n & 1 ? 3 * n + 1 : n / 2;
            steps++;
        }
        out[i] = steps;
    }
}

void ref_sort16(void *const b[]) {
    const int *restrict in = b[0];
    int *restrict out = b[1];
#pragma omp parallel for
    for (long i = 0; i < SORT_N; i++) {
        int v[16];
        for (int k = 0; k < 16; k++) {
            int x = in[16 * i + k], at = k;
            while (at > 0 && v[at - 1] > x) {
                v[at] = v[at - 1];
                at--;
            }
            v[at] = x;
        }
        for (int k = 0; k < 16; k++)
            out[16 * i + k] = v[k];
    }
}
