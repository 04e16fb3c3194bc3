// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft selftest: compiles kernels of each kind, runs them and compares with what C computes. There
 * is no skipping: every check runs, and whatever cannot be decided is a failure. */
#include "runtime/tool/selftest.h"

#include "selftest_source.h"

#include <argp.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool selftest_fail(selftest *test, const char *format, ...) {
    va_list arguments;
    if (test->why[0])
        return false;
    va_start(arguments, format);
    vsnprintf(test->why, sizeof test->why, format, arguments);
    va_end(arguments);
    if (!test->why[0])
        strcpy(test->why, "?");
    return false;
}

uint64_t selftest_random(uint64_t *state) {
    /* splitmix64 */
    uint64_t value = (*state += UINT64_C(0x9e3779b97f4a7c15));
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* ---- building and running ------------------------------------------------------------------- */

static void take_log(selftest *test, cl_program program, cl_int status) {
    char log[400] = "";
    size_t bytes = 0;
    char *whole = NULL;
    const cl_icd_dispatch *api = test->api;
    api->clGetProgramBuildInfo(program, test->library->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                               &bytes);
    whole = calloc(1, bytes + 1);
    if (whole && api->clGetProgramBuildInfo(program, test->library->device, CL_PROGRAM_BUILD_LOG,
                                            bytes, whole, NULL) == CL_SUCCESS)
        snprintf(log, sizeof log, "%s", whole);
    if (whole && test->verbose)
        fprintf(stderr, "%s\n", whole);
    free(whole);
    selftest_fail(test, "clBuildProgram: error %d: %s", status, log);
}

cl_program selftest_build(selftest *test, const char *source, const char *options) {
    cl_int status;
    cl_program program =
        test->api->clCreateProgramWithSource(test->context, 1, &source, NULL, &status);
    if (!program) {
        selftest_fail(test, "clCreateProgramWithSource: error %d", status);
        return NULL;
    }
    status = test->api->clBuildProgram(program, 1, &test->library->device, options, NULL, NULL);
    if (status == CL_SUCCESS)
        return program;
    take_log(test, program, status);
    test->api->clReleaseProgram(program);
    return NULL;
}

enum { MAX_ARGUMENTS = 12, LONGEST_SECONDS = 300 };

static bool set_arguments(selftest *test, cl_kernel kernel, size_t count,
                          const selftest_argument *arguments, cl_mem buffers[MAX_ARGUMENTS]) {
    for (size_t i = 0; i < count; i++) {
        const selftest_argument *argument = &arguments[i];
        if (argument->is_value || !argument->data) {
            SUCCEED(test->api->clSetKernelArg(kernel, (cl_uint)i, argument->bytes, argument->data));
            continue;
        }
        cl_int status;
        buffers[i] =
            test->api->clCreateBuffer(test->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                      argument->bytes, argument->data, &status);
        REQUIRE(buffers[i], "clCreateBuffer: error %d", status);
        SUCCEED(test->api->clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), &buffers[i]));
    }
    return true;
}

static bool launch(selftest *test, cl_kernel kernel, const size_t global[3], const size_t local[3],
                   size_t count, const selftest_argument *arguments,
                   cl_mem buffers[MAX_ARGUMENTS]) {
    cl_uint dimensions = 1 + (global[1] != 0) + (global[1] && global[2]);
    if (!set_arguments(test, kernel, count, arguments, buffers))
        return false;
    SUCCEED(test->api->clEnqueueNDRangeKernel(test->queue, kernel, dimensions, NULL, global, local,
                                              0, NULL, NULL));
    for (size_t i = 0; i < count; i++)
        if (buffers[i])
            SUCCEED(test->api->clEnqueueReadBuffer(test->queue, buffers[i], CL_FALSE, 0,
                                                   arguments[i].bytes, arguments[i].data, 0, NULL,
                                                   NULL));
    SUCCEED(test->api->clFinish(test->queue));
    return true;
}

bool selftest_run(selftest *test, const char *name, const size_t global[3], const size_t local[3],
                  size_t count, const selftest_argument *arguments) {
    cl_mem buffers[MAX_ARGUMENTS] = {NULL};
    cl_int status;
    cl_kernel kernel = test->api->clCreateKernel(test->program, name, &status);
    REQUIRE(kernel && count <= MAX_ARGUMENTS, "clCreateKernel(%s): error %d", name, status);
    bool good = launch(test, kernel, global, local, count, arguments, buffers);
    for (size_t i = 0; i < count; i++)
        if (buffers[i])
            test->api->clReleaseMemObject(buffers[i]);
    test->api->clReleaseKernel(kernel);
    return good;
}

