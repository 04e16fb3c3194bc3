// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How busy the machine is: the compiler's limits are of processor time, fuzzers have a clock.
#ifndef WEFT_FUZZ_BUSY_H
#define WEFT_FUZZ_BUSY_H

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/// Whether what took `seconds` on the clock is over a limit of processor time, and five seconds:
/// among others that run, each process takes longer.
static inline bool is_late(double seconds, double limit) {
    double load = 0, processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    bool busy = getloadavg(&load, 1) == 1 && processors >= 1 && load > processors;
    return seconds > (limit + 5) * (busy ? load / processors : 1);
}

#endif
