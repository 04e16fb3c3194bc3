// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu/memory.c: large blocks are laid out for huge pages, and freed as a whole. */

#include "work.h"

#include <stdio.h>
#include <unistd.h>

enum { HUGE_BYTES = 2 * 1024 * 1024 };

/* Of the whole process. */
static size_t mapped_pages(void) {
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file);
    CHECK_EQ(fscanf(file, "%zu", &pages), 1);
    fclose(file);
    return pages;
}

static void check_block(weft_device *device, size_t bytes) {
    const weft_device_ops *ops = weft_cpu_ops();
    unsigned char *memory = ops->memory_alloc(device, bytes, 128);
    CHECK(memory);
    CHECK_EQ((uintptr_t)memory % (bytes >= HUGE_BYTES / 2 ? HUGE_BYTES : 128), 0);
    for (size_t i = 0; i < bytes; i += i + 1 < bytes && i % 4096 ? 4095 : 1)
        CHECK_EQ(memory[i], 0);
    memset(memory, 0xa5, bytes); /* to the last byte */
    ops->memory_free(device, memory, bytes);
}

TEST(large_blocks_begin_where_a_huge_page_may) {
    const size_t half = HUGE_BYTES / 2, sizes[] = {1,
                                                   4096,
                                                   half - 1,
                                                   half,
                                                   half + 1,
                                                   HUGE_BYTES - 1,
                                                   HUGE_BYTES,
                                                   HUGE_BYTES + 1,
                                                   HUGE_BYTES + half - 1,
                                                   HUGE_BYTES + half,
                                                   6220800,
                                                   25067520};
    weft_device *device = make_device(0, 0, 0);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        check_block(device, sizes[i]);
    weft_cpu_ops()->destroy(device);
}

/* What is mapped to find the place of a huge page, and what fills the last one, goes back as well.
 */
TEST(a_freed_block_leaves_nothing_mapped) {
    weft_device *device = make_device(0, 0, 0);
    const weft_device_ops *ops = weft_cpu_ops();
    const size_t bytes = 5 * 1024 * 1024 + 77;
    size_t before = mapped_pages();
    for (int turn = 0; turn < 100; turn++) {
        void *memory = ops->memory_alloc(device, bytes, 128);
        CHECK(memory);
        CHECK(mapped_pages() - before < (bytes + HUGE_BYTES) / 4096);
        ops->memory_free(device, memory, bytes);
    }
    CHECK(mapped_pages() - before < 100);
    ops->destroy(device);
}

TEST(more_than_there_can_be_is_refused) {
    weft_device *device = make_device(0, 0, 0);
    CHECK(!weft_cpu_ops()->memory_alloc(device, SIZE_MAX, 128));
    CHECK(!weft_cpu_ops()->memory_alloc(device, SIZE_MAX / 2, 128));
    CHECK(!weft_cpu_ops()->memory_alloc(device, HUGE_BYTES, 8192));
    weft_cpu_ops()->destroy(device);
}

TEST_MAIN()
