// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu's scheduler alone, through the device's table, with C functions as kernels. */

#include "work.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Counts how often each group ran. */
static void count_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                        uint64_t count) {
    _Atomic int *counts = (_Atomic int *)launch->args;

    (void)worker;
    for (uint64_t i = first; i < first + count; i++)
        atomic_fetch_add_explicit(&counts[i], 1, memory_order_relaxed);
}

static void run_counted(uint32_t threads, uint32_t chunk, uint32_t seed, uint64_t groups) {
    weft_device *device = make_device(threads, chunk, seed);
    _Atomic int *counts = calloc(groups, sizeof(*counts));
    command c;

    for (int round = 0; round < 5; round++) {
        memset((void *)counts, 0, groups * sizeof(*counts));
        make_kernel(&c, device, count_entry, (void *)counts, groups, 1);
        ops->submit(device, &c.work, NULL);
        wait_done(&c);
        CHECK_EQ(c.status, CL_SUCCESS);
        for (uint64_t i = 0; i < groups; i++)
            CHECK_EQ(counts[i], 1);
    }
    ops->destroy(device);
    free((void *)counts);
}

/* ---- chunks ---- */

TEST(every_group_runs_once) {
    static const uint64_t sizes[] = {1, 2, 7, 64, 1000, 100003};

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        run_counted(1, 0, 0, sizes[i]);
        run_counted(4, 0, 0, sizes[i]);
        run_counted(70, 0, 0, sizes[i]);
    }
}

TEST(every_group_runs_once_with_forced_chunks) {
    for (uint32_t chunk = 1; chunk < 5000; chunk = chunk * 7 + 1)
        run_counted(4, chunk, 0, 1000);
}

TEST(every_group_runs_once_shuffled) {
    for (uint32_t seed = 1; seed < 20; seed++) {
        run_counted(3, 0, seed, 997);
        run_counted(3, 3, seed, 1000);
        run_counted(3, 8, seed * 77777, 64);
    }
}

typedef struct order_log {
    _Atomic uint32_t next;
    uint64_t group[256];
} order_log;

static void order_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                        uint64_t count) {
    order_log *log = (order_log *)launch->args;

    (void)worker;
    for (uint64_t i = first; i < first + count; i++)
        log->group[atomic_fetch_add(&log->next, 1)] = i;
}

TEST(a_shuffle_changes_the_order) {
    weft_device *device = make_device(1, 4, 12345);
    order_log log = {0};
    bool moved = false;
    command c;

    make_kernel(&c, device, order_entry, &log, 256, 1);
    ops->submit(device, &c.work, NULL);
    wait_done(&c);
    for (unsigned i = 0; i < 256; i++)
        moved = moved || log.group[i] != i;
    CHECK(moved);
    ops->destroy(device);
}

/* ---- waiting threads help -------------------------------------------------------------------- */

static void *self_of(void) {
    return (void *)(uintptr_t)pthread_self();
}

static void who_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                      uint64_t count) {
    (void)worker;
    (void)first;
    (void)count;
    *(void **)launch->args = self_of();
}

TEST(a_small_kernel_runs_on_the_waiting_thread) {
    weft_device *device = make_device(2, 0, 0);
    void *who = NULL;
    command c;

    make_kernel(&c, device, who_entry, &who, 1, 1);
    CHECK(ops->is_small(device, &c.work));
    CHECK(ops->run(device, &c.work, &c));
    CHECK_EQ(atomic_load(&c.done), 1);
    CHECK(who == self_of());
    ops->destroy(device);
}

TEST(a_large_kernel_is_shared_with_the_waiting_thread) {
    weft_device *device = make_device(2, 1, 0);
    _Atomic int *counts = calloc(5000, sizeof(*counts));
    command c;

    for (int round = 1; round <= 50; round++) {
        make_kernel(&c, device, count_entry, (void *)counts, 5000, 1);
        CHECK(!ops->is_small(device, &c.work));
        CHECK(ops->run(device, &c.work, &c));
        wait_done(&c);
        for (unsigned i = 0; i < 5000; i++)
            CHECK_EQ(counts[i], round);
    }
    ops->destroy(device);
    free((void *)counts);
}

