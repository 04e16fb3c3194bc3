// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scheduler.h"

#include "child.h"
#include "clock.h"
#include "cpu.h"
#include "fpenv.h"
#include "weft/futex.h"
#include "printf.h"
#include "transfer.h"
#include "worker.h"

#include "weft/shim.h"
#include "weft/trace.h"

#include <CL/cl.h>
#include <sched.h>
#include <stdio.h>

enum { LONGEST_STREAK = 64 };
/* About what it costs to put a thread to sleep and wake it. */
enum { LINGER_NS = 50 * 1000 };

/* Code of the application's may need locks that the calling thread holds, or any stack. */
static bool is_foreign(const weft_work *work) {
    return work->kind == WEFT_WORK_HOST ||
           (work->kind == WEFT_WORK_KERNEL && work->kernel.code->foreign);
}

/* ---- one work -------------------------------------------------------------------------------- */

static void plan(weft_pool *pool, weft_work *work) {
    work->device.next = NULL;
    work->device.listed = false;
    work->device.begun = false;
    atomic_store_explicit(&work->device.status, CL_SUCCESS, memory_order_relaxed);
    atomic_store_explicit(&work->device.cursor, 0, memory_order_relaxed);
    atomic_store_explicit(&work->device.output, NULL, memory_order_relaxed);
    atomic_store_explicit(&work->device.waiting, NULL, memory_order_relaxed);
    work->device.arena_bytes = 0;
    if (work->kind == WEFT_WORK_KERNEL) {
        atomic_store_explicit(&work->fault, 0, memory_order_relaxed);
        weft_launch_plan(pool, work);
    } else if (work->kind == WEFT_WORK_TRANSFER) {
        weft_transfer_plan(pool, work);
    } else {
        work->device.chunks = 1;
        work->device.measure = work->device.is_long = false;
    }
}

/* The last thread: nobody else knows the work any more. */
static void finish(weft_cpu_runner *runner, weft_work *work) {
    weft_printf_sink *sink = atomic_load_explicit(&work->device.output, memory_order_relaxed);
    int32_t status = atomic_load_explicit(&work->device.status, memory_order_relaxed);

    if (sink)
        weft_printf_finish(sink);
    if (work->kind == WEFT_WORK_KERNEL &&
        atomic_load_explicit(&work->kernel.family, memory_order_relaxed)) {
        weft_children_run_ended(runner, work);
        return;
    }
    work->done(work, status, &runner->base);
}

static void leave(weft_cpu_runner *runner, weft_work *work) {
    if (atomic_fetch_sub_explicit(&work->device.open, 1, memory_order_acq_rel) == 1)
        finish(runner, work);
}

/* Work-groups that a chunk is, at most. */
static uint64_t groups_of(const weft_work *work) {
    return work->device.chunk_size < work->device.units ? work->device.chunk_size
                                                        : work->device.units;
}

static void trace_chunk(weft_pool *pool, const weft_work *work, uint64_t start, uint64_t units) {
    static const char *const names[] = {"", "transfer", "native kernel"};

    weft_trace_end(pool->trace, WEFT_TRACE_CHUNK,
                   work->kind == WEFT_WORK_KERNEL ? work->kernel.code->name : names[work->kind],
                   start, work->trace_id, units);
}

static void run_chunk(weft_cpu_runner *runner, weft_work *work, uint64_t chunk) {
    uint64_t traced = weft_trace_begin(runner->pool->trace), units = 1;
    int32_t status;

    if (chunk == 0 && !work->device.begun)
        work->begin(work);
    /* After an error the rest of the command is not run. */
    if (atomic_load_explicit(&work->device.status, memory_order_relaxed))
        return;
    if (work->kind == WEFT_WORK_KERNEL) {
        weft_launch_chunk(runner, work, chunk);
        units = groups_of(work);
    } else if (work->kind == WEFT_WORK_TRANSFER) {
        units = weft_transfer_chunk(runner->pool, work, chunk);
        runner->moved += units;
    } else {
        status = work->host.run(work->host.user);
        atomic_store_explicit(&work->device.status, status, memory_order_relaxed);
    }
    if (__builtin_expect(traced != 0, 0))
        trace_chunk(runner->pool, work, traced, units);
}

