// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stream.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 128, LINE = 64, STRING_BYTES = 1024 * 1024 };

#if defined(__x86_64__)

#include <emmintrin.h>

/* Bytes up to the next cache line. */
static size_t head_bytes(const void *to, size_t bytes) {
    size_t head = -(uintptr_t)to % LINE;

    return head < bytes ? head : bytes;
}

void weft_stream_copy(void *to, const void *from, size_t bytes, size_t ahead) {
    size_t head = head_bytes(to, bytes);
    unsigned char *d = (unsigned char *)to + head;
    const unsigned char *s = (const unsigned char *)from + head;

    memcpy(to, from, head);
    for (bytes -= head; bytes >= LINE; bytes -= LINE, d += LINE, s += LINE) {
        /* May lie beyond the end: only an address, whose line is read if it is there. */
        _mm_prefetch((const char *)((uintptr_t)s + ahead), _MM_HINT_T0);
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)s);
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(s + 16));
        __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(s + 32));
        __m128i e = _mm_loadu_si128((const __m128i *)(const void *)(s + 48));
        _mm_stream_si128((__m128i *)(void *)d, a);
        _mm_stream_si128((__m128i *)(void *)(d + 16), b);
        _mm_stream_si128((__m128i *)(void *)(d + 32), c);
        _mm_stream_si128((__m128i *)(void *)(d + 48), e);
    }
    memcpy(d, s, bytes);
}

/* Does the block repeat each 8 bytes? */
static bool is_word(const unsigned char *block) {
    return memcmp(block, block + 8, BLOCK - 8) == 0;
}

/* The CPU's own fill; for more than a megabyte at once some CPUs take a slower way. */
static void fill_words(unsigned char *d, uint64_t word, size_t words) {
    for (size_t count; words; words -= count) {
        count = words < STRING_BYTES / 8 ? words : STRING_BYTES / 8;
        size_t left = count;
        __asm__ volatile("rep stosq" : "+D"(d), "+c"(left) : "a"(word) : "memory");
    }
}

/* Writes `bytes`, a multiple of BLOCK, in whole lines: then none of them is read before. */
static void fill_lines(unsigned char *d, const unsigned char *block, size_t bytes) {
    __m128i v[BLOCK / 16];

    for (int i = 0; i < BLOCK / 16; i++)
        v[i] = _mm_loadu_si128((const __m128i *)(const void *)(block + i * 16));
    for (; bytes; bytes -= BLOCK, d += BLOCK)
        for (int i = 0; i < BLOCK / 16; i++)
            _mm_store_si128((__m128i *)(void *)(d + i * 16), v[i]);
}

void weft_stream_fill(void *to, const unsigned char *block, size_t bytes) {
    unsigned char twice[2 * BLOCK];
    size_t head = head_bytes(to, bytes), whole = (bytes - head) & ~(size_t)(BLOCK - 1);
    unsigned char *d = (unsigned char *)to + head;
    uint64_t word;

    memcpy(twice, block, BLOCK);
    memcpy(twice + BLOCK, block, BLOCK);
    memcpy(to, twice, head);
    /* From here on the pattern starts `head` bytes later. */
    memcpy(&word, twice + head, sizeof(word));
    if (is_word(block))
        fill_words(d, word, whole / 8);
    else
        fill_lines(d, twice + head, whole);
    memcpy(d + whole, twice + head, bytes - head - whole);
}

void weft_stream_end(void) {
    _mm_sfence();
}

#else

void weft_stream_end(void) {}

void weft_stream_copy(void *to, const void *from, size_t bytes, size_t ahead) {
    (void)ahead;
    memcpy(to, from, bytes);
}

void weft_stream_fill(void *to, const unsigned char *block, size_t bytes) {
    unsigned char *d = to;

    for (; bytes >= BLOCK; bytes -= BLOCK, d += BLOCK)
        memcpy(d, block, BLOCK);
    memcpy(d, block, bytes);
}

#endif
