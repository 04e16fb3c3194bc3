// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <string.h>

void ref_reduce(void *const b[]) {
    const float *restrict in = b[0];
    float *restrict out = b[1];
#pragma omp parallel for
    for (long group = 0; group < REDUCE_N / GROUP; group++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int l = 0; l < GROUP; l++)
            sum += in[group * GROUP + l];
        out[group] = sum;
    }
}

void ref_scan(void *const b[]) {
    const int *restrict in = b[0];
    int *restrict out = b[1];
#pragma omp parallel for
    for (long group = 0; group < SCAN_N / GROUP; group++) {
        int sum = 0;
        for (int l = 0; l < GROUP; l++)
            out[group * GROUP + l] = sum += in[group * GROUP + l];
    }
}

// Four histograms, so that equal neighbours do not wait for each other.
void ref_histogram(void *const b[]) {
    const uint8_t *restrict in = b[0];
    uint32_t *restrict out = b[1];
#pragma omp parallel for
    for (long group = 0; group < HISTOGRAM_GROUPS; group++) {
        uint32_t bins[4][256] = {{0}};
        const uint8_t *bytes = in + group * HISTOGRAM_SHARE;
        for (int i = 0; i < HISTOGRAM_SHARE; i += 4)
            for (int k = 0; k < 4; k++)
                bins[k][bytes[i + k]]++;
        for (int k = 0; k < 256; k++)
            out[group * 256 + k] = bins[0][k] + bins[1][k] + bins[2][k] + bins[3][k];
    }
}

// One stride of the network over a block; all pairs of a run go the same way.
static inline void exchange(int *restrict keys, int size, int stride) {
    for (int base = 0; base < 2 * GROUP; base += 2 * stride) {
        int *restrict low = keys + base, *restrict high = keys + base + stride;
        const int up = (base & size) == 0;
#pragma omp simd
        for (int k = 0; k < stride; k++) {
            int a = low[k], b = high[k];
            int least = a < b ? a : b, most = a < b ? b : a;
            low[k] = up ? least : most;
            high[k] = up ? most : least;
        }
    }
}

void ref_bitonic(void *const b[]) {
    const int *restrict in = b[0];
    int *restrict out = b[1];
#pragma omp parallel for
    for (long block = 0; block < BITONIC_N / (2 * GROUP); block++) {
        int keys[2 * GROUP];
        memcpy(keys, in + block * 2 * GROUP, sizeof keys);
        for (int size = 2; size <= 2 * GROUP; size *= 2)
            for (int stride = size / 2; stride > 0; stride /= 2)
                exchange(keys, size, stride);
        memcpy(out + block * 2 * GROUP, keys, sizeof keys);
    }
}

void ref_smooth(void *const b[]) {
    const float *restrict in = b[0];
    float *restrict out = b[1];
#pragma omp parallel for
    for (long group = 0; group < SMOOTH_N / GROUP; group++) {
        float line[2][GROUP];
        memcpy(line[0], in + group * GROUP, sizeof line[0]);
        for (int sweep = 0; sweep < 64; sweep++) {
            const float *restrict from = line[sweep & 1];
            float *restrict to = line[1 - (sweep & 1)];
            to[0] = 0.5f * from[0] + 0.25f * (from[0] + from[1]);
#pragma omp simd
            for (int l = 1; l < GROUP - 1; l++)
                to[l] = 0.5f * from[l] + 0.25f * (from[l - 1] + from[l + 1]);
            to[GROUP - 1] = 0.5f * from[GROUP - 1] + 0.25f * (from[GROUP - 2] + from[GROUP - 1]);
        }
        memcpy(out + group * GROUP, line[0], sizeof line[0]);
    }
}

void ref_global_max(void *const b[]) {
    const uint32_t *restrict in = b[0];
    uint32_t *restrict out = b[1];
    uint32_t most[64] = {0};
#pragma omp parallel for reduction(max : most[ : 64])
    for (long i = 0; i < GLOBAL_MAX_N; i++)
        if (most[in[i] & 63] < in[i])
            most[in[i] & 63] = in[i];
    memcpy(out, most, sizeof most);
}
