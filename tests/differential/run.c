// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Runs kernels of one .cl file under the settings of its environment and says what came out.
 *
 *   differential-run FILE.cl [--options TEXT] [--kernel NAME] [--without NAME]... [--shape N]
 *                    [--dump FOLDER] [--no-guards] [--seconds N]
 *
 * How kernels are launched stands in the file (launches.h), or else all have the parameters (global
 * int *out, global const int *in, local int *scratch, int n), or all of these but `scratch`,
 * without which they may be flat. For each kernel and launch, a line "kernel number hash" of all
 * bytes of its output buffers; with
 * --dump, FOLDER/kernel-number has the bytes. driver.py compares the lines of different settings.
 *
 * Each buffer lies in the host's memory (CL_MEM_USE_HOST_PTR) and has exactly the bytes that the
 * launch says: it ends where a page begins that nobody may touch, or begins behind one, by turns.
 * --no-guards leaves it to OpenCL where buffers are. --seconds ends the process by SIGALRM if one
 * launch takes longer.
 */
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "launches.h"

enum { MAX_ARGUMENTS = 32, MAX_WITHOUT = 128 };

typedef struct arguments {
    const char *file, *options, *kernel, *folder;
    const char *without[MAX_WITHOUT];
    int without_count, shape, seconds;
    bool no_guards;
} arguments;

/** A buffer of a launch. */
typedef struct place {
    cl_mem mem;
    unsigned char *pages, *data;
    size_t mapped, bytes;
    const launch_argument *argument;
    bool output;
} place;

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void need(cl_int error, const char *what) {
    if (!error)
        return;
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(3);
}

static void set_up(void) {
    cl_platform_id platform;
    cl_int error;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    need(error, "clCreateCommandQueueWithProperties");
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(3);
    }
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file);
    char *text = calloc(1, bytes + 1);
    rewind(file);
    bytes = fread(text, 1, bytes, file);
    fclose(file);
    return text;
}

static cl_program build(const char *source, const char *options) {
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    need(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error) {
        static char log[1 << 15];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
        fprintf(stderr, "build: error %d: %s\n", error, log);
        exit(4);
    }
    return program;
}

static cl_mem make_image(place *p, const launch_argument *a, cl_mem_flags flags, cl_int *error) {
    static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D,
                                               CL_MEM_OBJECT_IMAGE3D};
    cl_image_format format = {CL_RGBA, a->contents == 'i'   ? CL_SIGNED_INT32
                                       : a->contents == 'u' ? CL_UNSIGNED_INT32
                                       : a->contents == 'b' ? CL_UNSIGNED_INT8
                                                            : CL_FLOAT};
    cl_image_desc desc = {.image_type = types[a->dimensions - 1],
                          .image_width = a->size[0],
                          .image_height = a->dimensions > 1 ? a->size[1] : 0,
                          .image_depth = a->dimensions > 2 ? a->size[2] : 0};
    return clCreateImage(context, flags, &format, &desc, p->data, error);
}

/** Runs a kernel of one item that fills or empties a pipe. */
static void pipe_helper(const char *name, cl_mem pipe, cl_mem buffer, cl_uint packets) {
    static const char source[] =
        "kernel void fill(write_only pipe int p, global int *b, uint n) {"
        " int x = 5; for (uint i = 0; i < n; i++) write_pipe(p, &x); }"
        "kernel void empty(read_only pipe int p, global int *b, uint n) {"
        " int x = 0; for (uint i = 0; i < n && read_pipe(p, &x) == 0; i++) b[i] = x; }";
    static cl_program program;
    size_t one = 1;
    cl_int error;
    if (!program)
        program = build(source, "-cl-std=CL2.0");
    cl_kernel kernel = clCreateKernel(program, name, &error);
    need(error, "clCreateKernel");
    need(clSetKernelArg(kernel, 0, sizeof(pipe), &pipe), "clSetKernelArg");
    need(clSetKernelArg(kernel, 1, sizeof(buffer), &buffer), "clSetKernelArg");
    need(clSetKernelArg(kernel, 2, sizeof(packets), &packets), "clSetKernelArg");
    need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    need(clFinish(queue), "clFinish");
    need(clReleaseKernel(kernel), "clReleaseKernel");
}

