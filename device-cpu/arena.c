// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arena.h"

#include "weft/shim.h"

/* Steps of growth: few mappings, pages are only touched when used. */
enum { STEP = 64 * 1024 };

bool weft_arena_reserve(weft_arena *arena, size_t bytes) {
    void *base;

    if (bytes <= arena->size)
        return true;
    weft_arena_trim(arena, 0);
    if (bytes > SIZE_MAX - STEP)
        return false;
    bytes = (bytes + STEP - 1) / STEP * STEP;
    base = weft_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return false;
    arena->base = base;
    arena->size = bytes;
    return true;
}

void weft_arena_trim(weft_arena *arena, size_t keep) {
    if (arena->size <= keep)
        return;
    munmap(arena->base, arena->size);
    arena->base = NULL;
    arena->size = 0;
}
