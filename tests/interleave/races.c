// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Data races and touches of freed memory, in the schedule that runs. The sources are compiled as
 * for ThreadSanitizer (-fsanitize=thread), whose functions are these here: so every access is
 * known. Two of them to one byte, by different threads, one of them a write, are a race unless the
 * order of atomics, locks and threads' starts and ends puts one before the other (vector clocks, as
 * FastTrack has them, Flanagan and Freund 2009); it need not go wrong in this schedule to be found
 * in it. The orders are those that the sources ask for: publishing by a relaxed store is found, on
 * a machine where it would always work.
 */

#include "threads.h"

/* Clocks of the threads, that of the explorer itself first. */
enum { CLOCKS = MOST_THREADS + 1, CELLS = 4, WORD = 8, SYNCS = 4096 };

typedef struct vector_clock {
    uint32_t of[CLOCKS];
} vector_clock;

static vector_clock clocks[CLOCKS];
static uint32_t schedule_number = 1; /* 0: no schedule's */

/* The last accesses to a word of memory. */
typedef struct cell {
    uint32_t schedule; /* of another one: empty */
    uint32_t clock : 19, thread : 4, writes : 1, bytes : 8;
} cell;
static cell words[MEMORY_BYTES / WORD][CELLS];
static unsigned next_cell;

/* Who acquires the word at this address has seen what these have done. */
static struct sync {
    uint32_t schedule;
    const volatile void *at;
    vector_clock clock;
} syncs[SYNCS];

static unsigned me(void) {
    return (unsigned)(current + 1);
}

static void join_clock(vector_clock *to, const vector_clock *from) {
    for (int i = 0; i < CLOCKS; i++)
        if (to->of[i] < from->of[i])
            to->of[i] = from->of[i];
}

void races_begin(void) {
    schedule_number++;
    memset(clocks, 0, sizeof(clocks));
    clocks[0].of[0] = 1;
}

void races_started(int number) {
    clocks[number + 1] = clocks[me()];
    clocks[number + 1].of[number + 1]++;
    clocks[me()].of[me()]++;
}

void races_saw(int number) {
    join_clock(&clocks[me()], &clocks[number + 1]);
}

void races_saw_all(void) {
    for (int i = 0; i < CLOCKS; i++)
        join_clock(&clocks[me()], &clocks[i]);
    for (int i = 0; i < thread_count; i++)
        clocks[i + 1].of[i + 1]++;
}

static struct sync *find_sync(const volatile void *at) {
    size_t slot = ((uintptr_t)at >> 2) * 2654435761u % SYNCS;

    for (int i = 0; syncs[slot].schedule == schedule_number && syncs[slot].at != at; i++) {
        if (i == SYNCS)
            explore_fail("more than %d words that order something", SYNCS);
        slot = (slot + 1) % SYNCS;
    }
    return &syncs[slot];
}

void races_acquire(const volatile void *at) {
    const struct sync *sync = find_sync(at);

    if (sync->schedule == schedule_number)
        join_clock(&clocks[me()], &sync->clock);
}

void races_release(const volatile void *at, bool adds) {
    struct sync *sync = find_sync(at);

    if (sync->schedule != schedule_number || !adds) {
        sync->schedule = schedule_number;
        sync->at = at;
        sync->clock = clocks[me()];
    } else {
        join_clock(&sync->clock, &clocks[me()]);
    }
    clocks[me()].of[me()]++;
}

void races_forget(const volatile void *at) {
    struct sync *sync = find_sync(at);

    if (sync->schedule == schedule_number)
        memset(&sync->clock, 0, sizeof(sync->clock));
}

/* ---- accesses -------------------------------------------------------------------------------- */

static void report(const volatile void *at, const cell *other, bool writes) {
    const step_site *site = threads[current].site;

    explore_fail("data race: thread %d '%s' %s %p, behind its step %s:%d, %s; thread %d '%s' %s it "
                 "and neither is before the other",
                 current, threads[current].name, writes ? "writes" : "reads",
                 (const void *)(uintptr_t)at, site ? site->file : "", site ? (int)site->line : 0,
                 site ? site->function : "its start", other->thread - 1,
                 threads[other->thread - 1].name, other->writes ? "wrote" : "read");
}

static void access_word(size_t word, unsigned bytes, bool writes, const volatile void *at) {
    cell *cells = words[word], *mine = NULL;
    const vector_clock *seen = &clocks[me()];

    for (int i = 0; i < CELLS; i++) {
        cell *one = &cells[i];
        if (one->schedule != schedule_number) {
            mine = mine ? mine : one;
        } else if (one->thread == me()) {
            if (one->bytes == bytes && one->writes == writes)
                mine = one;
        } else if ((one->bytes & bytes) && (writes || one->writes) &&
                   one->clock > seen->of[one->thread]) {
            report(at, one, writes);
        }
    }
    if (!mine)
        mine = &cells[next_cell++ % CELLS];
    *mine = (cell){schedule_number, seen->of[me()] & 0x7ffff, me() & 15, writes, bytes & 255};
}

void races_access(const volatile void *at, size_t bytes, bool writes) {
    size_t offset = memory_offset(at), end = offset + bytes;

    if (current < 0 || offset == SIZE_MAX)
        return;
    const char *trouble = memory_trouble(at, bytes);
    if (__builtin_expect(trouble != NULL, 0)) {
        const step_site *site = threads[current].site;
        explore_fail("%s %p of %s, behind the step %s:%d, %s", writes ? "write to" : "read of",
                     (const void *)(uintptr_t)at, trouble, site ? site->file : "",
                     site ? (int)site->line : 0, site ? site->function : "");
    }
    for (size_t word = offset / WORD; word * WORD < end; word++) {
        size_t from = word * WORD < offset ? offset - word * WORD : 0;
        size_t to = end - word * WORD < WORD ? end - word * WORD : WORD;
        access_word(word, (0xffu << from & 0xffu) & (0xffu >> (WORD - to)), writes, at);
    }
}

void races_atomic(const volatile void *at, size_t bytes, bool writes) {
    (void)at; /* no race; what it orders is told by the functions above */
    (void)bytes;
    (void)writes;
}
