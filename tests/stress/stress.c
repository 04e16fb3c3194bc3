// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Everything at once: `stress [SECONDS [THREADS [SEED]]]`, 4 16 1 without arguments.
 *
 * A few worlds (context, queues, program, sub-device) are shared by all threads; any thread
 * replaces one at any time, while others use it by references of their own. In a world a thread
 * makes buffers, kernels, chains of commands behind user events that any thread may set, callbacks,
 * builds, kernels that enqueue kernels (while others change the default queue); finishes queues
 * that others use; and releases all of it in any order, often before the commands have run. Results
 * are checked wherever somebody waits. Once a second it prints the resident memory, which must not
 * grow.
 */

#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOST_QUEUES = 3, QUEUES = 6, PARTS = QUEUES + 3, LINKS = 7 };
enum { WORLDS = 4, GATES = 32, MAX_THREADS = 256, ITEMS = 2048, CHAIN = 8, MAX_SAMPLES = 100000 };

typedef struct world {
    cl_context context;
    /* In order, out of order, of the sub-device; then those on the device: two of the device, the
     * first of them its default, and the default of the sub-device. */
    cl_command_queue queues[6];
    cl_program program, builtin;
} world;

typedef struct thread_state {
    pthread_t thread;
    uint64_t seed;
    uint64_t rounds;
} thread_state;

static cl_device_id device, sub_device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* worlds and gates */
static world worlds[WORLDS];
static cl_event gates[GATES]; /* somebody sets them */
static _Atomic bool stop, ended;
static _Atomic uint64_t failures, callbacks_wanted, callbacks_seen, commands, nonce, replaced;

static uint32_t pick(thread_state *t, uint32_t count) {
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(t->seed >> 33) % count;
}

/* Tells a failure and goes on. */
static bool good(bool condition, const char *what, int line) {
    if (!condition && atomic_fetch_add(&failures, 1) < 20)
        fprintf(stderr, "# line %d: %s\n", line, what);
    return condition;
}
#define GOOD(condition) good((condition), #condition, __LINE__)
#define OK(call)        good((call) == CL_SUCCESS, #call, __LINE__)

/* ---- worlds ---------------------------------------------------------------------------------- */

/* Every eighth has a text of its own, so that the compiler has something to do. */
static cl_program build(thread_state *t, cl_context context) {
    static const char text[] =
        "kernel void add(global int *a, int n) { a[get_global_id(0)] += n + %d - %d; }\n"
        "kernel void sum(global int *a, local int *l) {\n"
        "    int i = get_local_id(0), n = get_local_size(0);\n"
        "    l[i] = a[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (i == 0) { int s = 0; for (int k = 0; k < n; k++) s += l[k]; a[get_global_id(0)] = "
        "s; }\n"
        "}\n"
        /* Adds n by a child, which adds by a child; what a full queue refuses it adds itself. */
        "kernel void spread(global int *a, int n, int count) {\n"
        "    void (^both)(void) = ^{\n"
        "        void (^add)(void) = ^{ a[get_global_id(0)] += n - 1; };\n"
        "        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
        "                           ndrange_1D(count), add))\n"
        "            for (int i = 0; i < count; i++) a[i] += n - 1;\n"
        "        for (int i = 0; i < count; i++) a[i] += 1;\n"
        "    };\n"
        "    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), "
        "both))\n"
        "        for (int i = 0; i < count; i++) a[i] += n;\n"
        "}\n";
    char source[sizeof(text) + 40];
    const char *pointer = source;
    int number = pick(t, 8) ? 0 : (int)atomic_fetch_add(&nonce, 1);
    cl_int error = 1;

    snprintf(source, sizeof(source), text, number, number);
    cl_program program = clCreateProgramWithSource(context, 1, &pointer, NULL, &error);
    OK(error);
    OK(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL));
    return program;
}

static const cl_command_queue_properties on_device =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

static cl_command_queue make_queue(cl_context context, cl_device_id on,
                                   cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = 1;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, on, list, &error);
    OK(error);
    return queue;
}

