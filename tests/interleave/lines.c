// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * What a launch costs with 2, 16, 64 and 256 threads: atomics and accesses to memory of the thread
 * that enqueues, and cache lines that move between threads, per chunk and per thread that takes
 * part. Nothing of it may grow with the number of threads. docs/scheduler.md has the table.
 *
 *     interleave-lines [--where]     also the places that move most lines
 *
 * Commands are the runtime's own, in a queue, with a C function in place of compiled code. Each
 * number of threads has a process of its own; the order of steps is always the same (crowd.h).
 */

#include "crowd.h"
#include "threads.h"
#include "world.h"

#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZES = 4, CHUNKS = 8, WARM_UP = 3, KERNEL_STEPS = 30, SAID = 30 };
/* A group takes longer than a chunk should, so that each is one. */
enum { KERNEL_NS = 1100 * 1000 };
static const unsigned THREADS[SIZES] = {2, 16, 64, 256};

/* What one command did to whom. */
typedef struct cost {
    crowd_counts enqueue, finish; /* of the application's thread */
    crowd_counts others;          /* of the pool's */
} cost;

/* Of one number of threads. */
typedef struct figures {
    bool done;
    cost small; /* one short group, which the waiting thread runs */
    cost few;   /* CHUNKS groups per thread */
    cost many;  /* four times as many */
    cost busy;  /* handed over while all threads run something else */
    cost fill;  /* a transfer */
} figures;

static figures *all; /* processes share them */
static figures *mine;
static bool says_where;
static cl_command_queue queue, other;
static cl_mem mem;
static unsigned pool_threads;

/* ---- commands -------------------------------------------------------------------------------- */

static bool gate_is_open;

static bool is_open(void *unused) {
    (void)unused;
    return gate_is_open;
}

/* Reads the launch as compiled code does. */
static void short_kernel(const weft_launch *launch, weft_worker *worker, uint64_t first,
                         uint64_t count) {
    (void)worker;
    (void)first;
    (void)count;
    races_access(launch, offsetof(weft_launch, reserved), false);
}

/* Others go on meanwhile. */
static void long_kernel(const weft_launch *launch, weft_worker *worker, uint64_t first,
                        uint64_t count) {
    short_kernel(launch, worker, first, count);
    explore_pass(count * KERNEL_NS);
    for (uint64_t i = 0; i < count * KERNEL_STEPS; i++)
        explore_point("in a kernel");
}

static void waits_at_the_gate(const weft_launch *launch, weft_worker *worker, uint64_t first,
                              uint64_t count) {
    long_kernel(launch, worker, first, count);
    explore_await(is_open, NULL);
}

static weft_kernel_info info = {.width = 1};
static const weft_kernel_code short_code = {.info = &info, .entry = {short_kernel}};
static const weft_kernel_code long_code = {.info = &info, .entry = {long_kernel}};
static const weft_kernel_code gate_code = {.info = &info, .entry = {waits_at_the_gate}};

/* As clEnqueueNDRangeKernel, behind its checks; then clFlush, unless it is to be deferred. */
static void enqueue(cl_command_queue to, const weft_kernel_code *code, uint64_t groups) {
    weft_command *command = weft_command_create(to, CL_COMMAND_NDRANGE_KERNEL, 0, NULL);
    weft_launch *launch = &command->work.kernel.launch;

    memset(launch, 0, sizeof(*launch));
    command->work.kind = WEFT_WORK_KERNEL;
    command->work.kernel.code = code;
    command->work.kernel.default_queue = NULL;
    atomic_init(&command->work.kernel.family, NULL);
    launch->abi_version = WEFT_ABI_VERSION;
    launch->work_dim = 1;
    for (int i = 0; i < 3; i++)
        launch->global_size[i] = launch->local_size[i] = launch->num_groups[i] = 1;
    launch->global_size[0] = launch->num_groups[0] = groups;
    command->node.has_work = true;
    GOOD(weft_command_enqueue(command, CL_FALSE, NULL));
    if (groups > 1)
        GOOD(weft_clFlush(to));
}

/* ---- one command, counted -------------------------------------------------------------------- */

static void finish(cost *into) {
    crowd_counts now;

    into->enqueue = crowd_mine();
    GOOD(weft_clFinish(queue));
    now = crowd_mine();
    into->finish.moved = now.moved - into->enqueue.moved;
    into->finish.atomics = now.atomics - into->enqueue.atomics;
    into->finish.accesses = now.accesses - into->enqueue.accesses;
    crowd_await_quiet();
    into->others = crowd_others();
}

static void count_kernel(cost *into, const weft_kernel_code *code, uint64_t groups) {
    crowd_reset();
    enqueue(queue, code, groups);
    finish(into);
}

static void count_busy(cost *into) {
    gate_is_open = false;
    enqueue(other, &gate_code, pool_threads);
    for (unsigned i = 0; i < 400 * pool_threads; i++)
        explore_point("until all are at the gate");
    crowd_reset();
    enqueue(queue, &long_code, (uint64_t)CHUNKS * pool_threads);
    into->enqueue = crowd_mine();
    gate_is_open = true;
    GOOD(weft_clFinish(other));
    GOOD(weft_clFinish(queue));
    crowd_await_quiet();
}

static void count_fill(cost *into) {
    const cl_uchar value = 1;

    crowd_reset();
    GOOD(weft_clEnqueueFillBuffer(queue, mem, &value, 1, 0, mem->size, 0, NULL, NULL));
    GOOD(weft_clFlush(queue));
    finish(into);
}

static void say_where(const char *what) {
    if (!says_where)
        return;
    printf("# %u threads, %s:\n", pool_threads, what);
    crowd_say_where(SAID);
}

