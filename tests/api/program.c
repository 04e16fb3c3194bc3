// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Program objects: source, references, information. Nothing here is built. */

#include "common.h"

#define QUERY(name, size, value, size_ret) clGetProgramInfo(program, name, size, value, size_ret)

TEST(source_is_joined) {
    cl_context context = weft_context(1);
    const char *strings[] = {"kernel void a(", "xx) ignored", ") {}\n\0\0"};
    const size_t lengths[] = {0, 0, 7};
    char source[64];
    size_t size = 0;
    cl_int error = 1;
    const size_t first_only[] = {14, 1, 5};
    cl_program program = clCreateProgramWithSource(context, 3, strings, first_only, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(QUERY(CL_PROGRAM_SOURCE, sizeof(source), source, &size), CL_SUCCESS);
    CHECK_STR(source, "kernel void a(x) {}\n");
    CHECK_EQ(size, strlen(source) + 1);
    clReleaseProgram(program);
    /* "The concatenation strips any nulls in the original source strings." */
    program = clCreateProgramWithSource(context, 3, strings, lengths, &error);
    CHECK_EQ(QUERY(CL_PROGRAM_SOURCE, sizeof(source), source, &size), CL_SUCCESS);
    CHECK_STR(source, "kernel void a(xx) ignored) {}\n");
    CHECK_EQ(size, strlen(source) + 1);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(info) {
    cl_context context = weft_context(2), got = NULL;
    cl_program program = weft_source(context, "kernel void k() {}");
    cl_device_id devices[2] = {0};
    cl_uint count = 0;
    CHECK_EQ(QUERY(CL_PROGRAM_CONTEXT, sizeof(got), &got, NULL), CL_SUCCESS);
    CHECK(got == context);
    CHECK_EQ(QUERY(CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(QUERY(CL_PROGRAM_DEVICES, sizeof(devices), devices, NULL), CL_SUCCESS);
    CHECK(devices[0] == weft_device(0) && devices[1] == weft_device(1));
    CHECK_INFO_SIZE(QUERY, CL_PROGRAM_REFERENCE_COUNT, sizeof(cl_uint));
    CHECK_INFO_SIZE(QUERY, CL_PROGRAM_IL, 0);
    CHECK_INFO_SIZE(QUERY, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof(cl_bool));
    CHECK_INFO_SIZE(QUERY, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, sizeof(cl_bool));
    size_t sizes[2] = {7, 7};
    CHECK_EQ(QUERY(CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL), CL_SUCCESS);
    CHECK(sizes[0] == 0 && sizes[1] == 0);
    CHECK_EQ(QUERY(CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(QUERY(CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(QUERY(0x1, 0, NULL, NULL), CL_INVALID_VALUE);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(build_info_before_a_build) {
    cl_context context = weft_context(1);
    cl_program program = weft_source(context, "kernel void k() {}");
    cl_build_status status = 7;
    cl_program_binary_type type = 7;
#define BUILD(name, size, value, size_ret)                                                         \
    clGetProgramBuildInfo(program, weft_device(0), name, size, value, size_ret)
    CHECK_EQ(BUILD(CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL), CL_SUCCESS);
    CHECK_EQ(status, CL_BUILD_NONE);
    CHECK_EQ(BUILD(CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
    CHECK_EQ(type, CL_PROGRAM_BINARY_TYPE_NONE);
    CHECK_INFO_SIZE(BUILD, CL_PROGRAM_BUILD_OPTIONS, 1);
    CHECK_INFO_SIZE(BUILD, CL_PROGRAM_BUILD_LOG, 1);
    CHECK_INFO_SIZE(BUILD, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(size_t));
    CHECK_EQ(BUILD(0x1, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetProgramBuildInfo(program, weft_device(1), CL_PROGRAM_BUILD_STATUS, 0, NULL, NULL),
             CL_INVALID_DEVICE);
    CHECK_EQ(clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_STATUS, 0, NULL, NULL),
             CL_INVALID_DEVICE);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(create_errors) {
    cl_context context = weft_context(1);
    const char *source = "kernel void k() {}", *nothing = NULL;
    cl_int error = 1;
    CHECK(!clCreateProgramWithSource(NULL, 1, &source, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateProgramWithSource(context, 0, &source, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithSource(context, 1, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithSource(context, 1, &nothing, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    clReleaseContext(context);
}

TEST(references) {
    cl_context context = weft_context(1);
    cl_program program = weft_source(context, "");
    cl_uint count = 0;
    CHECK_EQ(clRetainProgram(program), CL_SUCCESS);
    CHECK_EQ(QUERY(CL_PROGRAM_REFERENCE_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    CHECK_EQ(clRetainProgram(NULL), CL_INVALID_PROGRAM);
    CHECK_EQ(clReleaseProgram((cl_program)context), CL_INVALID_PROGRAM);
    clReleaseContext(context);
}

static int calls[4], call_count;

static void CL_CALLBACK note(cl_program program, void *user) {
    (void)program;
    calls[call_count++] = (int)(intptr_t)user;
}

TEST(release_callbacks_in_reverse) {
    cl_context context = weft_context(1);
    cl_program program = weft_source(context, "");
    CHECK_EQ(clSetProgramReleaseCallback(program, note, (void *)1), CL_SUCCESS);
    CHECK_EQ(clSetProgramReleaseCallback(program, note, (void *)2), CL_SUCCESS);
    CHECK_EQ(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    CHECK(call_count == 2 && calls[0] == 2 && calls[1] == 1);
    clReleaseContext(context);
}

TEST_MAIN()