/* ---- all checks ----------------------------------------------------------------------------- */

static double milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool run_check(selftest *test, const selftest_row *row) {
    double begin = milliseconds_now();
    test->why[0] = 0;
    bool good = row->check(test);
    printf("%-4s  %-44s %8.2f ms", good ? "good" : "BAD", row->name, milliseconds_now() - begin);
    if (!good)
        printf("\n      %s", test->why[0] ? test->why : "says not why");
    printf("\n");
    fflush(stdout);
    return good;
}

/** Context, queue and the program; itself the first check. */
static bool set_up(selftest *test) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int status;
    cl_bool compiler = CL_FALSE;
    SUCCEED(test->api->clGetDeviceInfo(test->library->device, CL_DEVICE_COMPILER_AVAILABLE,
                                       sizeof compiler, &compiler, NULL));
    REQUIRE(compiler, "CL_DEVICE_COMPILER_AVAILABLE is false");
    test->context =
        test->api->clCreateContext(NULL, 1, &test->library->device, NULL, NULL, &status);
    REQUIRE(test->context, "clCreateContext: error %d", status);
    test->queue = test->api->clCreateCommandQueueWithProperties(
        test->context, test->library->device, properties, &status);
    REQUIRE(test->queue, "clCreateCommandQueueWithProperties: error %d", status);
    test->program = selftest_build(test, selftest_source, "-cl-std=CL2.0");
    return test->program != NULL;
}

/** Whether builds are confined is the kernel's to say, and no failure (docs/security.md). The
 *  compiler process' executable tries it on itself. */
static void say_confinement(void) {
    char path[PATH_MAX], line[200] = "";
    if (!weft_tool_compiler(path))
        return;
    char *const arguments[] = {path, (char *)"--confinement", NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int ends[2];
    ssize_t got = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    bool started = posix_spawn(&pid, path, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (started) {
        got = read(ends[0], line, sizeof line - 1);
        waitpid(pid, NULL, 0);
    }
    close(ends[0]);
    line[got > 0 ? strcspn(line, "\n") : 0] = 0;
    printf("note  a build's process is %s\n", line[0] ? line : "not known to be confined");
}

static void tear_down(selftest *test) {
    if (test->program)
        test->api->clReleaseProgram(test->program);
    if (test->queue)
        test->api->clReleaseCommandQueue(test->queue);
    if (test->context)
        test->api->clReleaseContext(test->context);
}

typedef struct options {
    const char *word; /* only checks whose name contains it */
    bool verbose;
} options;

static error_t parse(int key, char *argument, struct argp_state *state) {
    options *options = state->input;
    if (key == 'v')
        options->verbose = true;
    else if (key == ARGP_KEY_ARG && !options->word)
        options->word = argument;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int weft_tool_selftest(int argc, char **argv) {
    static const struct argp_option option_table[] = {
        {"verbose", 'v', NULL, 0, "print whole build logs", 0}, {0}};
    const struct argp parser = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[WORD]",
        .doc =
            "Compiles and checks kernels of each kind on this machine: one line per check. Exits "
            "with 0 only if every check was run and found good. WORD: only the checks whose name "
            "contains it."};
    static const selftest_row first = {"context, queue, program from source", set_up};
    const selftest_row *const lists[] = {selftest_kernels, selftest_maths, selftest_queues,
                                         selftest_spirv};
    weft_tool_library library;
    options options = {0};
    unsigned good = 0, bad = 0;
    if (argp_parse(&parser, argc, argv, 0, NULL, &options) != 0)
        return TOOL_USAGE;
    alarm(LONGEST_SECONDS);   /* a hang is no pass */
    signal(SIGXFSZ, SIG_IGN); /* a small ulimit -f is a check that fails */
    if (!weft_tool_open(&library))
        return TOOL_BAD;
    selftest test = {.library = &library, .api = library.api, .verbose = options.verbose};
    if (run_check(&test, &first)) {
        good++;
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            for (const selftest_row *row = lists[i]; row->name; row++)
                if (!options.word || strstr(row->name, options.word))
                    *(run_check(&test, row) ? &good : &bad) += 1;
    } else {
        bad++;
    }
    tear_down(&test);
    say_confinement();
    if (bad == 0 && good == 1)
        fprintf(stderr, "weft selftest: no check's name contains '%s'\n", options.word);
    printf("%u good, %u bad\n", good, bad);
    return bad == 0 && good > 1 ? TOOL_GOOD : TOOL_BAD;
}
