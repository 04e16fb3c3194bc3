// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Launches of any kernel, with arguments that look like what such a kernel gets. */
#include "runtime/tool/blame.h"
#include "runtime/tool/tool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 64, MAX_KERNELS = 1024, BUFFER_BYTES = 1 << 18, LOCAL_BYTES = 4096 };
enum { MAX_SCALAR_BYTES = 4096 };

typedef struct launch_size {
    cl_uint dimensions;
    size_t global[3], local[3];
} launch_size;

static const launch_size sizes[BLAME_LAUNCHES] = {
    {1, {1, 1, 1}, {1, 1, 1}},     {1, {64, 1, 1}, {16, 1, 1}},  {1, {75, 1, 1}, {16, 1, 1}},
    {1, {256, 1, 1}, {128, 1, 1}}, {2, {17, 12, 1}, {16, 4, 1}}, {3, {6, 5, 4}, {3, 2, 4}},
};

typedef struct run {
    const cl_icd_dispatch *api;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    FILE *out;
    unsigned char *bytes; /* BUFFER_BYTES */
} run;

/* ---- arguments ------------------------------------------------------------------------------- */

/** What kind of numbers an argument has, by its type's name: small ones, so that indices that a
 *  kernel reads from a buffer stay in other buffers, and loops end. */
static void fill(const char *type, uint32_t seed, unsigned char *to, size_t bytes) {
    bool is_float = strncmp(type, "float", 5) == 0, is_double = strncmp(type, "double", 6) == 0;
    size_t each = is_float                            ? 4
                  : is_double || strstr(type, "long") ? 8
                  : strstr(type, "char")              ? 1
                  : strstr(type, "short")             ? 2
                                                      : 4;
    for (size_t at = 0; at + each <= bytes; at += each) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t small = (seed >> 8) % 61;
        float as_float = (float)small / 8 + 0.125f;
        double as_double = small / 8.0 + 0.125;
        uint64_t whole = small;
        memcpy(to + at,
               is_float    ? (void *)&as_float
               : is_double ? (void *)&as_double
                           : &whole,
               each);
    }
}

/** A value of a size that only the kernel knows. */
static cl_int set_value(run *run, cl_kernel kernel, cl_uint index, const char *type) {
    unsigned char value[MAX_SCALAR_BYTES] = {0};
    cl_int error = CL_INVALID_ARG_SIZE;
    fill(type, index + 7, value, sizeof value);
    for (size_t bytes = 1; bytes <= sizeof value && error == CL_INVALID_ARG_SIZE; bytes++)
        error = run->api->clSetKernelArg(kernel, index, bytes, value);
    return error;
}

static cl_int set_buffer(run *run, cl_kernel kernel, cl_uint index, const char *type,
                         cl_mem *buffer) {
    cl_int error = CL_SUCCESS;
    fill(type, index + 1, run->bytes, BUFFER_BYTES);
    if (!*buffer)
        *buffer =
            run->api->clCreateBuffer(run->context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &error);
    if (!error)
        error = run->api->clEnqueueWriteBuffer(run->queue, *buffer, CL_TRUE, 0, BUFFER_BYTES,
                                               run->bytes, 0, NULL, NULL);
    return error ? error : run->api->clSetKernelArg(kernel, index, sizeof *buffer, buffer);
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/** Sets one argument; NULL, or why that cannot be. */
static const char *set_argument(run *run, cl_kernel kernel, cl_uint index, cl_mem *buffer) {
    char type[256] = "";
    cl_kernel_arg_address_qualifier space = 0;
    cl_int error = run->api->clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                                sizeof space, &space, NULL);
    if (!error)
        error = run->api->clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type,
                                             type, NULL);
    if (error)
        return "nothing is known of its arguments";
    if (strncmp(type, "image", 5) == 0)
        return "it takes an image";
    if (strcmp(type, "sampler_t") == 0 || strcmp(type, "queue_t") == 0)
        return "it takes a sampler or a queue";
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        error = run->api->clSetKernelArg(kernel, index, LOCAL_BYTES, NULL);
    else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
        error = set_value(run, kernel, index, type);
    else
        error = ends_with(type, "*") ? set_buffer(run, kernel, index, type, buffer)
                                     : CL_INVALID_ARG_VALUE;
    return error ? "it takes an argument that nobody can guess" : NULL;
}

static const char *set_arguments(run *run, cl_kernel kernel, cl_uint count,
                                 cl_mem buffers[MAX_ARGUMENTS]) {
    const char *why = count > MAX_ARGUMENTS ? "it has too many arguments" : NULL;
    for (cl_uint i = 0; i < count && !why; i++)
        why = set_argument(run, kernel, i, &buffers[i]);
    return why;
}

/* ---- launches -------------------------------------------------------------------------------- */