static void slow_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                       uint64_t count) {
    struct timespec moment = {0, 2000000};

    (void)worker;
    (void)first;
    for (uint64_t i = 0; i < count; i++) {
        nanosleep(&moment, NULL);
        atomic_fetch_add((_Atomic int *)launch->args, 1);
    }
}

TEST(help_takes_chunks_of_submitted_work) {
    weft_device *device = make_device(1, 1, 0);
    _Atomic int count = 0;
    bool helped;
    command c;

    make_kernel(&c, device, slow_entry, (void *)&count, 40, 1);
    ops->submit(device, &c.work, NULL);
    helped = ops->help(device, &c.work, &c);
    wait_done(&c);
    CHECK(helped);
    CHECK_EQ(atomic_load(&count), 40);
    CHECK(!ops->help(device, &c.work, &c));
    ops->destroy(device);
}

static void spin_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                       uint64_t count) {
    uint64_t *args = (uint64_t *)launch->args; /* address of a mask of threads, ns per group */

    (void)first;
    atomic_fetch_or((_Atomic uint64_t *)(uintptr_t)args[0], 1ull << worker->index);
    for (uint64_t end = ops->time_ns(worker->device) + args[1] * count;
         args[1] && ops->time_ns(worker->device) < end;)
        ;
}

/* The same kernel, short for a while and then long: it must not stay on one thread. A thread that
 * the system stops in the middle of a short one makes it look long, until some more have run. */
TEST(a_long_launch_planned_as_one_chunk_is_shared_after_all) {
    for (int how = 0; how < 2; how++) {
        weft_device *device = make_device(3, 0, 0);
        _Atomic uint64_t threads = 0;
        uint64_t args[2] = {(uintptr_t)&threads, 0};
        bool small = false;
        command c;
        for (int i = 0; i < 5000 && !args[1]; i++) {
            make_kernel(&c, device, spin_entry, args, 64, 1);
            atomic_store(&threads, 0);
            small = ops->is_small(device, &c.work);
            args[1] = i >= 49 && small ? 2000000 : 0;
            if (how)
                ops->submit(device, &c.work, NULL);
            else
                CHECK(ops->run(device, &c.work, &c));
            wait_done(&c);
        }
        CHECK(small);
        CHECK(atomic_load(&threads) & (atomic_load(&threads) - 1)); /* more than one bit */
        ops->destroy(device);
    }
}

/* Do several threads run a kernel's first launch? */
static bool first_launch_is_shared(unsigned items, uint64_t ns) {
    weft_device *device = make_device(3, 0, 0);
    _Atomic uint64_t threads = 0;
    uint64_t args[2] = {(uintptr_t)&threads, ns};
    command c;

    make_kernel(&c, device, spin_entry, args, 64, items);
    CHECK_EQ(ops->is_small(device, &c.work), items <= 4);
    CHECK(ops->run(device, &c.work, &c));
    wait_done(&c);
    ops->destroy(device);
    return (threads & (threads - 1)) != 0; /* more than one bit */
}

/* No thread is started for the few items of a kernel's first launch, unless they take long. Once in
 * a while the system stops the thread in the middle, which then looks long. */
TEST(a_first_launch_of_few_items_is_small) {
    int shared = 0;

    while (shared < 20 && first_launch_is_shared(4, 0))
        shared++;
    CHECK(shared < 20);
    CHECK(first_launch_is_shared(4, 2000000));
    CHECK(first_launch_is_shared(5, 2000000));
}

static int32_t host_function(void *user) {
    *(void **)user = self_of();
    return -7;
}

TEST(host_functions_run_on_the_pool_only) {
    weft_device *device = make_device(2, 0, 0);
    void *who = NULL;
    command c;

    memset(&c, 0, sizeof(c));
    c.device = device;
    c.work.kind = WEFT_WORK_HOST;
    c.work.host.run = host_function;
    c.work.host.user = &who;
    c.work.begin = on_begin;
    c.work.done = on_done;
    CHECK(!ops->is_small(device, &c.work));
    CHECK(!ops->run(device, &c.work, &c));
    ops->submit(device, &c.work, NULL);
    wait_done(&c);
    CHECK_EQ(c.status, -7);
    CHECK(who && who != self_of());
    ops->destroy(device);
}

/* The thread of the first chunk is held up where it begins; another runs chunks meanwhile. */
static _Atomic int joins, joins_before_begin;
static _Atomic int chunks_run;