static world make_world(thread_state *t) {
    cl_device_id devices[2] = {device, sub_device};
    cl_int error = 1;
    world w = {clCreateContext(NULL, sub_device ? 2 : 1, devices, NULL, NULL, &error), {0}, 0, 0};

    OK(error);
    w.queues[0] = make_queue(w.context, device, pick(t, 2) ? CL_QUEUE_PROFILING_ENABLE : 0);
    w.queues[1] = make_queue(w.context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    w.queues[2] = make_queue(w.context, sub_device ? sub_device : device, 0);
    w.queues[3] = make_queue(w.context, device, on_device | CL_QUEUE_ON_DEVICE_DEFAULT);
    w.queues[4] = make_queue(w.context, device, on_device);
    w.queues[5] = sub_device
                      ? make_queue(w.context, sub_device, on_device | CL_QUEUE_ON_DEVICE_DEFAULT)
                      : make_queue(w.context, device, on_device);
    w.program = build(t, w.context);
    w.builtin = clCreateProgramWithBuiltInKernels(w.context, 1, devices, "weft.memcpy", &error);
    OK(error);
    return w;
}

static void retain_world(const world *w) {
    OK(clRetainContext(w->context));
    for (int i = 0; i < QUEUES; i++)
        OK(clRetainCommandQueue(w->queues[i]));
    OK(clRetainProgram(w->program));
    OK(clRetainProgram(w->builtin));
}

/* In any order. */
static void release_world(thread_state *t, const world *w) {
    uint32_t first = pick(t, PARTS);

    for (uint32_t i = 0; i < PARTS; i++) {
        uint32_t what = (first + i) % PARTS;
        if (what < QUEUES)
            OK(clReleaseCommandQueue(w->queues[what]));
        else if (what == QUEUES)
            OK(clReleaseProgram(w->program));
        else if (what == QUEUES + 1)
            OK(clReleaseProgram(w->builtin));
        else
            OK(clReleaseContext(w->context));
    }
}

static world enter_world(thread_state *t) {
    pthread_mutex_lock(&lock);
    world w = worlds[pick(t, WORLDS)];
    retain_world(&w);
    pthread_mutex_unlock(&lock);
    return w;
}

static void replace_world(thread_state *t) {
    world fresh = make_world(t), old;
    uint32_t at = pick(t, WORLDS);

    pthread_mutex_lock(&lock);
    old = worlds[at];
    worlds[at] = fresh;
    pthread_mutex_unlock(&lock);
    release_world(t, &old);
    atomic_fetch_add(&replaced, 1);
}

/* ---- gates: user events that any thread sets ------------------------------------------------- */

static void open_gate(cl_event gate) {
    cl_int status = clSetUserEventStatus(gate, CL_COMPLETE);
    GOOD(status == CL_SUCCESS || status == CL_INVALID_OPERATION); /* somebody was first */
}

/* Puts a gate (or NULL) where others find it; what was there is set, and let go. */
static void offer_gate(uint32_t at, cl_event gate) {
    cl_event before;

    if (gate)
        OK(clRetainEvent(gate));
    pthread_mutex_lock(&lock);
    before = gates[at];
    gates[at] = gate;
    pthread_mutex_unlock(&lock);
    if (before) {
        open_gate(before);
        OK(clReleaseEvent(before));
    }
}

/* Others may wait behind a gate in the same queue, so each is set at some time. */
static void *keep_gates(void *argument) {
    (void)argument;
    while (!atomic_load(&ended)) {
        usleep(500);
        for (uint32_t i = 0; i < GATES; i++)
            offer_gate(i, NULL);
    }
    return NULL;
}

static void CL_CALLBACK seen(cl_event event, cl_int status, void *user) {
    (void)event;
    (void)status;
    (void)user;
    atomic_fetch_add(&callbacks_seen, 1);
}

static void watch(thread_state *t, cl_event event) {
    static const cl_int states[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};

    atomic_fetch_add(&callbacks_wanted, 1);
    OK(clSetEventCallback(event, states[pick(t, 3)], seen, NULL));
}

/* ---- one round ------------------------------------------------------------------------------- */

/* What a round works on. */
typedef struct round_state {
    world w;
    cl_command_queue queue;
    cl_mem a, b;
    cl_kernel add, copy, spread;
    cl_event gate, events[CHAIN];
    int wanted;
} round_state;

static void make_kernels(round_state *r) {
    cl_int error = 1;

    r->add = clCreateKernel(r->w.program, "add", &error);
    OK(error);
    OK(clSetKernelArg(r->add, 0, sizeof(r->a), &r->a));
    r->spread = clCreateKernel(r->w.program, "spread", &error);
    OK(error);
    OK(clSetKernelArg(r->spread, 0, sizeof(r->a), &r->a));
    OK(clSetKernelArg(r->spread, 2, sizeof(cl_int), &(cl_int){ITEMS}));
    r->copy = clCreateKernel(r->w.builtin, "weft.memcpy", &error);
    OK(error);
    OK(clSetKernelArg(r->copy, 0, sizeof(r->b), &r->b));
    OK(clSetKernelArg(r->copy, 1, sizeof(r->a), &r->a));
}

static void make_objects(thread_state *t, round_state *r) {
    cl_int error = 1;

    r->queue = r->w.queues[pick(t, HOST_QUEUES)];
    r->a = clCreateBuffer(r->w.context, CL_MEM_READ_WRITE, ITEMS * 4, NULL, &error);
    OK(error);
    r->b = clCreateBuffer(r->w.context, CL_MEM_ALLOC_HOST_PTR, ITEMS * 4, NULL, &error);
    OK(error);
    if (pick(t, 2)) {
        r->gate = clCreateUserEvent(r->w.context, &error);
        OK(error);
        offer_gate(pick(t, GATES), r->gate);
    }
}

/* One link of the chain, behind the one before; it leaves r->wanted in a. */
static void enqueue_link(thread_state *t, round_state *r, int i) {
    cl_event *before = i ? &r->events[i - 1] : r->gate ? &r->gate : NULL;
    cl_uint count = before ? 1 : 0;
    size_t items = ITEMS, one = 1;
    int n = (int)pick(t, 100);

    switch (i == 0 ? 0 : pick(t, LINKS)) {
    case 0: /* everything starts anew */
        OK(clEnqueueFillBuffer(r->queue, r->a, &n, 4, 0, ITEMS * 4, count, before, &r->events[i]));
        r->wanted = n;
        break;
    case 1:
    case 2:
        OK(clSetKernelArg(r->add, 1, sizeof(n), &n));
        OK(clEnqueueNDRangeKernel(r->queue, r->add, 1, NULL, &items, NULL, count, before,
                                  &r->events[i]));
        r->wanted += n;
        break;
    case 3:
        OK(clSetKernelArg(r->spread, 1, sizeof(n), &n));
        OK(clEnqueueNDRangeKernel(r->queue, r->spread, 1, NULL, &one, NULL, count, before,
                                  &r->events[i]));
        r->wanted += n;
        break;
    case 4:
        OK(clEnqueueBarrierWithWaitList(r->queue, count, before, &r->events[i]));
        break;
    default:
        OK(clEnqueueMarkerWithWaitList(r->queue, count, before, &r->events[i]));
    }
    atomic_fetch_add(&commands, 1);
}

/* Copies a to b with a built-in kernel, and looks at b. */
static void check_result(round_state *r) {
    size_t bytes = ITEMS * 4;
    int *got = malloc(bytes);
    bool same = true;

    if (r->gate)
        open_gate(r->gate);
    cl_event copied = NULL;
    OK(clEnqueueNDRangeKernel(r->queue, r->copy, 1, NULL, &bytes, NULL, 1, &r->events[CHAIN - 1],
                              &copied));
    OK(clEnqueueReadBuffer(r->queue, r->b, CL_TRUE, 0, bytes, got, 1, &copied, NULL));
    for (int i = 0; i < ITEMS; i++)
        same = same && got[i] == r->wanted;
    GOOD(same);
    OK(clReleaseEvent(copied));
    free(got);
}

/* In any order, whether or not it is still used. */
static void release_round(thread_state *t, round_state *r) {
    uint32_t first = pick(t, 5);

    for (uint32_t i = 0; i < 5; i++) {
        switch ((first + i) % 5) {
        case 0:
            OK(clReleaseMemObject(r->a));
            break;
        case 1:
            OK(clReleaseMemObject(r->b));
            break;
        case 2:
            OK(clReleaseKernel(r->add));
            OK(clReleaseKernel(r->copy));
            OK(clReleaseKernel(r->spread));
            break;
        case 3:
            for (int k = CHAIN - 1; k >= 0; k--)
                OK(clReleaseEvent(r->events[k]));
            break;
        default:
            release_world(t, &r->w);
        }
    }
}

static void one_round(thread_state *t) {
    round_state r = {.w = enter_world(t)};
    bool checks = pick(t, 2);

    make_objects(t, &r);
    make_kernels(&r);
    for (int i = 0; i < CHAIN; i++) {
        enqueue_link(t, &r, i);
        if (pick(t, 4) == 0)
            watch(t, r.events[i]);
        if (pick(t, 8) == 0)
            OK(clFlush(r.queue));
    }
    if (pick(t, 8) == 0) /* which queue the kernels above took is decided */
        OK(clSetDefaultDeviceCommandQueue(r.w.context, device, r.w.queues[3 + pick(t, 2)]));
    if (checks)
        check_result(&r);
    else
        OK(clFlush(r.queue)); /* what the round made goes, while the gate may be closed */
    if (r.gate)
        OK(clReleaseEvent(r.gate));
    release_round(t, &r);
}

static void use_svm(thread_state *t) {
    world w = enter_world(t);
    unsigned char *a = clSVMAlloc(w.context, CL_MEM_READ_WRITE, 4096, 0);
    unsigned char *b = clSVMAlloc(w.context, CL_MEM_READ_WRITE, 4096, 0);
    unsigned char byte = (unsigned char)pick(t, 256);

    if (GOOD(a && b)) {
        OK(clEnqueueSVMMemFill(w.queues[0], a, &byte, 1, 4096, 0, NULL, NULL));
        OK(clEnqueueSVMMemcpy(w.queues[0], CL_TRUE, b, a, 4096, 0, NULL, NULL));
        GOOD(b[0] == byte && b[4095] == byte);
    }
    clSVMFree(w.context, a);
    clSVMFree(w.context, b);
    release_world(t, &w);
}

/* A queue that others enqueue to: gates behind which they wait are opened by somebody. */
static void finish_any(thread_state *t) {
    world w = enter_world(t);

    OK(clFinish(w.queues[pick(t, HOST_QUEUES)]));
    release_world(t, &w);
}

static void *run(void *argument) {
    thread_state *t = argument;

    while (!atomic_load(&stop)) {
        uint32_t what = pick(t, 100);
        if (what < 3)
            replace_world(t);
        else if (what < 10)
            use_svm(t);
        else if (what < 12)
            finish_any(t);
        else
            one_round(t);
        t->rounds++;
    }
    return NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static long resident_kib(void) {
    char line[256];
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "re");

    if (file && fgets(line, sizeof(line), file) && sscanf(line, "%ld %ld", &ignored, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Sanitizers keep freed memory for a while: a short run has not settled. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SETTLED_SAMPLES = 120 };
#else
enum { SETTLED_SAMPLES = 6 };
#endif

/* The last third of the run against the middle one: peaks of thirds, so that waves do not count. */
static bool is_steady(const long *samples, int count) {
    long middle = 0, last = 0;

    for (int i = count / 3; i < count; i++) {
        long *to = i < 2 * count / 3 ? &middle : &last;
        *to = samples[i] > *to ? samples[i] : *to;
    }
    printf("# memory: at most %ld KiB in the second third, %ld KiB in the last\n", middle, last);
    return last <= middle + middle / 8 + 8192;
}

static int watch_memory(double seconds, long *samples) {
    int count = 0;
    int every = seconds > 60 ? 10 : 1;

    for (double left = seconds; left > 0; left -= 0.5) {
        nanosleep(&(struct timespec){0, 500000000}, NULL);
        if (count < MAX_SAMPLES)
            samples[count++] = resident_kib();
        if (count % (2 * every) == 0) {
            printf("# %4d s: %ld KiB, %llu commands, %llu worlds\n", count / 2, samples[count - 1],
                   (unsigned long long)atomic_load(&commands),
                   (unsigned long long)atomic_load(&replaced));
            fflush(stdout);
        }
    }
    return count;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void find_devices(void) {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_platform_id platform;
    cl_uint count = 0;

    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    if (clCreateSubDevices(device, equally, 1, &sub_device, &count) != CL_SUCCESS)
        sub_device = NULL; /* one compute unit, or a build without them */
    printf("# sub-device: %s\n", sub_device ? "yes" : "no");
}

static bool all_callbacks_came(void) {
    for (int i = 0; i < 2000 && atomic_load(&callbacks_seen) != atomic_load(&callbacks_wanted); i++)
        usleep(10000);
    printf("# %llu callbacks, %llu wanted\n", (unsigned long long)atomic_load(&callbacks_seen),
           (unsigned long long)atomic_load(&callbacks_wanted));
    return atomic_load(&callbacks_seen) == atomic_load(&callbacks_wanted);
}

static void clean_up(thread_state *t) {
    for (uint32_t i = 0; i < GATES; i++)
        offer_gate(i, NULL);
    for (int i = 0; i < WORLDS; i++) {
        for (int k = 0; k < HOST_QUEUES; k++)
            OK(clFinish(worlds[i].queues[k]));
        release_world(t, &worlds[i]);
    }
}

static int report(int number, bool passed, const char *what) {
    printf("%s %d - %s\n", passed ? "ok" : "not ok", number, what);
    return !passed;
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 4;
    int threads = argc > 2 ? atoi(argv[2]) : 16;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    static thread_state states[MAX_THREADS + 1];
    static long samples[MAX_SAMPLES];
    uint64_t rounds = 0;
    pthread_t keeper;

    if (threads < 1 || threads > MAX_THREADS)
        threads = 16;
    for (int i = 0; i <= threads; i++)
        states[i].seed = seed * 1000003 + (uint64_t)i;
    find_devices();
    for (int i = 0; i < WORLDS; i++)
        worlds[i] = make_world(&states[threads]);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&states[i].thread, NULL, run, &states[i]))
            return 2;
    if (pthread_create(&keeper, NULL, keep_gates, NULL))
        return 2;
    int count = watch_memory(seconds, samples);
    atomic_store(&stop, true);
    for (int i = 0; i < threads; i++) {
        pthread_join(states[i].thread, NULL);
        rounds += states[i].rounds;
    }
    atomic_store(&ended, true);
    pthread_join(keeper, NULL);
    clean_up(&states[threads]);
    if (sub_device)
        OK(clReleaseDevice(sub_device));
    printf("# %llu rounds, %llu commands, %llu worlds\n", (unsigned long long)rounds,
           (unsigned long long)atomic_load(&commands), (unsigned long long)atomic_load(&replaced));
    int failed = report(1, all_callbacks_came(), "every callback came");
    if (count < SETTLED_SAMPLES)
        printf("ok 2 - memory does not grow # SKIP the run is too short to tell\n");
    else
        failed += report(2, is_steady(samples, count), "memory does not grow");
    failed +=
        report(3, atomic_load(&failures) == 0 && rounds > 0, "every call and result is right");
    printf("1..3\n");
    return failed ? 1 : 0;
}
