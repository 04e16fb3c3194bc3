// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * A crowd of threads, each as if on a core of its own, and the cache lines that move between the
 * cores. Takes the place of schedules and races (schedule.c, races.c) under the same steps: every
 * thread does one step in turn, the worst order for what they share, and each access to memory,
 * atomic or not, looks in a directory who has the line. There is one order, so counts are exact and
 * the same each time; stacks and variables of a thread are nobody else's and not counted.
 */
#ifndef WEFT_INTERLEAVE_CROWD_H
#define WEFT_INTERLEAVE_CROWD_H

#include "explore.h"

typedef struct crowd_counts {
    uint64_t moved;    /* lines that the thread had to get from another, or take from others */
    uint64_t atomics;  /* atomic operations, locks taken and given back */
    uint64_t accesses; /* these, and loads and stores */
} crowd_counts;

/** Prepares memory and threads, once in a process. */
void crowd_begin(void);
/** Runs a thread of the scenario, and those that the library starts, until all sleep or have
 *  ended. Returns when nobody can go on. */
void crowd_run(void (*run)(void *unused));
/** Counts from now on; nobody loses the lines that he has. */
void crowd_reset(void);
/** What the running thread has done since crowd_reset; all others together. */
crowd_counts crowd_mine(void);
crowd_counts crowd_others(void);
/** The running thread goes on when all others sleep, so that the next thing finds them so. */
void crowd_await_quiet(void);
/** A name for a piece of memory in what crowd_say_where writes. `name` is static. */
void crowd_name(const char *name, const void *memory, size_t bytes);
/** Writes the places of the others that moved most lines, and which lines, as TAP comments. */
void crowd_say_where(unsigned most);

#endif
