// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More of the section "queue": two queues by turns, many threads, half of a CPU.
#include "child.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS = 1000, THREADS = 16, EACH = 200, QUOTA_MS = 400 };

struct work {
    struct cl cl;
    cl_program program;
    cl_command_queue other;
    cl_kernel kernel;
    cl_mem counter;
    cl_int expected;
    char group[128]; // the control group that the quota is in; "": none
};

static cl_mem make_counter(struct work *work, cl_kernel kernel) {
    const cl_int zero = 0;
    cl_mem counter = cl_new_buffer(&work->cl, sizeof zero, &zero);
    CL(clSetKernelArg(kernel, 0, sizeof counter, &counter));
    return counter;
}

static struct work *open_work(struct job *job) {
    struct work *work = job->state;
    if (!work)
        work = job->state = allocate(sizeof *work);
    cl_open(&work->cl, 0);
    work->other = cl_new_queue(&work->cl, 0);
    work->program = cl_build(&work->cl, kernel_text("queue"), "");
    work->kernel = cl_get_kernel(work->program, "add_one");
    work->counter = make_counter(work, work->kernel);
    return work;
}

static void check_counter(struct job *job) {
    struct work *work = job->state;
    cl_int counter;
    cl_read(work->cl.queue, work->counter, sizeof counter, &counter);
    if (counter != work->expected)
        child_wrong("the counter is %d after %d kernels", counter, work->expected);
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *list,
                   cl_event *event) {
    const size_t one = 1;
    CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, waits, list, event));
}

// Each kernel waits for the one before, which is in the other queue.
static void alternate(struct work *work) {
    cl_event before = NULL, next;
    for (int i = 0; i < LINKS; i++) {
        cl_command_queue queue = i & 1 ? work->other : work->cl.queue;
        launch(queue, work->kernel, before != NULL, before ? &before : NULL, &next);
        CL(clFlush(queue));
        if (before)
            CL(clReleaseEvent(before));
        before = next;
    }
    CL(clWaitForEvents(1, &before));
    CL(clReleaseEvent(before));
    work->expected += LINKS;
}

static void alternate_open(struct job *job) {
    alternate(open_work(job));
    check_counter(job);
}

static void alternate_run(struct job *job, double values[MAX_VALUES]) {
    const double start = now_ms();
    alternate(job->state);
    values[0] = 1e3 * (now_ms() - start) / LINKS;
}

const struct probe alternate_probe = {
    .open = alternate_open, .run = alternate_run, .check = check_counter};

// Threads that each have a queue and a kernel of their own, and wait for every launch.
struct client {
    struct work *work;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem counter;
    pthread_t thread;
};

static void *client_run(void *argument) {
    struct client *client = argument;
    for (int i = 0; i < EACH; i++) {
        launch(client->queue, client->kernel, 0, NULL, NULL);
        CL(clFinish(client->queue));
    }
    return NULL;
}

static void run_clients(struct client *clients) {
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&clients[i].thread, NULL, client_run, &clients[i]))
            child_fail("pthread_create");
    for (int i = 0; i < THREADS; i++)
        pthread_join(clients[i].thread, NULL);
    clients->work->expected += EACH;
}

static void clients_check(struct job *job) {
    struct client *clients = job->state;
    for (int i = 0; i < THREADS; i++) {
        cl_int counter;
        cl_read(clients[i].queue, clients[i].counter, sizeof counter, &counter);
        if (counter != clients->work->expected)
            child_wrong("thread %d: %d after %d kernels", i, counter, clients->work->expected);
    }
}

static void clients_open(struct job *job) {
    struct work *work = open_work(job);
    struct client *clients = job->state = allocate(THREADS * sizeof *clients);
    for (int i = 0; i < THREADS; i++) {
        clients[i].work = work;
        clients[i].queue = cl_new_queue(&work->cl, 0);
        clients[i].kernel = cl_get_kernel(work->program, "add_one");
        clients[i].counter = make_counter(work, clients[i].kernel);
    }
    run_clients(clients);
    clients_check(job);
}

static void clients_run(struct job *job, double values[MAX_VALUES]) {
    const double start = now_ms();
    run_clients(job->state);
    values[0] = 1e3 * (now_ms() - start) / (THREADS * EACH);
}

const struct probe clients_probe = {
    .open = clients_open, .run = clients_run, .check = clients_check};

// ---- half of a CPU: a control group for this process alone, where that is permitted

static void put(const char *folder, const char *file, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *out = fopen(path, "we");
    if (!out || fputs(text, out) < 0 || fclose(out))
        child_unsupported("%s cannot be written", path);
}

static void enter_group(struct work *work) {
    char process[32];
    snprintf(work->group, sizeof work->group, "/sys/fs/cgroup/cpu/weft-bench-%ld", (long)getpid());
    if (mkdir(work->group, 0755)) {
        work->group[0] = 0;
        child_unsupported("no control group can be made");
    }
    put(work->group, "cpu.cfs_period_us", "100000");
    put(work->group, "cpu.cfs_quota_us", "50000");
    snprintf(process, sizeof process, "%ld", (long)getpid());
    put(work->group, "cgroup.procs", process);
}

static void leave_group(struct work *work) {
    char process[32];
    snprintf(process, sizeof process, "%ld", (long)getpid());
    put("/sys/fs/cgroup/cpu", "cgroup.procs", process);
    rmdir(work->group);
}

static void quota_open(struct job *job) {
    struct work *work = job->state = allocate(sizeof *work);
    memset(work, 0, sizeof *work);
    enter_group(work);
    open_work(job);
    launch(work->cl.queue, work->kernel, 0, NULL, NULL);
    work->expected++;
    check_counter(job);
}

// Whoever burns time while it waits is stopped for the rest of each tenth of a second.
static void quota_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = job->state;
    const double start = now_ms();
    int count = 0;
    for (; now_ms() - start < QUOTA_MS; count++) {
        launch(work->cl.queue, work->kernel, 0, NULL, NULL);
        CL(clFinish(work->cl.queue));
    }
    values[0] = 1e3 * (now_ms() - start) / count;
    work->expected += count;
}

static void quota_check(struct job *job) {
    check_counter(job);
    leave_group(job->state);
}

const struct probe quota_probe = {.open = quota_open, .run = quota_run, .check = quota_check};
