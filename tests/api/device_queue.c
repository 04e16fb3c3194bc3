// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Queues on the device as objects: creation, information, the default, and every error. */

#include "start.h"

enum { ON_DEVICE = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE };

static cl_command_queue make(cl_context context, cl_device_id device,
                             cl_command_queue_properties more) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, ON_DEVICE | more, 0};
    cl_int error = 1;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, list, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(queue);
    return queue;
}

static cl_int create_error(cl_context context, const cl_queue_properties *list) {
    cl_int error = 1;
    CHECK(!clCreateCommandQueueWithProperties(context, weft_device(0), list, &error));
    return error;
}

static cl_uint device_uint(cl_device_info name) {
    cl_uint value = 0;
    CHECK_EQ(clGetDeviceInfo(weft_device(0), name, sizeof(value), &value, NULL), CL_SUCCESS);
    return value;
}

static cl_command_queue default_of(cl_command_queue queue) {
    cl_command_queue got = (cl_command_queue)1;
    CHECK_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof(got), &got, NULL),
             CL_SUCCESS);
    return got;
}

static cl_uint count_of(cl_command_queue queue) {
    cl_uint count = 0;
    CHECK_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL),
             CL_SUCCESS);
    return count;
}

TEST(creation_errors) {
    start s = begin();
    cl_uint most = device_uint(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
    const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0},
                              only_default[] = {CL_QUEUE_PROPERTIES,
                                                CL_QUEUE_ON_DEVICE_DEFAULT |
                                                    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                0},
                              host_size[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_SIZE, 4096, 0},
                              none[] = {CL_QUEUE_PROPERTIES, ON_DEVICE, CL_QUEUE_SIZE, 0, 0},
                              large[] = {CL_QUEUE_PROPERTIES, ON_DEVICE, CL_QUEUE_SIZE, most + 1,
                                         0},
                              huge[] = {CL_QUEUE_PROPERTIES, ON_DEVICE, CL_QUEUE_SIZE,
                                        (cl_queue_properties)1 << 40, 0},
                              hint[] = {CL_QUEUE_PROPERTIES, ON_DEVICE, CL_QUEUE_PRIORITY_KHR,
                                        CL_QUEUE_PRIORITY_HIGH_KHR, 0};
    cl_int error = 1;

    CHECK_EQ(create_error(s.context, in_order), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, only_default), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, host_size), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, none), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, huge), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, large), CL_INVALID_QUEUE_PROPERTIES);
    CHECK_EQ(create_error(s.context, hint), CL_INVALID_QUEUE_PROPERTIES);
    CHECK(!clCreateCommandQueue(s.context, weft_device(0), ON_DEVICE, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    end(s);
}

#define QUERY(name, size, value, size_ret) clGetCommandQueueInfo(queue, name, size, value, size_ret)

TEST(info) {
    start s = begin();
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, ON_DEVICE | CL_QUEUE_PROFILING_ENABLE,
                                  CL_QUEUE_SIZE, 20000, 0},
                        got[8];
    cl_command_queue_properties properties = 0;
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_uint size = 0;
    size_t bytes = 0;
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(s.context, weft_device(0), list, &error);

    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(QUERY(CL_QUEUE_SIZE, sizeof(size), &size, NULL), CL_SUCCESS);
    CHECK_EQ(size, 20000);
    CHECK_INFO_SIZE(QUERY, CL_QUEUE_SIZE, sizeof(cl_uint));
    CHECK_EQ(QUERY(CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL), CL_SUCCESS);
    CHECK_EQ(properties, ON_DEVICE | CL_QUEUE_PROFILING_ENABLE);
    CHECK_EQ(QUERY(CL_QUEUE_CONTEXT, sizeof(context), &context, NULL), CL_SUCCESS);
    CHECK(context == s.context);
    CHECK_EQ(QUERY(CL_QUEUE_DEVICE, sizeof(device), &device, NULL), CL_SUCCESS);
    CHECK(device == weft_device(0));
    CHECK_EQ(QUERY(CL_QUEUE_PROPERTIES_ARRAY, sizeof(got), got, &bytes), CL_SUCCESS);
    CHECK_EQ(bytes, sizeof(list));
    CHECK(!memcmp(got, list, sizeof(list)));
    CHECK(default_of(queue) == NULL);
    CHECK_EQ(clRetainCommandQueue(queue), CL_SUCCESS);
    CHECK_EQ(count_of(queue), 2);
    CHECK_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    queue = make(s.context, weft_device(0), 0);
    CHECK_EQ(QUERY(CL_QUEUE_SIZE, sizeof(size), &size, NULL), CL_SUCCESS);
    CHECK_EQ(size, device_uint(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
    clReleaseCommandQueue(queue);
    end(s);
}

/* "There can only be one default device queue for each device within a context. [...] will return
 * the default device queue that has already been created and increment its retain count by 1." */
TEST(one_default_for_each_device) {
    cl_context context = weft_context(2), other = weft_context(1);
    cl_command_queue first = make(context, weft_device(0), CL_QUEUE_ON_DEVICE_DEFAULT);
    cl_command_queue again = make(context, weft_device(0), CL_QUEUE_ON_DEVICE_DEFAULT);
    cl_command_queue second = make(context, weft_device(1), CL_QUEUE_ON_DEVICE_DEFAULT);
    cl_command_queue elsewhere = make(other, weft_device(0), CL_QUEUE_ON_DEVICE_DEFAULT);
    cl_command_queue plain = make(context, weft_device(0), 0);

    CHECK(again == first);
    CHECK_EQ(count_of(first), 2);
    CHECK(second != first && elsewhere != first && plain != first);
    CHECK(default_of(plain) == first);
    CHECK(default_of(second) == second);
    clReleaseCommandQueue(first);
    clReleaseCommandQueue(again);
    CHECK(default_of(plain) == NULL);
    first = make(context, weft_device(0), CL_QUEUE_ON_DEVICE_DEFAULT);
    CHECK_EQ(count_of(first), 1);
    CHECK(default_of(plain) == first);
    clReleaseCommandQueue(first);
    clReleaseCommandQueue(second);
    clReleaseCommandQueue(elsewhere);
    clReleaseCommandQueue(plain);
    clReleaseContext(context);
    clReleaseContext(other);
}

TEST(replacing_the_default) {
    cl_context context = weft_context(2);
    cl_command_queue first = make(context, weft_device(0), CL_QUEUE_ON_DEVICE_DEFAULT);
    cl_command_queue queue = make(context, weft_device(0), 0);
    cl_command_queue other = make(context, weft_device(1), 0);
    cl_int error = 1;
    cl_command_queue host =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);

    CHECK_EQ(clSetDefaultDeviceCommandQueue(context, weft_device(0), NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(context, weft_device(0), host),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(context, weft_device(0), other),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(NULL, weft_device(0), queue), CL_INVALID_CONTEXT);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(context, NULL, queue), CL_INVALID_DEVICE);
    CHECK(default_of(host) == first);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(context, weft_device(0), queue), CL_SUCCESS);
    CHECK(default_of(host) == queue);
    CHECK_EQ(count_of(queue), 1);
    clReleaseCommandQueue(queue);
    CHECK(default_of(host) == NULL);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(context, weft_device(0), first), CL_SUCCESS);
    CHECK(default_of(host) == first);
    clReleaseCommandQueue(first);
    clReleaseCommandQueue(other);
    clReleaseCommandQueue(host);
    clReleaseContext(context);
}

