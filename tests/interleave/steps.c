// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The steps that steps.h puts in place of atomics, locks and the like. There is one thread of the
 * system, so each of them is plain; the points around them are what makes threads meet. */

#include "threads.h"

#include <errno.h>
#include <stdio.h>

extern step_site __start_weft_sites[], __stop_weft_sites[];

enum { MOST_SITES = 8192, CLOCK_TICK_NS = 100, CLOCK_YIELD_NS = 30000 };

static uint64_t passed[MOST_SITES];
static uint64_t now_ns;
static bool no_threads;

/* ---- sites and the fault that is put back ---------------------------------------------------- */

static explore_fault_kind fault_kind;
static const char *fault_file;
static uint64_t fault_line;
static const explore_fault *the_fault;

void steps_begin(void) {
    now_ns = 0;
    no_threads = false;
    races_begin();
}

static bool same_name(const step_site *site, const explore_fault *fault) {
    return strcmp(site->function, fault->function) == 0 &&
           strcmp(site->operation, fault->operation) == 0 &&
           strcmp(site->operand, fault->operand) == 0;
}

bool steps_set_fault(const explore_fault *fault) {
    unsigned nth = fault && fault->nth ? fault->nth : 1;
    uint64_t line = 0;

    fault_kind = FAULT_NONE;
    if (!fault || fault->kind == FAULT_NONE)
        return true;
    /* A function in a header is in every file that uses it: one place all the same. */
    for (unsigned i = 0; i < nth; i++) {
        const step_site *next = NULL;
        for (const step_site *site = __start_weft_sites; site < __stop_weft_sites; site++)
            if (same_name(site, fault) && site->line > line && (!next || site->line < next->line))
                next = site;
        if (!next)
            return false;
        line = next->line;
        fault_file = next->file;
    }
    fault_kind = fault->kind;
    fault_line = line;
    the_fault = fault;
    return true;
}

static bool is_faulty(const step_site *site, explore_fault_kind kind) {
    return __builtin_expect(fault_kind == kind, 0) && site->line == fault_line &&
           same_name(site, the_fault);
}

void steps_visit(void (*visit)(const step_site *site, uint64_t passed, void *user), void *user) {
    for (const step_site *site = __start_weft_sites; site < __stop_weft_sites; site++)
        visit(site, passed[site - __start_weft_sites], user);
}

void steps_trace(const step_site *site, const volatile void *at) {
    printf("#   %d %-10s %s:%d %s: %s %s", current, threads[current].name,
           strrchr(site->file, '/') ? strrchr(site->file, '/') + 1 : site->file, (int)site->line,
           site->function, site->operation,
           strncmp(site->operand, "__ext", 5) ? site->operand : "...");
    if (at)
        printf(" (%p)", (const void *)(uintptr_t)at);
    puts("");
}

/* ---- around a step --------------------------------------------------------------------------- */

static uint64_t value_of(const volatile void *at, size_t bytes) {
    uint64_t value = 0;

    memcpy(&value, (const void *)(uintptr_t)at, bytes);
    return value;
}

static void set_value(volatile void *at, size_t bytes, uint64_t value) {
    memcpy((void *)(uintptr_t)at, &value, bytes);
}

static uint64_t changed(uint64_t before, enum step_change change, uint64_t operand) {
    switch (change) {
    case STEP_ADD:
        return before + operand;
    case STEP_SUB:
        return before - operand;
    case STEP_OR:
        return before | operand;
    case STEP_AND:
        return before & operand;
    default:
        return operand;
    }
}

static void check_alive(const step_site *site, const volatile void *at, size_t bytes) {
    const char *trouble = memory_trouble(at, bytes);

    if (__builtin_expect(trouble != NULL, 0))
        explore_fail("%s:%d, %s: %s %s is of %s", site->file, (int)site->line, site->function,
                     site->operation, site->operand, trouble);
}

static void before(const step_site *site, const volatile void *at, size_t bytes) {
    size_t number = (size_t)(site - __start_weft_sites);

    if (number < MOST_SITES)
        passed[number]++;
    thread_step(site);
    if (__builtin_expect(schedule_traces, 0) && current >= 0)
        steps_trace(site, at);
    if (bytes)
        check_alive(site, at, bytes);
}

/* What was put off takes effect once the thread has done one more step. */
static void catch_up(const step_site *site) {
    late_change *late = &threads[current].late;

    if (!late->due) {
        late->due = true;
        return;
    }
    late_change now = *late;
    late->at = NULL;
    thread_step(site);
    set_value(now.at, now.bytes, changed(value_of(now.at, now.bytes), now.change, now.operand));
}

static void behind(const step_site *site) {
    if (current < 0)
        return;
    if (__builtin_expect(threads[current].late.at != NULL, 0))
        catch_up(site);
    if (schedule_points_behind)
        thread_step(site);
}

