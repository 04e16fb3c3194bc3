// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "worker.h"

#include "clock.h"
#include "cpu.h"
#include "herald.h"
#include "weft/futex.h"

#include "weft/shim.h"

#include <sched.h>
#include <sys/resource.h>

enum { STACK_BYTES = 256 * 1024 };
/* An idle thread gives back an arena that is larger. */
enum { ARENA_KEEP = 32 * 1024 * 1024 };
/* Shorter pauses leave CPUs idle, not given back to a hypervisor. */
enum { PAUSE_NS = 2 * 1000 * 1000 };
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

/* NULL: out of memory. */
static weft_cpu_runner *make_runner(weft_pool *pool, weft_runner_kind kind) {
    weft_cpu_runner *runner = weft_aligned_alloc(WEFT_LINE, sizeof(*runner));

    if (runner) {
        memset(runner, 0, sizeof(*runner));
        weft_runner_init(runner, pool, kind, 0);
    }
    return runner;
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
    /* Indices behind those of the pool's threads. */
    runner = make_runner(pool, WEFT_RUNNER_HELPER);
    if (runner) {
        runner->worker.index = pool->size + atomic_fetch_add(&pool->helper_count, 1);
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

/*
 * A thread that sleeps has a bit, in words of 64. Which words to look at says another word, so that
 * neither where all are busy nor where few sleep anybody looks at all of them. A word's bit there
 * is set behind a thread's, and cleared by who finds nobody. If a thread comes between these two,
 * others that look pass it over until it has set the bit again, which it need not do if it saw the
 * bit just before that was cleared: so whoever clears it looks once more, and wakes all who came.
 */
enum { WORD_BITS = 64 };

static uint32_t idle_words(const weft_pool *pool) {
    return (pool->size + pool->idle_bits - 1) / pool->idle_bits;
}

bool weft_pool_init_idle(weft_pool *pool) {
    size_t bytes;

    pool->idle_bits = WORD_BITS;
    bytes = (1 + idle_words(pool)) * sizeof(uint64_t);
    bytes = (bytes + WEFT_LINE - 1) / WEFT_LINE * WEFT_LINE;
    pool->sleepy = weft_aligned_alloc(WEFT_LINE, bytes);
    if (!pool->sleepy)
        return false;
    memset((void *)pool->sleepy, 0, bytes);
    pool->idle = pool->sleepy + 1;
    return true;
}

void weft_runner_wake(weft_cpu_runner *runner) {
    atomic_store_explicit(&runner->token, 1, memory_order_release);
    weft_futex_wake(&runner->token, 1);
}

static void wake_runner(weft_cpu_runner *runner, bool elsewhere) {
    bool has_slept = elsewhere && weft_herald_helps(runner->pool) &&
                     weft_now_ns() - runner->asleep_ns > PAUSE_NS;

    if (!has_slept || !weft_herald_send(runner->pool, runner))
        weft_runner_wake(runner);
}

/* The first bit that is set, from `from` on and then from the beginning. */
static uint32_t next_bit(uint64_t bits, uint32_t from) {
    uint64_t behind = bits & ~UINT64_C(0) << from;

    return (uint32_t)__builtin_ctzll(behind ? behind : bits);
}

/* Wakes one of the word's threads. False: none sleeps. */
static bool wake_in_word(weft_pool *pool, uint32_t word, uint32_t from, bool elsewhere) {
    uint64_t bits = atomic_load(&pool->idle[word]);

    while (bits) {
        uint32_t bit = next_bit(bits, from);
        bits = atomic_fetch_and(&pool->idle[word], ~(UINT64_C(1) << bit));
        if (bits >> bit & 1) {
            wake_runner(atomic_load(&pool->threads[word * pool->idle_bits + bit]), elsewhere);
            return true;
        }
    }
    return false;
}

/* Wakes all of the word's threads. False: none slept. */
static bool wake_word(weft_pool *pool, uint32_t word) {
    uint64_t all = atomic_exchange(&pool->idle[word], 0);

    for (uint64_t bits = all; bits; bits &= bits - 1)
        weft_runner_wake(
            atomic_load(&pool->threads[word * pool->idle_bits + (uint32_t)__builtin_ctzll(bits)]));
    return all != 0;
}

/* Nobody of the word sleeps: it is passed over from now on. True: somebody came, and was woken. */
static bool pass_over(weft_pool *pool, uint32_t word) {
    atomic_fetch_and(pool->sleepy, ~(UINT64_C(1) << word));
    return wake_word(pool, word);
}

static bool wake_sleeper(weft_pool *pool, uint32_t near, bool elsewhere) {
    uint32_t word = near / pool->idle_bits, bit = near % pool->idle_bits;
    uint64_t words = atomic_load(pool->sleepy);

    for (; words; words &= ~(UINT64_C(1) << word), bit = 0) {
        word = next_bit(words, word);
        if (wake_in_word(pool, word, bit, elsewhere) || pass_over(pool, word))
            return true;
    }
    return false;
}

static bool start_thread(weft_pool *pool) {
    uint32_t index = atomic_load(&pool->started);
    weft_cpu_runner *runner;

    if (index >= pool->size || atomic_load(&pool->stopping))
        return false;
    runner = make_runner(pool, WEFT_RUNNER_THREAD);
    if (!runner)
        return false;
    runner->worker.index = index;
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

bool weft_pool_wake(weft_pool *pool, uint32_t near, bool elsewhere) {
    return wake_sleeper(pool, near % pool->size, elsewhere) || start_one_more(pool);
}

bool weft_pool_has_thread(weft_pool *pool) {
    return atomic_load_explicit(&pool->started, memory_order_relaxed) || start_one_more(pool) ||
           atomic_load(&pool->started);
}

void weft_pool_wake_all(weft_pool *pool) {
    for (uint32_t i = 0; i < idle_words(pool); i++)
        wake_word(pool, i);
}

bool weft_pool_has_work(weft_pool *pool) {
    return atomic_load(&pool->inbox) || atomic_load(&pool->listed);
}

void weft_pool_sleep(weft_cpu_runner *runner) {
    weft_pool *pool = runner->pool;
    uint32_t number = runner->worker.index / pool->idle_bits;
    _Atomic uint64_t *word = &pool->idle[number];
    uint64_t bit = UINT64_C(1) << runner->worker.index % pool->idle_bits;

    weft_shim_point("nothing found");
    if (weft_herald_helps(pool))
        runner->asleep_ns = weft_now_ns();
    /* First say that we sleep, then look once more: whoever hands over work does it in the
     * opposite order, so that one of us sees the other. */
    atomic_fetch_or(word, bit);
    if (!(atomic_load(pool->sleepy) >> number & 1))
        atomic_fetch_or(pool->sleepy, UINT64_C(1) << number);
    if ((weft_pool_has_work(pool) || atomic_load(&pool->stopping)) &&
        atomic_fetch_and(word, ~bit) & bit)
        return;
    weft_arena_trim(&runner->arena, ARENA_KEEP);
    /* Taken and given back in one: the line comes from the waker once. */
    while (!atomic_exchange_explicit(&runner->token, 0, memory_order_acquire))
        weft_futex_wait(&runner->token, 0);
}
