// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Threads and what they bring along: stacks, runners, starting, sleeping, waking. */
#ifndef WEFT_WORKER_H
#define WEFT_WORKER_H

#include "scheduler.h"

/** Stack that kernels and what runs around them may need: a host thread with less does not help. */
#define WEFT_STACK_NEEDED (WEFT_MAX_STACK + 16 * 1024)

/** Has the calling thread that much stack left? Works without /proc; false where it cannot tell
 *  (an alternate stack, a coroutine). */
bool weft_stack_suffices(void);

/** A runner for the calling thread, to be given back. NULL: out of memory. */
weft_cpu_runner *weft_helper_take(weft_pool *pool, void *waiter);
void weft_helper_give_back(weft_cpu_runner *runner);

/** Initialises a runner in zeroed memory. */
void weft_runner_init(weft_cpu_runner *runner, weft_pool *pool, weft_runner_kind kind,
                      uint32_t index);

/** Wakes one sleeping thread, number `near` modulo the pool's size or the next that sleeps, or
 *  starts one more. With `elsewhere` one that has slept for long is woken from another CPU than the
 *  caller's where that helps (herald.h), perhaps late: others must be at the work. False: all are
 *  busy, or none can be started. */
bool weft_pool_wake(weft_pool *pool, uint32_t near, bool elsewhere);
/** Wakes this thread, which the caller took from those that sleep. */
void weft_runner_wake(weft_cpu_runner *runner);
/** True if the pool has at least one thread, starting it if need be. */
bool weft_pool_has_thread(weft_pool *pool);
/** Was work handed over that has chunks to be taken, as far as is known? What is on its way from
 *  the inbox to the list counts. */
bool weft_pool_has_work(weft_pool *pool);
/** Room to say which threads sleep. False: out of memory. Freed by weft_free(pool->sleepy). */
bool weft_pool_init_idle(weft_pool *pool);
/** Sleeps until woken; returns at once if there is work or the pool stops. */
void weft_pool_sleep(weft_cpu_runner *runner);
/** Wakes all, for the last time. */
void weft_pool_wake_all(weft_pool *pool);

/** The threads' loop (scheduler.c). */
void *weft_pool_thread(void *runner);

#endif
