// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The explorer's inside: logical threads on one thread of the system (threads.c), the choice of who
 * goes on (schedule.c), memory that can be put back (memory.c), the steps (steps.c).
 */
#ifndef WEFT_INTERLEAVE_THREADS_H
#define WEFT_INTERLEAVE_THREADS_H

#include "explore.h"

#ifndef MOST_THREADS
#define MOST_THREADS 12
#endif
enum { LOCAL_BYTES = 256, LOADS_KEPT = 8, MEMORY_BYTES = 8 << 20 };

typedef enum thread_state {
    THREAD_READY,
    THREAD_LOCKING,  /* for a mutex that another has */
    THREAD_FUTEX,    /* on a word, until woken */
    THREAD_COND,     /* on a condition variable, until woken */
    THREAD_AWAITING, /* until a condition of the scenario's holds */
    THREAD_JOINING,
    THREAD_ENDED
} thread_state;

/** A store or change that has not taken effect (FAULT_LATE). */
typedef struct late_change {
    volatile void *at; /* NULL: none */
    size_t bytes;
    enum step_change change;
    uint64_t operand;
    bool due; /* at the next step */
} late_change;

typedef struct logical_thread {
    const char *name;
    void (*run)(void *argument);
    void *(*product)(void *argument); /* a thread that the library started; NULL: the scenario's */
    void *argument;
    thread_state state;
    const void *on;        /* what it waits for */
    const step_site *site; /* of its last step */
    uint64_t since;        /* it waits: orders who is woken first */
    bool (*is_true)(void *argument);
    void *is_true_argument;
    uint32_t priority;
    void *stack_pointer;
    late_change late;
    struct {
        const volatile void *at;
        uint64_t value;
    } loads[LOADS_KEPT];
    unsigned next_load;
    unsigned char local[LOCAL_BYTES];
} logical_thread;

/* ---- threads.c ------------------------------------------------------------------------------- */

extern logical_thread threads[MOST_THREADS];
extern int thread_count;
/** The one that runs; -1: the explorer itself, whose steps are none. */
extern int current;

void threads_init(void);
/** Makes a thread known, to run with the next decision. Its number. */
int thread_add(const char *name, void (*run)(void *), void *(*product)(void *), void *argument);
/** Runs `begin`, then the threads until none can go on or one has failed. */
void threads_run(void (*begin)(void));
/** Can it go on? */
bool thread_is_ready(int number);
/** A point between two steps: another may go on here. */
void thread_step(const step_site *site);
/** As that, and everybody else goes first. */
void thread_yield(const step_site *site);
/** The running thread waits; returns when it is chosen after it was made ready. */
void thread_block(thread_state state, const void *on, const step_site *site);
/** Makes ready up to `count` threads that wait so for `on`, the longest waiting first. */
void threads_wake(thread_state state, const void *on, int count);
/** Ends the schedule: its threads are left as they are. */
void threads_abandon(void) __attribute__((noreturn));

/* ---- schedule.c; lines.c --------------------------------------------------------------------- */

/** Who goes on? -1: nobody can. */
int schedule_choose(int running, bool yields);
/** A thread has been added: it gets its priority. */
void schedule_added(logical_thread *thread);
/** Are there points behind steps, too? */
extern bool schedule_points_behind;
/** Each step is written. */
extern bool schedule_traces;

/* ---- memory.c -------------------------------------------------------------------------------- */

void memory_init(void);
/** What is there now is what memory_restore comes back to. `level` 0: the program's, 1: a
 *  scenario's. */
void memory_keep(int level);
void memory_restore(int level);
/** "a freed block", "outside of any block", or NULL if an operation may touch it. */
const char *memory_trouble(const volatile void *at, size_t bytes);
/** Where it is in the arena; SIZE_MAX: elsewhere. */
size_t memory_offset(const volatile void *at);

/* ---- races.c; lines.c ------------------------------------------------------------------------ */

/** A new schedule: nobody has touched anything. */
void races_begin(void);
/** The running thread has started this one. */
void races_started(int number);
/** What another did before it gave the word at this address away, the running thread has seen. */
void races_acquire(const volatile void *at);
/** Whoever acquires it sees what the running thread did. `adds`: and what others did before them
 *  that gave it away. */
void races_release(const volatile void *at, bool adds);
/** As a store that orders nothing. */
void races_forget(const volatile void *at);
/** The running thread has seen all that this one did, or all of them. */
void races_saw(int number);
void races_saw_all(void);
/** An access that is no atomic one (accesses.c). */
void races_access(const volatile void *at, size_t bytes, bool writes);
/** An atomic access, or a lock that is taken or given back (steps.c). */
void races_atomic(const volatile void *at, size_t bytes, bool writes);

/* ---- steps.c --------------------------------------------------------------------------------- */

/** The fault that is put back in the steps that follow. False: there is no such site. */
bool steps_set_fault(const explore_fault *fault);
/** To be called before each schedule. */
void steps_begin(void);
/** Calls `visit` with each site and how often it was passed since the program began. */
void steps_visit(void (*visit)(const step_site *site, uint64_t passed, void *user), void *user);
void steps_trace(const step_site *site, const volatile void *at);

#endif
