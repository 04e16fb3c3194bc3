// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/job/processes.h"

#include <cerrno>
#include <ctime>
#include <sched.h>
#include <sys/wait.h>

namespace weft {

uint64_t monotonicNow() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

unsigned processors() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return static_cast<unsigned>(CPU_COUNT(&set));
}

void waitForChildren() {
    while (wait(nullptr) > 0 || errno == EINTR) {
    }
}

} // namespace weft