static void begin_late(weft_work *work) {
    while (!atomic_load(&chunks_run))
        usleep(100);
    atomic_store(&joins_before_begin, atomic_load(&joins));
    on_begin(work);
}

static void count_joins(weft_work *work) {
    (void)work;
    atomic_fetch_add(&joins, 1);
}

static void count_chunks(const weft_launch *launch, weft_worker *worker, uint64_t first,
                         uint64_t last) {
    (void)launch, (void)worker, (void)first, (void)last;
    atomic_fetch_add(&chunks_run, 1);
}

TEST(profile_start_of_whoever_comes_first) {
    weft_device *device = make_device(2, 1, 0);
    command c;

    make_kernel(&c, device, count_chunks, NULL, 8, 1);
    c.work.begin = begin_late;
    c.work.joined = count_joins;
    ops->submit(device, &c.work, NULL);
    wait_done(&c);
    CHECK_EQ(atomic_load(&chunks_run), 8);
    CHECK_EQ(atomic_load(&joins_before_begin), 1); /* told before it ran a chunk */
    CHECK_EQ(atomic_load(&joins), 1);
    ops->destroy(device);
}

static void *try_to_help(void *argument) {
    command *c = argument;

    return (void *)(uintptr_t)ops->run(c->device, &c->work, c);
}

/* On a stack of exactly that size (the C library may reuse a larger one of its own). */
static bool helps_with_stack(command *c, size_t bytes) {
    void *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    void *result;

    pthread_attr_init(&attributes);
    CHECK_EQ(pthread_attr_setstack(&attributes, stack, bytes), 0);
    CHECK_EQ(pthread_create(&thread, &attributes, try_to_help, c), 0);
    pthread_join(thread, &result);
    munmap(stack, bytes);
    return result != NULL;
}

TEST(a_thread_with_a_small_stack_does_not_help) {
#if defined(__SANITIZE_THREAD__)
    SKIP("ThreadSanitizer wants larger stacks");
#endif
    weft_device *device = make_device(2, 0, 0);
    void *who = NULL;
    command c;

    make_kernel(&c, device, who_entry, &who, 1, 1);
    CHECK(!helps_with_stack(&c, 64 * 1024));
    CHECK_EQ(atomic_load(&c.begun), 0);
    CHECK(helps_with_stack(&c, 512 * 1024));
    CHECK_EQ(atomic_load(&c.done), 1);
    ops->destroy(device);
}

/* ---- chains ---------------------------------------------------------------------------------- */

TEST(a_long_chain_submitted_by_completions) {
    enum { LENGTH = 20000 };
    weft_device *device = make_device(2, 0, 0);
    _Atomic int *counts = calloc(1, sizeof(*counts));
    command *chain = calloc(LENGTH, sizeof(*chain));

    for (int i = 0; i < LENGTH; i++)
        make_kernel(&chain[i], device, count_entry, (void *)counts, 1, 1);
    for (int i = 0; i + 1 < LENGTH; i++)
        chain[i].then = &chain[i + 1];
    ops->submit(device, &chain[0].work, NULL);
    wait_done(&chain[LENGTH - 1]);
    CHECK_EQ(counts[0], LENGTH);
    ops->destroy(device);
    free((void *)counts);
    free(chain);
}

typedef struct stress {
    weft_device *device;
    int failures;
    uint32_t seed;
} stress;

static void *stress_thread(void *argument) {
    stress *s = argument;
    _Atomic int counts[300];

    for (int round = 0; round < 300; round++) {
        uint64_t groups = 1 + (s->seed = s->seed * 1103515245u + 12345u) / 65536 % 300;
        command c;
        memset((void *)counts, 0, sizeof(counts));
        make_kernel(&c, s->device, count_entry, (void *)counts, groups, 1);
        if (round % 3 == 0) {
            s->failures += !ops->run(s->device, &c.work, &c);
        } else {
            ops->submit(s->device, &c.work, NULL);
            if (round % 3 == 1)
                ops->help(s->device, &c.work, &c);
        }
        while (!atomic_load(&c.done))
            sched_yield();
        for (uint64_t i = 0; i < groups; i++)
            s->failures += counts[i] != 1;
    }
    return NULL;
}