/* "if command_queue is not a valid host command-queue" */
TEST(the_host_cannot_enqueue) {
    start s = begin();
    cl_command_queue queue = make(s.context, weft_device(0), 0);
    char bytes[64] = {0};
    cl_int error = 1;
    cl_mem buffer = clCreateBuffer(s.context, 0, 64, NULL, &error);
    cl_command_queue_properties old = 0;

    CHECK_EQ(clFlush(queue), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clFinish(queue), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64, bytes, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueFillBuffer(queue, buffer, bytes, 4, 0, 64, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK(!clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &old),
             CL_INVALID_OPERATION);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    end(s);
}

static const char ARGUMENT[] = "kernel void k(queue_t queue, global int *result) {\n"
                               "    *result = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
                               "                             ndrange_1D(1), ^{ result[1] = 5; });\n"
                               "}\n";

TEST(as_an_argument) {
    weft_need_compiler();
    start s = begin();
    cl_command_queue queue = make(s.context, weft_device(0), 0);
    cl_context other = weft_context(1);
    cl_command_queue foreign = make(other, weft_device(0), 0), null = NULL;
    cl_program program = weft_built(s.context, ARGUMENT, "-cl-std=CL2.0");
    cl_kernel kernel = weft_kernel(program, "k"), copy;
    int result[2] = {1, 1};
    const size_t one = 1;
    cl_int error = 1;
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, sizeof(result), result, &error);

    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(queue), NULL), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, 4, &queue), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(queue), &null), CL_INVALID_DEVICE_QUEUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(queue), &s.queue), CL_INVALID_DEVICE_QUEUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(queue), &foreign), CL_INVALID_DEVICE_QUEUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(queue), &queue), CL_SUCCESS);
    CHECK_EQ(count_of(queue), 1);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(buffer), &buffer), CL_SUCCESS);
    copy = clCloneKernel(kernel, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, copy, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    clReleaseCommandQueue(queue); /* a queue lives until its commands have ended */
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(result[0], 0);
    CHECK_EQ(result[1], 5);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, copy, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_INVALID_KERNEL_ARGS);
    clReleaseKernel(copy);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(foreign);
    clReleaseContext(other);
    end(s);
}

/* What asks for a child's times does not look at them before the child has ended: on be45421
 * ThreadSanitizer saw them read while another thread began the child. */
static const char RUSHED[] =
    "kernel void rushed(queue_t q, global ulong *times) {\n"
    "    for (int i = 0; i < 400; i++) {\n"
    "        clk_event_t e;\n"
    "        if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &e, ^{ }))\n"
    "            break;\n"
    "        capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2 * i);\n"
    "        release_event(e);\n"
    "    }\n"
    "}\n";

TEST(times_are_wanted_while_a_child_begins) {
    weft_need_compiler();
    start s = begin();
    const size_t one = 1;
    cl_ulong times[800] = {0};
    cl_int error = 1;
    cl_command_queue queue = make(s.context, weft_device(0), 0);
    cl_program program = weft_built(s.context, RUSHED, "-cl-std=CL2.0");
    cl_kernel kernel = weft_kernel(program, "rushed");
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(times), times, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_command_queue), &queue), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, sizeof(times), times, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < 400; i++)
        CHECK(times[2 * i] > 0 && times[2 * i + 1] >= times[2 * i]);
    CHECK_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    end(s);
}

TEST_MAIN()