/* Puts one work behind all of its priority. The lock is held. */
static void insert(weft_pool *pool, weft_work *work) {
    weft_work **at = pool->last;

    if (work->priority > 0 || (work->priority == 0 && atomic_load(&pool->low)))
        for (at = &pool->first; *at && (*at)->priority >= work->priority;)
            at = &(*at)->device.next;
    if (work->priority < 0)
        atomic_fetch_add(&pool->low, 1);
    work->device.next = *at;
    work->device.listed = true;
    *at = work;
    if (!work->device.next)
        pool->last = &work->device.next;
}

/* Moves what was handed over into the list, oldest first. The lock is held. */
static void drain_inbox(weft_pool *pool) {
    weft_work *work, *next, *first = NULL;
    uint32_t count = 0;

    if (!atomic_load_explicit(&pool->inbox, memory_order_relaxed))
        return;
    /* One too many meanwhile: a thread that looks between the two, on its way to sleep, must not
     * find both empty. The caller may be busy for long, and nobody would wake the other again. */
    atomic_fetch_add(&pool->listed, 1);
    work = atomic_exchange_explicit(&pool->inbox, NULL, memory_order_acq_rel);
    weft_shim_point("inbox emptied");
    for (; work; work = next, count++) {
        next = work->device.next;
        work->device.next = first;
        first = work;
    }
    atomic_fetch_add(&pool->listed, count - 1);
    for (work = first; work; work = next) {
        next = work->device.next;
        insert(pool, work);
    }
}

/* Takes the work from the list, if it is there. The lock is held. */
static bool unlist(weft_pool *pool, weft_work *work) {
    weft_work **at = &pool->first;

    if (!work->device.listed)
        return false;
    while (*at != work)
        at = &(*at)->device.next;
    *at = work->device.next;
    if (!*at)
        pool->last = at;
    work->device.listed = false;
    atomic_fetch_sub(&pool->listed, 1);
    if (work->priority > 0)
        atomic_fetch_sub(&pool->urgent, 1);
    else if (work->priority < 0)
        atomic_fetch_sub(&pool->low, 1);
    return true;
}

/* All chunks are taken: other threads need not find the work any more. The caller holds it open. */
static void retire(weft_pool *pool, weft_work *work) {
    bool held;

    pthread_mutex_lock(&pool->lock);
    drain_inbox(pool); /* it may still be there: perhaps no thread of the pool has woken yet */
    held = unlist(pool, work);
    pthread_mutex_unlock(&pool->lock);
    if (held)
        atomic_fetch_sub_explicit(&work->device.open, 1, memory_order_acq_rel);
}

/* Wakes up to two threads for what is left, number `near` or those behind it; they wake more, until
 * there are as many as the pool has (with a waiting thread among them): `threads` are at it now. */
static void wake_for(weft_pool *pool, uint64_t chunks_left, uint32_t threads, uint32_t near,
                     bool elsewhere) {
    uint64_t room = threads < pool->size ? pool->size - threads : 0;
    uint64_t count = chunks_left < room ? chunks_left : room;

    /* Not the only one, since it may come late. */
    elsewhere = elsewhere && (count > 1 || threads > 0);
    if (count > 0 && weft_pool_wake(pool, near, elsewhere) && count > 1)
        weft_pool_wake(pool, near + 1, false);
}

/* Where a thread begins to look for those that it wakes: as in a heap, so that two threads rarely
 * want the same one. The first two are the application's. */
static uint32_t children_of(const weft_cpu_runner *runner) {
    return runner->kind == WEFT_RUNNER_THREAD ? 2 * runner->worker.index + 2 : 0;
}

