// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The child that the server forks for one job. */
#ifndef WEFT_WORKER_H
#define WEFT_WORKER_H

#include "compiler/job/board.h"
#include "compiler/shared/protocol.h"

#include <sys/types.h>

namespace weft {

/** CLOCK_MONOTONIC, nanoseconds. */
uint64_t monotonicNow();

/** Processors that this process may use. */
unsigned processors();

struct ServerTimes {
    uint64_t started = 0, ready = 0;
};

struct WorkerTask {
    weft_wire_job job;
    int socket;
    int directory; /* the application's working directory, -1: unknown */
    int errors;    /* becomes stderr, -1: /dev/null stays */
    Board *board;  /* the job's, null: none */
    pid_t server;
    uint64_t received;
    ServerTimes times;
    unsigned processes; /* that this job may share its kernels among; at least 1 */
};

/** A process of a job that the first one has forked ends with this status for want of memory. */
constexpr int outOfMemoryStatus = 70;

/** One that has called abort ends with this status: a copy may not send itself a signal
 * (confine.h). */
constexpr int abortedStatus = 71;

/** Bytes of what a child writes to stderr that are kept; it can write no file beyond them. */
constexpr size_t errorBytes = 2048;

/** Waits for all processes that this one has started, such as copies that have sent everything and
 *  are ending (parts.h): the last thing it does, when nobody waits for it, so that none of them is
 *  left as a zombie. */
void waitForChildren();

/** Sets the limits, reads the request, confines itself (confine.h), runs the job, answers, ends the
 * process. */
[[noreturn]] void runWorker(const WorkerTask &task);

} // namespace weft

#endif
