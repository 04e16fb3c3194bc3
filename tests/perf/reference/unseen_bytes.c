// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes, text, lists and graphs.
#include "unseen.h"

#include <string.h>

static inline int most(int a, int b) {
    return a > b ? a : b;
}

static inline int within(int x, int limit) {
    return x < 0 ? 0 : x < limit ? x : limit - 1;
}

void ref_kmers(void *const b[]) {
    const uint8_t *bases = b[0];
    uint32_t *counts = b[1];
    uint8_t code[256] = {['C'] = 1, ['G'] = 2, ['T'] = 3};
    memset(counts, 0, sizeof(uint32_t) * KMER_GROUPS * KMER_BINS);
#pragma omp parallel for
    for (long i = 0; i < KMER_GROUPS; i++) {
        const uint8_t *from = bases + i * KMER_SHARE;
        uint32_t word = 0;
        for (int k = 0; k < KMER_SHARE + KMER - 1; k++) {
            word = (word << 2 | code[from[k]]) % KMER_BINS;
            if (k >= KMER - 1)
                counts[i * KMER_BINS + word]++;
        }
    }
}

void ref_smith_waterman(void *const b[]) {
    const uint8_t *query = b[0], *sequences = b[1];
    int16_t *scores = b[2];
#pragma omp parallel for
    for (long item = 0; item < SW_N; item++) {
        int row[SW_QUERY + 1] = {0}, best = 0;
        for (int i = 0; i < SW_LENGTH; i++)
            for (int j = 1, diagonal = 0; j <= SW_QUERY; j++) {
                const int above = row[j];
                const int same = sequences[item * SW_LENGTH + i] == query[j - 1];
                const int score = diagonal + (same ? 3 : -2);
                row[j] = most(most(score, most(above, row[j - 1]) - 1), 0);
                diagonal = above;
                best = most(best, row[j]);
            }
        scores[item] = (int16_t)best;
    }
}

void ref_median(void *const b[]) {
    const uint8_t *in = b[0];
    uint8_t *out = b[1];
#pragma omp parallel for
    for (int y = 0; y < MEDIAN_N; y++)
        for (int x = 0; x < MEDIAN_N; x++) {
            uint8_t v[9];
            for (int k = 0; k < 9; k++)
                v[k] = in[within(y + k / 3 - 1, MEDIAN_N) * MEDIAN_N +
                          within(x + k % 3 - 1, MEDIAN_N)];
            for (int i = 0; i < 5; i++)
                for (int j = i + 1; j < 9; j++) {
                    const uint8_t low = v[i] < v[j] ? v[i] : v[j];
                    v[j] = v[i] < v[j] ? v[j] : v[i];
                    v[i] = low;
                }
            out[y * MEDIAN_N + x] = v[4];
        }
}

void ref_equalise(void *const b[]) {
    const uint8_t *in = b[0];
    uint8_t *out = b[1];
#pragma omp parallel for
    for (long base = 0; base < EQUALISE_N; base += TILE) {
        uint32_t bins[256] = {0};
        for (int i = 0; i < TILE; i++)
            bins[in[base + i]]++;
        for (int k = 1; k < 256; k++)
            bins[k] += bins[k - 1];
        for (int i = 0; i < TILE; i++)
            out[base + i] = (uint8_t)(bins[in[base + i]] * 255 / TILE);
    }
}

void ref_bfs(void *const b[]) {
    const int *starts = b[0], *edges = b[1], *levels = b[2];
    int *next = b[3];
#pragma omp parallel for
    for (int node = 0; node < BFS_N; node++)
        for (int e = starts[node]; levels[node] == 1 && e < starts[node + 1]; e++)
            if (levels[edges[e]] < 0)
                next[edges[e]] = 2;
}

void ref_compact(void *const b[]) {
    const float *in = b[0];
    float *out = b[1];
    int *counts = b[2];
#pragma omp parallel for
    for (long group = 0; group < COMPACT_N / GROUP; group++) {
        float *to = out + group * GROUP;
        memset(to, 0, GROUP * sizeof *to);
        int count = 0;
        for (int l = 0; l < GROUP; l++)
            if (in[group * GROUP + l] > 0.25f)
                to[count++] = in[group * GROUP + l];
        counts[group] = count;
    }
}

void ref_group_scan(void *const b[]) {
    const int *in = b[0];
    int *out = b[1];
#pragma omp parallel for
    for (long base = 0; base < GROUP_SCAN_N; base += GROUP)
        for (int l = 0, sum = 0; l < GROUP; sum += in[base + l++])
            out[base + l] = sum;
}

void ref_find_match(void *const b[]) {
    const uint8_t *text = b[0];
    int *matches = b[1];
#pragma omp parallel for
    for (int i = 0; i < MATCH_N; i++) {
        const uint8_t *at = text + MATCH_WINDOW + i;
        int best = 0, best_distance = 0;
        for (int distance = 1; distance <= MATCH_WINDOW; distance++) {
            int length = 0;
            while (length < MATCH_LONGEST && at[length] == at[length - distance])
                length++;
            best_distance = length > best ? distance : best_distance;
            best = most(best, length);
        }
        matches[i] = best_distance << 8 | best;
    }
}

void ref_base64(void *const b[]) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *in = b[0];
    uint8_t *out = b[1];
#pragma omp parallel for
    for (long i = 0; i < BASE64_N; i++) {
        const uint32_t word = (uint32_t)in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
        for (int k = 0; k < 4; k++)
            out[4 * i + k] = (uint8_t)digits[word >> (18 - 6 * k) & 63];
    }
}

void ref_hamming(void *const b[]) {
    const uint64_t *prints = b[0], *query = b[1];
    int *distances = b[2];
#pragma omp parallel for
    for (long i = 0; i < HAMMING_N; i++) {
        int bits = 0;
        for (int k = 0; k < 8; k++)
            bits += __builtin_popcountll(prints[8 * i + k] ^ query[k]);
        distances[i] = bits;
    }
}
