// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Runs one kernel with buffers that its command line describes, and says what the first one holds.
 *
 *   foreign-run FILE.cl --global X[,Y[,Z]] --local X[,Y[,Z]] --buffer SPEC ...
 *               [--kernel NAME] [--options TEXT] [--dump FILE] [--seconds N]
 *
 * A SPEC is TYPE:COUNT[:FIRST[:STEP]], TYPE int or long, for a buffer of COUNT numbers FIRST,
 * FIRST + STEP, ... (0, 0, ... if not said), or file:PATH for what a file holds. Buffers are
 * arguments in this order. They are the application's own memory, exact to the byte, between pages
 * that nobody may touch: every second one ends at such a page, the others begin behind one.
 *
 * After N seconds of processor time behind the build, 0.3 perhaps, it is killed (SIGPROF).
 *
 * Prints "built MILLISECONDS" and "result HASH MILLISECONDS". Ends with 4 if the program is not
 * built, 3 after any other error; foreign.py reads it.
 */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

enum { MAX_BUFFERS = 16, GUARD = 1 << 16, DIMENSIONS = 3 };

typedef struct buffer {
    const char *spec;
    unsigned char *data;
    size_t bytes;
} buffer;

typedef struct arguments {
    const char *file, *options, *kernel, *dump;
    size_t global[DIMENSIONS], local[DIMENSIONS];
    buffer buffers[MAX_BUFFERS];
    int buffer_count;
    double seconds;
} arguments;

static void need(cl_int error, const char *what) {
    if (!error)
        return;
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(3);
}

static void fail(const char *what) {
    perror(what);
    exit(3);
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static unsigned char *read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = calloc(1, *bytes + 1);
    if (!data || fread(data, 1, *bytes, file) != *bytes)
        fail(path);
    fclose(file);
    return data;
}

/** Memory of its own, between two guards; data of vectors stays aligned to 16 bytes. */
static unsigned char *guarded(size_t bytes, bool at_end) {
    size_t inner = (bytes + GUARD - 1) / GUARD * GUARD;
    unsigned char *all = mmap(NULL, inner + (size_t)2 * GUARD, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED || mprotect(all + GUARD, inner, PROT_READ | PROT_WRITE) != 0)
        fail("mmap");
    return all + GUARD + (at_end ? (inner - bytes) & ~(size_t)7 : 0);
}

static void fill(buffer *what, bool at_end) {
    char type[8] = "";
    unsigned long long count = 0;
    long long first = 0, step = 0;
    if (strncmp(what->spec, "file:", 5) == 0) {
        unsigned char *data = read_file(what->spec + 5, &what->bytes);
        what->data = guarded(what->bytes, at_end);
        memcpy(what->data, data, what->bytes);
        free(data);
        return;
    }
    if (sscanf(what->spec, "%7[a-z]:%llu:%lld:%lld", type, &count, &first, &step) < 2 || !count) {
        fprintf(stderr, "no buffer: %s\n", what->spec);
        exit(2);
    }
    bool wide = strcmp(type, "long") == 0;
    what->bytes = count * (wide ? sizeof(int64_t) : sizeof(int32_t));
    what->data = guarded(what->bytes, at_end);
    for (unsigned long long i = 0; i < count; i++) {
        int64_t number = first + (int64_t)i * step;
        if (wide)
            ((int64_t *)(void *)what->data)[i] = number;
        else
            ((int32_t *)(void *)what->data)[i] = (int32_t)number;
    }
}

static cl_program build(cl_context context, cl_device_id device, const arguments *what) {
    cl_int error;
    size_t bytes;
    const char *source = (const char *)read_file(what->file, &bytes);
    cl_program program = clCreateProgramWithSource(context, 1, &source, &bytes, &error);
    need(error, "clCreateProgramWithSource");
    double start = milliseconds();
    error = clBuildProgram(program, 1, &device, what->options, NULL, NULL);
    if (error) {
        static char log[1 << 15];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
        fprintf(stderr, "build: error %d: %s\n", error, log);
        exit(4);
    }
    printf("built %.0f\n", milliseconds() - start);
    fflush(stdout); /* if it hangs or crashes, the script knows where */
    return program;
}

