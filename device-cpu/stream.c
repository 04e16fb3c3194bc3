// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stream.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 128, LINE = 64 };

#if defined(__x86_64__)

#include <emmintrin.h>

/* Bytes up to the next cache line. */
static size_t head_bytes(const void *to, size_t bytes) {
    size_t head = -(uintptr_t)to % LINE;

    return head < bytes ? head : bytes;
}

void weft_stream_copy(void *to, const void *from, size_t bytes) {
    size_t head = head_bytes(to, bytes);
    unsigned char *d = (unsigned char *)to + head;
    const unsigned char *s = (const unsigned char *)from + head;

    memcpy(to, from, head);
    for (bytes -= head; bytes >= LINE; bytes -= LINE, d += LINE, s += LINE) {
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

void weft_stream_fill(void *to, const unsigned char *block, size_t bytes) {
    unsigned char twice[2 * BLOCK];
    size_t head = head_bytes(to, bytes);
    unsigned char *d = (unsigned char *)to + head;
    __m128i v[BLOCK / 16];

    memcpy(twice, block, BLOCK);
    memcpy(twice + BLOCK, block, BLOCK);
    memcpy(to, twice, head);
    /* From here on the pattern starts `head` bytes later. */
    for (int i = 0; i < BLOCK / 16; i++)
        v[i] = _mm_loadu_si128((const __m128i *)(const void *)(twice + head + i * 16));
    for (bytes -= head; bytes >= BLOCK; bytes -= BLOCK, d += BLOCK)
        for (int i = 0; i < BLOCK / 16; i++)
            _mm_stream_si128((__m128i *)(void *)(d + i * 16), v[i]);
    memcpy(d, twice + head, bytes);
}

void weft_stream_end(void) {
    _mm_sfence();
}

#else

void weft_stream_end(void) {}

void weft_stream_copy(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
}

void weft_stream_fill(void *to, const unsigned char *block, size_t bytes) {
    unsigned char *d = to;

    for (; bytes >= BLOCK; bytes -= BLOCK, d += BLOCK)
        memcpy(d, block, BLOCK);
    memcpy(d, block, bytes);
}

#endif
