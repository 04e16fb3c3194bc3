// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Where schedules come from, and how one is written down. */
#ifndef WEFT_INTERLEAVE_SCHEDULE_H
#define WEFT_INTERLEAVE_SCHEDULE_H

#include "threads.h"

enum { MOST_STEPS = 20000 };

/** The next schedule is the first of those with at most `preemptions`. */
void schedule_enumerate(unsigned preemptions);
/** The schedule after the one that has just run. False: that was the last. */
bool schedule_next(void);
/** The next schedule is the one that this number stands for. */
void schedule_draw(uint64_t number);
/** The next schedule is the one that is written here. False: that is none. */
bool schedule_read(const char *text);
/** To be called before each. */
void schedule_begin(void);
/** Of the schedule that has run: a number that two different ones hardly share, and its steps. */
uint64_t schedule_signature(void);
uint64_t schedule_steps(void);
/** How the schedule that has run is written: where another than the natural next went on. */
void schedule_write(char *text, size_t room);

#endif
