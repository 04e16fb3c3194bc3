// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices, grids, particles, filters, rays.
#include "unseen.h"

#include <math.h>
#include <string.h>

void ref_cholesky(void *const b[]) {
    enum { N = CHOLESKY };
#pragma omp parallel for
    for (long tile = 0; tile < CHOLESKY_N; tile++) {
        const double *in = (const double *)b[0] + tile * N * N;
        double *l = (double *)b[1] + tile * N * N;
        memset(l, 0, N * N * sizeof *l);
        for (int row = 0; row < N; row++)
            for (int c = 0; c <= row; c++) {
                double sum = in[row * N + c];
                for (int k = 0; k < c; k++)
                    sum -= l[row * N + k] * l[c * N + k];
                l[row * N + c] = c == row ? sqrt(sum) : sum / l[c * N + c];
            }
    }
}

void ref_jacobi(void *const b[]) {
    enum { N = JACOBI_N };
    const float *restrict in = b[0];
    float *restrict out = b[1];
#pragma omp parallel for
    for (int y = 0; y < N; y++) {
        const float *from = in + y * N;
        memcpy(out + y * N, from, N * sizeof *out);
        if (y > 0 && y < N - 1)
            for (int x = 1; x < N - 1; x++)
                out[y * N + x] = 0.25f * (from[x - N] + from[x + N] + from[x - 1] + from[x + 1]);
    }
}

