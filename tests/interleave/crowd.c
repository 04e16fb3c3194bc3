// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* See crowd.h. A directory as machines have it: of each line, who holds a copy. A thread that reads
 * what it does not hold gets the line from another's cache; one that writes takes it from all
 * others. Lines that nobody has held are new, and come from memory. Caches never overflow. */

#include "crowd.h"

#include "threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

enum { LINE = 64, WORD_BITS = 64, HOLDER_WORDS = (MOST_THREADS + 1 + WORD_BITS - 1) / WORD_BITS };
enum { ARENA_LINES = MEMORY_BYTES / LINE, STATIC_LINES = 1 << 14, NAMES = 64, PLACES = 1024 };

bool schedule_points_behind, schedule_traces;

typedef struct line {
    uint64_t holders[HOLDER_WORDS];
} line;

static line *lines; /* of the arena, then of static data */
static crowd_counts counts[MOST_THREADS + 1];

static struct name {
    const char *text;
    uintptr_t start;
    size_t bytes;
} names[NAMES];
static unsigned name_count;

/* Where lines moved: behind a step, and which line of what is named. */
static struct place {
    const step_site *site;
    bool is_atomic;
    const struct name *name;
    size_t offset; /* of the line's first byte in it */
    uint64_t moved;
} places[PLACES];
static unsigned place_count;

static unsigned me(void) {
    return (unsigned)(current + 1);
}

/* ---- which line ------------------------------------------------------------------------------ */

/* The program's variables, of which those of a thread are its own. */
extern unsigned char __data_start[], _end[];
extern unsigned char __start_weft_local[] __attribute__((weak));
extern unsigned char __stop_weft_local[] __attribute__((weak));

/* SIZE_MAX: a stack, or what else is nobody else's. */
static size_t line_of(uintptr_t at) {
    size_t offset = memory_offset((const void *)at);

    if (offset != SIZE_MAX)
        return offset / LINE;
    if (at < (uintptr_t)__data_start || at >= (uintptr_t)_end ||
        (at >= (uintptr_t)__start_weft_local && at < (uintptr_t)__stop_weft_local))
        return SIZE_MAX;
    offset = (at - (uintptr_t)__data_start / LINE * LINE) / LINE;
    return offset < STATIC_LINES ? ARENA_LINES + offset : SIZE_MAX;
}

static const struct name *name_of(uintptr_t at) {
    for (unsigned i = name_count; i-- > 0;)
        if (at >= names[i].start && at < names[i].start + names[i].bytes)
            return &names[i];
    return NULL;
}

static void note_place(uintptr_t at, bool is_atomic) {
    const step_site *site = current < 0 ? NULL : threads[current].site;
    const struct name *name = name_of(at);
    size_t offset = name ? (at - name->start) / LINE * LINE : 0;
    unsigned i = 0;

    while (i < place_count && (places[i].site != site || places[i].is_atomic != is_atomic ||
                               places[i].name != name || places[i].offset != offset))
        i++;
    if (i == PLACES)
        return;
    if (i == place_count)
        places[place_count++] = (struct place){site, is_atomic, name, offset, 0};
    places[i].moved++;
}

/* ---- the directory --------------------------------------------------------------------------- */

static bool has(const line *one, unsigned thread) {
    return one->holders[thread / WORD_BITS] >> thread % WORD_BITS & 1;
}

static bool others_have(const line *one, unsigned thread) {
    for (unsigned i = 0; i < HOLDER_WORDS; i++) {
        uint64_t own = i == thread / WORD_BITS ? UINT64_C(1) << thread % WORD_BITS : 0;
        if (one->holders[i] & ~own)
            return true;
    }
    return false;
}

static void touch_line(uintptr_t at, bool writes, bool is_atomic) {
    size_t number = line_of(at);

    if (number == SIZE_MAX)
        return;
    line *one = &lines[number];
    if ((writes || !has(one, me())) && others_have(one, me())) {
        counts[me()].moved++;
        if (current > 0)
            note_place(at, is_atomic);
    }
    if (writes)
        memset(one, 0, sizeof(*one));
    one->holders[me() / WORD_BITS] |= UINT64_C(1) << me() % WORD_BITS;
}