static void set_arguments(cl_context context, cl_kernel kernel, arguments *what, cl_mem *memory) {
    cl_int error;
    for (int i = 0; i < what->buffer_count; i++) {
        buffer *each = &what->buffers[i];
        fill(each, i % 2 == 0);
        memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, each->bytes,
                                   each->data, &error);
        need(error, "clCreateBuffer");
        need(clSetKernelArg(kernel, (cl_uint)i, sizeof(cl_mem), &memory[i]), "clSetKernelArg");
    }
}

/** FNV-1a over bytes. */
static uint64_t hash(const unsigned char *data, size_t bytes) {
    uint64_t state = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        state = (state ^ data[i]) * UINT64_C(0x100000001b3);
    return state;
}

/** Not before the build: that takes its time, and has a limit of its own. */
static void limit(double seconds) {
    struct itimerval timer = {.it_value = {(time_t)seconds, (long)(seconds * 1e6) % 1000000}};
    if (setitimer(ITIMER_PROF, &timer, NULL) != 0)
        fail("setitimer");
}

static void run(arguments *what) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    cl_mem memory[MAX_BUFFERS];
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    need(error, "clCreateCommandQueueWithProperties");
    cl_kernel kernel = clCreateKernel(build(context, device, what), what->kernel, &error);
    need(error, "clCreateKernel");
    set_arguments(context, kernel, what, memory);
    limit(what->seconds);
    double start = milliseconds();
    cl_event event;
    need(clEnqueueNDRangeKernel(queue, kernel, DIMENSIONS, NULL, what->global, what->local, 0, NULL,
                                &event),
         "clEnqueueNDRangeKernel");
    need(clWaitForEvents(1, &event), "the kernel"); /* a later command would not tell */
    size_t bytes = what->buffers[0].bytes;
    unsigned char *result = malloc(bytes);
    need(clEnqueueReadBuffer(queue, memory[0], CL_TRUE, 0, bytes, result, 0, NULL, NULL),
         "clEnqueueReadBuffer");
    printf("result %016llx %.0f\n", (unsigned long long)hash(result, bytes),
           milliseconds() - start);
    FILE *file = what->dump ? fopen(what->dump, "wb") : NULL;
    if (what->dump && (!file || fwrite(result, bytes, 1, file) != 1 || fclose(file)))
        fail(what->dump);
    free(result);
}

static void sizes(const char *text, size_t *out) {
    unsigned long long x = 1, y = 1, z = 1;
    if (sscanf(text, "%llu,%llu,%llu", &x, &y, &z) < 1)
        exit(2);
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

int main(int argc, char **argv) {
    arguments what = {.options = "", .kernel = "entry"};
    sizes("1", what.global);
    sizes("1", what.local);
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        const char **text = strcmp(name, "--options") == 0  ? &what.options
                            : strcmp(name, "--kernel") == 0 ? &what.kernel
                            : strcmp(name, "--dump") == 0   ? &what.dump
                                                            : NULL;
        i += strncmp(name, "--", 2) == 0;
        if (text)
            *text = value;
        else if (strcmp(name, "--global") == 0)
            sizes(value, what.global);
        else if (strcmp(name, "--local") == 0)
            sizes(value, what.local);
        else if (strcmp(name, "--seconds") == 0)
            what.seconds = atof(value);
        else if (strcmp(name, "--buffer") == 0 && what.buffer_count < MAX_BUFFERS)
            what.buffers[what.buffer_count++].spec = value;
        else
            what.file = name;
    }
    if (!what.file || !what.buffer_count)
        return 2;
    run(&what);
    return 0;
}
