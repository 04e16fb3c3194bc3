// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Applications that fork: a child works with objects of its own; inherited ones return errors and
 * never hang; the parent notices nothing.
 */

#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const source =
    "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }\n"
    "kernel void spin(global int *x, int n) { int v = 1; for (int i = 0; i < n; i++)"
    " v = v * 3 + x[0]; x[get_global_id(0)] = v; }";

typedef struct start {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem mem;
    cl_event event;
} start;

/** From nothing to a result; 0 or the line that failed. No CHECK: it runs in children too. */
static int use(start *s) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = 1, values[64];
    size_t global = 64;
#define GOOD(condition)                                                                            \
    if (!(condition))                                                                              \
    return __LINE__
    for (int i = 0; i < 64; i++)
        values[i] = i;
    GOOD(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    GOOD(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    GOOD((s->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error)));
    GOOD((s->queue = clCreateCommandQueueWithProperties(s->context, device, NULL, &error)));
    GOOD((s->program =
              clCreateProgramWithSource(s->context, 1, (const char **)&source, NULL, &error)));
    GOOD(clBuildProgram(s->program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    GOOD((s->kernel = clCreateKernel(s->program, "twice", &error)));
    GOOD((s->mem =
              clCreateBuffer(s->context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error)));
    GOOD(clSetKernelArg(s->kernel, 0, sizeof(cl_mem), &s->mem) == CL_SUCCESS);
    GOOD(clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &global, NULL, 0, NULL, &s->event) ==
         CL_SUCCESS);
    GOOD(clEnqueueReadBuffer(s->queue, s->mem, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL) ==
         CL_SUCCESS);
    for (int i = 0; i < 64; i++)
        GOOD(values[i] == 2 * i);
    return 0;
}

static void drop(start *s) {
    clReleaseEvent(s->event);
    clReleaseMemObject(s->mem);
    clReleaseKernel(s->kernel);
    clReleaseProgram(s->program);
    clReleaseCommandQueue(s->queue);
    clReleaseContext(s->context);
}

/** Inherited objects are invalid, each in its way; 0 or the line that failed. */
static int inherited(start *s) {
    cl_int error = 0, value = 0;
    size_t one = 1;
    GOOD(clRetainContext(s->context) == CL_INVALID_CONTEXT);
    GOOD(!clCreateBuffer(s->context, 0, 16, NULL, &error) && error == CL_INVALID_CONTEXT);
    GOOD(clReleaseMemObject(s->mem) == CL_INVALID_MEM_OBJECT);
    GOOD(clFinish(s->queue) == CL_INVALID_COMMAND_QUEUE);
    GOOD(clFlush(s->queue) == CL_INVALID_COMMAND_QUEUE);
    GOOD(clWaitForEvents(1, &s->event) == CL_INVALID_EVENT);
    GOOD(clBuildProgram(s->program, 0, NULL, NULL, NULL, NULL) == CL_INVALID_PROGRAM);
    GOOD(clSetKernelArg(s->kernel, 0, sizeof(cl_mem), &s->mem) == CL_INVALID_KERNEL);
    GOOD(clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &one, NULL, 0, NULL, NULL) ==
         CL_INVALID_COMMAND_QUEUE);
    GOOD(clEnqueueReadBuffer(s->queue, s->mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL) ==
         CL_INVALID_COMMAND_QUEUE);
    GOOD(clReleaseEvent(s->event) == CL_INVALID_EVENT);
    GOOD(clReleaseCommandQueue(s->queue) == CL_INVALID_COMMAND_QUEUE);
    GOOD(clReleaseContext(s->context) == CL_INVALID_CONTEXT);
    return 0;
}

static int in_child(int (*body)(start *), start *s) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(30);
        int line = body(s);
        _exit(line == 0 ? 0 : line < 256 ? line : 255);
    }
    int status = 0;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (WIFSIGNALED(status))
        FAIL("the child ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static int use_own(start *s) {
    start own = {0};
    (void)s;
    int line = use(&own);
    if (line == 0)
        drop(&own);
    return line;
}

static int inherited_then_own(start *s) {
    int line = inherited(s);
    if (line)
        return line;
    if ((line = use_own(NULL)))
        return line;
    return inherited(s); /* still not valid, now that new objects are */
}

static int own_then_grandchild(start *s) {
    start own = {0};
    (void)s;
    int line = use(&own), status = 0;
    if (line)
        return line;
    pid_t pid = fork();
    if (pid == 0) {
        alarm(30);
        _exit(inherited_then_own(&own) ? 1 : 0);
    }
    if (waitpid(pid, &status, 0) != pid || status)
        return __LINE__;
    drop(&own);
    return 0;
}

static int lacks_compiler(start *s) {
    cl_platform_id platform;
    cl_device_id device;
    cl_bool there = CL_FALSE;
    (void)s;
    GOOD(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    GOOD(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    GOOD(clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(there), &there, NULL) ==
         CL_SUCCESS);
    GOOD(there);
    return 0;
}

/* First: nothing was used before. */
TEST(before_use) {
    if (in_child(lacks_compiler, NULL))
        SKIP("built without the compiler");
    CHECK_EQ(in_child(use_own, NULL), 0);
}

TEST(after_listing_devices) {
    weft_need_compiler();
    weft_device(0);
    CHECK_EQ(in_child(use_own, NULL), 0);
}

TEST(after_use) {
    weft_need_compiler();
    start s = {0};
    CHECK_EQ(use(&s), 0);
    CHECK_EQ(in_child(inherited_then_own, &s), 0);
    CHECK_EQ(in_child(own_then_grandchild, NULL), 0);
    /* The parent's objects and compiler are as before. */
    cl_uint count = 0;
    CHECK_EQ(clGetContextInfo(s.context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL),
             CL_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(use_own(NULL), 0);
    drop(&s);
}

TEST(while_a_kernel_runs) {
    weft_need_compiler();
    start s = {0};
    CHECK_EQ(use(&s), 0);
    cl_int error = 1, turns = 20000000;
    size_t global = 64, local = 1;
    cl_kernel spin = clCreateKernel(s.program, "spin", &error);
    CHECK_EQ(clSetKernelArg(spin, 0, sizeof(cl_mem), &s.mem), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(spin, 1, sizeof(turns), &turns), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, spin, 1, NULL, &global, &local, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFlush(s.queue), CL_SUCCESS);
    CHECK_EQ(in_child(inherited_then_own, &s), 0);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    clReleaseKernel(spin);
    drop(&s);
}

static atomic_bool stop;

static void *keep_busy(void *argument) {
    (void)argument;
    intptr_t line = 0;
    while (!atomic_load(&stop) && !line)
        line = use_own(NULL);
    return (void *)line;
}

/* Locks may be held at the moment of the fork by threads that the child does not have. */
TEST(while_other_threads_work) {
    weft_need_compiler();
    pthread_t threads[2];
    void *failed[2];
    atomic_store(&stop, false);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, keep_busy, NULL), 0);
    int worst = 0;
    for (int i = 0; i < 15 && !worst; i++)
        worst = in_child(use_own, NULL);
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &failed[i]);
    CHECK_EQ(worst, 0);
    CHECK(!failed[0] && !failed[1]);
}

TEST_MAIN()