static void make_pipe(place *p, const launch_argument *a) {
    cl_int error;
    memset(p, 0, sizeof(*p));
    p->argument = a;
    p->bytes = a->bytes * sizeof(int);
    p->output = a->kind == 'W';
    p->mem = clCreatePipe(context, 0, sizeof(int), (cl_uint)a->bytes, NULL, &error);
    need(error, "clCreatePipe");
    cl_mem none = clCreateBuffer(context, CL_MEM_READ_WRITE, p->bytes, NULL, &error);
    need(error, "clCreateBuffer");
    if (!p->output)
        pipe_helper("fill", p->mem, none, (cl_uint)a->bytes);
    need(clReleaseMemObject(none), "clReleaseMemObject");
}

/** Whether kernels may be given any pointer: some buffers then are no memory objects. */
static bool shares_all_memory(void) {
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, NULL);
    return svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
}

static void make_buffer(place *p, const launch_argument *a, bool at_end, bool guards) {
    cl_int error = CL_SUCCESS;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (a->bytes + page - 1) / page * page;
    cl_mem_flags flags = guards ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
    p->mapped = inside + 2 * page;
    p->bytes = a->bytes;
    p->argument = a;
    p->mem = NULL;
    p->output = a->kind == 'o' || a->kind == 'J';
    p->pages = mmap(NULL, p->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p->pages == MAP_FAILED || mprotect(p->pages + page, inside, PROT_READ | PROT_WRITE)) {
        perror("mmap");
        exit(3);
    }
    memset(p->pages + page, GUARD_BYTE, inside);
    p->data = p->pages + page + (at_end ? inside - a->bytes : 0);
    fill(p->data, a);
    flags |= p->output ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    if (a->dimensions)
        p->mem = make_image(p, a, flags, &error);
    else if (!guards || !shares_all_memory() || a->seed % 4)
        p->mem = clCreateBuffer(context, flags, a->bytes, p->data, &error);
    need(error, a->dimensions ? "clCreateImage" : "clCreateBuffer");
}

/** What lies in the same pages as a buffer must be as it was. */
static void check_around(const place *p) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const unsigned char *begin = p->pages + page, *end = p->pages + p->mapped - page;
    for (const unsigned char *at = begin; at < end; at++)
        if ((at < p->data || at >= p->data + p->bytes) && *at != GUARD_BYTE) {
            fprintf(stderr, "a byte was written %td bytes from the begin of a buffer of %zu\n",
                    at - p->data, p->bytes);
            exit(5);
        }
}

/** FNV-1a over bytes. */
static uint64_t hash(uint64_t state, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        state = (state ^ bytes[i]) * UINT64_C(0x100000001b3);
    return state;
}

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/** What a kernel has left in memory. */
static void read_output(const place *p, unsigned char *bytes) {
    const launch_argument *a = p->argument;
    if (!p->mem) {
        memcpy(bytes, p->data, p->bytes);
        drop_uncounted(bytes, a);
    } else if (a->dimensions) {
        need(clEnqueueReadImage(queue, p->mem, CL_TRUE, (size_t[3]){0}, a->size, 0, 0, bytes, 0,
                                NULL, NULL),
             "clEnqueueReadImage");
    } else if (a->kind == 'W') {
        cl_int error;
        cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, p->bytes, bytes, &error);
        need(error, "clCreateBuffer");
        pipe_helper("empty", p->mem, buffer, (cl_uint)a->bytes);
        need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, p->bytes, bytes, 0, NULL, NULL),
             "clEnqueueReadBuffer");
        need(clReleaseMemObject(buffer), "clReleaseMemObject");
        qsort(bytes, a->bytes, sizeof(int), by_value);
    } else {
        need(clEnqueueReadBuffer(queue, p->mem, CL_TRUE, 0, p->bytes, bytes, 0, NULL, NULL),
             "clEnqueueReadBuffer");
        drop_uncounted(bytes, a);
    }
}

/** Reads an output, adds it to the hash and perhaps to a file, and frees it. */
static uint64_t finish(place *p, uint64_t state, FILE *dump) {
    if (p->output) {
        unsigned char *bytes = calloc(1, p->bytes);
        read_output(p, bytes);
        state = hash(state, bytes, p->bytes);
        if (dump && fwrite(bytes, p->bytes, 1, dump) != 1)
            perror("dump");
        free(bytes);
    }
    if (p->mem)
        need(clReleaseMemObject(p->mem), "clReleaseMemObject");
    if (p->pages) {
        check_around(p);
        munmap(p->pages, p->mapped);
    }
    return state;
}

