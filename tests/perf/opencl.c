// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short forms of the OpenCL calls that probes make; every failure ends the child with its reason.
#include "child.h"
#include "embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    cl_int code;
    const char *name;
} error_names[] = {
    {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_PLATFORM, "CL_INVALID_PLATFORM"},
    {CL_INVALID_QUEUE_PROPERTIES, "CL_INVALID_QUEUE_PROPERTIES"},
    {CL_INVALID_BINARY, "CL_INVALID_BINARY"},
    {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_OPERATION, "CL_INVALID_OPERATION"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

void cl_check(cl_int status, const char *call) {
    if (status == CL_SUCCESS)
        return;
    const int length = (int)strcspn(call, "(");
    for (size_t i = 0; i < sizeof error_names / sizeof *error_names; i++)
        if (error_names[i].code == status)
            child_fail("%.*s: %s", length, call, error_names[i].name);
    child_fail("%.*s: error %d", length, call, status);
}

void cl_open_device(struct cl *cl) {
    *cl = (struct cl){0};
    CL(clGetPlatformIDs(1, &cl->platform, NULL));
    CL(clGetDeviceIDs(cl->platform, CL_DEVICE_TYPE_ALL, 1, &cl->device, NULL));
}

cl_command_queue cl_new_queue(struct cl *cl, cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int status;
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl->context, cl->device,
                                                                properties ? list : NULL, &status);
    cl_check(status, "clCreateCommandQueueWithProperties");
    return queue;
}

void cl_open(struct cl *cl, cl_command_queue_properties properties) {
    cl_int status;
    cl_open_device(cl);
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
        cl_command_queue_properties offered = 0;
        CL(clGetDeviceInfo(cl->device, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof offered, &offered,
                           NULL));
        if (!(offered & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
            child_unsupported("no out-of-order queues");
    }
    cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &status);
    cl_check(status, "clCreateContext");
    cl->queue = cl_new_queue(cl, properties);
}

// Ends the child with the first lines of the build log.
static _Noreturn void fail_with_log(struct cl *cl, cl_program program, cl_int status) {
    size_t size = 0;
    clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = allocate(size + 1);
    clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    for (char *c = log; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    child_fail("clBuildProgram: error %d, log: %.300s", status, log);
}

void cl_build_program(struct cl *cl, cl_program program, const char *options) {
    cl_int status = clBuildProgram(program, 1, &cl->device, options, NULL, NULL);
    if (status != CL_SUCCESS)
        fail_with_log(cl, program, status);
}

cl_program cl_build(struct cl *cl, const char *source, const char *options) {
    cl_int status;
    cl_program program = clCreateProgramWithSource(cl->context, 1, &source, NULL, &status);
    cl_check(status, "clCreateProgramWithSource");
    cl_build_program(cl, program, options);
    return program;
}

cl_kernel cl_get_kernel(cl_program program, const char *name) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    cl_check(status, "clCreateKernel");
    return kernel;
}

cl_mem cl_new_buffer(struct cl *cl, size_t bytes, const void *initial) {
    cl_int status;
    cl_mem buffer = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    cl_check(status, "clCreateBuffer");
    if (initial)
        CL(clEnqueueWriteBuffer(cl->queue, buffer, CL_TRUE, 0, bytes, initial, 0, NULL, NULL));
    return buffer;
}

void cl_read(cl_command_queue queue, cl_mem buffer, size_t bytes, void *out) {
    CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
}

const char *kernel_text(const char *name) {
    for (int i = 0; i < embedded_count; i++)
        if (strcmp(embedded_files[i].name, name) == 0)
            return embedded_files[i].text;
    child_fail("no kernel file %s.cl in this program", name);
}
