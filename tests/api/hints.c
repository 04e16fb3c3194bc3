// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Functions and properties of extensions for queues and launches: cl_khr_create_command_queue,
 * cl_khr_priority_hints, cl_khr_throttle_hints, cl_khr_suggested_local_work_size.
 */

#include "common.h"

static void *function(const char *name) {
    void *address = clGetExtensionFunctionAddressForPlatform(weft_platform(), name);
    CHECK(address);
    return address;
}

#define EXTENSION(type, name) type name = (type)(uintptr_t)function(#name)

TEST(extensions_are_reported) {
    static const char *const names[] = {"cl_khr_create_command_queue", "cl_khr_priority_hints",
                                        "cl_khr_throttle_hints",
                                        "cl_khr_suggested_local_work_size"};
    char text[4096];
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL),
             CL_SUCCESS);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        CHECK(strstr(text, names[i]));
}

static cl_int create(cl_context context, const cl_queue_properties *list) {
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), list, &error);
    CHECK_EQ(!queue, error != CL_SUCCESS);
    if (!queue)
        return error;
    cl_queue_properties got[16];
    size_t size = 0, wanted = 1;
    while (list[wanted - 1])
        wanted += 2;
    CHECK_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(got), got, &size),
             CL_SUCCESS);
    CHECK(size == wanted * sizeof(*list) && memcmp(got, list, size) == 0);
    CHECK_EQ(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    return error;
}

TEST(hints_of_queues) {
    cl_context context = weft_context(1);
    const cl_queue_properties names[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR};
    for (int n = 0; n < 2; n++) {
        for (cl_queue_properties value = 0; value < 10; value++) {
            const cl_queue_properties list[] = {names[n], value, 0};
            bool good = value == 1 || value == 2 || value == 4;
            CHECK_EQ(create(context, list), good ? CL_SUCCESS : CL_INVALID_VALUE);
        }
        const cl_queue_properties twice[] = {names[n], 1, names[n], 1, 0};
        CHECK_EQ(create(context, twice), CL_INVALID_VALUE);
    }
    const cl_queue_properties all[] = {CL_QUEUE_PRIORITY_KHR,
                                       CL_QUEUE_PRIORITY_LOW_KHR,
                                       CL_QUEUE_PROPERTIES,
                                       CL_QUEUE_PROFILING_ENABLE,
                                       CL_QUEUE_THROTTLE_KHR,
                                       CL_QUEUE_THROTTLE_LOW_KHR,
                                       0};
    CHECK_EQ(create(context, all), CL_SUCCESS);
    clReleaseContext(context);
}

TEST(create_command_queue_of_the_extension) {
    EXTENSION(clCreateCommandQueueWithPropertiesKHR_fn, clCreateCommandQueueWithPropertiesKHR);
    const cl_queue_properties_khr list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_queue_properties_khr bad[] = {0x4321, 1, 0};
    cl_context context = weft_context(1);
    cl_command_queue_properties properties = 0;
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithPropertiesKHR(context, weft_device(0), list, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL),
        CL_SUCCESS);
    CHECK_EQ(properties, CL_QUEUE_PROFILING_ENABLE);
    clReleaseCommandQueue(queue);
    CHECK(!clCreateCommandQueueWithPropertiesKHR(context, weft_device(0), bad, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateCommandQueueWithPropertiesKHR(NULL, weft_device(0), NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateCommandQueueWithPropertiesKHR(context, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_DEVICE);
    clReleaseContext(context);
}

static const char source[] =
    "kernel void plain(global int *to) { to[get_global_id(0)] = (int)get_local_size(0); }\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *to) {\n"
    "    to[get_global_id(0)] = 1;\n"
    "}\n";

/* The suggestion is what a launch without a local size gets. */
TEST(suggested_size_is_what_a_launch_gets) {
    EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR_fn, clGetKernelSuggestedLocalWorkSizeKHR);
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_int error = 1, got = 0;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    cl_program program = weft_built(context, source, "");
    cl_kernel kernel = weft_kernel(program, "plain");
    cl_mem buffer = clCreateBuffer(context, 0, 1 << 20, NULL, &error);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    for (size_t global = 1; global <= 1 << 17; global = global * 3 + 1) {
        size_t local[3] = {0, 77, 77};
        CHECK_EQ(clGetKernelSuggestedLocalWorkSizeKHR(queue, kernel, 1, NULL, &global, local),
                 CL_SUCCESS);
        CHECK(local[1] == 77);
        CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(got), &got, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(got, local[0]);
    }
    cl_kernel fixed = weft_kernel(program, "fixed");
    const size_t global[3] = {64, 64, 64};
    size_t local[3] = {0};
    CHECK_EQ(clSetKernelArg(fixed, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    CHECK_EQ(clGetKernelSuggestedLocalWorkSizeKHR(queue, fixed, 3, NULL, global, local),
             CL_SUCCESS);
    CHECK(local[0] == 4 && local[1] == 2 && local[2] == 1);
    clReleaseMemObject(buffer);
    clReleaseKernel(fixed);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(suggested_size_errors) {
    EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR_fn, clGetKernelSuggestedLocalWorkSizeKHR);
    weft_need_compiler();
    cl_context context = weft_context(1), other = weft_context(1);
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    cl_command_queue foreign =
        clCreateCommandQueueWithProperties(other, weft_device(0), NULL, &error);
    cl_program program = weft_built(context, source, "");
    cl_kernel kernel = weft_kernel(program, "plain");
    const size_t global[3] = {8, 8, 8}, zero[3] = {8, 0, 8}, offset[1] = {SIZE_MAX - 2};
    size_t local[3];
#define SUGGEST clGetKernelSuggestedLocalWorkSizeKHR
    CHECK_EQ(SUGGEST(NULL, kernel, 1, NULL, global, local), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(SUGGEST(queue, (cl_kernel)program, 1, NULL, global, local), CL_INVALID_KERNEL);
    CHECK_EQ(SUGGEST(foreign, kernel, 1, NULL, global, local), CL_INVALID_CONTEXT);
    CHECK_EQ(SUGGEST(queue, kernel, 0, NULL, global, local), CL_INVALID_WORK_DIMENSION);
    CHECK_EQ(SUGGEST(queue, kernel, 4, NULL, global, local), CL_INVALID_WORK_DIMENSION);
    CHECK_EQ(SUGGEST(queue, kernel, 1, NULL, NULL, local), CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK_EQ(SUGGEST(queue, kernel, 3, NULL, zero, local), CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK_EQ(SUGGEST(queue, kernel, 1, offset, global, local), CL_INVALID_GLOBAL_OFFSET);
    /* Nothing is added to an offset without sizes: it was CL_INVALID_GLOBAL_OFFSET once. */
    const size_t last[1] = {SIZE_MAX};
    CHECK_EQ(SUGGEST(queue, kernel, 1, last, NULL, local), CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK_EQ(SUGGEST(queue, kernel, 1, NULL, global, NULL), CL_INVALID_VALUE);
    CHECK_EQ(SUGGEST(queue, kernel, 1, NULL, global, local), CL_INVALID_KERNEL_ARGS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(foreign);
    clReleaseCommandQueue(queue);
    clReleaseContext(other);
    clReleaseContext(context);
}

TEST_MAIN()
