// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * A thread's memory for local memory and private arrays of the group it runs. Grows on demand, is
 * never copied (its contents mean nothing between chunks), belongs to one thread at a time.
 */
#ifndef WEFT_ARENA_H
#define WEFT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct weft_arena {
    void *base; /* WEFT_BLOCK_ALIGN aligned; NULL while size is 0 */
    size_t size;
} weft_arena;

/** Makes room for `bytes`. False: out of memory; the arena is then empty. */
bool weft_arena_reserve(weft_arena *arena, size_t bytes);
/** Gives memory back if the arena is larger than `keep` bytes. */
void weft_arena_trim(weft_arena *arena, size_t keep);

#endif
