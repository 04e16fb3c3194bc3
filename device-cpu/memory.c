// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Memory of buffers, images, pipes and shared virtual memory. Small blocks are malloc's; large ones
 * are mappings of their own, zero pages that cost nothing until they are touched, and then a fault
 * each. Programs that make a buffer for each result (arrays as values, filters of pictures) pay
 * those faults with each command, which is more than many of these take: so large blocks are laid
 * out for huge pages, one fault for 512. */
#include "cpu.h"

#include "weft/shim.h"

#include <stdint.h>

enum { MAP_BYTES = 1024 * 1024, PAGE_BYTES = 4096, HUGE_BYTES = 2 * 1024 * 1024 };

/* A part's memory is first touched by the part's own threads, if it is worth a page table entry. */
static size_t map_bytes(const weft_device *device) {
    return device->is_part ? WEFT_PART_MAP_BYTES : MAP_BYTES;
}

static size_t round_up(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

/* How long the mapping of a block is: the last huge page is a whole one if the block fills half of
 * it. The rest of it is memory that nobody has any use for, so less is left to ordinary pages. */
static size_t mapped_bytes(size_t bytes) {
    if (bytes >= MAP_BYTES && (bytes - 1) % HUGE_BYTES >= HUGE_BYTES / 2 - 1)
        return round_up(bytes, HUGE_BYTES);
    return round_up(bytes, PAGE_BYTES);
}

/* `bytes` of zero pages, or NULL; those of MAP_BYTES and more begin where a huge page may. */
static void *map(size_t bytes) {
    size_t whole = mapped_bytes(bytes), spare = bytes < MAP_BYTES ? 0 : HUGE_BYTES - PAGE_BYTES;
    char *base =
        weft_mmap(NULL, whole + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t lead;

    if (base == MAP_FAILED)
        return NULL;
    if (!spare)
        return base;
    lead = (HUGE_BYTES - (uintptr_t)base % HUGE_BYTES) % HUGE_BYTES;
    if (lead)
        munmap(base, lead);
    if (lead < spare)
        munmap(base + lead + whole, spare - lead);
    madvise(base + lead, whole, MADV_HUGEPAGE); /* only a wish */
    return base + lead;
}

void *weft_memory_alloc(weft_device *device, size_t bytes, size_t align) {
    void *memory;

    if (align < WEFT_BLOCK_ALIGN)
        align = WEFT_BLOCK_ALIGN;
    if (bytes < map_bytes(device)) {
        memory = weft_aligned_alloc(align, bytes);
        return memory ? memset(memory, 0, bytes) : NULL;
    }
    if (align > PAGE_BYTES || bytes > SIZE_MAX / 2)
        return NULL;
    memory = map(bytes);
    if (memory)
        weft_part_place(device, memory, bytes);
    return memory;
}

void weft_memory_free(weft_device *device, void *memory, size_t bytes) {
    if (memory && bytes >= map_bytes(device))
        munmap(memory, mapped_bytes(bytes));
    else
        weft_free(memory);
}
