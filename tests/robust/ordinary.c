// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * An ordinary program, which privileged.py runs with more rights than its user has or in another
 * user's environment: `ordinary LIBWEFT` says whether it has more rights, what it sees of the
 * device, and whether a kernel computes what it should. It takes the library from its argument,
 * since loaders have rules of their own for such programs.
 */
#include <CL/cl_ext_weft.h>
#include <CL/cl_icd.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

enum { ITEMS = 1000 };

static const cl_icd_dispatch *cl; /* an object begins with its table */

static int fail(int line, cl_int error) {
    printf("line %d: %d\n", line, error);
    return 1;
}

#define REQUIRE(call)                                                                              \
    do {                                                                                           \
        cl_int error_ = (call);                                                                    \
        if (error_ != CL_SUCCESS)                                                                  \
            return fail(__LINE__, error_);                                                         \
    } while (0)

static int show(cl_platform_id platform, cl_device_id *device) {
    cl_device_affinity_domain domains = 0;
    char names[4096] = "";
    cl_uint devices = 0;

    REQUIRE(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, &devices));
    REQUIRE(cl->clGetDeviceInfo(*device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(domains),
                                &domains, NULL));
    REQUIRE(cl->clGetDeviceInfo(*device, CL_DEVICE_BUILT_IN_KERNELS, sizeof(names), names, NULL));
    printf("devices %u\nbuilt-in kernels %s\n", devices,
           strstr(names, "asks.nothing") ? "plug-in" : "own");
    return 0;
}

/* The sum of what `work` of `source` computes for 0 .. ITEMS - 1. */
static int compute(cl_device_id device) {
    const char *source = "kernel void work(global int *p) { p[get_global_id(0)] *= 3; }";
    size_t items = ITEMS;
    int data[ITEMS];
    cl_int error;
    long sum = 0;

    for (int i = 0; i < ITEMS; i++)
        data[i] = i;
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    REQUIRE(error);
    cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, &error);
    REQUIRE(error);
    cl_program program = cl->clCreateProgramWithSource(context, 1, &source, NULL, &error);
    REQUIRE(error);
    REQUIRE(cl->clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = cl->clCreateKernel(program, "work", &error);
    REQUIRE(error);
    cl_mem memory = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error);
    REQUIRE(error);
    REQUIRE(cl->clSetKernelArg(kernel, 0, sizeof(memory), &memory));
    REQUIRE(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    REQUIRE(cl->clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        sum += data[i];
    printf("sum %ld\n", sum);
    REQUIRE(cl->clReleaseMemObject(memory));
    REQUIRE(cl->clReleaseKernel(kernel));
    REQUIRE(cl->clReleaseProgram(program));
    REQUIRE(cl->clReleaseCommandQueue(queue));
    REQUIRE(cl->clReleaseContext(context));
    return 0;
}

int main(int argc, char **argv) {
    cl_int(CL_API_CALL * list)(cl_uint, cl_platform_id *, cl_uint *);
    cl_platform_id platform;
    cl_device_id device;
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;

    if (!library) {
        puts("cannot be loaded");
        return 2;
    }
    puts(getauxval(AT_SECURE) ? "secure" : "plain");
    fflush(stdout);
    *(void **)&list = dlsym(library, "clIcdGetPlatformIDsKHR");
    REQUIRE(list(1, &platform, NULL));
    cl = *(const cl_icd_dispatch **)platform;
    int failed = show(platform, &device);
    return failed ? failed : compute(device);
}
