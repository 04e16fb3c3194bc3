// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More of the section "queue": who shares the machine with whom. Sub-devices that work at the same
// time, processes that do.
#include "child.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

// ---- two sub-devices of one compute unit each

enum { ITEMS = 1 << 14, STEPS = 1000, LAUNCHES = 4, PAIRS = 8 };

static const char busy_text[] =
    "kernel void busy(global uint *x, uint steps) {\n"
    "    uint v = x[get_global_id(0)];\n"
    "    for (uint i = 0; i < steps; i++) v = v * 1664525u + 1013904223u;\n"
    "    x[get_global_id(0)] = v;\n"
    "}\n";

struct half {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem buffer;
    unsigned launches;
};

struct halves {
    struct cl cl;
    cl_device_id devices[2];
    struct half half[2];
};

static void open_half(struct halves *work, cl_program program, int i) {
    const cl_uint steps = STEPS, zero = 0;
    struct half *half = &work->half[i];
    cl_int error;
    half->queue =
        clCreateCommandQueueWithProperties(work->cl.context, work->devices[i], NULL, &error);
    CL(error);
    half->buffer = cl_new_buffer(&work->cl, ITEMS * sizeof(cl_uint), NULL);
    CL(clEnqueueFillBuffer(half->queue, half->buffer, &zero, sizeof zero, 0,
                           ITEMS * sizeof(cl_uint), 0, NULL, NULL));
    CL(clFinish(half->queue));
    half->kernel = cl_get_kernel(program, "busy");
    CL(clSetKernelArg(half->kernel, 0, sizeof half->buffer, &half->buffer));
    CL(clSetKernelArg(half->kernel, 1, sizeof steps, &steps));
}

static void start(struct half *half) {
    const size_t items = ITEMS, local = 64;
    for (int i = 0; i < LAUNCHES; i++)
        CL(clEnqueueNDRangeKernel(half->queue, half->kernel, 1, NULL, &items, &local, 0, NULL,
                                  NULL));
    CL(clFlush(half->queue));
    half->launches += LAUNCHES;
}

static void halves_check(struct job *job) {
    struct halves *work = job->state;
    for (int h = 0; h < 2; h++) {
        static cl_uint got[ITEMS];
        cl_uint should = 0;
        for (unsigned i = 0; i < work->half[h].launches * STEPS; i++)
            should = should * 1664525u + 1013904223u;
        cl_read(work->half[h].queue, work->half[h].buffer, sizeof got, got);
        for (int i = 0; i < ITEMS; i++)
            if (got[i] != should)
                child_wrong("item %d of sub-device %d is %u, should be %u", i, h, got[i], should);
    }
}

static void halves_run(struct job *job, double values[MAX_VALUES]) {
    struct halves *work = job->state;
    double alone = 1e9, both = 1e9;
    for (int i = 0; i < PAIRS; i++) {
        double before = now_ms();
        start(&work->half[i & 1]);
        CL(clFinish(work->half[i & 1].queue));
        double time = now_ms() - before;
        alone = time < alone ? time : alone;
        before = now_ms();
        start(&work->half[0]);
        start(&work->half[1]);
        CL(clFinish(work->half[0].queue));
        CL(clFinish(work->half[1].queue));
        time = now_ms() - before;
        both = time < both ? time : both;
    }
    values[0] = alone / both;
}

static void halves_open(struct job *job) {
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    struct halves *work = job->state = allocate(sizeof *work);
    double ignored[MAX_VALUES];
    cl_int error;
    memset(work, 0, sizeof *work);
    cl_open_device(&work->cl);
    if (clCreateSubDevices(work->cl.device, counts, 2, work->devices, NULL) != CL_SUCCESS)
        child_unsupported("no sub-devices of one compute unit");
    work->cl.context = clCreateContext(NULL, 2, work->devices, NULL, NULL, &error);
    CL(error);
    work->cl.device = work->devices[0];
    const char *text = busy_text;
    cl_program program = clCreateProgramWithSource(work->cl.context, 1, &text, NULL, &error);
    CL(error);
    CL(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    for (int i = 0; i < 2; i++)
        open_half(work, program, i);
    halves_run(job, ignored);
    halves_check(job);
}

const struct probe halves_probe = {.open = halves_open, .run = halves_run, .check = halves_check};

// ---- four processes

enum { PROCESSES = 4, EACH = 2000 };

struct process {
    pid_t pid;
    int order, answer; // pipes
};

// Launches and waits, as often as it is told to; the counter says whether nothing got lost.
_Noreturn static void serve(int order, int answer) {
    const size_t one = 1;
    const cl_int zero = 0;
    struct cl cl;
    cl_int count = 0, got;
    char byte = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cl_open(&cl, 0);
    cl_kernel kernel = cl_get_kernel(cl_build(&cl, kernel_text("queue"), ""), "add_one");
    cl_mem counter = cl_new_buffer(&cl, sizeof zero, &zero);
    CL(clSetKernelArg(kernel, 0, sizeof counter, &counter));
    while (write(answer, &byte, 1) == 1 && read(order, &byte, 1) == 1) {
        for (int i = 0; i < EACH; i++) {
            CL(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
            CL(clFinish(cl.queue));
        }
        cl_read(cl.queue, counter, sizeof got, &got);
        byte = got == (count += EACH);
    }
    _exit(0);
}

// One of them, before this process has made a call of OpenCL.
static void open_process(struct process *process) {
    int order[2], answer[2];
    if (pipe(order) || pipe(answer) || (process->pid = fork()) < 0)
        child_fail("no process can be made");
    if (process->pid == 0) {
        close(order[1]);
        close(answer[0]);
        serve(order[0], answer[1]);
    }
    close(order[0]);
    close(answer[1]);
    process->order = order[1];
    process->answer = answer[0];
}

static char answer_of(const struct process *process) {
    char byte = 0;
    if (read(process->answer, &byte, 1) != 1)
        child_fail("one of the processes has ended");
    return byte;
}

static void processes_run(struct job *job, double values[MAX_VALUES]) {
    struct process *processes = job->state;
    const double before = now_ms();
    for (int i = 0; i < PROCESSES; i++)
        if (write(processes[i].order, "", 1) != 1)
            child_fail("one of the processes has ended");
    for (int i = 0; i < PROCESSES; i++)
        if (!answer_of(&processes[i]))
            child_wrong("process %d has lost a kernel", i);
    values[0] = 1e3 * (now_ms() - before) / (PROCESSES * EACH);
}

static void processes_open(struct job *job) {
    struct process *processes = job->state = allocate(PROCESSES * sizeof *processes);
    double ignored[MAX_VALUES];
    for (int i = 0; i < PROCESSES; i++)
        open_process(&processes[i]);
    for (int i = 0; i < PROCESSES; i++)
        answer_of(&processes[i]); // ready
    processes_run(job, ignored);
}

static void processes_check(struct job *job) {
    struct process *processes = job->state;
    // Later ones have the earlier ones' pipes too: all close before any is waited for.
    for (int i = 0; i < PROCESSES; i++)
        close(processes[i].order);
    for (int i = 0; i < PROCESSES; i++)
        waitpid(processes[i].pid, NULL, 0);
}

const struct probe processes_probe = {
    .open = processes_open, .run = processes_run, .check = processes_check};