static uint64_t run_launch(cl_kernel kernel, const launch *how, bool guards, FILE *dump) {
    launch_argument list[MAX_ARGUMENTS];
    place places[MAX_ARGUMENTS];
    cl_uint count = launch_arguments(how, list, MAX_ARGUMENTS), buffers = 0;
    cl_event event;
    for (cl_uint i = 0; i < count; i++) {
        unsigned char bytes[4096];
        launch_argument *a = &list[i];
        a->seed = i * 7919 + (unsigned)how->number;
        if (strchr("oiIJRW", a->kind)) {
            place *p = &places[buffers++];
            if (a->kind == 'R' || a->kind == 'W')
                make_pipe(p, a);
            else
                make_buffer(p, a, (i + (cl_uint)how->number) % 3 != 0, guards);
            if (p->mem)
                need(clSetKernelArg(kernel, i, sizeof(p->mem), &p->mem), "clSetKernelArg");
            else
                need(clSetKernelArgSVMPointer(kernel, i, p->data), "clSetKernelArgSVMPointer");
        } else if (a->kind == 'l') {
            need(clSetKernelArg(kernel, i, a->bytes, NULL), "clSetKernelArg");
        } else if (a->kind == 'v') {
            need(clSetKernelArg(kernel, i, sizeof(a->value), &a->value), "clSetKernelArg");
        } else {
            a->bytes = a->bytes < sizeof(bytes) ? a->bytes : sizeof(bytes);
            fill(bytes, a);
            need(clSetKernelArg(kernel, i, a->bytes, bytes), "clSetKernelArg");
        }
    }
    need(clEnqueueNDRangeKernel(queue, kernel, how->dimensions, how->offset, how->global,
                                how->local, 0, NULL, &event),
         "clEnqueueNDRangeKernel");
    need(clWaitForEvents(1, &event), "the kernel"); /* a later command would not tell */
    clReleaseEvent(event);
    uint64_t state = UINT64_C(0xcbf29ce484222325);
    for (cl_uint i = 0; i < buffers; i++)
        state = finish(&places[i], state, dump);
    return state;
}

static FILE *open_dump(const char *folder, const char *name, int number) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s-%d", folder, name, number);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(3);
    }
    return file;
}

static bool wanted(const arguments *what, const char *name) {
    for (int i = 0; i < what->without_count; i++)
        if (strcmp(what->without[i], name) == 0)
            return false;
    return !what->kernel || strcmp(what->kernel, name) == 0;
}

static void run_kernel(cl_kernel kernel, const char *source, const arguments *what) {
    char name[256];
    cl_uint arguments = 0;
    launch how;
    need(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL),
         "clGetKernelInfo");
    need(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments, NULL),
         "clGetKernelInfo");
    if (!wanted(what, name))
        return;
    for (int number = 0; find_launch(source, name, arguments, number, &how); number++) {
        if (what->shape >= 0 && number != what->shape)
            continue;
        FILE *dump = what->folder ? open_dump(what->folder, name, number) : NULL;
        printf("%s %d ", name, number);
        fflush(stdout); /* if it hangs or crashes, the driver knows where */
        alarm((unsigned)what->seconds);
        uint64_t state = run_launch(kernel, &how, !what->no_guards, dump);
        alarm(0);
        printf("%016llx\n", (unsigned long long)state);
        if (dump && fclose(dump))
            perror("dump");
    }
}

static void read_arguments(arguments *what, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--options") == 0  ? &what->options
                             : strcmp(argv[i], "--kernel") == 0 ? &what->kernel
                             : strcmp(argv[i], "--dump") == 0   ? &what->folder
                                                                : NULL;
        if (strcmp(argv[i], "--without") == 0 && what->without_count < MAX_WITHOUT)
            value = &what->without[what->without_count++];
        if (value && i + 1 < argc)
            *value = argv[++i];
        else if (strcmp(argv[i], "--shape") == 0 && i + 1 < argc)
            what->shape = atoi(argv[++i]);
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            what->seconds = atoi(argv[++i]);
        else if (strcmp(argv[i], "--no-guards") == 0)
            what->no_guards = true;
        else
            what->file = argv[i];
    }
}

int main(int argc, char **argv) {
    arguments what = {.options = "-cl-std=CL2.0", .shape = -1};
    read_arguments(&what, argc, argv);
    if (!what.file)
        return 2;
    set_up();
    char *source = read_file(what.file);
    cl_program program = build(source, what.options);
    cl_kernel kernels[1024];
    cl_uint count = 0;
    need(clCreateKernelsInProgram(program, 1024, kernels, &count), "clCreateKernelsInProgram");
    for (cl_uint i = 0; i < count; i++)
        run_kernel(kernels[i], source, &what);
    return 0;
}