/* How many threads take chunks of what is in the list. */
static uint32_t threads_at(const weft_work *work) {
    uint32_t open = atomic_load_explicit(&work->device.open, memory_order_relaxed);

    return open > 1 ? open - 1 : 1;
}

static void measured(weft_cpu_runner *runner, const weft_work *work, uint64_t chunks, uint64_t ns) {
    if (work->kind == WEFT_WORK_KERNEL)
        weft_launch_measured(runner->pool, work, chunks, ns);
    else
        weft_transfer_measured(runner->pool, runner->moved, ns);
}

/* Between two chunks: does something more urgent wait? What is left stays in the list. */
static bool yields(const weft_cpu_runner *runner, const weft_work *work) {
    const weft_pool *pool = runner->pool;

    if (runner->kind != WEFT_RUNNER_THREAD || work->priority > 0)
        return false;
    return atomic_load_explicit(&pool->urgent, memory_order_relaxed) ||
           (work->priority < 0 && (atomic_load_explicit(&pool->inbox, memory_order_relaxed) ||
                                   atomic_load_explicit(&pool->listed, memory_order_relaxed) >
                                       atomic_load_explicit(&pool->low, memory_order_relaxed)));
}

/* Takes chunks until there are none. The caller holds the work open and leaves it afterwards.
 * Returns how many it ran. */
static uint64_t run_chunks(weft_cpu_runner *runner, weft_work *work) {
    weft_pool *pool = runner->pool;
    uint64_t chunks = work->device.chunks, ran = 0, start = 0, chunk = 0;

    while (!ran || !yields(runner, work)) {
        chunk = atomic_fetch_add_explicit(&work->device.cursor, 1, memory_order_relaxed);
        if (chunk >= chunks)
            break;
        if (ran++ == 0) {
            if (work->kind == WEFT_WORK_KERNEL)
                weft_launch_prepare(runner, work);
            if (chunks > 1 && chunk > 0 && !work->frugal)
                wake_for(pool, chunks - chunk - 1, threads_at(work), children_of(runner),
                         work->device.is_long);
            start = work->device.measure ? weft_now_ns() : 0;
            runner->moved = 0;
            if (chunk > 0 && work->joined)
                work->joined(work);
        }
        run_chunk(runner, work, chunk);
    }
    if (ran && work->device.measure)
        measured(runner, work, ran, weft_now_ns() - start);
    if (chunk == chunks && (chunks > 1 || runner->kind == WEFT_RUNNER_HELPER))
        retire(pool, work);
    return ran;
}

/*
 * All chunks are taken, but others still run theirs, which cannot take much longer than ours did.
 * A waiting thread that went to sleep now would have to be woken (25 us where a CPU that has
 * nothing to do is given back to a hypervisor); it looks on for about as long, and ends the work
 * itself.
 */
static void linger(const weft_cpu_runner *runner, const weft_work *work) {
    uint64_t until = 0, now;

    if (runner->kind != WEFT_RUNNER_HELPER || runner->pool->size < 2)
        return;
    while (atomic_load_explicit(&work->device.open, memory_order_relaxed) > 1) {
        now = weft_now_ns();
        if (!until)
            until = now + LINGER_NS;
        else if (now >= until)
            return;
        for (int i = 0; i < 16; i++)
            weft_pause();
        sched_yield(); /* whoever else could run goes first */
    }
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Makes a planned work known, held open by the list and by `threads` more. */
static void publish(weft_pool *pool, weft_work *work, uint32_t threads) {
    uint64_t chunks = work->device.chunks;
    bool frugal = work->frugal, is_long = work->device.is_long;

    if (work->priority > 0)
        atomic_fetch_add(&pool->urgent, 1);
    /* Release: a waiting thread may join from here on, without the list. */
    atomic_store_explicit(&work->device.open, 1 + threads, memory_order_release);
    work->device.next = atomic_load_explicit(&pool->inbox, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&pool->inbox, &work->device.next, work))
        ;
    if (!frugal)
        wake_for(pool, chunks - threads, threads, 0, is_long);
    else if (!threads)
        weft_pool_wake(pool, 0, false); /* one must run it */
}

