// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Errors of functions that make objects or ask about them, where the tests of the objects have
 * none. tests/coverage says which errors are left. */

#include "common.h"

#include <fcntl.h>
#include <unistd.h>

/* Objects of the wrong type: what is not even readable memory cannot be told. */
typedef struct fixture {
    cl_context context;
    cl_command_queue queue;
    void *wrong;
} fixture;

static fixture begin(void) {
    fixture f = {.context = weft_context(2)};
    cl_int error = 1;
    f.queue = clCreateCommandQueueWithProperties(f.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.wrong = f.queue;
    return f;
}

static void end(fixture *f) {
    CHECK_EQ(clReleaseCommandQueue(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f->context), CL_SUCCESS);
}

static void CL_CALLBACK no_context(cl_context context, void *user) {
    (void)context;
    (void)user;
}

static void CL_CALLBACK no_program(cl_program program, void *user) {
    (void)program;
    (void)user;
}

TEST(platform) {
    cl_platform_id platform = weft_platform();
    char text[64];
    CHECK_EQ(clGetPlatformIDs(0, &platform, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetPlatformIDs(0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetPlatformInfo((cl_platform_id)weft_device(0), CL_PLATFORM_NAME, sizeof(text), text,
                               NULL),
             CL_INVALID_PLATFORM);
}

TEST(device_facts) {
    static const cl_device_info facts[] = {CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR,
                                           CL_DEVICE_LUID_VALID_KHR, CL_DEVICE_LUID_KHR,
                                           CL_DEVICE_NODE_MASK_KHR};
    char value[64];
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        CHECK_EQ(clGetDeviceInfo(weft_device(0), facts[i], sizeof(value), value, NULL), CL_SUCCESS);
    cl_ulong device = 0, host = 0;
    CHECK_EQ(clGetDeviceAndHostTimer((cl_device_id)weft_platform(), &device, &host),
             CL_INVALID_DEVICE);
}

TEST(context) {
    fixture f = begin();
    const cl_context_properties bad_platform[] = {CL_CONTEXT_PLATFORM,
                                                  (cl_context_properties)weft_device(0), 0},
                                unknown[] = {CL_CONTEXT_PLATFORM,
                                             (cl_context_properties)weft_platform(), 0x7777, 1, 0};
    cl_int error = 1;
    CHECK(!clCreateContextFromType(bad_platform, CL_DEVICE_TYPE_CPU, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PLATFORM);
    CHECK(!clCreateContextFromType(unknown, CL_DEVICE_TYPE_CPU, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PROPERTY);
    CHECK_EQ(clSetContextDestructorCallback((cl_context)f.wrong, no_context, NULL),
             CL_INVALID_CONTEXT);
    end(&f);
}

TEST(queue) {
    fixture f = begin();
    cl_command_queue_properties old = 0;
    cl_int error = 1;
    CHECK(!clCreateCommandQueue((cl_context)f.wrong, weft_device(0), 0, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK_EQ(clSetCommandQueueProperty((cl_command_queue)f.context, CL_QUEUE_PROFILING_ENABLE,
                                       CL_TRUE, &old),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clSetCommandQueueProperty(f.queue, 1u << 20, CL_TRUE, &old), CL_INVALID_VALUE);
    CHECK_EQ(clSetCommandQueueProperty(f.queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &old),
             CL_INVALID_OPERATION);
    CHECK_EQ(clSetDefaultDeviceCommandQueue((cl_context)f.wrong, weft_device(0), f.queue),
             CL_INVALID_CONTEXT);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(f.context, (cl_device_id)f.wrong, f.queue),
             CL_INVALID_DEVICE);
    end(&f);
}

TEST(memory) {
    fixture f = begin();
    const cl_mem_properties none[] = {0}, unknown[] = {0x7777, 1, 0};
    char byte;
    size_t size;
    cl_int error = 1;
    CHECK_EQ(clGetMemObjectInfo((cl_mem)f.wrong, CL_MEM_SIZE, sizeof(size), &size, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK(!clCreateBufferWithProperties((cl_context)f.wrong, none, 0, 4, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateBufferWithProperties(f.context, unknown, 0, 4, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PROPERTY);
    CHECK(!clCreateBufferWithProperties(f.context, none, 1u << 30, 4, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateBufferWithProperties(f.context, none, 0, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_BUFFER_SIZE);
    CHECK(!clCreateBufferWithProperties(f.context, none, 0, 1, &byte, &error));
    CHECK_EQ(error, CL_INVALID_HOST_PTR);
    end(&f);
}

TEST(pipe) {
    fixture f = begin();
    char value[64];
    cl_int error = 1;
    CHECK(!clCreatePipe((cl_context)f.wrong, 0, 4, 4, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreatePipe(f.context, 0, 0, 4, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PIPE_SIZE);
    CHECK(!clCreatePipe(f.context, 0, 4, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PIPE_SIZE);
    CHECK(!clCreatePipe(f.context, 0, 0x7fffffff, 4, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PIPE_SIZE);
    cl_mem pipe = clCreatePipe(f.context, 0, 4, 4, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clGetPipeInfo(pipe, 0x7777, sizeof(value), value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 1, value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clReleaseMemObject(pipe), CL_SUCCESS);
    end(&f);
}

TEST(program) {
    fixture f = begin();
    char value[64];
    cl_int error = 1;
    CHECK_EQ(clGetProgramInfo((cl_program)f.wrong, CL_PROGRAM_CONTEXT, sizeof(value), value, NULL),
             CL_INVALID_PROGRAM);
    CHECK_EQ(clGetProgramBuildInfo((cl_program)f.wrong, weft_device(0), CL_PROGRAM_BUILD_STATUS,
                                   sizeof(value), value, NULL),
             CL_INVALID_PROGRAM);
    CHECK_EQ(clSetProgramReleaseCallback((cl_program)f.wrong, no_program, NULL),
             CL_INVALID_PROGRAM);
    CHECK(!clCreateProgramWithIL((cl_context)f.wrong, value, sizeof(value), &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    end(&f);
}

TEST(kernel) {
    fixture f = begin();
    cl_device_id first = weft_device(0), second = weft_device(1);
    char value[64];
    cl_int error = 1;
    CHECK_EQ(clGetKernelInfo((cl_kernel)f.wrong, CL_KERNEL_NUM_ARGS, sizeof(value), value, NULL),
             CL_INVALID_KERNEL);
    /* "not the same for all devices for which the program executable has been built" */
    cl_program program = weft_source(f.context, "kernel void k(global TYPE *p, TYPE x) {}");
    CHECK_EQ(clBuildProgram(program, 1, &first, "-DTYPE=int", NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clBuildProgram(program, 1, &second, "-DTYPE=long", NULL, NULL), CL_SUCCESS);
    CHECK(!clCreateKernel(program, "k", &error));
    CHECK_EQ(error, CL_INVALID_KERNEL_DEFINITION);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    program = weft_built(f.context, "kernel void k() {}", NULL);
    cl_kernel kernel = weft_kernel(program, "k");
    CHECK_EQ(clGetKernelSubGroupInfo(kernel, (cl_device_id)f.wrong, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                     NULL, sizeof(value), value, NULL),
             CL_INVALID_DEVICE);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    end(&f);
}

TEST(event) {
    fixture f = begin();
    char value[64];
    CHECK_EQ(clGetEventInfo((cl_event)f.wrong, CL_EVENT_CONTEXT, sizeof(value), value, NULL),
             CL_INVALID_EVENT);
    end(&f);
}

/* The compiler vanishes: the settings name a link that is taken away. */
static char link_name[4096];

TEST(compiler_that_is_gone) {
    fixture f = begin();
    cl_program object = weft_source(f.context, "kernel void k() {}");
    cl_program later = weft_source(f.context, "kernel void later() {}");
    cl_int error = 1;
    if (!getenv("WEFT_COMPILER"))
        SKIP("WEFT_COMPILER does not say where the compiler is");
    CHECK_EQ(clCompileProgram(object, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clUnloadPlatformCompiler(weft_platform()), CL_SUCCESS);
    unlink(link_name);
    CHECK_EQ(clCompileProgram(later, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
             CL_COMPILER_NOT_AVAILABLE);
    CHECK_EQ(clBuildProgram(later, 0, NULL, NULL, NULL, NULL), CL_COMPILER_NOT_AVAILABLE);
    cl_program linked = clLinkProgram(f.context, 0, NULL, NULL, 1, &object, NULL, NULL, &error);
    CHECK_EQ(error, CL_LINKER_NOT_AVAILABLE);
    if (linked)
        CHECK_EQ(clReleaseProgram(linked), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(object), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(later), CL_SUCCESS);
    end(&f);
}

int main(int argc, char **argv) {
    const char *compiler = getenv("WEFT_COMPILER");
    if (compiler) {
        snprintf(link_name, sizeof(link_name), "%s.%ld", compiler, (long)getpid());
        if (linkat(AT_FDCWD, compiler, AT_FDCWD, link_name, AT_SYMLINK_FOLLOW) == 0)
            setenv("WEFT_COMPILER", link_name, 1); /* before Weft reads its settings */
    }
    int failed = weft_run_tests(argc, argv);
    unlink(link_name);
    return failed ? 1 : 0;
}
