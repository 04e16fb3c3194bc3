// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Recording what happened when, for a timeline of a run (setting WEFT_TRACE, docs/timeline.md).
 *
 * A recorder is one mapping of fixed size, cut into blocks. A thread takes a block by one atomic
 * addition and fills it alone, so recording takes no lock, allocates nothing and never waits; when
 * the blocks are used up, events are counted and dropped. Where no timeline is wanted the recorder
 * is NULL, and every place that records costs one test.
 */
#ifndef WEFT_TRACE_H
#define WEFT_TRACE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef enum weft_trace_kind {
    WEFT_TRACE_COMMAND,  /* times: queued, submitted, started, ended */
    WEFT_TRACE_CHUNK,    /* a part of a command on one thread; value: groups or bytes */
    WEFT_TRACE_BUILD,    /* a compile, link or build, as the calling thread sees it */
    WEFT_TRACE_COMPILER, /* a part of it in the compiler process; value: that process */
    WEFT_TRACE_CALLBACK, /* a function of the application's, called by Weft */
    WEFT_TRACE_WAIT      /* a thread of the application in clFinish and the like */
} weft_trace_kind;

enum { WEFT_TRACE_NAME = 44, WEFT_TRACE_BLOCK_EVENTS = 340 };

typedef struct weft_trace_event {
    uint64_t times[4]; /* CLOCK_MONOTONIC, ns: from, to; a command has four */
    uint64_t id;       /* weft_trace_id of the command it belongs to; 0: none */
    uint64_t value;    /* a command's status; else see the kinds */
    uint32_t kind;
    char name[WEFT_TRACE_NAME]; /* cut if it is longer */
} weft_trace_event;

typedef struct weft_trace weft_trace;

/** 32 KiB that belong to one thread. `count` is published last, so a reader sees whole events. */
typedef struct weft_trace_block {
    weft_trace *trace; /* NULL: not taken, or wiped in a forked child */
    int32_t thread;
    char thread_name[16];
    _Atomic uint32_t count;
    weft_trace_event events[WEFT_TRACE_BLOCK_EVENTS];
} weft_trace_block;

struct weft_trace {
    uint64_t start; /* time of creation */
    int32_t process;
    uint32_t block_count;
    _Atomic uint32_t taken;   /* blocks; may count beyond block_count */
    _Atomic uint32_t queues;  /* numbers given to queues */
    _Atomic uint64_t dropped; /* events for which there was no room */
    size_t bytes;             /* of the mapping */
    weft_trace_block *blocks;
};

/** A recorder of about `megabytes`; not there in forked children. NULL: out of memory. It lives as
 *  long as the process. */
weft_trace *weft_trace_create(uint32_t megabytes);

/** The queue's number and the command's number in its queue, as one. */
static inline uint64_t weft_trace_id(uint32_t queue, uint64_t command) {
    return (uint64_t)queue << 40 | (command & ((UINT64_C(1) << 40) - 1));
}

static inline uint64_t weft_trace_now(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** The time, or 0 if nothing is recorded. */
static inline uint64_t weft_trace_begin(const weft_trace *trace) {
    return __builtin_expect(trace != NULL, 0) ? weft_trace_now() : 0;
}

/** Records an event of the calling thread. Thread-safe, lock-free; `name` is copied. */
void weft_trace_add(weft_trace *trace, weft_trace_kind kind, const char *name,
                    const uint64_t times[4], uint64_t id, uint64_t value);

/** Records what lasted from `start` (of weft_trace_begin; 0: nothing is recorded) until now. */
static inline void weft_trace_end(weft_trace *trace, weft_trace_kind kind, const char *name,
                                  uint64_t start, uint64_t id, uint64_t value) {
    if (__builtin_expect(start != 0, 0)) {
        const uint64_t times[4] = {start, weft_trace_now()};
        weft_trace_add(trace, kind, name, times, id, value);
    }
}

#endif
