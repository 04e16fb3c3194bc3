// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "queue": what one small command costs.
#include "child.h"

#include <stdlib.h>
#include <time.h>

enum { ITEMS = 64, BATCH = 10000, CHAIN = 1000, MAP_BYTES = 4096 };

struct work {
    struct cl cl;
    cl_kernel kernel;
    cl_mem buffer;
    cl_int expected; // what each counter must have come to
    size_t items;
};

static struct work *open_work(struct job *job, const char *kernel, size_t items,
                              cl_command_queue_properties properties) {
    struct work *work = job->state = allocate(sizeof *work);
    work->items = items;
    cl_open(&work->cl, properties);
    work->kernel = cl_get_kernel(cl_build(&work->cl, kernel_text("queue"), ""), kernel);
    cl_int *zeroes = allocate(items * sizeof *zeroes);
    work->buffer = cl_new_buffer(&work->cl, items * sizeof *zeroes, zeroes);
    free(zeroes);
    CL(clSetKernelArg(work->kernel, 0, sizeof work->buffer, &work->buffer));
    return work;
}

static void enqueue(struct work *work, cl_uint waits, const cl_event *list, cl_event *event) {
    CL(clEnqueueNDRangeKernel(work->cl.queue, work->kernel, 1, NULL, &work->items, NULL, waits,
                              list, event));
    work->expected++;
}

static void counters_check(struct job *job) {
    struct work *work = job->state;
    cl_int counters[ITEMS];
    cl_read(work->cl.queue, work->buffer, work->items * sizeof(cl_int), counters);
    for (size_t i = 0; i < work->items; i++)
        if (counters[i] != work->expected)
            child_wrong("counter %zu is %d after %d kernels", i, counters[i], work->expected);
}

static void one_item(void *context) {
    struct work *work = context;
    enqueue(work, 0, NULL, NULL);
    CL(clFinish(work->cl.queue));
}

static void one_item_open(struct job *job) {
    struct work *work = open_work(job, "add_one", 1, 0);
    for (int i = 0; i < 100; i++)
        one_item(work);
    counters_check(job);
}

static void one_item_run(struct job *job, double values[MAX_VALUES]) {
    values[0] = 1e3 * median_ms(one_item, job->state);
}

static const struct probe one_item_probe = {
    .open = one_item_open, .run = one_item_run, .check = counters_check};

static void batch_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = job->state;
    const double start = now_ms();
    for (int i = 0; i < BATCH; i++)
        enqueue(work, 0, NULL, NULL);
    CL(clFinish(work->cl.queue));
    values[0] = 1e3 * (now_ms() - start) / BATCH;
}

static void in_order_open(struct job *job) {
    one_item(open_work(job, "add_one", ITEMS, 0));
    counters_check(job);
}

