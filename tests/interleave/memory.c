// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Memory that every schedule finds as it was: one arena, copied when the scenario is set up. What
 * is freed is not used again before the schedule's end, so that each touch of it can be told. */

#include "threads.h"

#include <stdio.h>
#include <sys/mman.h>

enum { ARENA_BYTES = MEMORY_BYTES, GRANULE = 16, GRANULES = ARENA_BYTES / GRANULE };
enum { GRANULE_NONE, GRANULE_FIRST, GRANULE_LIVE, GRANULE_FREED };
enum { FRESH_BYTE = 0xA5, FREED_BYTE = 0xDF };

static unsigned char *arena;
static unsigned char granules[GRANULES];
static size_t used, highest; /* bytes */
static long live;

typedef struct kept_memory {
    unsigned char *bytes, *states;
    size_t used;
    long live;
} kept_memory;
static kept_memory kept[2];

void memory_init(void) {
    arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arena == MAP_FAILED)
        abort();
}

void memory_keep(int level) {
    kept_memory *keep = &kept[level];

    keep->bytes = realloc(keep->bytes, used + 1);
    keep->states = realloc(keep->states, used / GRANULE + 1);
    if (!keep->bytes || !keep->states)
        abort();
    memcpy(keep->bytes, arena, used);
    memcpy(keep->states, granules, used / GRANULE);
    keep->used = used;
    keep->live = live;
}

void memory_restore(int level) {
    const kept_memory *keep = &kept[level];

    memcpy(arena, keep->bytes, keep->used);
    memcpy(granules, keep->states, keep->used / GRANULE);
    memset(granules + keep->used / GRANULE, GRANULE_NONE, (highest - keep->used) / GRANULE);
    used = highest = keep->used;
    live = keep->live;
}

long memory_live(void) {
    return live;
}

long explore_live_blocks(void) {
    return live - kept[1].live;
}

size_t memory_offset(const volatile void *at) {
    size_t offset = (size_t)((const volatile unsigned char *)at - arena);

    return offset < ARENA_BYTES ? offset : SIZE_MAX;
}

static bool is_in_arena(const volatile void *at) {
    return (const volatile unsigned char *)at >= arena &&
           (const volatile unsigned char *)at < arena + ARENA_BYTES;
}

const char *memory_trouble(const volatile void *at, size_t bytes) {
    (void)bytes; /* aligned, so inside of one granule */
    if ((uintptr_t)at < 4096)
        return "no address";
    if (!is_in_arena(at))
        return NULL;
    switch (granules[((const volatile unsigned char *)at - arena) / GRANULE]) {
    case GRANULE_FREED:
        return "a freed block";
    case GRANULE_NONE:
        return "outside of any block";
    default:
        return NULL;
    }
}

static void *take(size_t bytes, size_t align) {
    size_t at = (used + align - 1) & ~(align - 1), whole = (bytes + GRANULE) / GRANULE * GRANULE;

    if (at + whole + GRANULE > ARENA_BYTES)
        return NULL;
    granules[at / GRANULE] = GRANULE_FIRST;
    memset(granules + at / GRANULE + 1, GRANULE_LIVE, whole / GRANULE - 1);
    used = at + whole + GRANULE; /* one that is nobody's behind each */
    if (used > highest)
        highest = used;
    live++;
    return arena + at;
}

void *step_malloc(size_t bytes) {
    void *memory = take(bytes, GRANULE);

    if (memory)
        memset(memory, FRESH_BYTE, bytes);
    return memory;
}

void *step_calloc(size_t count, size_t bytes) {
    void *memory = bytes && count > SIZE_MAX / bytes ? NULL : take(count * bytes, GRANULE);

    if (memory)
        memset(memory, 0, count * bytes);
    return memory;
}

int step_memalign(void **memory, size_t align, size_t bytes) {
    *memory = take(bytes, align < GRANULE ? GRANULE : align);
    if (*memory)
        memset(*memory, FRESH_BYTE, bytes);
    return *memory ? 0 : 12;
}

static size_t granules_from(size_t first) {
    size_t count = 1;

    while (granules[first + count] == GRANULE_LIVE)
        count++;
    return count;
}

void *step_realloc(void *memory, size_t bytes) {
    void *fresh = step_malloc(bytes);

    if (!memory || !fresh)
        return fresh;
    size_t old = granules_from((size_t)((unsigned char *)memory - arena) / GRANULE) * GRANULE;
    memcpy(fresh, memory, old < bytes ? old : bytes);
    step_free(memory);
    return fresh;
}

char *step_strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copied = step_malloc(bytes);

    if (copied)
        memcpy(copied, text, bytes);
    return copied;
}

enum { PAGE = 4096 };

void *step_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
    void *memory;

    if (bytes != PAGE)
        return mmap(at, bytes, protection, flags, fd, offset);
    if (step_memalign(&memory, PAGE, PAGE))
        return MAP_FAILED;
    memset(memory, 0, PAGE);
    return memory;
}

int step_munmap(void *memory, size_t bytes) {
    if (!is_in_arena(memory))
        return (munmap)(memory, bytes);
    step_free(memory);
    return 0;
}

void step_free(void *memory) {
    if (!memory)
        return;
    if (!is_in_arena(memory)) {
        free(memory);
        return;
    }
    size_t first = (size_t)((unsigned char *)memory - arena) / GRANULE;
    if ((uintptr_t)memory % GRANULE || granules[first] != GRANULE_FIRST)
        explore_fail("what is no block, or was freed before, is freed");
    size_t count = granules_from(first);
    for (int i = 0; i < thread_count; i++)
        if (threads[i].state == THREAD_FUTEX || threads[i].state == THREAD_LOCKING)
            if ((const unsigned char *)threads[i].on >= (unsigned char *)memory &&
                (const unsigned char *)threads[i].on < (unsigned char *)memory + count * GRANULE)
                explore_fail("memory is freed that thread '%s' waits on", threads[i].name);
    races_access(memory, count * GRANULE, true);
    memset(granules + first, GRANULE_FREED, count);
    memset(memory, FREED_BYTE, count * GRANULE);
    live--;
}
