// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unseen.h"

#include <string.h>

static inline uint32_t turn(uint32_t x, int bits) {
    return x << bits | x >> (32 - bits);
}

static inline uint64_t turn64(uint64_t x, int bits) {
    return bits ? x << bits | x >> (64 - bits) : x;
}

static inline void quarter(uint32_t *x, int a, int b, int c, int d) {
    x[a] += x[b];
    x[d] = turn(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = turn(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = turn(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = turn(x[b] ^ x[c], 7);
}

void ref_chacha20(void *const b[]) {
    const uint32_t *in = b[0], *key = b[2];
    uint32_t *out = b[1];
#pragma omp parallel for
    for (long item = 0; item < CHACHA_N; item++) {
        uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
        memcpy(state + 4, key, 32);
        state[12] = 7 + (uint32_t)item;
        memcpy(state + 13, key + 8, 12);
        memcpy(x, state, sizeof x);
        for (int round = 0; round < 10; round++) {
            for (int k = 0; k < 4; k++)
                quarter(x, k, 4 + k, 8 + k, 12 + k);
            for (int k = 0; k < 4; k++)
                quarter(x, k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4);
        }
        for (int k = 0; k < 16; k++)
            out[16 * item + k] = in[16 * item + k] ^ (x[k] + state[k]);
    }
}

void ref_aes(void *const b[]) {
    const uint32_t *in = b[0], *tables = b[2], *keys = b[4];
    const uint8_t *sbox = b[3];
    uint32_t *out = b[1];
#pragma omp parallel for
    for (long item = 0; item < AES_N; item++) {
        uint32_t s[4], next[4];
        for (int k = 0; k < 4; k++)
            s[k] = in[4 * item + k] ^ keys[k];
        for (int round = 1; round < 10; round++) {
            for (int k = 0; k < 4; k++)
                next[k] = tables[s[k] >> 24] ^ tables[256 + (s[(k + 1) % 4] >> 16 & 255)] ^
                          tables[512 + (s[(k + 2) % 4] >> 8 & 255)] ^
                          tables[768 + (s[(k + 3) % 4] & 255)] ^ keys[4 * round + k];
            memcpy(s, next, sizeof s);
        }
        for (int k = 0; k < 4; k++)
            out[4 * item + k] =
                ((uint32_t)sbox[s[k] >> 24] << 24 |
                 (uint32_t)sbox[s[(k + 1) % 4] >> 16 & 255] << 16 |
                 (uint32_t)sbox[s[(k + 2) % 4] >> 8 & 255] << 8 | sbox[s[(k + 3) % 4] & 255]) ^
                keys[40 + k];
    }
}

// By its definition, and not by the tables that the kernel has: constants from the shift register,
// lanes by coordinates.
static void keccak_round(uint64_t s[5][5], uint64_t constant) {
    uint64_t c[5], moved[5][5];
    for (int x = 0; x < 5; x++)
        c[x] = s[0][x] ^ s[1][x] ^ s[2][x] ^ s[3][x] ^ s[4][x];
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            s[y][x] ^= c[(x + 4) % 5] ^ turn64(c[(x + 1) % 5], 1);
    moved[0][0] = s[0][0];
    for (int t = 0, x = 1, y = 0; t < 24; t++) {
        const int to_y = (2 * x + 3 * y) % 5;
        moved[to_y][y] = turn64(s[y][x], (t + 1) * (t + 2) / 2 % 64);
        x = y;
        y = to_y;
    }
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            s[y][x] = moved[y][x] ^ (~moved[y][(x + 1) % 5] & moved[y][(x + 2) % 5]);
    s[0][0] ^= constant;
}

void ref_keccak(void *const b[]) {
    const uint64_t *in = b[0];
    uint64_t *out = b[1], constants[24] = {0};
    for (int t = 0, bits = 1; t < 24 * 7; t++) {
        if (bits & 1)
            constants[t / 7] |= 1ull << ((1 << t % 7) - 1);
        bits = bits & 0x80 ? (bits << 1 ^ 0x71) & 0xff : bits << 1;
    }
#pragma omp parallel for
    for (long item = 0; item < KECCAK_N; item++) {
        uint64_t s[5][5] = {{0}};
        memcpy(s, in + 8 * item, 64);
        for (int round = 0; round < 24; round++)
            keccak_round(s, constants[round]);
        memcpy(out + 4 * item, s, 32);
    }
}
