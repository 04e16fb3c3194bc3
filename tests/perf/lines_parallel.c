// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds of several programs, one after the other and all at once with callbacks.
#include "child.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

// One kernel each, so that a build by itself has nothing to share among processors, and long enough
// that it takes 50 ms and more.
enum { PROGRAMS = 8, BLOCKS = 80, ITEMS = 64 };

struct work {
    struct cl cl;
    uint32_t nonce;
    cl_mem out;
    sem_t built;
};

static uint32_t constant(const struct work *work, int program, int block) {
    return (work->nonce + (uint32_t)(program * BLOCKS + block)) * 2654435761u | 1;
}

static char *make_text(const struct work *work, int program) {
    const size_t room = 1024 + BLOCKS * 128;
    char *text = allocate(room);
    size_t at = (size_t)snprintf(text, room,
                                 "kernel void k(global uint *out) {\n"
                                 "    uint x = get_global_id(0);\n");
    for (int i = 0; i < BLOCKS; i++)
        at += (size_t)snprintf(text + at, room - at,
                               "    if (x & %uu) x = x * 1664525u + %uu; else x ^= x >> %d;\n",
                               1u << i % 13, constant(work, program, i), 1 + i % 11);
    snprintf(text + at, room - at, "    out[get_global_id(0)] = x;\n}\n");
    return text;
}

static uint32_t expected(const struct work *work, int program, uint32_t x) {
    for (int i = 0; i < BLOCKS; i++)
        x = x & 1u << i % 13 ? x * 1664525u + constant(work, program, i) : x ^ x >> (1 + i % 11);
    return x;
}

static void check_program(struct work *work, cl_program built, int program) {
    const size_t global = ITEMS;
    uint32_t out[ITEMS];
    cl_kernel kernel = cl_get_kernel(built, "k");
    CL(clSetKernelArg(kernel, 0, sizeof work->out, &work->out));
    CL(clEnqueueNDRangeKernel(work->cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    cl_read(work->cl.queue, work->out, sizeof out, out);
    CL(clReleaseKernel(kernel));
    for (uint32_t i = 0; i < ITEMS; i++)
        if (out[i] != expected(work, program, i))
            child_wrong("program %d, item %u: %u, not %u", program, i, out[i],
                        expected(work, program, i));
}

static void CL_CALLBACK on_built(cl_program program, void *semaphore) {
    (void)program;
    sem_post(semaphore);
}

// Milliseconds until all are built.
static double build_all(struct work *work, int first, bool at_once) {
    cl_program programs[PROGRAMS];
    char *texts[PROGRAMS];
    cl_int status;
    for (int i = 0; i < PROGRAMS; i++)
        texts[i] = make_text(work, first + i);
    const double start = now_ms();
    for (int i = 0; i < PROGRAMS; i++) {
        programs[i] =
            clCreateProgramWithSource(work->cl.context, 1, (const char **)&texts[i], NULL, &status);
        cl_check(status, "clCreateProgramWithSource");
        CL(clBuildProgram(programs[i], 0, NULL, "", at_once ? on_built : NULL,
                          at_once ? &work->built : NULL));
    }
    for (int i = 0; i < PROGRAMS && at_once; i++)
        sem_wait(&work->built);
    const double end = now_ms();
    for (int i = 0; i < PROGRAMS; i++) {
        check_program(work, programs[i], first + i);
        CL(clReleaseProgram(programs[i]));
        free(texts[i]);
    }
    return end - start;
}

static void parallel_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = job->state = allocate(sizeof *work);
    work->nonce = (uint32_t)job->nonce;
    sem_init(&work->built, 0, 0);
    cl_open(&work->cl, 0);
    work->out = cl_new_buffer(&work->cl, ITEMS * sizeof(uint32_t), NULL);
    build_all(work, 1000, true); // what the first build of a process costs is in neither
    values[0] = build_all(work, 0, false);
    values[1] = build_all(work, PROGRAMS, true);
    values[2] = values[0] / values[1];
}

const struct probe parallel_probe = {.fresh = true, .builds = true, .run = parallel_run};