/* Work for a thread of the pool, held open for it; NULL: none in the list, but an end that was come
 * upon may have submitted the runner's next. */
static weft_work *find_work(weft_cpu_runner *runner) {
    weft_pool *pool = runner->pool;
    weft_work *work, *ended = NULL;

    if (!weft_pool_has_work(pool)) /* at the end of a command nobody takes the lock for nothing */
        return NULL;
    pthread_mutex_lock(&pool->lock);
    drain_inbox(pool);
    while ((work = pool->first)) {
        if (work->device.chunks == 1) {
            unlist(pool, work); /* and what the list held is ours */
            break;
        }
        if (atomic_load_explicit(&work->device.cursor, memory_order_relaxed) <
            work->device.chunks) {
            atomic_fetch_add_explicit(&work->device.open, 1, memory_order_relaxed);
            break;
        }
        /* All its chunks are taken, but the thread that saw it has not come to say so. */
        unlist(pool, work);
        if (atomic_fetch_sub_explicit(&work->device.open, 1, memory_order_acq_rel) == 1) {
            ended = work;
            break;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    if (ended) {
        finish(runner, ended);
        return runner->next ? NULL : find_work(runner);
    }
    return work;
}

/* Was this launch short until now, and is it worth a look whether it still is? */
static bool is_doubtful(const weft_cpu_runner *runner, weft_work *work) {
    const weft_cpu_settings *settings = &runner->pool->device->settings;

    return work->kind == WEFT_WORK_KERNEL && work->device.units > 1 && !settings->chunk_groups &&
           !settings->shuffle_seed && !atomic_load(&work->device.status);
}

static void share(weft_cpu_runner *runner, weft_work *work) {
    publish(runner->pool, work, 1);
    run_chunks(runner, work);
    linger(runner, work);
    leave(runner, work);
}

/* Work of one chunk that no other thread can find. */
static void run_alone(weft_cpu_runner *runner, weft_work *work) {
    uint64_t start;

    if (work->kind == WEFT_WORK_KERNEL)
        weft_launch_prepare(runner, work);
    if (is_doubtful(runner, work)) {
        work->begin(work);
        work->device.begun = true;
        start = weft_trace_begin(runner->pool->trace);
        bool is_long = weft_launch_probe(runner, work);
        if (start)
            trace_chunk(runner->pool, work, start, groups_of(work));
        if (is_long) {
            share(runner, work);
            return;
        }
    }
    start = work->device.measure ? weft_now_ns() : 0;
    runner->moved = 0;
    run_chunk(runner, work, 0);
    if (work->device.measure)
        measured(runner, work, 1, weft_now_ns() - start);
    finish(runner, work);
}

/*
 * Runs work that the caller holds open. What is one chunk is made the caller's own first, if no
 * other thread has joined: only then can it be planned anew. Returns how many chunks this thread
 * ran.
 */
static uint64_t run_held(weft_cpu_runner *runner, weft_work *work) {
    uint32_t alone = 1;
    uint64_t ran;

    if (work->device.chunks == 1 && work->kind == WEFT_WORK_KERNEL) {
        if (runner->kind == WEFT_RUNNER_HELPER)
            retire(runner->pool, work);
        if (atomic_compare_exchange_strong_explicit(&work->device.open, &alone, 0,
                                                    memory_order_acq_rel, memory_order_relaxed)) {
            ran = atomic_load_explicit(&work->device.cursor, memory_order_relaxed) == 0;
            if (ran)
                run_alone(runner, work);
            else
                finish(runner, work); /* a thread has run it and gone */
            return ran;
        }
    }
    ran = run_chunks(runner, work);
    if (ran)
        linger(runner, work);
    leave(runner, work);
    return ran;
}

/* Runs work that only this thread knows, with the others' help if it is large. */
static void run_own(weft_cpu_runner *runner, weft_work *work) {
    if (work->device.chunks == 1) {
        run_alone(runner, work);
        return;
    }
    share(runner, work);
}

/* ---- threads of the pool --------------------------------------------------------------------- */

/* To one CPU of those that it may use; `all` has room for `bytes`. */
static void pin_to_one(uint32_t index, const cpu_set_t *all, size_t bytes) {
    uint32_t left = index % (uint32_t)CPU_COUNT_S(bytes, all);

    for (uint32_t cpu = 0; cpu < bytes * 8 && cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET_S(cpu, bytes, all) && left-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof(one), &one);
            return;
        }
    }
}

