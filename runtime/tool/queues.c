// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Checks of what is around kernels: transfers, maps, events, out-of-order queues, threads, programs
 * in all their forms, and build failures. */
#include "runtime/tool/selftest.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4096 };

static bool new_buffer(selftest *test, size_t bytes, cl_mem *buffer) {
    cl_int status;
    *buffer = test->api->clCreateBuffer(test->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    SUCCEED(status);
    return true;
}

static bool new_kernel(selftest *test, cl_program program, const char *name, cl_mem buffer,
                       cl_kernel *kernel) {
    cl_int status;
    *kernel = test->api->clCreateKernel(program, name, &status);
    SUCCEED(status);
    SUCCEED(test->api->clSetKernelArg(*kernel, 0, sizeof buffer, &buffer));
    return true;
}

/* ---- transfers ------------------------------------------------------------------------------ */

static bool fill_copy_read(selftest *test) {
    const cl_icd_dispatch *api = test->api;
    cl_mem from, to;
    uint8_t got[COUNT], pattern[16], write[100];
    const size_t origin[3] = {8, 4, 0}, region[3] = {16, 8, 1}, zero[3] = {0, 0, 0};
    for (int i = 0; i < 16; i++)
        pattern[i] = (uint8_t)(i * 3);
    memset(write, 0xee, sizeof write);
    if (!new_buffer(test, COUNT, &from) || !new_buffer(test, COUNT, &to))
        return false;
    SUCCEED(api->clEnqueueFillBuffer(test->queue, from, pattern, 16, 0, COUNT, 0, NULL, NULL));
    SUCCEED(api->clEnqueueWriteBuffer(test->queue, from, CL_TRUE, 1000, 100, write, 0, NULL, NULL));
    SUCCEED(api->clEnqueueCopyBuffer(test->queue, from, to, 0, 0, COUNT, 0, NULL, NULL));
    SUCCEED(api->clEnqueueReadBuffer(test->queue, to, CL_TRUE, 0, COUNT, got, 0, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++) {
        uint8_t wanted = i >= 1000 && i < 1100 ? 0xee : pattern[i % 16];
        REQUIRE(got[i] == wanted, "copy [%zu]: %u, not %u", i, got[i], wanted);
    }
    /* A rectangle of rows that are 64 bytes apart, to rows of 16 bytes. */
    SUCCEED(api->clEnqueueReadBufferRect(test->queue, from, CL_TRUE, origin, zero, region, 64, 0,
                                         16, 0, got, 0, NULL, NULL));
    for (size_t i = 0; i < 16 * 8; i++)
        REQUIRE(got[i] == pattern[(8 + i % 16) % 16], "rectangle [%zu]: %u", i, got[i]);
    api->clReleaseMemObject(from);
    api->clReleaseMemObject(to);
    return true;
}

static bool maps(selftest *test) {
    const cl_icd_dispatch *api = test->api;
    cl_mem buffer;
    cl_kernel kernel;
    cl_int status;
    size_t global = COUNT;
    if (!new_buffer(test, COUNT * 4, &buffer) ||
        !new_kernel(test, test->program, "add_one", buffer, &kernel))
        return false;
    uint32_t *data = api->clEnqueueMapBuffer(test->queue, buffer, CL_TRUE, CL_MAP_WRITE, 0,
                                             COUNT * 4, 0, NULL, NULL, &status);
    SUCCEED(status);
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i;
    SUCCEED(api->clEnqueueUnmapMemObject(test->queue, buffer, data, 0, NULL, NULL));
    SUCCEED(
        api->clEnqueueNDRangeKernel(test->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    data = api->clEnqueueMapBuffer(test->queue, buffer, CL_TRUE, CL_MAP_READ, 0, COUNT * 4, 0, NULL,
                                   NULL, &status);
    SUCCEED(status);
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE(data[i] == i + 1, "[%u]: %u", i, data[i]);
    SUCCEED(api->clEnqueueUnmapMemObject(test->queue, buffer, data, 0, NULL, NULL));
    SUCCEED(api->clFinish(test->queue));
    api->clReleaseKernel(kernel);
    api->clReleaseMemObject(buffer);
    return true;
}

/* ---- events --------------------------------------------------------------------------------- */

static bool profiling(selftest *test) {
    const cl_icd_dispatch *api = test->api;
    static const cl_uint names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                    CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    cl_mem buffer;
    cl_kernel kernel;
    cl_event event;
    cl_ulong before = 0;
    size_t global = COUNT;
    if (!new_buffer(test, COUNT * 4, &buffer) ||
        !new_kernel(test, test->program, "add_one", buffer, &kernel))
        return false;
    SUCCEED(
        api->clEnqueueNDRangeKernel(test->queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    SUCCEED(api->clWaitForEvents(1, &event));
    for (int i = 0; i < 4; i++) {
        cl_ulong now = 0;
        SUCCEED(api->clGetEventProfilingInfo(event, names[i], sizeof now, &now, NULL));
        REQUIRE(now >= before && now != 0, "time %d is %llu, after %llu", i,
                (unsigned long long)now, (unsigned long long)before);
        before = now;
    }
    api->clReleaseEvent(event);
    api->clReleaseKernel(kernel);
    api->clReleaseMemObject(buffer);
    return true;
}

/** x -> x*x + k, again and again: the order of the events decides the result. */
static bool chain(selftest *test, cl_command_queue queue, cl_event gate, cl_event *last,
                  cl_mem buffer, cl_kernel kernel) {
    size_t global = 64;
    (void)buffer;
    *last = gate;
    for (uint32_t k = 1; k <= 50; k++) {
        cl_event next;
        SUCCEED(test->api->clSetKernelArg(kernel, 1, sizeof k, &k));
        SUCCEED(test->api->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, last,
                                                  &next));
        if (*last != gate)
            test->api->clReleaseEvent(*last);
        *last = next;
    }
    return true;
}

static bool out_of_order(selftest *test) {
    const cl_icd_dispatch *api = test->api;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_mem buffer;
    cl_kernel kernel;
    cl_int status;
    cl_event last;
    uint32_t data[64], wanted[64];
    cl_command_queue queue = api->clCreateCommandQueueWithProperties(
        test->context, test->library->device, properties, &status);
    SUCCEED(status);
    cl_event gate = api->clCreateUserEvent(test->context, &status);
    SUCCEED(status);
    if (!new_buffer(test, sizeof data, &buffer) ||
        !new_kernel(test, test->program, "square_add", buffer, &kernel))
        return false;
    for (uint32_t i = 0; i < 64; i++) {
        data[i] = wanted[i] = i;
        for (uint32_t k = 1; k <= 50; k++)
            wanted[i] = wanted[i] * wanted[i] + k;
    }
    SUCCEED(api->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    if (!chain(test, queue, gate, &last, buffer, kernel))
        return false;
    SUCCEED(api->clFlush(queue));
    cl_int state = 0;
    SUCCEED(
        api->clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    REQUIRE(state != CL_COMPLETE, "the chain ran before its user event was set");
    SUCCEED(api->clSetUserEventStatus(gate, CL_COMPLETE));
    SUCCEED(api->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 1, &last, NULL));
    for (size_t i = 0; i < 64; i++)
        REQUIRE(data[i] == wanted[i], "[%zu]: %u, not %u", i, data[i], wanted[i]);
    api->clReleaseEvent(last);
    api->clReleaseEvent(gate);
    api->clReleaseKernel(kernel);
    api->clReleaseMemObject(buffer);
    api->clReleaseCommandQueue(queue);
    return true;
}

/* ---- threads -------------------------------------------------------------------------------- */

/** Its own program, queue and buffers: builds, runs and checks on its own. */
static bool one_thread(selftest *test, unsigned number) {
    char source[200];
    uint32_t data[COUNT];
    size_t global = COUNT;
    cl_mem buffer;
    cl_kernel kernel;
    snprintf(
        source, sizeof source,
        "kernel void own(global uint *data) { size_t i = get_global_id(0); data[i] = data[i] * %u "
        "+ (uint)i; }",
        number + 3);
    cl_program program = selftest_build(test, source, NULL);
    if (!program || !new_buffer(test, sizeof data, &buffer) ||
        !new_kernel(test, program, "own", buffer, &kernel))
        return false;
    memset(data, 0, sizeof data);
    SUCCEED(test->api->clEnqueueWriteBuffer(test->queue, buffer, CL_FALSE, 0, sizeof data, data, 0,
                                            NULL, NULL));
    for (int round = 0; round < 20; round++)
        SUCCEED(test->api->clEnqueueNDRangeKernel(test->queue, kernel, 1, NULL, &global, NULL, 0,
                                                  NULL, NULL));
    SUCCEED(test->api->clEnqueueReadBuffer(test->queue, buffer, CL_TRUE, 0, sizeof data, data, 0,
                                           NULL, NULL));
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t wanted = 0;
        for (int round = 0; round < 20; round++)
            wanted = wanted * (number + 3) + i;
        REQUIRE(data[i] == wanted, "thread %u [%u]: %u, not %u", number, i, data[i], wanted);
    }
    test->api->clReleaseKernel(kernel);
    test->api->clReleaseMemObject(buffer);
    test->api->clReleaseProgram(program);
    return true;
}

typedef struct worker {
    selftest test; /* its own queue and sentence */
    unsigned number;
    bool good;
} worker;

static void *run_worker(void *argument) {
    worker *worker = argument;
    cl_int status;
    worker->test.queue = worker->test.api->clCreateCommandQueueWithProperties(
        worker->test.context, worker->test.library->device, NULL, &status);
    if (!worker->test.queue) {
        selftest_fail(&worker->test, "clCreateCommandQueueWithProperties: error %d", status);
        return NULL;
    }
    worker->good = one_thread(&worker->test, worker->number);
    worker->test.api->clReleaseCommandQueue(worker->test.queue);
    return NULL;
}

static bool threads(selftest *test) {
    enum { THREADS = 8 };
    static worker workers[THREADS];
    pthread_t handles[THREADS];
    unsigned started = 0;
    for (; started < THREADS; started++) {
        workers[started] = (worker){.test = *test, .number = started};
        if (pthread_create(&handles[started], NULL, run_worker, &workers[started]) != 0)
            break;
    }
    for (unsigned i = 0; i < started; i++)
        pthread_join(handles[i], NULL);
    REQUIRE(started == THREADS, "cannot start threads");
    for (unsigned i = 0; i < THREADS; i++)
        REQUIRE(workers[i].good, "%s", workers[i].test.why);
    return true;
}

/* ---- programs ------------------------------------------------------------------------------- */

/** Runs `own` of a program, which is to set each number to 7. */
static bool gives_sevens(selftest *test, cl_program program) {
    uint32_t data[64] = {0};
    size_t global = 64;
    cl_mem buffer;
    cl_kernel kernel;
    if (!new_buffer(test, sizeof data, &buffer) ||
        !new_kernel(test, program, "own", buffer, &kernel))
        return false;
    SUCCEED(test->api->clEnqueueNDRangeKernel(test->queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                              NULL));
    SUCCEED(test->api->clEnqueueReadBuffer(test->queue, buffer, CL_TRUE, 0, sizeof data, data, 0,
                                           NULL, NULL));
    for (size_t i = 0; i < 64; i++)
        REQUIRE(data[i] == 7, "[%zu]: %u", i, data[i]);
    test->api->clReleaseKernel(kernel);
    test->api->clReleaseMemObject(buffer);
    return true;
}

static bool compile_and_link(selftest *test) {
    static const char *source =
        "#include \"seven.h\"\n"
        "kernel void own(global uint *data) { data[get_global_id(0)] = SEVEN; }";
    static const char *header = "#define SEVEN (6 + ONE)\n";
    static const char *name = "seven.h";
    const cl_icd_dispatch *api = test->api;
    cl_int status;
    cl_program program = api->clCreateProgramWithSource(test->context, 1, &source, NULL, &status);
    SUCCEED(status);
    cl_program included = api->clCreateProgramWithSource(test->context, 1, &header, NULL, &status);
    SUCCEED(status);
    SUCCEED(api->clCompileProgram(program, 1, &test->library->device, "-DONE=1", 1, &included,
                                  &name, NULL, NULL));
    cl_program linked = api->clLinkProgram(test->context, 1, &test->library->device, NULL, 1,
                                           &program, NULL, NULL, &status);
    SUCCEED(status);
    bool good = gives_sevens(test, linked);
    api->clReleaseProgram(linked);
    api->clReleaseProgram(included);
    api->clReleaseProgram(program);
    return good;
}

static bool from_binary(selftest *test) {
    const cl_icd_dispatch *api = test->api;
    size_t bytes = 0;
    cl_int status, each;
    cl_program program = selftest_build(
        test, "kernel void own(global uint *data) { data[get_global_id(0)] = 7; }", NULL);
    if (!program)
        return false;
    SUCCEED(api->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    REQUIRE(bytes, "the binary is empty");
    unsigned char *binary = calloc(1, bytes);
    REQUIRE(binary, "out of memory");
    SUCCEED(api->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    api->clReleaseProgram(program);
    program = api->clCreateProgramWithBinary(test->context, 1, &test->library->device, &bytes,
                                             (const unsigned char **)&binary, &each, &status);
    SUCCEED(status);
    SUCCEED(each);
    SUCCEED(api->clBuildProgram(program, 1, &test->library->device, NULL, NULL, NULL));
    bool good = gives_sevens(test, program);
    api->clReleaseProgram(program);
    /* A damaged binary is refused, not run. */
    for (size_t i = 0; i < bytes; i += bytes / 64 + 1)
        binary[i] ^= 0x55;
    program = api->clCreateProgramWithBinary(test->context, 1, &test->library->device, &bytes,
                                             (const unsigned char **)&binary, &each, &status);
    free(binary);
    REQUIRE(!program && status == CL_INVALID_BINARY, "a damaged binary gives status %d", status);
    return good;
}

/** A source with an error: the right status, and a log that names the line. */
static bool build_failure(selftest *test) {
    static const char *source = "kernel void wrong(global int *p) {\n  *p = undeclared_name;\n}\n";
    const cl_icd_dispatch *api = test->api;
    char log[4096] = "";
    cl_int status;
    cl_program program = api->clCreateProgramWithSource(test->context, 1, &source, NULL, &status);
    SUCCEED(status);
    status = api->clBuildProgram(program, 1, &test->library->device, NULL, NULL, NULL);
    REQUIRE(status == CL_BUILD_PROGRAM_FAILURE, "a wrong source gives status %d", status);
    SUCCEED(api->clGetProgramBuildInfo(program, test->library->device, CL_PROGRAM_BUILD_LOG,
                                       sizeof log - 1, log, NULL));
    REQUIRE(strstr(log, ":2:") && strstr(log, "undeclared_name"), "log: %.300s", log);
    api->clReleaseProgram(program);
    return true;
}

/** A source that crashes the compiler costs its own build only. */
static bool compiler_crash(selftest *test) {
    static const char *source = "#pragma clang __debug crash\nkernel void own(void) {}\n";
    const cl_icd_dispatch *api = test->api;
    cl_int status;
    cl_program program = api->clCreateProgramWithSource(test->context, 1, &source, NULL, &status);
    SUCCEED(status);
    status = api->clBuildProgram(program, 1, &test->library->device, NULL, NULL, NULL);
    api->clReleaseProgram(program);
    REQUIRE(status == CL_BUILD_PROGRAM_FAILURE, "a crash of the compiler gives status %d", status);
    program = selftest_build(
        test, "kernel void own(global uint *data) { data[get_global_id(0)] = 7; /* after */ }",
        NULL);
    bool good = program && gives_sevens(test, program);
    if (program)
        api->clReleaseProgram(program);
    return good;
}

const selftest_row selftest_queues[] = {
    {"fill, write, copy, read, rectangles", fill_copy_read},
    {"map and unmap", maps},
    {"profiling times", profiling},
    {"out-of-order queue, events, user event", out_of_order},
    {"eight threads build and run at once", threads},
    {"compile with a header, link", compile_and_link},
    {"program from its binary, damage refused", from_binary},
    {"build failure with a log", build_failure},
    {"crash of the compiler is a build failure", compiler_crash},
    {NULL, NULL},
};
