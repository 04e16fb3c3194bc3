// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The child that the server forks for one job. */
#ifndef WEFT_WORKER_H
#define WEFT_WORKER_H

#include "compiler/job/board.h"
#include "compiler/shared/protocol.h"

#include <sys/types.h>

namespace weft {

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

/** Bytes of what a child writes to stderr that are kept; it can write no file beyond them. */
constexpr size_t errorBytes = 2048;

/** Sets the limits, reads the request, confines itself (confine.h), runs the job, answers, ends the
 * process. */
[[noreturn]] void runWorker(const WorkerTask &task);

} // namespace weft

#endif