static void run_all(void *unused) {
    uint64_t chunks = (uint64_t)CHUNKS * pool_threads;
    cost warm_up;

    (void)unused;
    for (int i = 0; i < WARM_UP; i++) {
        count_kernel(&warm_up, &long_code, chunks);
        count_busy(&warm_up);
        count_fill(&warm_up);
        count_kernel(&warm_up, &short_code, 1);
    }
    count_kernel(&mine->small, &short_code, 1);
    count_kernel(&mine->few, &long_code, chunks);
    say_where("few chunks");
    count_kernel(&mine->many, &long_code, 4 * chunks);
    say_where("many chunks");
    count_busy(&mine->busy);
    count_fill(&mine->fill);
    mine->done = true;
}

static void measure(unsigned number) {
    char text[16];
    cl_int status;

    mine = &all[number];
    pool_threads = THREADS[number];
    snprintf(text, sizeof(text), "%u", pool_threads);
    crowd_begin();
    make_world(text);
    queue = make_queue(0);
    other = make_queue(0);
    mem = weft_clCreateBuffer(the_context, 0, 1 << 20, NULL, &status);
    GOOD(status);
    crowd_name("device", the_device->device, sizeof(*the_device->device));
    crowd_name("pool", &the_device->device->pool, sizeof(the_device->device->pool));
    crowd_name("queue", queue, sizeof(*queue));
    crowd_run(run_all);
}

/* ---- what must be true ----------------------------------------------------------------------- */

static int tests, failed;

static void check(bool good, const char *format, ...) {
    va_list arguments;

    printf("%sok %d - ", good ? "" : "not ", ++tests);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    puts("");
    failed += !good;
}

/* Lines that each chunk moves: what three of four chunks of a long command add. */
static double per_chunk(unsigned i) {
    return (double)(all[i].many.others.moved - all[i].few.others.moved) /
           (3.0 * CHUNKS * THREADS[i]);
}

/* Lines that each thread moves once, in a command that it takes part in. */
static double per_thread(unsigned i) {
    return (double)all[i].few.others.moved / THREADS[i] - CHUNKS * per_chunk(i);
}

static void say_row(const char *what, size_t offset) {
    printf("# %-34s", what);
    for (unsigned i = 0; i < SIZES; i++) {
        const crowd_counts *counts = (const void *)((const char *)&all[i] + offset);
        printf(" %5llu %5llu %4llu |", (unsigned long long)counts->atomics,
               (unsigned long long)counts->accesses, (unsigned long long)counts->moved);
    }
    puts("");
}

static void say(void) {
    printf("# threads                           ");
    for (unsigned i = 0; i < SIZES; i++)
        printf(" %16u |", THREADS[i]);
    puts("\n# atomics, accesses, lines moved, by the thread that calls:");
    say_row("enqueue, flush", offsetof(figures, few.enqueue));
    say_row("enqueue, flush, all are busy", offsetof(figures, busy.enqueue));
    say_row("fill, flush", offsetof(figures, fill.enqueue));
    say_row("enqueue one short group", offsetof(figures, small.enqueue));
    say_row("finish, which runs it", offsetof(figures, small.finish));
    printf("# lines moved by all others together:\n# per chunk                         ");
    for (unsigned i = 0; i < SIZES; i++)
        printf(" %16.2f |", per_chunk(i));
    printf("\n# per thread, once in a command     ");
    for (unsigned i = 0; i < SIZES; i++)
        printf(" %16.2f |", per_thread(i));
    puts("");
}

/* The way is the same, instruction by instruction, as with 16 threads. */
static void check_same(const char *what, unsigned i, size_t offset) {
    const crowd_counts *counts = (const void *)((const char *)&all[i] + offset);
    const crowd_counts *least = (const void *)((const char *)&all[1] + offset);

    check(counts->atomics <= least->atomics && counts->accesses <= least->accesses,
          "%u threads: %s takes no more atomics and accesses than with %u", THREADS[i], what,
          THREADS[1]);
}

static void check_all(unsigned i) {
    check(all[i].small.enqueue.moved + all[i].small.finish.moved == 0,
          "%u threads: a short command that its thread waits for moves no line", THREADS[i]);
    check(per_chunk(i) < 1.25, "%u threads: a chunk moves one line, that of its number",
          THREADS[i]);
    if (i == 1)
        return;
    check_same("enqueue and flush", i, offsetof(figures, few.enqueue));
    if (i > 1) /* with two, one may have come to sleep */
        check_same("enqueue and flush while all are busy", i, offsetof(figures, busy.enqueue));
    check_same("fill and flush", i, offsetof(figures, fill.enqueue));
    check_same("a short command", i, offsetof(figures, small.enqueue));
    check_same("a short command's end", i, offsetof(figures, small.finish));
    check(per_thread(i) < 1.2 * per_thread(1), "%u threads: each moves no more lines than with %u",
          THREADS[i], THREADS[1]);
    check(all[i].few.enqueue.moved <= all[1].few.enqueue.moved + 2,
          "%u threads: enqueue and flush move no more lines than with %u", THREADS[i], THREADS[1]);
}

int main(int argc, char **argv) {
    says_where = argc > 1 && strcmp(argv[1], "--where") == 0;
    all = (mmap)(NULL, sizeof(figures) * SIZES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                 -1, 0);
    if (all == MAP_FAILED)
        return 2;
    for (unsigned i = 0; i < SIZES; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            measure(i);
            fflush(stdout);
            _Exit(0);
        }
        waitpid(child, NULL, 0);
        check(all[i].done, "%u threads: it ends", THREADS[i]);
    }
    if (!failed) {
        say();
        for (unsigned i = 0; i < SIZES; i++)
            check_all(i);
    }
    printf("1..%d\n", tests);
    return failed != 0;
}
