// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Tests that run in a process of their own, and processes that are watched. */
#ifndef WEFT_TEST_CHILD_H
#define WEFT_TEST_CHILD_H

#include "harness.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/** True if the process has ended. Its zombie, which an init that reaps only now and then keeps for
 *  seconds, does not count; without /proc it does. */
static inline bool process_ended(pid_t pid) {
    char path[32], line[512];
    if (kill(pid, 0) != 0)
        return errno == ESRCH;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t bytes = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[bytes] = 0;
    const char *state = strrchr(line, ')'); /* "pid (name) state ..." */
    return state && (strncmp(state, ") Z", 3) == 0 || strncmp(state, ") X", 3) == 0);
}

/** True if the process has ended, or does within `seconds`. */
static inline bool process_ends(pid_t pid, double seconds) {
    for (double end = seconds_now() + seconds; seconds_now() < end; usleep(1000))
        if (process_ended(pid))
            return true;
    return false;
}

/* Bodies that run in a child return 0, or the line of what failed. CHILD_SKIP: cannot run here. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return __LINE__;                                                                       \
    } while (0)
enum { CHILD_SKIP = -1 };

/** Runs `body` in a forked child: its result, or -2 - status if it ended otherwise. */
static inline int in_child(int (*body)(void *), void *argument) {
    int *line = mmap(NULL, sizeof *line, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    *line = -2;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        *line = body(argument);
        _exit(0);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    int result = status ? -2 - status : *line;
    munmap(line, sizeof *line);
    return result;
}

#define CHECK_CHILD(body, argument)                                                                \
    do {                                                                                           \
        int weft_line = in_child(body, argument);                                                  \
        if (weft_line == CHILD_SKIP)                                                               \
            SKIP("not permitted here");                                                            \
        if (weft_line)                                                                             \
            FAIL("%s: %s %d", #body, weft_line > 0 ? "failed at line" : "ended with",              \
                 weft_line > 0 ? weft_line : -2 - weft_line);                                      \
    } while (0)

#endif
