// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Features that no device has yet: their functions exist and return what the specification says for
 * devices without them. Whoever builds a feature moves its lines into a test of the feature.
 */

#include "common.h"

typedef struct start {
    cl_context context;
    cl_command_queue queue;
    cl_mem mem;
} start;

static start begin(void) {
    start s;
    cl_int error = 1;
    s.context = weft_context(1);
    s.queue = clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    s.mem = clCreateBuffer(s.context, 0, 1024, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return s;
}

static void end(start s) {
    CHECK_EQ(clReleaseMemObject(s.mem), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(s.queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(s.context), CL_SUCCESS);
}

TEST(intermediate_language_and_built_in_kernels) {
    start s = begin();
    cl_device_id device = weft_device(0);
    const unsigned magic = 0x07230203;
    cl_int error = 1;
#ifndef WEFT_HAS_SPIRV
    CHECK(!clCreateProgramWithIL(s.context, &magic, sizeof(magic), &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
#endif
    CHECK(!clCreateProgramWithBuiltInKernels(s.context, 1, &device, "none", &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithBuiltInKernels(s.context, 1, &device, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    cl_program program = weft_source(s.context, "kernel void k() {}");
    CHECK(clSetProgramSpecializationConstant(program, 0, 4, &magic) != CL_SUCCESS);
    CHECK_EQ(clSetProgramSpecializationConstant(NULL, 0, 4, &magic), CL_INVALID_PROGRAM);
    clReleaseProgram(program);
    end(s);
}

TEST_MAIN()