static void out_of_order_open(struct job *job) {
    one_item(open_work(job, "add_one_atomic", ITEMS, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    counters_check(job);
}

static const struct probe in_order_probe = {
    .open = in_order_open, .run = batch_run, .check = counters_check};
static const struct probe out_of_order_probe = {
    .open = out_of_order_open, .run = batch_run, .check = counters_check};

static void chain_open(struct job *job) {
    one_item(open_work(job, "add_one", ITEMS, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    counters_check(job);
}

// Each kernel waits for the one before, the first for the application; add_one is not atomic, so
// the counters also show whether the order was kept.
static void chain_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = job->state;
    cl_int status;
    const double start = now_ms();
    cl_event first = clCreateUserEvent(work->cl.context, &status), last = first;
    cl_check(status, "clCreateUserEvent");
    for (int i = 0; i < CHAIN; i++) {
        cl_event next;
        enqueue(work, 1, &last, &next);
        if (last != first)
            CL(clReleaseEvent(last));
        last = next;
    }
    CL(clSetUserEventStatus(first, CL_COMPLETE));
    CL(clFinish(work->cl.queue));
    values[0] = 1e3 * (now_ms() - start) / CHAIN;
    CL(clReleaseEvent(last));
    CL(clReleaseEvent(first));
}

static const struct probe chain_probe = {
    .open = chain_open, .run = chain_run, .check = counters_check};

// Two groups that take long, when all threads have slept for a while: do both begin at once?
static double after_pause_once(struct work *work) {
    const struct timespec pause = {0, 10000000};
    const size_t one = 1;
    nanosleep(&pause, NULL);
    const double start = now_ms();
    CL(clEnqueueNDRangeKernel(work->cl.queue, work->kernel, 1, NULL, &work->items, &one, 0, NULL,
                              NULL));
    work->expected++;
    CL(clFinish(work->cl.queue));
    return now_ms() - start;
}

static void after_pause_open(struct job *job) {
    struct work *work = open_work(job, "count_long", 2, 0);
    const cl_int turns = 1000000;
    CL(clSetKernelArg(work->kernel, 1, sizeof turns, &turns));
    after_pause_once(work);
    counters_check(job);
}

static void after_pause_run(struct job *job, double values[MAX_VALUES]) {
    enum { TIMES = 25 };
    double sum = 0;
    for (int i = 0; i < TIMES; i++)
        sum += after_pause_once(job->state);
    values[0] = sum / TIMES;
}

static const struct probe after_pause_probe = {
    .open = after_pause_open, .run = after_pause_run, .check = counters_check};

static void transfers_open(struct job *job) {
    struct work *work = job->state = allocate(sizeof *work);
    cl_open(&work->cl, 0);
    char *zeroes = allocate(1 << 20);
    work->buffer = cl_new_buffer(&work->cl, 1 << 20, zeroes);
    free(zeroes);
}

static void write_four(void *context) {
    struct work *work = context;
    work->expected++;
    CL(clEnqueueWriteBuffer(work->cl.queue, work->buffer, CL_TRUE, 0, 4, &work->expected, 0, NULL,
                            NULL));
}

static void read_four(void *context) {
    struct work *work = context;
    cl_int word = 0;
    cl_read(work->cl.queue, work->buffer, 4, &word);
    if (word != work->expected)
        child_wrong("read %d where %d was written", word, work->expected);
}

static void map_page(void *context) {
    struct work *work = context;
    cl_int status;
    cl_int *page =
        clEnqueueMapBuffer(work->cl.queue, work->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           MAP_BYTES, 0, NULL, NULL, &status);
    cl_check(status, "clEnqueueMapBuffer");
    if (page[0] != work->expected)
        child_wrong("mapped %d where %d was written", page[0], work->expected);
    page[0] = ++work->expected;
    CL(clEnqueueUnmapMemObject(work->cl.queue, work->buffer, page, 0, NULL, NULL));
    CL(clFinish(work->cl.queue));
}

static void transfers_run(struct job *job, double values[MAX_VALUES]) {
    write_four(job->state);
    read_four(job->state);
    values[0] = 1e3 * median_ms(write_four, job->state);
    values[1] = 1e3 * median_ms(read_four, job->state);
    map_page(job->state);
    values[2] = 1e3 * median_ms(map_page, job->state);
    read_four(job->state);
}

static const struct probe transfers_probe = {.open = transfers_open, .run = transfers_run};

// One group of this size; its items exchange their ids in local memory.
static void launch_group(struct work *work, size_t local) {
    const size_t global = 64 * local;
    CL(clSetKernelArg(work->kernel, 1, local * sizeof(cl_int), NULL));
    CL(clEnqueueNDRangeKernel(work->cl.queue, work->kernel, 1, NULL, &global, &local, 0, NULL,
                              NULL));
    CL(clFinish(work->cl.queue));
}

static void new_size_open(struct job *job) {
    struct work *work = job->state = allocate(sizeof *work);
    cl_open(&work->cl, 0);
    work->kernel = cl_get_kernel(cl_build(&work->cl, kernel_text("queue"), ""), "group_sum");
    work->buffer = cl_new_buffer(&work->cl, 64 * 512 * sizeof(cl_int), NULL);
    CL(clSetKernelArg(work->kernel, 0, sizeof work->buffer, &work->buffer));
    for (int i = 0; i < 10; i++)
        launch_group(work, 32);
}

static void new_size_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = job->state;
    // Not a multiple of anything, and no two runs have the same.
    const size_t local = 33 + 2 * (size_t)(job->run % 200);
    double start = now_ms();
    launch_group(work, local);
    values[0] = now_ms() - start;
    start = now_ms();
    launch_group(work, local);
    values[1] = now_ms() - start;
    cl_int sums[64 * 512];
    cl_read(work->cl.queue, work->buffer, 64 * local * sizeof(cl_int), sums);
    for (size_t i = 0; i < 64 * local; i++)
        if (sums[i] != (cl_int)(local * (local - 1) / 2))
            child_wrong("item %zu of groups of %zu says %d", i, local, sums[i]);
}

static const struct probe new_size_probe = {.open = new_size_open, .run = new_size_run};

const struct line queue_lines[] = {
    {"queue/one_item", "enqueue and finish one work-item", UNIT_US, &one_item_probe, 0, NULL},
    {"queue/in_order", "in order, 10 000 kernels of 64 items: each", UNIT_US, &in_order_probe, 0,
     NULL},
    {"queue/out_of_order", "out of order, 10 000 kernels: each", UNIT_US, &out_of_order_probe, 0,
     NULL},
    {"queue/chain", "user event and a chain of 1000 kernels: each", UNIT_US, &chain_probe, 0, NULL},
    {"queue/alternate", "two queues by turns, each kernel waits: each", UNIT_US, &alternate_probe,
     0, NULL},
    {"queue/clients", "16 threads, enqueue and finish: each", UNIT_US, &clients_probe, 0, NULL},
    {"queue/processes", "4 processes, enqueue and finish: each", UNIT_US, &processes_probe, 0,
     NULL},
    {"queue/sub_devices", "two sub-devices at once: each as fast as alone", UNIT_TIMES,
     &halves_probe, 0, NULL},
    {"queue/half_cpu", "enqueue and finish on half of a CPU: each", UNIT_US, &quota_probe, 0, NULL},
    {"queue/after_pause", "two groups of 1.5 ms, 10 ms after all else: mean", UNIT_MS,
     &after_pause_probe, 0, NULL},
    {"queue/write4", "blocking write of 4 bytes", UNIT_US, &transfers_probe, 0, NULL},
    {"queue/read4", "blocking read of 4 bytes", UNIT_US, &transfers_probe, 1, NULL},
    {"queue/map", "map, change, unmap 4 KiB, finish", UNIT_US, &transfers_probe, 2, NULL},
    {"queue/new_size", "first launch with a new local size", UNIT_MS, &new_size_probe, 0, NULL},
    {"queue/same_size", "    second launch with it", UNIT_MS, &new_size_probe, 1, NULL},
};
const size_t queue_line_count = sizeof queue_lines / sizeof *queue_lines;