/* A part's threads stay on its CPUs; which of them takes which is the system's affair, unless each
 * is to have its own. */
static void pin_thread(weft_cpu_runner *runner) {
    weft_device *device = runner->pool->device;
    cpu_set_t all;

    if (device->is_part)
        sched_setaffinity(0, device->cpus.bytes, device->cpus.set);
    if (!device->settings.pin_threads)
        return;
    if (sched_getaffinity(0, sizeof(all), &all) == 0 && CPU_COUNT(&all) > 0)
        pin_to_one(runner->worker.index, &all, sizeof(all));
}

void *weft_pool_thread(void *argument) {
    weft_cpu_runner *runner = argument;
    weft_pool *pool = runner->pool;
    char name[16];
    weft_fpenv host;
    weft_work *work;

    snprintf(name, sizeof(name), "weft-%u", runner->worker.index);
    pthread_setname_np(pthread_self(), name);
    pin_thread(runner);
    runner->tid = (pid_t)syscall(SYS_gettid); /* glibc has a function since 2.30 */
    /* A thread starts with its creator's floating-point environment: once set, chunks rarely have
     * to write it. */
    weft_fpenv_enter(&host, false);
    for (;;) {
        /* Before it looks: what was handed over before the pool stops is found then. */
        bool stops = atomic_load(&pool->stopping);
        if ((work = runner->next)) {
            runner->next = NULL;
            run_own(runner, work);
        } else if ((work = find_work(runner))) {
            run_held(runner, work);
        } else if (runner->next) {
            continue;
        } else if (stops) {
            weft_device_drop(pool->device);
            return NULL;
        } else {
            weft_pool_sleep(runner);
        }
    }
}

/* ---- submitting ------------------------------------------------------------------------------ */

static void end_unrun(weft_cpu_runner *runner, weft_work *work) {
    atomic_store_explicit(&work->device.status, CL_OUT_OF_RESOURCES, memory_order_relaxed);
    finish(runner, work);
}

/*
 * No thread can be started (a limit, seccomp): the calling thread runs the work, and what its
 * completion submits. Host functions may need locks that the caller holds, and are refused.
 */
static void run_inline(weft_pool *pool, weft_work *work) {
    weft_cpu_runner runner;

    memset(&runner, 0, sizeof(runner));
    weft_runner_init(&runner, pool, WEFT_RUNNER_INLINE,
                     pool->size + atomic_fetch_add(&pool->helper_count, 1));
    while (work) {
        if (is_foreign(work) || !weft_stack_suffices()) {
            end_unrun(&runner, work);
        } else {
            if (work->kind == WEFT_WORK_KERNEL)
                weft_launch_prepare(&runner, work);
            for (uint64_t chunk = 0; chunk < work->device.chunks; chunk++)
                run_chunk(&runner, work, chunk);
            finish(&runner, work);
        }
        work = runner.next;
        if (work && !(runner.next = work->device.next))
            runner.last = &runner.next;
    }
    weft_arena_trim(&runner.arena, 0);
}

/* A chain of commands stays on its thread, but not for ever while others wait in the list. */
static bool may_go_on(weft_cpu_runner *runner) {
    if (++runner->streak < LONGEST_STREAK)
        return true;
    runner->streak = 0;
    return !atomic_load(&runner->pool->inbox) && !atomic_load(&runner->pool->listed);
}

