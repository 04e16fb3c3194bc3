// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The pool of one device: threads that sleep until there is work, and the list of work whose chunks
 * are not all taken.
 *
 * Chunks are taken by one atomic add. The pool's lock is taken once per work and thread, to find
 * it; handing work over takes no lock. Lifetime of a work is counted in `open`: one for the list,
 * one for each thread that may still take chunks; whoever drops the last one ends the work.
 */
#ifndef WEFT_SCHEDULER_H
#define WEFT_SCHEDULER_H

#include "arena.h"
#include "herald.h"
#include "launch.h"
#include "weft/device.h"
#include "weft/graph.h"

#include <pthread.h>
#include <stdatomic.h>

enum { WEFT_MAX_THREADS = 4096, WEFT_HELPERS = 8 };
/** Of a cache. What all threads read, what they look at between chunks, what they write when they
 *  look for work, and what each is woken by, are lines apart: tests/interleave/lines.c counts what
 *  moves. */
enum { WEFT_LINE = 64 };

typedef enum weft_runner_kind {
    WEFT_RUNNER_THREAD, /* of the pool */
    WEFT_RUNNER_HELPER, /* a thread of the application that waits */
    WEFT_RUNNER_INLINE  /* a thread that submits, where no thread can be started */
} weft_runner_kind;

/** A thread while it runs chunks, with what it brings along. Used by one thread at a time. */
typedef struct weft_cpu_runner {
    weft_runner base; /* first: the runtime passes it back */
    weft_worker worker;
    weft_runner_kind kind;
    struct weft_pool *pool;
    weft_arena arena;
    uint32_t streak; /* works in a row that its own completions submitted */
    uint64_t moved;  /* bytes of the transfer that is measured */
    uint64_t order;  /* first group of the chunk: the order of printf records */
    /* What the chunk that runs has enqueued (child.c): who waits for its end, and children that no
     * other thread can run. */
    weft_edges after_chunk;
    weft_ready unsent;
    weft_work *next;  /* submitted by this thread's own completions, runs next (a list if INLINE) */
    weft_work **last; /* INLINE: end of that list */
    pthread_t thread;
    pid_t tid;          /* THREAD: 0 until it has begun to run */
    uint64_t asleep_ns; /* THREAD: when it went to sleep, where weft_herald_helps() */
    _Alignas(WEFT_LINE) _Atomic uint32_t token; /* THREAD: 1: woken; others write it */
} weft_cpu_runner;

static inline weft_cpu_runner *weft_runner_of(weft_worker *worker) {
    return (weft_cpu_runner *)((char *)worker - offsetof(weft_cpu_runner, worker));
}

typedef struct weft_pool {
    weft_device *device;
    uint32_t size; /* threads at most */
    _Atomic uint32_t started;
    uint64_t arena_cap; /* bytes of local and private memory of one group at most */
    _Atomic(weft_cpu_runner *) *threads; /* size of them */
    uint32_t idle_bits;                  /* threads of a word of the next: 64 but for tests */
    _Atomic uint64_t *idle;              /* one bit per thread that sleeps */
    _Atomic uint64_t *sleepy;            /* one bit per word of it that may have some; before it */
    struct weft_trace *trace;            /* NULL: no timeline */

    _Alignas(WEFT_LINE) _Atomic(weft_work *) inbox; /* handed over, newest first */
    _Atomic uint32_t listed;                        /* works in the list below */
    _Atomic uint32_t urgent; /* works of priority 1, handed over, with chunks to be taken */
    _Atomic uint32_t low;    /* works of priority -1 in the list */
    _Atomic bool stopping;

    _Alignas(WEFT_LINE) pthread_mutex_t lock; /* guards the list */
    weft_work *first, **last;                 /* by falling priority, then by age */

    _Alignas(WEFT_LINE) _Atomic(weft_cpu_runner *) helpers[WEFT_HELPERS]; /* not in use now */
    _Atomic uint32_t helper_count;
    _Atomic uint32_t transfer_rate; /* picoseconds per byte of late; 0: not measured */
    pthread_mutex_t start_lock;     /* guards starting threads */

    weft_cost costs[WEFT_COSTS];
    weft_herald herald;
} weft_pool;

/** False: out of memory. No thread is started. */
bool weft_pool_init(weft_pool *pool, weft_device *device, uint32_t size);
/**
 * Lets submitted work end and the threads with it; with `join` waits for that. Nobody hands over
 * work any more. Without `join` it may be called from a thread of the pool.
 */
void weft_pool_stop(weft_pool *pool, bool join);
/** Frees everything; no thread is left. */
void weft_pool_free(weft_pool *pool);

/* As in weft_device_ops. */
void weft_pool_submit(weft_pool *pool, weft_work *work, weft_runner *runner);
bool weft_pool_is_small(weft_pool *pool, const weft_work *work);
bool weft_pool_run(weft_pool *pool, weft_work *work, void *waiter);
bool weft_pool_help(weft_pool *pool, weft_work *work, void *waiter);

#endif
