// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * A small OpenCL program for tests that put it into strange hosts. Everything returns 0 or a line
 * (of this file: plus 10000), so that it can run in children and in threads.
 */
#ifndef WEFT_TEST_GUEST_H
#define WEFT_TEST_GUEST_H

#include "robust/child.h"
#include "robust/find_weft.h"

#include <CL/cl.h>

#define GUEST(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return __LINE__ + 10000;                                                               \
    } while (0)
/** Hands on the result of a call that returns a line. */
#define REQUIRE_DONE(call)                                                                         \
    do {                                                                                           \
        int weft_done = (call);                                                                    \
        if (weft_done)                                                                             \
            return weft_done;                                                                      \
    } while (0)

enum { GUEST_ITEMS = 4096, GUEST_GROUP = 64 };

static const char guest_source[] = "kernel void add(global uint *out, uint by) {\n"
                                   "    out[get_global_id(0)] += by + (uint)get_global_id(0);\n"
                                   "}\n"
                                   "kernel void reverse(global uint *out, local uint *tile) {\n"
                                   "    size_t i = get_local_id(0), n = get_local_size(0);\n"
                                   "    tile[i] = out[get_global_id(0)];\n"
                                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                   "    out[get_global_id(0)] = tile[n - 1 - i];\n"
                                   "}\n"
                                   "kernel void hold(global volatile int *word, ulong rounds) {\n"
                                   "    word[1] = 1;\n"
                                   "    for (ulong i = 0; i < rounds && !word[0]; i++)\n"
                                   "        ;\n"
                                   "    word[2] = 1;\n"
                                   "}\n";

/** What `hold` and the host share: stop, has started, has ended. */
typedef struct guest_word {
    volatile int stop, started, ended, pad[29];
} guest_word;

typedef struct guest {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel add, reverse, hold;
    cl_mem buffer, held;
    guest_word word __attribute__((aligned(128)));
} guest;

static inline int guest_platform(guest *g) {
    GUEST(find_weft(&g->platform, &g->device));
    return 0;
}

static inline int guest_objects(guest *g) {
    cl_int error = 1;
    g->context = clCreateContext(NULL, 1, &g->device, NULL, NULL, &error);
    GUEST(error == CL_SUCCESS);
    g->queue = clCreateCommandQueue(g->context, g->device, 0, &error);
    GUEST(error == CL_SUCCESS);
    g->buffer = clCreateBuffer(g->context, CL_MEM_READ_WRITE, GUEST_ITEMS * 4, NULL, &error);
    GUEST(error == CL_SUCCESS);
    memset(&g->word, 0, sizeof g->word);
    g->held = clCreateBuffer(g->context, CL_MEM_USE_HOST_PTR, sizeof g->word, &g->word, &error);
    GUEST(error == CL_SUCCESS);
    return 0;
}

static inline int guest_build(guest *g) {
    const char *source = guest_source;
    cl_int error = 1;
    g->program = clCreateProgramWithSource(g->context, 1, &source, NULL, &error);
    GUEST(error == CL_SUCCESS);
    error = clBuildProgram(g->program, 0, NULL, "", NULL, NULL);
    if (error != CL_SUCCESS) {
        char log[2000] = "";
        clGetProgramBuildInfo(g->program, g->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "# build: %d: %s\n", (int)error, log);
    }
    GUEST(error == CL_SUCCESS);
    g->add = clCreateKernel(g->program, "add", &error);
    GUEST(error == CL_SUCCESS);
    g->reverse = clCreateKernel(g->program, "reverse", &error);
    GUEST(error == CL_SUCCESS);
    g->hold = clCreateKernel(g->program, "hold", &error);
    GUEST(error == CL_SUCCESS);
    return 0;
}

/** Everything, ready to be used. */
static inline int guest_make(guest *g) {
    REQUIRE_DONE(guest_platform(g));
    REQUIRE_DONE(guest_objects(g));
    return guest_build(g);
}

/** Runs kernels over the buffer and checks every value. */
static inline int guest_use(guest *g) {
    const size_t items = GUEST_ITEMS, group = GUEST_GROUP;
    static const cl_uint by = 7, zero = 0;
    cl_uint *values = calloc(GUEST_ITEMS, sizeof *values);
    GUEST(values);
    GUEST(clEnqueueFillBuffer(g->queue, g->buffer, &zero, 4, 0, items * 4, 0, NULL, NULL) == 0);
    GUEST(clSetKernelArg(g->add, 0, sizeof g->buffer, &g->buffer) == CL_SUCCESS);
    GUEST(clSetKernelArg(g->add, 1, sizeof by, &by) == CL_SUCCESS);
    GUEST(clSetKernelArg(g->reverse, 0, sizeof g->buffer, &g->buffer) == CL_SUCCESS);
    GUEST(clSetKernelArg(g->reverse, 1, group * 4, NULL) == CL_SUCCESS);
    GUEST(clEnqueueNDRangeKernel(g->queue, g->add, 1, NULL, &items, NULL, 0, NULL, NULL) == 0);
    GUEST(clEnqueueNDRangeKernel(g->queue, g->reverse, 1, NULL, &items, &group, 0, NULL, NULL) ==
          CL_SUCCESS);
    GUEST(clFinish(g->queue) == CL_SUCCESS);
    GUEST(clEnqueueReadBuffer(g->queue, g->buffer, CL_TRUE, 0, items * 4, values, 0, NULL, NULL) ==
          CL_SUCCESS);
    for (cl_uint i = 0; i < items; i++)
        GUEST(values[i] == by + i / GUEST_GROUP * GUEST_GROUP + GUEST_GROUP - 1 - i % GUEST_GROUP);
    free(values);
    return 0;
}

/** Starts a kernel that runs until word.stop is set (or for many seconds), on a thread of the
 *  device. `started` has come when this returns. */
static inline int guest_hold(guest *g, cl_event *event) {
    const size_t one = 1;
    const cl_ulong rounds = 40000000000u;
    GUEST(clSetKernelArg(g->hold, 0, sizeof g->held, &g->held) == CL_SUCCESS);
    GUEST(clSetKernelArg(g->hold, 1, sizeof rounds, &rounds) == CL_SUCCESS);
    GUEST(clEnqueueNDRangeKernel(g->queue, g->hold, 1, NULL, &one, NULL, 0, NULL, event) == 0);
    GUEST(clFlush(g->queue) == CL_SUCCESS);
    for (double end = seconds_now() + 20; !g->word.started && seconds_now() < end;)
        usleep(200);
    GUEST(g->word.started);
    return 0;
}

static inline int guest_release(guest *g) {
    GUEST(clReleaseKernel(g->add) == CL_SUCCESS);
    GUEST(clReleaseKernel(g->reverse) == CL_SUCCESS);
    GUEST(clReleaseKernel(g->hold) == CL_SUCCESS);
    GUEST(clReleaseProgram(g->program) == CL_SUCCESS);
    GUEST(clReleaseMemObject(g->buffer) == CL_SUCCESS);
    GUEST(clReleaseMemObject(g->held) == CL_SUCCESS);
    GUEST(clReleaseCommandQueue(g->queue) == CL_SUCCESS);
    GUEST(clReleaseContext(g->context) == CL_SUCCESS);
    return 0;
}

/** The whole life. */
static inline int guest_life(void *unused) {
    static guest g;
    (void)unused;
    REQUIRE_DONE(guest_make(&g));
    REQUIRE_DONE(guest_use(&g));
    return guest_release(&g);
}

#endif