static void touch(const volatile void *memory, size_t bytes, bool writes, bool is_atomic) {
    uintptr_t at = (uintptr_t)memory, end = at + bytes;

    counts[me()].accesses++;
    for (; at < end; at = (at / LINE + 1) * LINE)
        touch_line(at, writes, is_atomic);
}

void races_access(const volatile void *at, size_t bytes, bool writes) {
    touch(at, bytes, writes, false);
}

void races_atomic(const volatile void *at, size_t bytes, bool writes) {
    counts[me()].atomics++;
    touch(at, bytes, writes, true);
}

/* ---- what counts nothing --------------------------------------------------------------------- */

void races_begin(void) {}
void races_started(int number) {
    (void)number;
}
void races_acquire(const volatile void *at) {
    (void)at;
}
void races_release(const volatile void *at, bool adds) {
    (void)at;
    (void)adds;
}
void races_forget(const volatile void *at) {
    (void)at;
}
void races_saw(int number) {
    (void)number;
}
void races_saw_all(void) {}
void schedule_added(logical_thread *thread) {
    (void)thread;
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Whoever is next in turn. */
int schedule_choose(int running, bool yields) {
    (void)yields;
    for (int i = 1; i <= thread_count; i++) {
        int next = (running + i + thread_count) % thread_count;
        if (thread_is_ready(next))
            return next;
    }
    return -1;
}

static void (*to_run)(void *);

static void start(void) {
    explore_thread("application", to_run, NULL);
}

void explore_thread(const char *name, void (*run)(void *argument), void *argument) {
    thread_add(name, run, NULL, argument);
}

void explore_fail(const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    printf("Bail out! ");
    vprintf(format, arguments);
    va_end(arguments);
    puts("");
    fflush(stdout);
    _Exit(2);
}

void crowd_begin(void) {
    size_t bytes = sizeof(line) * (ARENA_LINES + STATIC_LINES);

    memory_init();
    threads_init();
    lines = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (lines == MAP_FAILED)
        abort();
}

void crowd_run(void (*run)(void *unused)) {
    to_run = run;
    steps_begin();
    threads_run(start);
    if (thread_count == 0 || threads[0].state != THREAD_ENDED)
        explore_fail("the application waits for what does not come");
}

static bool is_quiet(void *unused) {
    (void)unused;
    for (int i = 1; i < thread_count; i++)
        if (threads[i].state != THREAD_FUTEX && threads[i].state != THREAD_ENDED)
            return false;
    return true;
}

void crowd_await_quiet(void) {
    explore_await(is_quiet, NULL);
}

/* ---- counts ---------------------------------------------------------------------------------- */

void crowd_reset(void) {
    memset(counts, 0, sizeof(counts));
    place_count = 0;
}

crowd_counts crowd_mine(void) {
    return counts[me()];
}

crowd_counts crowd_others(void) {
    crowd_counts sum = {0};

    for (unsigned i = 1; i <= (unsigned)thread_count; i++) {
        if (i == me())
            continue;
        sum.moved += counts[i].moved;
        sum.atomics += counts[i].atomics;
        sum.accesses += counts[i].accesses;
    }
    return sum;
}

void crowd_name(const char *name, const void *memory, size_t bytes) {
    uintptr_t start = (uintptr_t)memory / LINE * LINE;

    if (name_count < NAMES)
        names[name_count++] = (struct name){name, start, (uintptr_t)memory + bytes - start};
}

void crowd_say_where(unsigned most) {
    for (; most > 0; most--) {
        struct place *best = NULL;
        for (unsigned i = 0; i < place_count; i++)
            if (places[i].moved && (!best || places[i].moved > best->moved))
                best = &places[i];
        if (!best)
            return;
        printf("#   %8llu %s+%zu: %s%s:%d %s %s\n", (unsigned long long)best->moved,
               best->name ? best->name->text : "?", best->offset,
               best->is_atomic ? "" : "load or store behind ",
               best->site ? best->site->function : "", best->site ? (int)best->site->line : 0,
               best->site ? best->site->operation : "", best->site ? best->site->operand : "");
        best->moved = 0;
    }
}
