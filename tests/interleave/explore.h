// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Systematic exploration of interleavings. A program describes scenarios of one protocol: a few
 * logical threads that call Weft, and what must be true in the end. Each schedule runs one of them
 * from the same state of memory; who goes on at each step is enumerated (every schedule with at
 * most so many preemptions) or drawn from a seed. docs/interleavings.md has the whole of it.
 *
 *     static void begin(void) {                      // at the start of every schedule
 *         explore_thread("setter", set, &world);
 *         explore_thread("waiter", wait, &world);
 *     }
 *     static void end(void) {                        // when nobody can go on
 *         EXPLORE_CHECK(world.heard == 1);
 *     }
 *
 * A schedule fails if a check does, if logical threads wait for each other or for nobody, by a
 * data race, if freed memory is touched, or by a signal. What the library itself starts (threads of
 * the pool) may sleep on a futex or condition in the end; nobody else may wait.
 */
#ifndef WEFT_EXPLORE_H
#define WEFT_EXPLORE_H

#include "steps.h"

/** A fault that is put back, at the `nth` (from 1) site of that name in its function. */
typedef enum explore_fault_kind {
    FAULT_NONE,
    FAULT_SPLIT,   /* a change that is atomic is a load and a store with others between */
    FAULT_LATE,    /* a store or change takes effect one step of its thread later */
    FAULT_SKIP,    /* a store, change, wake or signal does not happen */
    FAULT_STALE,   /* a load gives what its thread read there before */
    FAULT_RELAXED, /* an atomic orders nothing else */
    FAULT_UNLOCKED /* a lock is not taken */
} explore_fault_kind;

typedef struct explore_fault {
    explore_fault_kind kind;
    const char *function, *operation, *operand;
    unsigned nth;    /* 0 is 1 */
    const char *why; /* in words: what was forgotten; NULL: the end of the list */
} explore_fault;

enum { EXPLORE_FAULTS = 12 };

typedef struct explore_scenario {
    const char *name;
    void (*setup)(void); /* once: its state of memory is where each schedule starts; NULL: none */
    void (*begin)(void);
    void (*end)(void);
    explore_fault faults[EXPLORE_FAULTS]; /* each of which some schedule must show */
} explore_scenario;

/** A logical thread of the scenario. `name` is static. */
void explore_thread(const char *name, void (*run)(void *argument), void *argument);
/** The calling logical thread goes on when this is true (it may look at anything, without steps).
 */
void explore_await(bool (*is_true)(void *argument), void *argument);
/** Something of the scenario's own that others may see between. */
void explore_point(const char *name);
/** So much time passes, for all. */
void explore_pass(uint64_t ns);
/** From here on in this schedule no thread can be started. */
void explore_start_no_threads(void);
/** Blocks of memory that Weft has at the moment, beyond those that setup left. */
long explore_live_blocks(void);

void explore_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
#define EXPLORE_CHECK(condition)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            explore_fail("%s:%d: %s", __FILE__, __LINE__, #condition);                             \
    } while (0)
#define EXPLORE_EQ(got, wanted)                                                                    \
    do {                                                                                           \
        long long explore_got = (long long)(got), explore_wanted = (long long)(wanted);            \
        if (explore_got != explore_wanted)                                                         \
            explore_fail("%s:%d: %s is %lld, not %lld", __FILE__, __LINE__, #got, explore_got,     \
                         explore_wanted);                                                          \
    } while (0)

/** The program. `setup` may be NULL: once, before the scenarios' own. Returns its exit status. */
int explore_main(int argc, char **argv, void (*setup)(void), const explore_scenario *scenarios,
                 size_t count);

#endif