/** FNV-1a over what is in all buffers; 0: cannot be read. */
static uint64_t hash(run *run, const cl_mem buffers[MAX_ARGUMENTS]) {
    uint64_t state = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < MAX_ARGUMENTS; i++) {
        if (!buffers[i])
            continue;
        if (run->api->clEnqueueReadBuffer(run->queue, buffers[i], CL_TRUE, 0, BUFFER_BYTES,
                                          run->bytes, 0, NULL, NULL))
            return 0;
        for (size_t at = 0; at < BUFFER_BYTES; at++)
            state = (state ^ run->bytes[at]) * UINT64_C(0x100000001b3);
    }
    return state;
}

/** A kernel that wants a certain size gets launches of one and of several groups. */
static launch_size size_for(run *run, cl_kernel kernel, int number) {
    launch_size size = sizes[number];
    size_t required[3] = {0};
    if (run->api->clGetKernelWorkGroupInfo(kernel, run->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                           sizeof required, required, NULL) ||
        !required[0])
        return size;
    size.dimensions = 3;
    for (int d = 0; d < 3; d++) {
        size.local[d] = required[d];
        size.global[d] = required[d] * (size_t)(1 + (number >> d & 1));
    }
    return size;
}

/** NULL, or what is wrong. */
static const char *launch(run *run, cl_kernel kernel, int number, uint64_t *value) {
    cl_mem buffers[MAX_ARGUMENTS] = {0};
    cl_uint count = 0;
    launch_size size = size_for(run, kernel, number);
    run->api->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    const char *why = set_arguments(run, kernel, count, buffers);
    cl_int error = CL_SUCCESS;
    if (!why)
        error = run->api->clEnqueueNDRangeKernel(run->queue, kernel, size.dimensions, NULL,
                                                 size.global, size.local, 0, NULL, NULL);
    if (!why && !error)
        error = run->api->clFinish(run->queue);
    *value = why || error ? 0 : hash(run, buffers);
    for (size_t i = 0; i < MAX_ARGUMENTS; i++)
        if (buffers[i])
            run->api->clReleaseMemObject(buffers[i]);
    return why;
}

static void run_kernel(run *run, const char *name) {
    cl_int error;
    cl_kernel kernel = run->api->clCreateKernel(run->program, name, &error);
    for (int number = 0; kernel && number < BLAME_LAUNCHES; number++) {
        uint64_t value = 0;
        fprintf(run->out, "%s %d", name, number);
        fflush(run->out);
        alarm(BLAME_SECONDS);
        const char *why = launch(run, kernel, number, &value);
        alarm(0);
        if (why) {
            fprintf(run->out, " ! %s\n", why);
            break;
        }
        fprintf(run->out, " %016llx\n", (unsigned long long)value);
    }
    if (kernel)
        run->api->clReleaseKernel(kernel);
}

/* ---- the program ----------------------------------------------------------------------------- */

static char *read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file) {
        perror(path);
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0) {
        *bytes = (size_t)ftell(file);
        rewind(file);
        text = calloc(1, *bytes + 1);
        if (text)
            *bytes = fread(text, 1, *bytes, file);
    }
    fclose(file);
    return text;
}

static bool build(run *run, const blame_input *input) {
    static char log[1 << 16], options[1 << 14];
    size_t bytes = 0;
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    char *source = read_file(input->file, &bytes);
    if (!source)
        return false;
    run->program = run->api->clCreateProgramWithSource(run->context, 1, (const char **)&source,
                                                       &bytes, &error);
    free(source);
    snprintf(options, sizeof options, "%s -cl-kernel-arg-info", input->options);
    if (!error)
        error = run->api->clBuildProgram(run->program, 1, &run->device, options, NULL, NULL);
    if (!error)
        return true;
    run->api->clGetProgramBuildInfo(run->program, run->device, CL_PROGRAM_BUILD_LOG, sizeof log,
                                    log, NULL);
    fprintf(stderr, "%s", log);
    return false;
}

static bool open_device(run *run) {
    static weft_tool_library library;
    cl_int error;
    if (!weft_tool_open(&library))
        return false;
    run->api = library.api;
    run->device = library.device;
    run->bytes = malloc(BUFFER_BYTES);
    run->context = run->api->clCreateContext(NULL, 1, &run->device, NULL, NULL, &error);
    run->queue =
        run->context
            ? run->api->clCreateCommandQueueWithProperties(run->context, run->device, NULL, &error)
            : NULL;
    return run->bytes && run->queue;
}

int blame_run(const blame_input *input, FILE *out) {
    run run = {.out = out};
    static char names[1 << 16];
    if (!open_device(&run) || !build(&run, input) ||
        run.api->clGetProgramInfo(run.program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL))
        return TOOL_BAD;
    for (char *rest = names, *name; (name = strsep(&rest, ";"));)
        if (*name && (!input->kernel || strcmp(input->kernel, name) == 0))
            run_kernel(&run, name);
    fflush(out);
    return TOOL_GOOD;
}
