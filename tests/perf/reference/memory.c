// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <string.h>

enum { CHUNK = 1 << 20 };

void ref_memory_copy(void *to, const void *from, size_t bytes) {
#pragma omp parallel for
    for (size_t at = 0; at < bytes; at += CHUNK)
        memcpy((char *)to + at, (const char *)from + at, bytes - at < CHUNK ? bytes - at : CHUNK);
}

static void fill_words(uint32_t *restrict to, uint32_t word, size_t count) {
#pragma omp parallel for simd
    for (size_t i = 0; i < count; i++)
        to[i] = word;
}

static void fill_blocks(uint32_t *restrict to, const uint32_t block[4], size_t count) {
    const uint32_t a = block[0], b = block[1], c = block[2], d = block[3];
#pragma omp parallel for
    for (size_t i = 0; i < count; i++) {
        to[4 * i] = a;
        to[4 * i + 1] = b;
        to[4 * i + 2] = c;
        to[4 * i + 3] = d;
    }
}

void ref_memory_fill(void *to, const void *pattern, size_t pattern_size, size_t bytes) {
    uint32_t words[4] = {0};
    memcpy(words, pattern, pattern_size);
    if (pattern_size == 16) {
        fill_blocks(to, words, bytes / 16);
    } else if (pattern_size == 4) {
        fill_words(to, words[0], bytes / 4);
    } else {
#pragma omp parallel for
        for (size_t at = 0; at < bytes; at += CHUNK)
            memset((char *)to + at, *(const char *)pattern,
                   bytes - at < CHUNK ? bytes - at : CHUNK);
    }
}

void ref_memory_rect(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                     size_t row_bytes, size_t rows) {
#pragma omp parallel for
    for (size_t row = 0; row < rows; row++)
        memcpy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, row_bytes);
}