static const int lbm_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int lbm_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const float lbm_weight[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                    1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

void ref_lbm(void *const b[]) {
    const float *in = b[0];
    float *out = b[1];
#pragma omp parallel for
    for (int i = 0; i < LBM_W * LBM_H; i++) {
        const int x = i % LBM_W, y = i / LBM_W;
        float f[9], density = 0, ux = 0, uy = 0;
        for (int k = 0; k < 9; k++) {
            const int from_x = (x - lbm_x[k] + LBM_W) % LBM_W;
            const int from_y = (y - lbm_y[k] + LBM_H) % LBM_H;
            f[k] = in[k * LBM_W * LBM_H + from_y * LBM_W + from_x];
            density += f[k];
            ux += f[k] * (float)lbm_x[k];
            uy += f[k] * (float)lbm_y[k];
        }
        ux /= density;
        uy /= density;
        for (int k = 0; k < 9; k++) {
            const float along = 3 * ((float)lbm_x[k] * ux + (float)lbm_y[k] * uy);
            const float equal = lbm_weight[k] * density *
                                (1 + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
            out[k * LBM_W * LBM_H + i] = f[k] + 1.2f * (equal - f[k]);
        }
    }
}

void ref_sph(void *const b[]) {
    const float *positions = b[0];
    const int *starts = b[1];
    float *densities = b[2];
#pragma omp parallel for
    for (int item = 0; item < SPH_N; item++) {
        const float px = positions[2 * item], py = positions[2 * item + 1];
        float density = 0;
        for (int y = (int)py - 1; y <= (int)py + 1; y++)
            for (int x = (int)px - 1; x <= (int)px + 1; x++) {
                if (x < 0 || y < 0 || x >= SPH_CELLS || y >= SPH_CELLS)
                    continue;
                const int cell = y * SPH_CELLS + x;
                for (int k = starts[cell]; k < starts[cell + 1]; k++) {
                    const float dx = positions[2 * k] - px, dy = positions[2 * k + 1] - py;
                    const float left = 1 - dx * dx - dy * dy;
                    density += left > 0 ? left * left * left : 0;
                }
            }
        densities[item] = density;
    }
}

// The nine weights of a pair of channels over whole rows.
static void add_channel(const float *restrict in, const float *weights, float *restrict out) {
    enum { N = CONV_N };
    for (int y = 0; y < N; y++)
        for (int k = 0; k < 9; k++) {
            const int iy = y + k / 3 - 1, shift = k % 3 - 1;
            if (iy < 0 || iy >= N)
                continue;
            for (int x = shift < 0; x < N - (shift > 0); x++)
                out[y * N + x] += in[iy * N + x + shift] * weights[k];
        }
}

void ref_conv3x3(void *const b[]) {
    enum { N = CONV_N, CHANNELS = CONV_CHANNELS };
    const float *in = b[0], *weights = b[1];
    float *out = b[2];
#pragma omp parallel for
    for (int o = 0; o < CHANNELS; o++) {
        memset(out + o * N * N, 0, N * N * sizeof *out);
        for (int c = 0; c < CHANNELS; c++)
            add_channel(in + c * N * N, weights + (o * CHANNELS + c) * 9, out + o * N * N);
    }
}

void ref_fir(void *const b[]) {
    const int16_t *restrict in = b[0], *restrict taps = b[2];
    int16_t *restrict out = b[1];
#pragma omp parallel for
    for (long i = 0; i < FIR_N; i++) {
        int sum = 1 << 14;
        for (int k = 0; k < FIR_TAPS; k++)
            sum += in[i + k] * taps[k];
        sum >>= 15;
        out[i] = (int16_t)(sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum);
    }
}

void ref_iir(void *const b[]) {
#pragma omp parallel for
    for (long channel = 0; channel < IIR_CHANNELS; channel++) {
        const double *in = (const double *)b[0] + channel * IIR_LENGTH;
        double *out = (double *)b[1] + channel * IIR_LENGTH;
        double a[3] = {0}, c[3] = {0};
        for (int i = 0; i < IIR_LENGTH; i++) {
            a[0] = in[i] + 1.2 * a[1] - 0.5 * a[2];
            c[0] = 0.1 * a[0] + 0.2 * a[1] + 0.1 * a[2] + 0.9 * c[1] - 0.3 * c[2];
            out[i] = 0.2 * c[0] - 0.1 * c[1] + 0.2 * c[2];
            a[2] = a[1];
            a[1] = a[0];
            c[2] = c[1];
            c[1] = c[0];
        }
    }
}

static int hits_box(const float *box, const float *origin, const float *inverse, float nearest) {
    float from = 0, to = nearest;
    for (int k = 0; k < 3; k++) {
        const float a = (box[k] - origin[k]) * inverse[k];
        const float b = (box[4 + k] - origin[k]) * inverse[k];
        from = fmaxf(from, fminf(a, b));
        to = fminf(to, fmaxf(a, b));
    }
    return from <= to;
}

static float hit_sphere(const float *sphere, const float *origin, const float *direction) {
    float along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        const float offset = sphere[k] - origin[k];
        along += offset * direction[k];
        square += offset * offset;
    }
    const float inside = sphere[3] * sphere[3] - square + along * along;
    const float t = inside > 0 ? along - sqrtf(inside) : 0;
    return t > 0 ? t : 1000;
}

void ref_trace(void *const b[]) {
    const float *boxes = b[0], *spheres = b[1];
    float *hits = b[4];
#pragma omp parallel for
    for (long item = 0; item < TRACE_N; item++) {
        const float *origin = (const float *)b[2] + 4 * item, *d = (const float *)b[3] + 4 * item;
        const float scale = 1 / sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const float direction[] = {d[0] * scale, d[1] * scale, d[2] * scale};
        const float inverse[] = {1 / direction[0], 1 / direction[1], 1 / direction[2]};
        float nearest = 1000;
        int stack[32] = {1};
        for (int top = 1; top > 0;) {
            const int node = stack[--top];
            if (!hits_box(boxes + 8 * node, origin, inverse, nearest))
                continue;
            if (node < TRACE_LEAVES) {
                stack[top++] = 2 * node;
                stack[top++] = 2 * node + 1;
            } else
                nearest = fminf(nearest,
                                hit_sphere(spheres + 4 * (node - TRACE_LEAVES), origin, direction));
        }
        hits[item] = nearest;
    }
}
