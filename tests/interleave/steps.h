// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Makes a step of every operation by which threads of Weft meet: the compiler is told to read this
 * before each source file of the interleaving tests (-include). Atomics, mutexes, condition
 * variables, futexes, threads, memory, clock and yielding become calls of the explorer (steps.c),
 * which decides before and after each who goes on. So the sources hold no points by hand, none can
 * be forgotten, and an ordinary build does not know of any of this.
 *
 * Each place in the sources is a site, with a name that survives changes around it: function,
 * operation and the text of its operand. By that name a fault is put back (explore.h).
 */
#ifndef WEFT_INTERLEAVE_STEPS_H
#define WEFT_INTERLEAVE_STEPS_H

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/** One place in the sources. All of them lie in one section, so that they can be listed. */
typedef struct step_site {
    const char *file, *function, *operation, *operand;
    uint64_t line;
} step_site;

#define STEP_SITE(name, op, what)                                                                  \
    static step_site name __attribute__((section("weft_sites"), used, aligned(8))) = {             \
        __FILE__, __func__, op, what, __LINE__};

enum step_change { STEP_SET, STEP_ADD, STEP_SUB, STEP_OR, STEP_AND };

/* steps.c. Values are of `bytes` (1, 2, 4 or 8). The order says what else is ordered by it
 * (races.c); values are always the newest. */
void step_load(const step_site *site, const volatile void *at, size_t bytes, void *value,
               int order);
void step_store(const step_site *site, volatile void *at, size_t bytes, const void *value,
                int order);
void step_change(const step_site *site, volatile void *at, size_t bytes, enum step_change change,
                 const void *operand, void *before, int order);
bool step_compare_exchange(const step_site *site, volatile void *at, size_t bytes, void *expected,
                           const void *desired, int order, int order_else);

int step_mutex_init(pthread_mutex_t *mutex);
int step_mutex_destroy(const step_site *site, pthread_mutex_t *mutex);
int step_mutex_lock(const step_site *site, pthread_mutex_t *mutex);
int step_mutex_trylock(const step_site *site, pthread_mutex_t *mutex);
int step_mutex_unlock(const step_site *site, pthread_mutex_t *mutex);
void step_cond_wait(const step_site *site, pthread_cond_t *cond, pthread_mutex_t *mutex);
void step_cond_wake(const step_site *site, pthread_cond_t *cond, int count);

bool step_futex_spin(const step_site *site, _Atomic uint32_t *word, uint32_t expected);
void step_futex_wait(const step_site *site, _Atomic uint32_t *word, uint32_t expected);
void step_futex_wake(const step_site *site, _Atomic uint32_t *word, int count);

int step_thread_create(pthread_t *thread, void *(*run)(void *), void *argument);
int step_thread_join(const step_site *site, pthread_t thread);
int step_yield(const step_site *site);
int step_clock(struct timespec *now);
static inline int step_nothing(const void *it) {
    (void)it;
    return 0;
}
/** A point by name: weft_shim_point. */
void step_point(const char *name);

/* memory.c: what a schedule changes and the next one finds as it was. */
void *step_malloc(size_t bytes);
void *step_calloc(size_t count, size_t bytes);
void *step_realloc(void *memory, size_t bytes);
int step_memalign(void **memory, size_t align, size_t bytes);
void step_free(void *memory);
char *step_strdup(const char *text);
/* One page is of the arena; more is the system's, and not put back. */
void *step_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int step_munmap(void *memory, size_t bytes);

/* ---- atomics --------------------------------------------------------------------------------- */

#undef atomic_init
#undef atomic_load_explicit
#undef atomic_load
#undef atomic_store_explicit
#undef atomic_store
#undef atomic_exchange_explicit
#undef atomic_exchange
#undef atomic_fetch_add_explicit
#undef atomic_fetch_add
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_or_explicit
#undef atomic_fetch_or
#undef atomic_fetch_and_explicit
#undef atomic_fetch_and
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak_explicit
#undef atomic_compare_exchange_weak

