// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What most tests of the API start from: Weft's platform, its devices, a context, programs. */
#ifndef WEFT_TEST_COMMON_H
#define WEFT_TEST_COMMON_H

#include "harness.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

/** The first platform named Weft. */
static inline cl_platform_id weft_platform(void) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    char name[64];
    CHECK_EQ(clGetPlatformIDs(16, platforms, &count), CL_SUCCESS);
    for (cl_uint i = 0; i < count && i < 16; i++)
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL) ==
                CL_SUCCESS &&
            strcmp(name, "Weft") == 0)
            return platforms[i];
    FAIL("no platform is named Weft");
}

/** Device number `index`. */
static inline cl_device_id weft_device(cl_uint index) {
    cl_device_id devices[16];
    cl_uint count = 0;
    CHECK_EQ(clGetDeviceIDs(weft_platform(), CL_DEVICE_TYPE_ALL, 16, devices, &count), CL_SUCCESS);
    CHECK(index < count);
    return devices[index];
}

/** A context of the first `count` devices. */
static inline cl_context weft_context(cl_uint count) {
    cl_device_id devices[16];
    cl_int error = 1;
    for (cl_uint i = 0; i < count; i++)
        devices[i] = weft_device(i);
    cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(context);
    return context;
}

/** Ends the test as skipped where Weft was built without its compiler. */
static inline void weft_need_compiler(void) {
    cl_bool there = CL_FALSE;
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_COMPILER_AVAILABLE, sizeof(there), &there, NULL),
        CL_SUCCESS);
    if (!there)
        SKIP("built without the compiler");
}

/** A program from source, not built. */
static inline cl_program weft_source(cl_context context, const char *source) {
    cl_int error = 1;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return program;
}

/** The build log for a device, in a buffer that the next call overwrites. */
static inline const char *weft_log_of(cl_program program, cl_device_id device) {
    static char log[16384];
    log[0] = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
    return log;
}

/** The program's binary for its first device, to be freed, and its size. A byte behind it is
 *  watched: not more is written than was said. */
static inline unsigned char *weft_binary_of(cl_program program, size_t *size) {
    size_t sizes[16] = {0}, count = 0;
    unsigned char *list[16] = {NULL};
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, &count),
             CL_SUCCESS);
    CHECK(sizes[0] > 0);
    list[0] = malloc(sizes[0] + 1);
    list[0][sizes[0]] = 0xa5;
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, count, list, NULL), CL_SUCCESS);
    CHECK_EQ(list[0][sizes[0]], 0xa5);
    *size = sizes[0];
    return list[0];
}

/** A program built for all devices of the context. */
static inline cl_program weft_built(cl_context context, const char *source, const char *options) {
    cl_program program = weft_source(context, source);
    cl_int error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    if (error == CL_COMPILER_NOT_AVAILABLE)
        SKIP("no compiler: %.200s", weft_log_of(program, weft_device(0)));
    if (error != CL_SUCCESS)
        FAIL("clBuildProgram: %d: %.600s", error, weft_log_of(program, weft_device(0)));
    return program;
}

static inline cl_kernel weft_kernel(cl_program program, const char *name) {
    cl_int error = 1;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return kernel;
}

/** Runs one item of a kernel whose first argument is a buffer of one word, which is `word` at
 * first, and whose second, if `more` is not NULL, is this of four bytes. Returns the word
 * afterwards. */
static inline cl_uint weft_run_one(cl_program program, const char *name, cl_uint word,
                                   const void *more) {
    cl_context context = NULL;
    cl_int error = 1;
    const size_t one = 1;
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context), &context, NULL),
             CL_SUCCESS);
    cl_kernel kernel = weft_kernel(program, name);
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(word), &word, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    if (more)
        CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(word), more), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(word), &word, 0, NULL, NULL),
             CL_SUCCESS);
    clReleaseCommandQueue(queue);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    return word;
}

/** Sizes of answers, and errors, of an information query: `CALL(name, size, value, size_ret)`. */
#define CHECK_INFO_SIZE(CALL, name, bytes)                                                         \
    do {                                                                                           \
        size_t info_size = 0;                                                                      \
        char info_value[4096];                                                                     \
        CHECK_EQ(CALL(name, 0, NULL, &info_size), CL_SUCCESS);                                     \
        CHECK_EQ(info_size, bytes);                                                                \
        CHECK_EQ(CALL(name, sizeof(info_value), info_value, NULL), CL_SUCCESS);                    \
        if (info_size)                                                                             \
            CHECK_EQ(CALL(name, info_size - 1, info_value, NULL), CL_INVALID_VALUE);               \
    } while (0)

/** What weft_run() does: the kernel `k` of a source over buffers and words, in this order. */
typedef struct weft_one_run {
    const char *source, *options;
    size_t items;
    const void *in[3]; /* contents of buffers, up to the first NULL */
    size_t in_bytes[3];
    void *out; /* a buffer with these contents, and those that it has afterwards */
    size_t out_bytes;
    cl_uint words[2], word_count;
} weft_one_run;

static inline void weft_run(const weft_one_run *run) {
    cl_int error = CL_SUCCESS;
    cl_uint count = 0;
    cl_context context = weft_context(1);
    cl_command_queue queue = clCreateCommandQueue(context, weft_device(0), 0, &error);
    cl_program program = weft_built(context, run->source, run->options);
    cl_kernel kernel = weft_kernel(program, "k");
    cl_mem buffers[4];
    for (bool last = false; !last; count++) {
        last = count == 3 || !run->in[count];
        buffers[count] = clCreateBuffer(
            context, CL_MEM_COPY_HOST_PTR, last ? run->out_bytes : run->in_bytes[count],
            last ? run->out : (void *)(uintptr_t)run->in[count], &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, count, sizeof(cl_mem), &buffers[count]), CL_SUCCESS);
    }
    for (cl_uint i = 0; i < run->word_count; i++)
        CHECK_EQ(clSetKernelArg(kernel, count + i, sizeof(cl_uint), &run->words[i]), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &run->items, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffers[count - 1], CL_TRUE, 0, run->out_bytes, run->out, 0,
                                 NULL, NULL),
             CL_SUCCESS);
    while (count)
        clReleaseMemObject(buffers[--count]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

#endif
