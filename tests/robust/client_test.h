// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the tests of the compiler client share: jobs for the fake compiler, and children. */
#ifndef WEFT_CLIENT_TEST_H
#define WEFT_CLIENT_TEST_H

#include "compiler/client/client.h"
#include "harness.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline const char *fake_compiler(void) {
    const char *path = getenv("WEFT_FAKE_COMPILER");
    if (path)
        return path;
    static char built[4096];
    const char *root = getenv("WEFT_BUILD_ROOT");
    snprintf(built, sizeof built, "%s/tests/robust/weft-fake-compiler", root ? root : ".");
    return built;
}

static inline weft_compiler *new_compiler(void) {
    weft_compiler_settings settings = {.compiler_path = fake_compiler(),
                                       .job_seconds = 20,
                                       .job_megabytes = 256,
                                       .memory_cache_bytes = 16 << 20};
    return weft_compiler_create(&settings);
}

/** Runs a job of one input. */
static inline void run_job(weft_compiler *compiler, weft_job_kind kind, const char *options,
                           const char *source, weft_job_result *result) {
    weft_job_input input = {.kind = WEFT_INPUT_SOURCE, .data = source, .bytes = strlen(source)};
    weft_job job = {.kind = kind,
                    .options = options,
                    .isa = "v1",
                    .extensions = "",
                    .inputs = &input,
                    .input_count = 1};
    weft_compiler_run(compiler, &job, result);
}

/** The status of a build that is not in the cache; its log goes to `log` if that is not NULL. */
static inline int32_t build(weft_compiler *compiler, const char *options, char log[4096]) {
    weft_job_result result;
    static _Atomic unsigned number;
    char source[32];
    snprintf(source, sizeof source, "source %u", number++);
    run_job(compiler, WEFT_JOB_BUILD, options, source, &result);
    int32_t status = result.status;
    if (log)
        snprintf(log, 4096, "%s", result.log ? (const char *)result.log->data : "");
    weft_job_result_finish(&result);
    return status;
}

/** The number behind `word` in a log of -describe; -1: no such line. */
static inline long described(const char *log, const char *word) {
    size_t length = strlen(word);
    for (const char *line = log; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, word, length) == 0 && line[length] == ' ')
            return strtol(line + length, NULL, 10);
    }
    return -1;
}

/** The id of the compiler process, -1: the job failed. */
static inline pid_t server_of(weft_compiler *compiler) {
    char log[4096];
    return build(compiler, "-describe", log) == 0 ? (pid_t)described(log, "server") : -1;
}

static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/** True if the process is gone, or goes within `seconds`. */
static inline bool process_ends(pid_t pid, double seconds) {
    for (double end = seconds_now() + seconds; seconds_now() < end; usleep(5000))
        if (kill(pid, 0) != 0 && errno == ESRCH)
            return true;
    return false;
}

/* ---- children ------------------------------------------------------------------------------- */

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
