// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "build": from a source or a binary to results.
#include "child.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
    struct cl cl;
    struct source source;
    cl_mem in, out;
    float input[SOURCE_ITEMS], output[MAX_KERNELS][SOURCE_ITEMS];
    unsigned char *binary;
    size_t binary_size;
};

// Which source a line builds.
static const int tiny = 1, medium = 4, big = 40;

static struct work *new_work(struct job *job) {
    struct work *work = job->state = allocate(sizeof *work);
    work->source = make_source(*(const int *)job->line->data, job->nonce);
    source_input(work->input);
    return work;
}

static void open_cl(struct work *work) {
    cl_open(&work->cl, 0);
    work->in = cl_new_buffer(&work->cl, sizeof work->input, work->input);
    work->out = cl_new_buffer(&work->cl, sizeof work->input, NULL);
}

// Creates and runs each kernel once and reads its results.
static void run_kernels(struct work *work, cl_program program) {
    const size_t global = SOURCE_ITEMS, local = SOURCE_GROUP;
    for (int i = 0; i < work->source.kernels; i++) {
        char name[64];
        source_kernel_name(&work->source, i, name);
        cl_kernel kernel = cl_get_kernel(program, name);
        CL(clSetKernelArg(kernel, 0, sizeof work->in, &work->in));
        CL(clSetKernelArg(kernel, 1, sizeof work->out, &work->out));
        CL(clEnqueueNDRangeKernel(work->cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        cl_read(work->cl.queue, work->out, sizeof work->input, work->output[i]);
        CL(clReleaseKernel(kernel));
    }
}

static void check_kernels(struct work *work) {
    for (int i = 0; i < work->source.kernels; i++)
        check_source(&work->source, i, work->input, work->output[i]);
    memset(work->output, 0, sizeof work->output);
}

static void build_and_run(void *context) {
    struct work *work = context;
    cl_program program = cl_build(&work->cl, work->source.text, "");
    run_kernels(work, program);
    CL(clReleaseProgram(program));
}

static void fresh_source_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = new_work(job);
    const double start = now_ms();
    open_cl(work);
    const double opened = now_ms();
    build_and_run(work);
    const double end = now_ms();
    check_kernels(work);
    values[0] = end - opened;
    values[1] = end - start;
}

static const struct probe fresh_source_probe = {
    .fresh = true, .builds = true, .run = fresh_source_run};

static void same_source_open(struct job *job) {
    struct work *work = new_work(job);
    open_cl(work);
    build_and_run(work);
    check_kernels(work);
}

static void same_source_run(struct job *job, double values[MAX_VALUES]) {
    values[0] = best_ms(build_and_run, job->state);
    check_kernels(job->state);
}

static const struct probe same_source_probe = {.open = same_source_open, .run = same_source_run};

static void prepare_source(struct job *job) {
    same_source_open(job);
}

static const struct probe other_process_probe = {
    .fresh = true, .prepare = prepare_source, .run = fresh_source_run};

static void get_binary(struct work *work) {
    cl_program program = cl_build(&work->cl, work->source.text, "");
    run_kernels(work, program);
    CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof work->binary_size,
                        &work->binary_size, NULL));
    if (work->binary_size == 0)
        child_wrong("the program's binary has no bytes");
    work->binary = allocate(work->binary_size);
    CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof work->binary, &work->binary, NULL));
    CL(clReleaseProgram(program));
    check_kernels(work);
}

static void binary_and_run(void *context) {
    struct work *work = context;
    const unsigned char *binary = work->binary;
    cl_int status, binary_status;
    cl_program program =
        clCreateProgramWithBinary(work->cl.context, 1, &work->cl.device, &work->binary_size,
                                  &binary, &binary_status, &status);
    cl_check(status, "clCreateProgramWithBinary");
    cl_build_program(&work->cl, program, "");
    run_kernels(work, program);
    CL(clReleaseProgram(program));
}

static void binary_open(struct job *job) {
    struct work *work = new_work(job);
    open_cl(work);
    get_binary(work);
}

static void binary_run(struct job *job, double values[MAX_VALUES]) {
    values[0] = best_ms(binary_and_run, job->state);
    check_kernels(job->state);
}

static const struct probe binary_probe = {.open = binary_open, .run = binary_run};

static void binary_path(const struct job *job, char path[512]) {
    snprintf(path, 512, "%s/program.bin", job->scratch);
}

static void prepare_binary(struct job *job) {
    char path[512];
    binary_path(job, path);
    binary_open(job);
    struct work *work = job->state;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(work->binary, 1, work->binary_size, file) != work->binary_size ||
        fclose(file) != 0)
        child_fail("cannot write %s", path);
}

static void other_binary_run(struct job *job, double values[MAX_VALUES]) {
    enum { MOST = 64 << 20 };
    struct work *work = new_work(job);
    char path[512];
    binary_path(job, path);
    FILE *file = fopen(path, "rb");
    if (!file)
        child_fail("cannot read %s", path);
    work->binary = allocate(MOST);
    work->binary_size = fread(work->binary, 1, MOST, file);
    fclose(file);
    open_cl(work);
    const double start = now_ms();
    binary_and_run(work);
    values[0] = now_ms() - start;
    check_kernels(work);
}

static const struct probe other_binary_probe = {
    .fresh = true, .prepare = prepare_binary, .run = other_binary_run};

extern const struct probe parallel_probe; // lines_parallel.c

// clang-format off
const struct line build_lines[] = {
    {"build/tiny", "tiny source to first result, nothing cached", UNIT_MS,
     &fresh_source_probe, 0, &tiny},
    {"build/tiny_whole", "    from before clGetPlatformIDs", UNIT_MS,
     &fresh_source_probe, 1, &tiny},
    {"build/medium", "150 lines, 4 kernels to all results", UNIT_MS,
     &fresh_source_probe, 0, &medium},
    {"build/medium_whole", "    from before clGetPlatformIDs", UNIT_MS,
     &fresh_source_probe, 1, &medium},
    {"build/big", "1500 lines, 40 kernels to all results", UNIT_MS,
     &fresh_source_probe, 0, &big},
    {"build/big_whole", "    from before clGetPlatformIDs", UNIT_MS,
     &fresh_source_probe, 1, &big},
    {"build/again", "same 150 lines again, same process", UNIT_MS,
     &same_source_probe, 0, &medium},
    {"build/again_process", "same 150 lines again, another process", UNIT_MS,
     &other_process_probe, 0, &medium},
    {"build/again_process_whole", "    from before clGetPlatformIDs", UNIT_MS,
     &other_process_probe, 1, &medium},
    {"build/binary", "tiny program's binary to result, same process", UNIT_MS,
     &binary_probe, 0, &tiny},
    {"build/binary_process", "tiny program's binary to result, another process", UNIT_MS,
     &other_binary_probe, 0, &tiny},
    {"build/eight", "8 programs of one large kernel, one by one", UNIT_MS,
     &parallel_probe, 0, NULL},
    {"build/eight_at_once", "    all at once, with callbacks", UNIT_MS,
     &parallel_probe, 1, NULL},
    {"build/eight_gain", "    times as fast", UNIT_TIMES,
     &parallel_probe, 2, NULL},
};
// clang-format on
const size_t build_line_count = sizeof build_lines / sizeof *build_lines;
