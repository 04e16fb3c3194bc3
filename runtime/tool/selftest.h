// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The self-test: what a check gets, and the lists of checks. */
#ifndef WEFT_SELFTEST_H
#define WEFT_SELFTEST_H

#include "runtime/tool/tool.h"

#include <stdint.h>

/** What one check works with; made anew for each check. */
typedef struct selftest {
    const weft_tool_library *library;
    const cl_icd_dispatch *api;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    cl_program program;     /* all of selftest.cl, built */
    bool verbose;
    char why[512]; /* the sentence about what is wrong; "": nothing so far */
} selftest;

/** Returns true if all is as it must be; else why says what is not. */
typedef bool selftest_check(selftest *test);

typedef struct selftest_row {
    const char *name;
    selftest_check *check;
} selftest_row;

/* Each list ends with a row of NULLs. */
extern const selftest_row selftest_kernels[]; /* checks.c */
extern const selftest_row selftest_maths[];   /* maths.c */
extern const selftest_row selftest_queues[];  /* queues.c */
extern const selftest_row selftest_spirv[];   /* spirv.c */

/** Notes the first thing that is wrong. Returns false. */
bool selftest_fail(selftest *test, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* In a check: ends it if the condition, or the OpenCL call, does not hold. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return selftest_fail(test, __VA_ARGS__);                                               \
    } while (0)
#define SUCCEED(call)                                                                              \
    do {                                                                                           \
        cl_int selftest_status = (call);                                                           \
        if (selftest_status != CL_SUCCESS)                                                         \
            return selftest_fail(test, "%s: error %d", #call, selftest_status);                    \
    } while (0)

/** One argument of selftest_run: a buffer that is copied to the device and back, or a value. */
typedef struct selftest_argument {
    void *data; /* NULL with bytes: local memory */
    size_t bytes;
    bool is_value;
} selftest_argument;

#define BUFFER(array)                                                                              \
    (selftest_argument) {                                                                          \
        (array), sizeof(array), false                                                              \
    }
#define VALUE(variable)                                                                            \
    (selftest_argument) {                                                                          \
        &(variable), sizeof(variable), true                                                        \
    }
#define LOCAL(size)                                                                                \
    (selftest_argument) {                                                                          \
        NULL, (size), false                                                                        \
    }

/** Runs a kernel over `global` (0 sizes end the dimensions; local NULL: chosen by Weft) and brings
 *  all buffers back. */
bool selftest_run(selftest *test, const char *kernel, const size_t global[3], const size_t local[3],
                  size_t count, const selftest_argument *arguments);

/** Builds a program; NULL: failed, and `why` holds the start of the log. */
cl_program selftest_build(selftest *test, const char *source, const char *options);

/** A sequence of numbers that looks random and is always the same. */
uint64_t selftest_random(uint64_t *state);

#endif
