// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arena.h"

#include "weft/shim.h"

/* Steps of growth: few mappings, pages are only touched when used.
 * MARGIN: a vector under a mask may begin before the first byte or end behind the last one. Lanes
 * that are off never fault there, but if the page is not present the processor finds that out the
 * slow way, each time anew (130 ns instead of 0.5 for `if (l >= 1) x += sums[l - 1]`). */
enum { STEP = 64 * 1024, MARGIN = 4096 };

bool weft_arena_reserve(weft_arena *arena, size_t bytes) {
    volatile unsigned char *base;

    if (bytes <= arena->size)
        return true;
    weft_arena_trim(arena, 0);
    if (bytes > SIZE_MAX - STEP - 2 * MARGIN)
        return false;
    bytes = (bytes + STEP - 1) / STEP * STEP;
    base = weft_mmap(NULL, bytes + 2 * MARGIN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                     -1, 0);
    if (base == MAP_FAILED)
        return false;
    base[0] = 0;
    base[MARGIN + bytes] = 0;
    arena->base = (unsigned char *)base + MARGIN;
    arena->size = bytes;
    return true;
}

void weft_arena_trim(weft_arena *arena, size_t keep) {
    if (arena->size <= keep)
        return;
    munmap((unsigned char *)arena->base - MARGIN, arena->size + 2 * MARGIN);
    arena->base = NULL;
    arena->size = 0;
}
