// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the tests of the compiler client share: jobs for the fake compiler. */
#ifndef WEFT_CLIENT_TEST_H
#define WEFT_CLIENT_TEST_H

#include "compiler/client/client.h"
#include "robust/child.h"

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

#endif