static int order_of(const step_site *site, int order) {
    return is_faulty(site, FAULT_RELAXED) ? memory_order_relaxed : order;
}

static bool acquires(int order) {
    return order == memory_order_acquire || order == memory_order_consume ||
           order == memory_order_acq_rel || order == memory_order_seq_cst;
}

static bool releases(int order) {
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static void put_off(volatile void *at, size_t bytes, enum step_change change, uint64_t operand) {
    if (current >= 0)
        threads[current].late = (late_change){at, bytes, change, operand, false};
}

/* ---- atomics --------------------------------------------------------------------------------- */

/* What the thread read there last, which it is given again. */
static uint64_t stale_value(const volatile void *at, uint64_t value) {
    logical_thread *thread = &threads[current];

    for (unsigned i = 0; i < LOADS_KEPT; i++) {
        unsigned slot = (thread->next_load + LOADS_KEPT - 1 - i) % LOADS_KEPT;
        if (thread->loads[slot].at == at)
            return thread->loads[slot].value;
    }
    return value;
}

void step_load(const step_site *site, const volatile void *at, size_t bytes, void *value,
               int order) {
    before(site, at, bytes);
    races_atomic(at, bytes, false);
    if (acquires(order_of(site, order)))
        races_acquire(at);
    uint64_t got = value_of(at, bytes);
    if (fault_kind == FAULT_STALE && current >= 0) {
        logical_thread *thread = &threads[current];
        if (is_faulty(site, FAULT_STALE))
            got = stale_value(at, got);
        thread->loads[thread->next_load].at = at;
        thread->loads[thread->next_load].value = got;
        thread->next_load = (thread->next_load + 1) % LOADS_KEPT;
    }
    memcpy(value, &got, bytes);
    behind(site);
}

void step_store(const step_site *site, volatile void *at, size_t bytes, const void *value,
                int order) {
    uint64_t wanted = value_of(value, bytes);

    before(site, at, bytes);
    races_atomic(at, bytes, true);
    if (releases(order_of(site, order)))
        races_release(at, false);
    else
        races_forget(at);
    if (is_faulty(site, FAULT_LATE))
        put_off(at, bytes, STEP_SET, wanted);
    else if (!is_faulty(site, FAULT_SKIP))
        set_value(at, bytes, wanted);
    behind(site);
}

static void order_change(const volatile void *at, int order) {
    if (acquires(order))
        races_acquire(at);
    if (releases(order))
        races_release(at, true);
}

void step_change(const step_site *site, volatile void *at, size_t bytes, enum step_change change,
                 const void *operand, void *was, int order) {
    uint64_t with = value_of(operand, bytes), old;

    before(site, at, bytes);
    races_atomic(at, bytes, true);
    order_change(at, order_of(site, order));
    old = value_of(at, bytes);
    if (is_faulty(site, FAULT_SPLIT))
        thread_step(site);
    if (is_faulty(site, FAULT_LATE))
        put_off(at, bytes, change, with);
    else if (!is_faulty(site, FAULT_SKIP))
        set_value(at, bytes, changed(old, change, with));
    memcpy(was, &old, bytes);
    behind(site);
}

bool step_compare_exchange(const step_site *site, volatile void *at, size_t bytes, void *expected,
                           const void *desired, int order, int order_else) {
    uint64_t old, wanted = value_of(expected, bytes);
    bool equal;

    before(site, at, bytes);
    races_atomic(at, bytes, true); /* also where it fails */
    old = value_of(at, bytes);
    equal = old == wanted;
    if (equal)
        order_change(at, order_of(site, order));
    else if (acquires(order_else))
        races_acquire(at);
    if (is_faulty(site, FAULT_SPLIT))
        thread_step(site);
    if (equal && is_faulty(site, FAULT_LATE))
        put_off(at, bytes, STEP_SET, value_of(desired, bytes));
    else if (equal && !is_faulty(site, FAULT_SKIP))
        set_value(at, bytes, value_of(desired, bytes));
    if (!equal)
        memcpy(expected, &old, bytes);
    behind(site);
    return equal;
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* The first word of a mutex: who has it, from 1 (the explorer itself: NOBODY_ELSE). */
enum { NOBODY_ELSE = INT32_MAX };

static int *owner_of(pthread_mutex_t *mutex) {
    return (int *)(void *)mutex;
}

static int me(void) {
    return current < 0 ? NOBODY_ELSE : current + 1;
}

int step_mutex_init(pthread_mutex_t *mutex) {
    memset(mutex, 0, sizeof(*mutex));
    return 0;
}

int step_mutex_destroy(const step_site *site, pthread_mutex_t *mutex) {
    check_alive(site, mutex, sizeof(int));
    if (*owner_of(mutex))
        explore_fail("%s destroys a mutex that is locked", site->function);
    return 0;
}

int step_mutex_lock(const step_site *site, pthread_mutex_t *mutex) {
    before(site, mutex, sizeof(int));
    if (is_faulty(site, FAULT_UNLOCKED))
        return 0;
    if (*owner_of(mutex) == me())
        explore_fail("%s locks what its thread has locked already", site->function);
    while (*owner_of(mutex)) {
        thread_block(THREAD_LOCKING, mutex, site);
        check_alive(site, mutex, sizeof(int));
    }
    *owner_of(mutex) = me();
    races_atomic(mutex, sizeof(int), true);
    races_acquire(mutex);
    behind(site);
    return 0;
}

int step_mutex_trylock(const step_site *site, pthread_mutex_t *mutex) {
    before(site, mutex, sizeof(int));
    races_atomic(mutex, sizeof(int), true);
    bool taken = *owner_of(mutex) != 0;
    if (!taken) {
        *owner_of(mutex) = me();
        races_acquire(mutex);
    }
    behind(site);
    return taken ? EBUSY : 0;
}

int step_mutex_unlock(const step_site *site, pthread_mutex_t *mutex) {
    check_alive(site, mutex, sizeof(int));
    if (*owner_of(mutex) != me()) {
        if (fault_kind == FAULT_UNLOCKED)
            return 0;
        explore_fail("%s unlocks what its thread has not locked", site->function);
    }
    races_atomic(mutex, sizeof(int), true);
    races_release(mutex, false);
    *owner_of(mutex) = 0;
    threads_wake(THREAD_LOCKING, mutex, MOST_THREADS);
    /* Where a store before it was late, it is done now; and others may come in any mode: a thread
     * that waited for the lock is served by no other point. */
    if (current >= 0 && threads[current].late.at) {
        threads[current].late.due = true;
        catch_up(site);
    }
    if (schedule_traces && current >= 0)
        steps_trace(site, mutex);
    thread_step(site);
    return 0;
}

void step_cond_wait(const step_site *site, pthread_cond_t *cond, pthread_mutex_t *mutex) {
    before(site, cond, sizeof(int));
    if (*owner_of(mutex) != me())
        explore_fail("%s waits without the lock", site->function);
    races_release(mutex, false);
    *owner_of(mutex) = 0;
    threads_wake(THREAD_LOCKING, mutex, MOST_THREADS);
    thread_block(THREAD_COND, cond, site);
    while (*owner_of(mutex))
        thread_block(THREAD_LOCKING, mutex, site);
    *owner_of(mutex) = me();
    races_acquire(mutex);
}

void step_cond_wake(const step_site *site, pthread_cond_t *cond, int count) {
    before(site, cond, sizeof(int));
    if (!is_faulty(site, FAULT_SKIP))
        threads_wake(THREAD_COND, cond, count);
    behind(site);
}

/* ---- futexes --------------------------------------------------------------------------------- */

/* One look: spinning is only more of them. */
bool step_futex_spin(const step_site *site, _Atomic uint32_t *word, uint32_t expected) {
    before(site, word, sizeof(*word));
    races_atomic(word, sizeof(*word), false);
    return value_of(word, sizeof(*word)) != expected;
}

void step_futex_wait(const step_site *site, _Atomic uint32_t *word, uint32_t expected) {
    before(site, word, sizeof(*word));
    races_atomic(word, sizeof(*word), false);
    if (value_of(word, sizeof(*word)) == expected)
        thread_block(THREAD_FUTEX, word, site);
}

/* The word may be gone: only its address counts. */
void step_futex_wake(const step_site *site, _Atomic uint32_t *word, int count) {
    before(site, word, 0);
    if (!is_faulty(site, FAULT_SKIP))
        threads_wake(THREAD_FUTEX, word, count);
    behind(site);
}

/* ---- threads, clock, points ------------------------------------------------------------------ */

int step_thread_create(pthread_t *thread, void *(*run)(void *), void *argument) {
    if (no_threads)
        return EAGAIN;
    *thread = (pthread_t)thread_add("library's", NULL, run, argument);
    return 0;
}

int step_thread_join(const step_site *site, pthread_t thread) {
    before(site, NULL, 0);
    if (threads[thread].state != THREAD_ENDED)
        thread_block(THREAD_JOINING, (const void *)thread, site);
    races_saw((int)thread);
    return 0;
}

int step_yield(const step_site *site) {
    now_ns += CLOCK_YIELD_NS;
    thread_yield(site);
    return 0;
}

void explore_pass(uint64_t ns) {
    now_ns += ns;
}

int step_clock(struct timespec *now) {
    now_ns += CLOCK_TICK_NS;
    now->tv_sec = 1000 + (time_t)(now_ns / 1000000000);
    now->tv_nsec = (long)(now_ns % 1000000000);
    return 0;
}

void step_point(const char *name) {
    static step_site site = {"", "", "point", "", 0};

    site.function = name;
    thread_step(&site);
}

void explore_start_no_threads(void) {
    no_threads = true;
}

void explore_point(const char *name) {
    step_point(name);
}
