// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** A context of the first device and a queue on it: what tests of one family begin with, and
 *  end. */
#ifndef WEFT_TEST_START_H
#define WEFT_TEST_START_H

#include "common.h"

typedef struct start {
    cl_context context;
    cl_command_queue queue;
} start;

static inline start begin(void) {
    start s;
    cl_int error = 1;
    s.context = weft_context(1);
    s.queue = clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return s;
}

static inline void end(start s) {
    CHECK_EQ(clReleaseCommandQueue(s.queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(s.context), CL_SUCCESS);
}

#endif
