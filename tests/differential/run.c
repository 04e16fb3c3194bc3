// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Runs kernels of one .cl file under the settings of its environment and says what came out.
 *
 *   differential-run FILE.cl [--options TEXT] [--kernel NAME] [--shape N] [--dump FOLDER]
 *
 * All kernels have the parameters (global int *out, global const int *in, local int *scratch, int
 * n), or all of these but `scratch`, without which they may be flat. For each kernel and shape, a
 * line "kernel shape hash" of all bytes of `out`; with --dump, FOLDER/kernel-shape has the bytes.
 * driver.py compares the lines of different settings.
 */
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape {
    cl_uint dimensions;
    size_t global[3], offset[3], local[3];
    int n;
} shape;

/* At most MAX_TOTAL items, MAX_ITEMS in a group. */
static const shape shapes[] = {
    {1, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 0},      {1, {64, 1, 1}, {0, 0, 0}, {16, 1, 1}, 1},
    {1, {75, 1, 1}, {0, 0, 0}, {16, 1, 1}, 2},    {1, {30, 1, 1}, {3, 0, 0}, {7, 1, 1}, 3},
    {1, {200, 1, 1}, {0, 0, 0}, {64, 1, 1}, 4},   {1, {40, 1, 1}, {5, 0, 0}, {1, 1, 1}, 5},
    {1, {1000, 1, 1}, {0, 0, 0}, {250, 1, 1}, 6}, {2, {17, 4, 1}, {0, 0, 0}, {16, 4, 1}, 2},
    {2, {10, 11, 1}, {1, 2, 0}, {3, 5, 1}, 3},    {2, {33, 9, 1}, {0, 0, 0}, {32, 2, 1}, 1},
    {3, {9, 7, 5}, {1, 2, 3}, {4, 4, 2}, 4},      {3, {15, 3, 7}, {0, 0, 0}, {7, 2, 3}, 5},
};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes), MAX_TOTAL = 1024, ATOMICS = 64 };
enum { OUT_COUNT = MAX_TOTAL * 4 + ATOMICS, IN_COUNT = MAX_TOTAL + 64, SCRATCH_PER_ITEM = 8 };

typedef struct arguments {
    const char *file, *options, *kernel, *folder;
    int shape;
} arguments;

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_mem out_buffer, in_buffer;
static int out[OUT_COUNT], in[IN_COUNT];

static void need(cl_int error, const char *what) {
    if (!error)
        return;
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(3);
}

static void set_up(void) {
    cl_platform_id platform;
    cl_int error;
    uint32_t state = 12345;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    need(error, "clCreateCommandQueueWithProperties");
    for (int i = 0; i < IN_COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        in[i] = (int)(state >> 8) % 251;
    }
    out_buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(out), NULL, &error);
    need(error, "clCreateBuffer");
    in_buffer =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(in), in, &error);
    need(error, "clCreateBuffer");
}

static cl_program build(const char *path, const char *options) {
    cl_int error;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(3);
    }
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file);
    char *source = calloc(1, bytes + 1);
    rewind(file);
    bytes = fread(source, 1, bytes, file);
    fclose(file);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char *[]){source}, &bytes, &error);
    need(error, "clCreateProgramWithSource");
    free(source);
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error) {
        static char log[1 << 15];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
        fprintf(stderr, "build: error %d: %s\n", error, log);
        exit(4);
    }
    return program;
}

static void launch(cl_kernel kernel, const shape *how) {
    size_t items = how->local[0] * how->local[1] * how->local[2];
    cl_uint count = 0;
    cl_event event;
    for (int i = 0; i < OUT_COUNT; i++)
        out[i] = 0x1234567;
    need(clEnqueueWriteBuffer(queue, out_buffer, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
         "clEnqueueWriteBuffer");
    need(clSetKernelArg(kernel, 0, sizeof(out_buffer), &out_buffer), "clSetKernelArg");
    need(clSetKernelArg(kernel, 1, sizeof(in_buffer), &in_buffer), "clSetKernelArg");
    need(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL),
         "clGetKernelInfo");
    if (count == 4)
        need(clSetKernelArg(kernel, 2, items * SCRATCH_PER_ITEM * sizeof(int), NULL),
             "clSetKernelArg");
    need(clSetKernelArg(kernel, count - 1, sizeof(how->n), &how->n), "clSetKernelArg");
    need(clEnqueueNDRangeKernel(queue, kernel, how->dimensions, how->offset, how->global,
                                how->local, 0, NULL, &event),
         "clEnqueueNDRangeKernel");
    need(clWaitForEvents(1, &event), "the kernel"); /* a later command would not tell */
    clReleaseEvent(event);
    need(clEnqueueReadBuffer(queue, out_buffer, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
         "clEnqueueReadBuffer");
}

/** FNV-1a over words. */
static uint64_t hash(void) {
    uint64_t state = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < OUT_COUNT; i++)
        state = (state ^ (uint32_t)out[i]) * UINT64_C(0x100000001b3);
    return state;
}

static void dump(const char *folder, const char *name, int number) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s-%d", folder, name, number);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(out, sizeof(out), 1, file) != 1 || fclose(file)) {
        perror(path);
        exit(3);
    }
}

static void run_kernel(cl_kernel kernel, const arguments *what) {
    char name[256];
    need(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL),
         "clGetKernelInfo");
    if (what->kernel && strcmp(what->kernel, name) != 0)
        return;
    for (int number = 0; number < SHAPES; number++) {
        if (what->shape >= 0 && number != what->shape)
            continue;
        printf("%s %d ", name, number);
        fflush(stdout); /* if it hangs or crashes, the driver knows where */
        launch(kernel, &shapes[number]);
        printf("%016llx\n", (unsigned long long)hash());
        if (what->folder)
            dump(what->folder, name, number);
    }
}

int main(int argc, char **argv) {
    arguments what = {.options = "-cl-std=CL2.0", .shape = -1};
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--options") == 0  ? &what.options
                             : strcmp(argv[i], "--kernel") == 0 ? &what.kernel
                             : strcmp(argv[i], "--dump") == 0   ? &what.folder
                                                                : NULL;
        if (value && i + 1 < argc)
            *value = argv[++i];
        else if (strcmp(argv[i], "--shape") == 0 && i + 1 < argc)
            what.shape = atoi(argv[++i]);
        else
            what.file = argv[i];
    }
    if (!what.file)
        return 2;
    set_up();
    cl_program program = build(what.file, what.options);
    cl_kernel kernels[1024];
    cl_uint count = 0;
    need(clCreateKernelsInProgram(program, 1024, kernels, &count), "clCreateKernelsInProgram");
    for (cl_uint i = 0; i < count; i++)
        run_kernel(kernels[i], &what);
    return 0;
}
