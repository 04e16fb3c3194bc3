// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Runs one kernel of a source, for tests of built-ins that need a device. */
#ifndef WEFT_TEST_ONE_KERNEL_H
#define WEFT_TEST_ONE_KERNEL_H

#include "../api/common.h"

/** One kernel on `items` work-items in groups of 64, with one buffer of `bytes`, read and written.
 */
static void run(const char *source, const char *options, size_t items, void *data, size_t bytes) {
    cl_int error;
    cl_context context = weft_context(1);
    cl_command_queue queue = clCreateCommandQueue(context, weft_device(0), 0, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, data, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_program program = weft_built(context, source, options);
    cl_kernel kernel = weft_kernel(program, "test");
    size_t local = 64;
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
             CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

#endif