TEST(many_threads_submit_run_and_help) {
    enum { THREADS = 16 };
    weft_device *device = make_device(4, 3, 0);
    pthread_t threads[THREADS];
    stress s[THREADS];

    for (int i = 0; i < THREADS; i++) {
        s[i] = (stress){device, 0, (uint32_t)i + 1};
        CHECK_EQ(weft_thread_create(&threads[i], 0, stress_thread, &s[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(s[i].failures, 0);
    ops->destroy(device);
}

TEST(destroy_lets_submitted_work_end) {
    for (int round = 0; round < 20; round++) {
        weft_device *device = make_device(2, 1, 0);
        _Atomic int count = 0;
        command c[4];
        for (int i = 0; i < 4; i++) {
            make_kernel(&c[i], device, slow_entry, (void *)&count, 2, 1);
            ops->submit(device, &c[i].work, NULL);
        }
        ops->destroy(device);
        CHECK_EQ(atomic_load(&count), 8);
    }
}

/* ---- memory of a group ----------------------------------------------------------------------- */

static void memory_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                         uint64_t count) {
    _Atomic int *bad = (_Atomic int *)launch->args;
    unsigned char *local = worker->local_memory, *own = worker->private_memory;

    (void)first;
    (void)count;
    if ((uintptr_t)local % WEFT_BLOCK_ALIGN || (uintptr_t)own % WEFT_BLOCK_ALIGN ||
        own < local + launch->local_bytes)
        atomic_fetch_add(bad, 1);
    memset(local, 1, launch->local_bytes);
    memset(own, 2, 100 + launch->run_bytes * launch->local_size[0]);
    for (uint64_t i = 0; i < launch->local_bytes; i++)
        if (local[i] != 1) {
            atomic_fetch_add(bad, 1);
            break;
        }
}

static int32_t run_with_memory(weft_device *device, uint64_t local, uint64_t item, int *bad_count) {
    _Atomic int bad = 0;
    command c;

    make_kernel(&c, device, memory_entry, (void *)&bad, 16, 32);
    c.info.fixed_bytes = 100;
    c.work.kernel.launch.local_bytes = local;
    c.info.body[WEFT_SHAPE_ROWS].run_bytes = item;
    ops->submit(device, &c.work, NULL);
    wait_done(&c);
    *bad_count = atomic_load(&bad);
    return c.status;
}

TEST(local_and_private_memory) {
    weft_device *device = make_device(3, 1, 0);
    int bad;

    CHECK_EQ(run_with_memory(device, 1000, 48, &bad), CL_SUCCESS);
    CHECK_EQ(bad, 0);
    CHECK_EQ(run_with_memory(device, 300001, 100000, &bad), CL_SUCCESS);
    CHECK_EQ(bad, 0);
    /* Too much is an error of the command, not of the process. */
    CHECK_EQ(run_with_memory(device, 64, 1ull << 40, &bad), CL_OUT_OF_RESOURCES);
    CHECK_EQ(run_with_memory(device, 64, UINT64_MAX / 2, &bad), CL_OUT_OF_RESOURCES);
    CHECK_EQ(run_with_memory(device, UINT64_MAX - 5, 0, &bad), CL_OUT_OF_RESOURCES);
    CHECK_EQ(bad, 0);
    ops->destroy(device);
}

static void fault_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                        uint64_t count) {
    (void)count;
    if (first == 0)
        launch->services->fault(launch, worker, WEFT_FAULT_TRAP, 0, "test");
}

TEST(a_fault_is_the_status_of_the_command) {
    weft_device *device = make_device(2, 1, 0);
    command c;

    make_kernel(&c, device, fault_entry, NULL, 10, 1);
    ops->submit(device, &c.work, NULL);
    wait_done(&c);
    CHECK_EQ(c.status, CL_OUT_OF_RESOURCES);
    ops->destroy(device);
}

/* ---- floating-point environment -------------------------------------------------------------- */

static uint32_t read_mxcsr(void) {
    uint32_t value;

    __asm__ volatile("stmxcsr %0" : "=m"(value));
    return value;
}

static void write_mxcsr(uint32_t value) {
    __asm__ volatile("ldmxcsr %0" : : "m"(value));
}

static void fp_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                     uint64_t count) {
    volatile double zero = 0, one = 1;

    (void)worker;
    (void)first;
    (void)count;
    *(_Atomic uint32_t *)launch->args = read_mxcsr() & ~0x3fu;
    one = one / zero; /* would be a signal with the host's masks */
}

TEST(kernels_have_their_own_floating_point_environment) {
    weft_device *device = make_device(1, 0, 0);
    uint32_t before = read_mxcsr(),
             hostile = 0x0000 | 0x8040 | 0x6000; /* unmasked, FTZ, truncate */
    _Atomic uint32_t seen = 0;
    uint32_t after;
    command c;

    make_kernel(&c, device, fp_entry, (void *)&seen, 1, 1);
    write_mxcsr(hostile);
    ops->run(device, &c.work, &c);
    after = read_mxcsr();
    write_mxcsr(before);
    CHECK_EQ(after, hostile);
    CHECK_EQ(atomic_load(&seen), 0x1f80);

    make_kernel(&c, device, fp_entry, (void *)&seen, 1, 1);
    c.info.flags = WEFT_KERNEL_FTZ;
    ops->run(device, &c.work, &c);
    CHECK_EQ(atomic_load(&seen), 0x1f80 | 0x8040);
    CHECK_EQ(read_mxcsr() & ~0x3fu, before & ~0x3fu);

    /* A thread of the pool started by a hostile thread. */
    make_kernel(&c, device, fp_entry, (void *)&seen, 1, 1);
    write_mxcsr(hostile);
    ops->submit(device, &c.work, NULL);
    write_mxcsr(before);
    wait_done(&c);
    CHECK_EQ(atomic_load(&seen), 0x1f80);
    ops->destroy(device);
}

/* ---- no threads to be had -------------------------------------------------------------------- */

/* In a process of its own that may not start threads. */
static int without_threads(void) {
    struct rlimit none = {0, 0};
    command c, then;
    void *who = NULL;
    weft_device *device = make_device(2, 0, 0);
    pthread_t thread;

    if (geteuid() == 0 && setresuid(65534, 65534, 65534))
        return 77;
    setrlimit(RLIMIT_NPROC, &none);
    if (weft_thread_create(&thread, 0, try_to_help, NULL) == 0)
        return 77;
    make_kernel(&c, device, who_entry, &who, 1, 1);
    make_kernel(&then, device, who_entry, &who, 100, 1);
    c.then = &then;
    ops->submit(device, &c.work, NULL);
    if (atomic_load(&c.done) != 1 || atomic_load(&then.done) != 1 || who != self_of())
        return 1;
    make_kernel(&c, device, who_entry, &who, 100, 1);
    if (!ops->run(device, &c.work, &c) || atomic_load(&c.done) != 1)
        return 2;
    return 0;
}

TEST(without_threads_work_runs_on_the_calling_thread) {
    int status;
    pid_t child = fork();

    if (child == 0)
        _exit(without_threads());
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        SKIP("this system starts threads over the limit");
    CHECK_EQ(status, 0);
}

/* ---- many threads ---- */

/* Each group lasts until as many are running as there are threads, or for half a minute. */
typedef struct crowd {
    int size;
    _Atomic int arrived, missed;
} crowd;

static void crowd_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                        uint64_t count) {
    crowd *all = (crowd *)launch->args;

    (void)worker;
    (void)first;
    atomic_fetch_add(&all->arrived, (int)count);
    for (int i = 0; i < 30000 && atomic_load(&all->arrived) < all->size; i++)
        usleep(1000);
    if (atomic_load(&all->arrived) < all->size)
        atomic_fetch_add(&all->missed, 1);
}

/* Their idle bits are several words. The first command starts them, the others wake them. */
TEST(every_one_of_256_threads_is_woken) {
    weft_device *device = make_device(256, 1, 0);

    for (int round = 0; round < 4; round++) {
        crowd all = {.size = 256};
        command c;
        make_kernel(&c, device, crowd_entry, &all, 256, 1);
        ops->submit(device, &c.work, NULL);
        wait_done(&c);
        CHECK_EQ(all.arrived, 256);
        CHECK_EQ(all.missed, 0);
        usleep(20000); /* most sleep now, some perhaps not yet */
    }
    ops->destroy(device);
}

TEST_MAIN()
