// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "worker.h"

#include "cpu.h"
#include "weft/futex.h"

#include "weft/shim.h"

#include <sched.h>
#include <sys/resource.h>

enum { STACK_BYTES = 256 * 1024 };
/* An idle thread gives back an arena that is larger. */
enum { ARENA_KEEP = 32 * 1024 * 1024 };
/* The main thread's stack grows on demand; without a limit we count on this much. */
enum { MAIN_STACK = 8 * 1024 * 1024 };

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Where the calling thread's stack is; high 0: not asked yet. Initial-exec: two words of the static
 * block that the dynamic linker keeps for this, so that no access can allocate. */
static _Thread_local uintptr_t stack_low __attribute__((tls_model("initial-exec")));
static _Thread_local uintptr_t stack_high __attribute__((tls_model("initial-exec")));

extern void *__libc_stack_end;

/* pthread_getattr_np reads /proc/self/maps for the main thread, which may not be there. */
static void measure_main_stack(void) {
    struct rlimit limit;
    uintptr_t bytes = MAIN_STACK;

    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        bytes = limit.rlim_cur;
    stack_high = (uintptr_t)__libc_stack_end;
    stack_low = stack_high > bytes ? stack_high - bytes : 0;
}

static void measure_stack(void) {
    pthread_attr_t attributes;
    void *base = NULL;
    size_t bytes = 0;

    if (getpid() == (pid_t)syscall(SYS_gettid)) {
        measure_main_stack();
        return;
    }
    stack_low = stack_high = 1; /* nothing is inside of it */
    if (pthread_getattr_np(pthread_self(), &attributes))
        return;
    if (pthread_attr_getstack(&attributes, &base, &bytes) == 0) {
        stack_low = (uintptr_t)base;
        stack_high = (uintptr_t)base + bytes;
    }
    pthread_attr_destroy(&attributes);
}

bool weft_stack_suffices(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    if (!stack_high)
        measure_stack();
    return here < stack_high && here - WEFT_STACK_NEEDED > stack_low && here > WEFT_STACK_NEEDED;
}

/* ---- runners --------------------------------------------------------------------------------- */

void weft_runner_init(weft_cpu_runner *runner, weft_pool *pool, weft_runner_kind kind,
                      uint32_t index) {
    runner->kind = kind;
    runner->pool = pool;
    runner->last = &runner->next;
    runner->worker.index = index;
    runner->worker.device = pool->device;
}

weft_cpu_runner *weft_helper_take(weft_pool *pool, void *waiter) {
    weft_cpu_runner *runner;

    for (int i = 0; i < WEFT_HELPERS; i++) {
        if (!atomic_load_explicit(&pool->helpers[i], memory_order_relaxed))
            continue;
        runner = atomic_exchange_explicit(&pool->helpers[i], NULL, memory_order_acquire);
        if (runner) {
            runner->base.waiter = waiter;
            return runner;
        }
    }
    runner = weft_calloc(1, sizeof(*runner));
    if (runner) {
        /* Indices behind those of the pool's threads. */
        weft_runner_init(runner, pool, WEFT_RUNNER_HELPER,
                         pool->size + atomic_fetch_add(&pool->helper_count, 1));
        runner->base.waiter = waiter;
    }
    return runner;
}

void weft_helper_give_back(weft_cpu_runner *runner) {
    weft_pool *pool = runner->pool;

    weft_arena_trim(&runner->arena, ARENA_KEEP);
    for (int i = 0; i < WEFT_HELPERS; i++) {
        weft_cpu_runner *none = NULL;
        if (!atomic_load_explicit(&pool->helpers[i], memory_order_relaxed) &&
            atomic_compare_exchange_strong_explicit(&pool->helpers[i], &none, runner,
                                                    memory_order_release, memory_order_relaxed))
            return;
    }
    weft_arena_trim(&runner->arena, 0);
    weft_free(runner);
}

/* ---- sleeping and waking --------------------------------------------------------------------- */

static uint32_t idle_words(const weft_pool *pool) {
    return (pool->size + 63) / 64;
}

static void wake_runner(weft_cpu_runner *runner) {
    atomic_store_explicit(&runner->token, 1, memory_order_release);
    weft_futex_wake(&runner->token, 1);
}

static bool wake_sleeper(weft_pool *pool) {
    for (uint32_t i = 0; i < idle_words(pool); i++) {
        uint64_t bits = atomic_load(&pool->idle[i]);
        while (bits) {
            uint32_t bit = (uint32_t)__builtin_ctzll(bits);
            if (atomic_fetch_and(&pool->idle[i], ~(1ull << bit)) >> bit & 1) {
                wake_runner(atomic_load(&pool->threads[i * 64 + bit]));
                return true;
            }
            bits = atomic_load(&pool->idle[i]);
        }
    }
    return false;
}

static bool start_thread(weft_pool *pool) {
    uint32_t index = atomic_load(&pool->started);
    weft_cpu_runner *runner;

    if (index >= pool->size || atomic_load(&pool->stopping))
        return false;
    runner = weft_calloc(1, sizeof(*runner));
    if (!runner)
        return false;
    weft_runner_init(runner, pool, WEFT_RUNNER_THREAD, index);
    atomic_store(&pool->threads[index], runner);
    weft_device_hold(pool->device);
    if (weft_thread_create(&runner->thread, STACK_BYTES, weft_pool_thread, runner)) {
        weft_device_drop(pool->device); /* the caller holds it too */
        atomic_store(&pool->threads[index], NULL);
        weft_free(runner);
        return false;
    }
    atomic_store(&pool->started, index + 1);
    return true;
}

static bool start_one_more(weft_pool *pool) {
    bool done;

    if (atomic_load(&pool->started) >= pool->size)
        return false;
    pthread_mutex_lock(&pool->start_lock);
    done = start_thread(pool);
    pthread_mutex_unlock(&pool->start_lock);
    return done;
}

bool weft_pool_wake(weft_pool *pool) {
    return wake_sleeper(pool) || start_one_more(pool);
}

bool weft_pool_has_thread(weft_pool *pool) {
    return atomic_load_explicit(&pool->started, memory_order_relaxed) || start_one_more(pool) ||
           atomic_load(&pool->started);
}

void weft_pool_wake_all(weft_pool *pool) {
    for (uint32_t i = 0; i < idle_words(pool); i++) {
        uint64_t bits = atomic_exchange(&pool->idle[i], 0);
        for (; bits; bits &= bits - 1)
            wake_runner(atomic_load(&pool->threads[i * 64 + (uint32_t)__builtin_ctzll(bits)]));
    }
}

static bool has_work(weft_pool *pool) {
    return atomic_load(&pool->inbox) || atomic_load(&pool->listed) || atomic_load(&pool->stopping);
}

void weft_pool_sleep(weft_cpu_runner *runner) {
    weft_pool *pool = runner->pool;
    _Atomic uint64_t *word = &pool->idle[runner->worker.index / 64];
    uint64_t bit = 1ull << runner->worker.index % 64;

    weft_shim_point("nothing found");
    /* First say that we sleep, then look once more: whoever hands over work does it in the
     * opposite order, so that one of us sees the other. */
    atomic_fetch_or(word, bit);
    if (has_work(pool) && atomic_fetch_and(word, ~bit) & bit)
        return;
    weft_arena_trim(&runner->arena, ARENA_KEEP);
    while (!atomic_load_explicit(&runner->token, memory_order_acquire))
        weft_futex_wait(&runner->token, 0);
    atomic_store_explicit(&runner->token, 0, memory_order_relaxed);
}
