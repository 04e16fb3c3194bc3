// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** A context of the first device, a queue on it, and a program from a file: what the tests of this
 *  folder begin with. Any error fails the test. */
#ifndef WEFT_TESTS_KERNELS_SESSION_H
#define WEFT_TESTS_KERNELS_SESSION_H

#include "harness.h"

#include <CL/cl.h>

typedef struct session {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} session;

/** Builds the file: OpenCL C 2.0, or SPIR-V if `is_module`. */
static inline cl_program build_file(const session *on, const char *path, bool is_module) {
    static char bytes[1 << 20], log[1 << 14];
    const char *text = bytes;
    cl_int error;
    FILE *file = fopen(path, "rb");
    CHECK(file);
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    CHECK(size < sizeof(bytes));
    fclose(file);
    cl_program program = is_module
                             ? clCreateProgramWithIL(on->context, bytes, size, &error)
                             : clCreateProgramWithSource(on->context, 1, &text, &size, &error);
    CHECK_EQ(error, CL_SUCCESS);
    error = clBuildProgram(program, 1, &on->device, is_module ? NULL : "-cl-std=CL2.0", NULL, NULL);
    clGetProgramBuildInfo(program, on->device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
    if (error)
        FAIL("build: %d %.800s", error, log);
    return program;
}

static inline session start_session(const char *path, bool is_module) {
    session made;
    cl_platform_id platform;
    cl_int error;
    CHECK_EQ(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &made.device, NULL), CL_SUCCESS);
    made.context = clCreateContext(NULL, 1, &made.device, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    made.queue = clCreateCommandQueueWithProperties(made.context, made.device, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    made.program = build_file(&made, path, is_module);
    return made;
}

#endif