#define STEP_LOAD(p, o)                                                                            \
    __extension__({                                                                                \
        STEP_SITE(step_here, "load", #p)                                                           \
        __auto_type step_at = (p);                                                                 \
        __typeof__((void)0, *step_at) step_value;                                                  \
        step_load(&step_here, step_at, sizeof(step_value), (void *)&step_value, o);                \
        step_value;                                                                                \
    })
#define STEP_STORE(p, v, o)                                                                        \
    __extension__({                                                                                \
        STEP_SITE(step_here, "store", #p)                                                          \
        __auto_type step_at = (p);                                                                 \
        __typeof__((void)0, *step_at) step_value = (v);                                            \
        step_store(&step_here, step_at, sizeof(step_value), (const void *)&step_value, o);         \
    })
#define STEP_CHANGE(p, v, what, name, o)                                                           \
    __extension__({                                                                                \
        STEP_SITE(step_here, name, #p)                                                             \
        __auto_type step_at = (p);                                                                 \
        __typeof__((void)0, *step_at) step_value = (v), step_before;                               \
        step_change(&step_here, step_at, sizeof(step_value), what, (const void *)&step_value,      \
                    (void *)&step_before, o);                                                      \
        step_before;                                                                               \
    })
#define STEP_COMPARE(p, e, d, s, f)                                                                \
    __extension__({                                                                                \
        STEP_SITE(step_here, "compare_exchange", #p)                                               \
        __auto_type step_at = (p);                                                                 \
        __typeof__((void)0, *step_at) step_value = (d);                                            \
        step_compare_exchange(&step_here, step_at, sizeof(step_value), (void *)(e),                \
                              (const void *)&step_value, s, f);                                    \
    })

#define STEP_STRONGEST memory_order_seq_cst
/* Nobody else knows it yet. */
#define atomic_init(p, v) memcpy((void *)(p), &(__typeof__((void)0, *(p))){v}, sizeof(*(p)))
#define atomic_load_explicit(p, o)         STEP_LOAD(p, o)
#define atomic_load(p)                     STEP_LOAD(p, STEP_STRONGEST)
#define atomic_store_explicit(p, v, o)     STEP_STORE(p, v, o)
#define atomic_store(p, v)                 STEP_STORE(p, v, STEP_STRONGEST)
#define atomic_exchange_explicit(p, v, o)  STEP_CHANGE(p, v, STEP_SET, "exchange", o)
#define atomic_exchange(p, v)              STEP_CHANGE(p, v, STEP_SET, "exchange", STEP_STRONGEST)
#define atomic_fetch_add_explicit(p, v, o) STEP_CHANGE(p, v, STEP_ADD, "fetch_add", o)
#define atomic_fetch_add(p, v)             STEP_CHANGE(p, v, STEP_ADD, "fetch_add", STEP_STRONGEST)
#define atomic_fetch_sub_explicit(p, v, o) STEP_CHANGE(p, v, STEP_SUB, "fetch_sub", o)
#define atomic_fetch_sub(p, v)             STEP_CHANGE(p, v, STEP_SUB, "fetch_sub", STEP_STRONGEST)
#define atomic_fetch_or_explicit(p, v, o)  STEP_CHANGE(p, v, STEP_OR, "fetch_or", o)
#define atomic_fetch_or(p, v)              STEP_CHANGE(p, v, STEP_OR, "fetch_or", STEP_STRONGEST)
#define atomic_fetch_and_explicit(p, v, o) STEP_CHANGE(p, v, STEP_AND, "fetch_and", o)
#define atomic_fetch_and(p, v)             STEP_CHANGE(p, v, STEP_AND, "fetch_and", STEP_STRONGEST)
#define atomic_compare_exchange_strong_explicit(p, e, d, s, f) STEP_COMPARE(p, e, d, s, f)
#define atomic_compare_exchange_strong(p, e, d)                                                    \
    STEP_COMPARE(p, e, d, STEP_STRONGEST, STEP_STRONGEST)
#define atomic_compare_exchange_weak_explicit(p, e, d, s, f) STEP_COMPARE(p, e, d, s, f)
#define atomic_compare_exchange_weak(p, e, d) STEP_COMPARE(p, e, d, STEP_STRONGEST, STEP_STRONGEST)

/* ---- threads, locks, clock ------------------------------------------------------------------- */

#define STEP_CALL(function, op, p, ...)                                                            \
    __extension__({                                                                                \
        STEP_SITE(step_here, op, #p)                                                               \
        function(&step_here, p, ##__VA_ARGS__);                                                    \
    })

#define pthread_mutex_init(m, a)   step_mutex_init(m)
#define pthread_mutex_destroy(m)   STEP_CALL(step_mutex_destroy, "destroy", m)
#define pthread_mutex_lock(m)      STEP_CALL(step_mutex_lock, "lock", m)
#define pthread_mutex_trylock(m)   STEP_CALL(step_mutex_trylock, "trylock", m)
#define pthread_mutex_unlock(m)    STEP_CALL(step_mutex_unlock, "unlock", m)
#define pthread_cond_init(c, a)    step_nothing(c)
#define pthread_cond_destroy(c)    step_nothing(c)
#define pthread_cond_wait(c, m)    STEP_CALL(step_cond_wait, "wait", c, m)
#define pthread_cond_signal(c)     STEP_CALL(step_cond_wake, "signal", c, 1)
#define pthread_cond_broadcast(c)  STEP_CALL(step_cond_wake, "broadcast", c, INT32_MAX)
#define pthread_create(t, a, r, x) step_thread_create(t, r, x)
#define pthread_join(t, r)         STEP_CALL(step_thread_join, "join", t)
#define pthread_detach(t)          step_nothing((const void *)(t))
#define pthread_setname_np(t, n)   step_nothing(n)
#define pthread_sigmask(h, s, o)   ((void)step_nothing(s), step_nothing(o))
#define sched_yield()                                                                              \
    __extension__({                                                                                \
        STEP_SITE(step_here, "yield", "")                                                          \
        step_yield(&step_here);                                                                    \
    })
#define clock_gettime(clock, now) step_clock(now)
/* Faults are put back in forked processes, which are to find all as it is: no page is wiped. */
#define madvise(at, bytes, what) step_nothing(at)

/* Variables of a thread lie in a section of their own, which the explorer changes with the thread
 * (all of them run on one thread of the system). */
#undef _Thread_local
#define _Thread_local    __attribute__((section("weft_local")))
#define tls_model(model) unused
/* Where the running thread's stack ends, for those who look whether it suffices. */
extern void *step_stack_end;
#define __libc_stack_end step_stack_end

/* The shim, with the explorer's memory. `free` is also a member's name: so not for all. */
#define WEFT_INTERLEAVE
#undef WEFT_FAULT_INJECTION
#define malloc         step_malloc
#define calloc         step_calloc
#define realloc        step_realloc
#define posix_memalign step_memalign
#define free           step_free
#define strdup         step_strdup
#define mmap           step_mmap
#include "weft/shim.h"
#undef malloc
#undef calloc
#undef realloc
#undef posix_memalign
#undef free
#undef strdup
#undef mmap
#define munmap(memory, bytes) step_munmap(memory, bytes)

#include "weft/futex.h"
#define weft_futex_spin(w, e) STEP_CALL(step_futex_spin, "futex spin", w, e)
#define weft_futex_wait(w, e) STEP_CALL(step_futex_wait, "futex wait", w, e)
#define weft_futex_wake(w, n) STEP_CALL(step_futex_wake, "futex wake", w, n)

#endif
