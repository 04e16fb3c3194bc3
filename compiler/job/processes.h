// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the processes of a job, and the server that watches them, have in common. */
#ifndef WEFT_PROCESSES_H
#define WEFT_PROCESSES_H

#include <cstdint>

namespace weft {

/** CLOCK_MONOTONIC, nanoseconds. */
uint64_t monotonicNow();

/** Processors that this process may use. */
unsigned processors();

/** A process of a job that the first one has forked ends with this status for want of memory. */
constexpr int outOfMemoryStatus = 70;

/** One that has called abort ends with this status: a copy may not send itself a signal
 * (process/confine.h). */
constexpr int abortedStatus = 71;

/** Waits for all processes that this one has started, such as copies that have sent everything and
 *  are ending (parts.h): the last thing it does, when nobody waits for it, so that none of them is
 *  left as a zombie. */
void waitForChildren();

} // namespace weft

#endif