void weft_pool_submit(weft_pool *pool, weft_work *work, weft_runner *base) {
    weft_cpu_runner *runner = (weft_cpu_runner *)base;

    plan(pool, work);
    if (runner && runner->pool == pool && runner->kind == WEFT_RUNNER_INLINE) {
        *runner->last = work;
        runner->last = &work->device.next;
    } else if (runner && runner->pool == pool && runner->kind == WEFT_RUNNER_THREAD &&
               !runner->next && may_go_on(runner)) {
        runner->next = work;
    } else if (weft_pool_has_thread(pool)) {
        publish(pool, work, 0);
    } else {
        run_inline(pool, work);
    }
}

/* ---- waiting threads that help --------------------------------------------------------------- */

bool weft_pool_is_small(weft_pool *pool, const weft_work *work) {
    if (work->kind == WEFT_WORK_KERNEL)
        return !work->kernel.code->foreign && weft_launch_is_small(pool, work);
    return work->kind == WEFT_WORK_TRANSFER && weft_transfer_is_small(pool, work);
}

bool weft_pool_run(weft_pool *pool, weft_work *work, void *waiter) {
    weft_cpu_runner *runner;

    if (is_foreign(work) || !weft_stack_suffices())
        return false;
    runner = weft_helper_take(pool, waiter);
    if (!runner)
        return false;
    plan(pool, work);
    run_own(runner, work);
    weft_helper_give_back(runner);
    return true;
}

bool weft_pool_help(weft_pool *pool, weft_work *work, void *waiter) {
    uint32_t open = atomic_load_explicit(&work->device.open, memory_order_relaxed);
    weft_cpu_runner *runner;
    uint64_t ran;

    if (!open || !weft_stack_suffices())
        return false;
    runner = weft_helper_take(pool, waiter);
    if (!runner)
        return false;
    do {
        if (!open) {
            weft_helper_give_back(runner);
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&work->device.open, &open, open + 1,
                                                    memory_order_acquire, memory_order_relaxed));
    if (is_foreign(work)) { /* looked at while it is held: its kernel may go with its end */
        ran = 0;
        leave(runner, work);
    } else {
        ran = run_held(runner, work);
    }
    weft_helper_give_back(runner);
    return ran > 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

bool weft_pool_init(weft_pool *pool, weft_device *device, uint32_t size) {
    pool->device = device;
    pool->size = size < 1 ? 1 : size > WEFT_MAX_THREADS ? WEFT_MAX_THREADS : size;
    pool->last = &pool->first;
    pool->threads = weft_calloc(pool->size, sizeof(*pool->threads));
    if (!pool->threads || !weft_pool_init_idle(pool)) {
        weft_free(pool->threads);
        return false;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->start_lock, NULL);
    return true;
}

void weft_pool_stop(weft_pool *pool, bool join) {
    uint32_t started;

    atomic_store(&pool->stopping, true);
    pthread_mutex_lock(&pool->start_lock); /* nobody starts one now */
    started = atomic_load(&pool->started);
    pthread_mutex_unlock(&pool->start_lock);
    for (uint32_t i = 0; i < started && !join; i++)
        pthread_detach(atomic_load(&pool->threads[i])->thread);
    weft_herald_stop(pool, join);
    weft_pool_wake_all(pool);
    for (uint32_t i = 0; i < started && join; i++)
        pthread_join(atomic_load(&pool->threads[i])->thread, NULL);
}

static void free_runner(weft_cpu_runner *runner) {
    if (!runner)
        return;
    weft_arena_trim(&runner->arena, 0);
    weft_free(runner);
}

void weft_pool_free(weft_pool *pool) {
    for (uint32_t i = 0; i < atomic_load(&pool->started); i++)
        free_runner(atomic_load(&pool->threads[i]));
    for (int i = 0; i < WEFT_HELPERS; i++)
        free_runner(atomic_load(&pool->helpers[i]));
    weft_free(pool->threads);
    weft_free((void *)pool->sleepy);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->start_lock);
}
