// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** memcpy, memmove, memset, memcmp: sizes unknown at compile time, small ones without a loop. */
#include "bits.h"

/* Unaligned, may alias: loads all, then stores all. */
#define WEFT_MOVE(type, at_dst, at_src)                                                            \
    do {                                                                                           \
        type value;                                                                                \
        __builtin_memcpy(&value, (at_src), sizeof value);                                          \
        __builtin_memcpy((at_dst), &value, sizeof value);                                          \
    } while (0)
/* Two overlapping blocks cover any size from one to two blocks. */
#define WEFT_MOVE_ENDS(type, dst, src, size)                                                       \
    do {                                                                                           \
        type head, tail;                                                                           \
        __builtin_memcpy(&head, (src), sizeof head);                                               \
        __builtin_memcpy(&tail, (src) + (size) - sizeof tail, sizeof tail);                        \
        __builtin_memcpy((dst), &head, sizeof head);                                               \
        __builtin_memcpy((dst) + (size) - sizeof tail, &tail, sizeof tail);                        \
    } while (0)

typedef unsigned char weft_vector16 __attribute__((vector_size(16)));
typedef unsigned char weft_vector32 __attribute__((vector_size(32)));

/* Up to 64 bytes, overlapping or not. */
static inline void weft_move_small(char *dst, const char *src, size_t size) {
    if (size > 32)
        WEFT_MOVE_ENDS(weft_vector32, dst, src, size);
    else if (size >= 16)
        WEFT_MOVE_ENDS(weft_vector16, dst, src, size);
    else if (size >= 8)
        WEFT_MOVE_ENDS(uint64_t, dst, src, size);
    else if (size >= 4)
        WEFT_MOVE_ENDS(uint32_t, dst, src, size);
    else if (size >= 2)
        WEFT_MOVE_ENDS(uint16_t, dst, src, size);
    else if (size == 1)
        *dst = *src;
}

/** From here on the processor's string instruction is at least as fast as a loop. */
#define WEFT_STRING_BYTES 4096

static inline void weft_copy_forward(char *dst, const char *src, size_t size) {
    if (size >= WEFT_STRING_BYTES) {
        __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(size) : : "memory");
        return;
    }
    for (; size > 64; dst += 64, src += 64, size -= 64) {
        WEFT_MOVE(weft_vector32, dst, src);
        WEFT_MOVE(weft_vector32, dst + 32, src + 32);
    }
    weft_move_small(dst, src, size);
}

void *memcpy(void *restrict dst, const void *restrict src, size_t size) {
    if (size <= 64)
        weft_move_small(dst, src, size);
    else
        weft_copy_forward(dst, src, size);
    return dst;
}

void *memmove(void *dst, const void *src, size_t size) {
    char *to = dst;
    const char *from = src;
    if (size <= 64) {
        weft_move_small(to, from, size);
    } else if ((uintptr_t)to - (uintptr_t)from >= size) {
        /* dst is before src or past its end; in steps of 32 a copy never reads what it wrote */
        for (; size > 64; to += 32, from += 32, size -= 32)
            WEFT_MOVE(weft_vector32, to, from);
        weft_move_small(to, from, size);
    } else {
        for (; size > 64; size -= 32)
            WEFT_MOVE(weft_vector32, to + size - 32, from + size - 32);
        weft_move_small(to, from, size);
    }
    return dst;
}

void *memset(void *dst, int value, size_t size) {
    char *to = dst;
    uint64_t word = 0x0101010101010101u * (unsigned char)value;
    if (size >= WEFT_STRING_BYTES) {
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
        return dst;
    }
    if (size < 8) {
        for (size_t i = 0; i < size; i++)
            ((volatile char *)to)[i] = (char)value;
        return dst;
    }
    char *last = to + size - 8;
    for (; to < last; to += 8)
        __builtin_memcpy(to, &word, 8);
    __builtin_memcpy(last, &word, 8);
    return dst;
}

int memcmp(const void *left, const void *right, size_t size) {
    const unsigned char *a = left, *b = right;
    for (; size >= 8; a += 8, b += 8, size -= 8) {
        uint64_t x, y;
        __builtin_memcpy(&x, a, 8);
        __builtin_memcpy(&y, b, 8);
        if (x != y)
            return __builtin_bswap64(x) < __builtin_bswap64(y) ? -1 : 1;
    }
    for (; size != 0; a++, b++, size--)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

int bcmp(const void *left, const void *right, size_t size) {
    return memcmp(left, right, size);
}
