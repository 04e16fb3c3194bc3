// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What tests of kernels that enqueue kernels begin with, how they run one, and how they end. */
#ifndef WEFT_TEST_DEVICE_FAMILY_H
#define WEFT_TEST_DEVICE_FAMILY_H

#include "start.h"

enum { ON_DEVICE = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, WORDS = 4096 };

/* One program, a default queue of so many bytes (0: the usual), and a buffer for results. */
typedef struct family {
    start s;
    cl_command_queue host, queue;
    cl_program program;
    cl_mem buffer;
    int *words;
} family;

static inline family setup(const char *source, const char *options, cl_uint bytes) {
    family f = {.s = {0}};
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                  ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                      CL_QUEUE_PROFILING_ENABLE,
                                  bytes ? CL_QUEUE_SIZE : 0, bytes, 0},
                        timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int error = 1;

    weft_need_compiler();
    f.s = begin();
    f.queue = clCreateCommandQueueWithProperties(f.s.context, weft_device(0), list, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.host = clCreateCommandQueueWithProperties(f.s.context, weft_device(0), timed, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.program = weft_built(f.s.context, source, options);
    f.words = calloc(WORDS, sizeof(int));
    f.buffer =
        clCreateBuffer(f.s.context, CL_MEM_USE_HOST_PTR, WORDS * sizeof(int), f.words, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return f;
}

static inline void finish(family *f) {
    CHECK_EQ(clReleaseMemObject(f->buffer), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(f->program), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(f->host), CL_SUCCESS);
    end(f->s);
    free(f->words);
}

/* Runs a kernel whose arguments are the buffer and, if it has a second, a number. Returns the
 * status of its event; *event, if wanted, is that event. */
static inline cl_int run(family *f, const char *name, size_t items, int number, cl_event *event) {
    cl_kernel kernel = weft_kernel(f->program, name);
    cl_event own = NULL;
    cl_uint arguments = 0;
    cl_int status = 1;

    memset(f->words, 0, WORDS * sizeof(int));
    CHECK_EQ(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments, NULL),
             CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(f->buffer), &f->buffer), CL_SUCCESS);
    if (arguments > 1)
        CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(number), &number), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f->host, kernel, 1, NULL, &items, NULL, 0, NULL, &own),
             CL_SUCCESS);
    clReleaseKernel(kernel);
    clWaitForEvents(1, &own);
    CHECK_EQ(clGetEventInfo(own, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
             CL_SUCCESS);
    if (event)
        *event = own;
    else
        clReleaseEvent(own);
    return status;
}

#define CL20 "-cl-std=CL2.0"

#endif
