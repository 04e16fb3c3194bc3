// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How busy the machine is: the compiler's limits are of processor time, fuzzers have a clock.
#ifndef WEFT_FUZZ_BUSY_H
#define WEFT_FUZZ_BUSY_H

#include <stdlib.h>
#include <unistd.h>

/// How many times as long as alone a process takes, since others run too; at least 1.
static inline double busyness(void) {
    double load = 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) != 1 || processors < 1 || load < (double)processors)
        return 1;
    return load / (double)processors;
}

#endif
