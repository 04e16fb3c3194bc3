// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

void ref_hash(void *const b[]) {
    const uint32_t *restrict in = b[0];
    uint32_t *restrict out = b[1];
#pragma omp parallel for simd
    for (long i = 0; i < HASH_N; i++) {
        uint32_t x = in[i];
#pragma GCC unroll 16
        for (int round = 0; round < 16; round++) {
            x ^= x >> 16;
            x *= 0x85ebca6bu;
            x ^= x >> 13;
            x *= 0xc2b2ae35u;
            x ^= x >> 16;
        }
        out[i] = x;
    }
}

void ref_dot_i8(void *const b[]) {
    const int8_t *restrict rows = b[0], *restrict vector = b[1];
    int *restrict out = b[2];
#pragma omp parallel for
    for (long i = 0; i < DOT_ROWS; i++) {
        const int8_t *restrict row = rows + i * DOT_LENGTH;
        int sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int k = 0; k < DOT_LENGTH; k++)
            sum += row[k] * vector[k];
        out[i] = sum;
    }
}

void ref_crc32(void *const b[]) {
    const uint8_t *restrict in = b[0];
    const uint32_t *restrict table = b[1];
    uint32_t *restrict out = b[2];
#pragma omp parallel for
    for (long i = 0; i < CRC_N; i++) {
        uint32_t crc = 0xffffffffu;
        for (int k = 0; k < 64; k++)
            crc = crc >> 8 ^ table[(crc ^ in[i * 64 + k]) & 255];
        out[i] = ~crc;
    }
}

static const uint32_t sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotr(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

static uint32_t sha256_word(uint32_t number) {
    uint32_t w[16] = {number, 0x80000000u, [15] = 32};
    uint32_t s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int k = 0; k < 64; k++) {
        if (k >= 16) {
            uint32_t a = w[(k + 1) & 15], b = w[(k + 14) & 15];
            w[k & 15] += w[(k + 9) & 15] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) +
                         (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
        }
        uint32_t t1 = s[7] + (rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25)) +
                      ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha_k[k] + w[k & 15];
        uint32_t t2 = (rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22)) +
                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int m = 7; m > 0; m--)
            s[m] = s[m - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    return s[0] + 0x6a09e667;
}

void ref_sha256(void *const b[]) {
    uint32_t *restrict out = b[0];
#pragma omp parallel for
    for (long i = 0; i < SHA_N; i++)
        out[i] = sha256_word((uint32_t)i);
}

void ref_spmv(void *const b[]) {
    const int *restrict starts = b[0], *restrict columns = b[1];
    const float *restrict values = b[2], *restrict x = b[3];
    float *restrict y = b[4];
#pragma omp parallel for
    for (long row = 0; row < SPMV_ROWS; row++) {
        float sum = 0;
        for (int k = starts[row]; k < starts[row + 1]; k++)
            sum += values[k] * x[columns[k]];
        y[row] = sum;
    }
}

void ref_fft4(void *const b[]) {
    enum { QUARTER = FFT_N / 4, S = FFT_STRIDE };
    const float *restrict in = b[0], *restrict w = b[1];
    float *restrict out = b[2];
#pragma omp parallel for
    for (long block = 0; block < QUARTER; block += S)
#pragma omp simd
        for (int k = 0; k < S; k++) {
            float re[4], im[4];
            for (int r = 0; r < 4; r++) {
                const float *x = in + 2 * (block + k + (long)r * QUARTER), *t = w + 2 * k * r;
                re[r] = x[0] * t[0] - x[1] * t[1];
                im[r] = x[0] * t[1] + x[1] * t[0];
            }
            float ax = re[0] + re[2], ay = im[0] + im[2], bx = re[0] - re[2], by = im[0] - im[2];
            float cx = re[1] + re[3], cy = im[1] + im[3], dx = re[1] - re[3], dy = im[1] - im[3];
            float *to = out + 2 * (4 * block + k);
            to[0] = ax + cx;
            to[1] = ay + cy;
            to[2 * S] = bx + dy;
            to[2 * S + 1] = by - dx;
            to[4 * S] = ax - cx;
            to[4 * S + 1] = ay - cy;
            to[6 * S] = bx - dy;
            to[6 * S + 1] = by + dx;
        }
}
