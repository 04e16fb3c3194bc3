// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The pool (device-cpu/scheduler.c, worker.c): work is handed over without a lock, threads go to
 * sleep and are woken, chunks are taken by several, waiting threads help. */

#include "explore.h"

#include "cpu.h"

#include <CL/cl.h>

enum { WORKS = 3, GROUPS = 4 };

/* What came of a work: the test's own, not watched. */
static struct count {
    int begun, done, ran[GROUPS];
} counts[WORKS];

typedef struct command {
    weft_work work;
    weft_kernel_info info;
    weft_kernel_code code;
    struct count *count;
    struct command *until; /* its first group lasts until that one has ended */
    weft_work *then;       /* submitted when it ends */
} command;

static const weft_device_ops *ops;
static weft_device *device;
static command *works; /* in memory that is watched */

static void on_begin(weft_work *work) {
    ((command *)work)->count->begun++;
}

static void on_done(weft_work *work, int32_t status, weft_runner *runner) {
    command *ended = (command *)work;

    EXPLORE_EQ(status, CL_SUCCESS);
    weft_work *then = ended->then;
    ended->count->done++; /* it may be gone now */
    if (then)
        ops->submit(device, then, runner);
}

static bool is_done(void *argument) {
    return ((const struct count *)argument)->done;
}

static void kernel(const weft_launch *launch, weft_worker *worker, uint64_t first, uint64_t count) {
    command *mine = (command *)launch->args;

    (void)worker;
    for (uint64_t i = first; i < first + count; i++)
        mine->count->ran[i]++;
    if (mine->until && first == 0)
        explore_await(is_done, mine->until->count);
    explore_point("in a kernel");
}

static command *make(int number, uint64_t groups) {
    command *made = &works[number];
    weft_launch *launch = &made->work.kernel.launch;

    memset(made, 0, sizeof(*made));
    made->count = &counts[number];
    memset(made->count, 0, sizeof(*made->count));
    made->info.width = 1;
    made->code.info = &made->info;
    made->code.entry[WEFT_SHAPE_ROWS] = kernel;
    made->work.kind = WEFT_WORK_KERNEL;
    made->work.kernel.code = &made->code;
    launch->abi_version = WEFT_ABI_VERSION;
    launch->work_dim = 1;
    launch->args = made;
    for (int i = 0; i < 3; i++)
        launch->global_size[i] = launch->local_size[i] = launch->num_groups[i] = 1;
    launch->global_size[0] = launch->num_groups[0] = groups;
    made->work.begin = on_begin;
    made->work.done = on_done;
    return made;
}

static void make_device(uint32_t pool_threads, uint32_t chunk) {
    const weft_cpu_settings settings = {
        .threads = pool_threads, .chunk_groups = chunk, .no_herald = true};

    ops = weft_cpu_ops();
    device = weft_cpu_create(&settings);
    works = weft_calloc(WORKS, sizeof(*works));
    if (!device || !works)
        explore_fail("no device");
}

static void one_thread(void) {
    make_device(1, 0);
}

static void two_threads(void) {
    make_device(2, 1);
}

static void submit(command *wanted) {
    ops->submit(device, &wanted->work, NULL);
}

/* As clWaitForEvents: helps, then sleeps until it has ended. */
static void wait_for(command *wanted) {
    if (!wanted->count->done)
        ops->help(device, &wanted->work, NULL);
    explore_await(is_done, wanted->count);
}

/* Everything has run once, and the pool is as it was before. */
static void check_all(int count) {
    for (int i = 0; i < count; i++) {
        const struct count *count = &counts[i];
        EXPLORE_EQ(count->begun, 1);
        EXPLORE_EQ(count->done, 1);
        for (uint64_t g = 0; g < GROUPS; g++)
            EXPLORE_EQ(count->ran[g], g < works[i].work.kernel.launch.num_groups[0]);
    }
}

static void check_pool(void) {
    const weft_pool *pool = &device->pool;

    EXPLORE_CHECK(!atomic_load(&pool->inbox) && !pool->first);
    EXPLORE_CHECK(pool->last == &device->pool.first);
    EXPLORE_EQ(atomic_load(&pool->listed), 0);
    EXPLORE_EQ(atomic_load(&pool->urgent), 0);
    EXPLORE_EQ(atomic_load(&pool->low), 0);
    int idle = 0;
    for (uint32_t i = 0; i * pool->idle_bits < pool->size; i++)
        idle += __builtin_popcountll(atomic_load(&pool->idle[i]));
    EXPLORE_EQ(idle, atomic_load(&pool->started));
}

static void two_ended(void) {
    check_all(2);
    check_pool();
}

static void three_ended(void) {
    check_all(3);
    check_pool();
}

/* ---- work behind a busy thread ------------------------------------------------------------------
 *
 * A waiting thread runs what lasts until other work has ended, which it has handed over as well.
 * Issue 18's fault 8: it had taken both out of the inbox, and had not counted them yet, when the
 * pool's thread looked a last time before it went to sleep. */

static void hand_over_and_wait(void *unused) {
    (void)unused;
    command *first = make(0, 1), *second = make(1, 1);
    first->until = second;
    submit(first);
    submit(second);
    if (!ops->help(device, &first->work, NULL)) /* the pool's thread has it */
        ops->help(device, &second->work, NULL);
    explore_await(is_done, first->count);
}

static void busy_thread(void) {
    explore_thread("host", hand_over_and_wait, NULL);
}

/* ---- several threads at the chunks of works of several threads ---------------------------------
 */

static void submit_and_wait(void *number) {
    command *mine = make((int)(intptr_t)number, 3);
    submit(mine);
    wait_for(mine);
}

static void two_hosts(void) {
    explore_thread("host a", submit_and_wait, (void *)0);
    explore_thread("host b", submit_and_wait, (void *)1);
}

/* ---- threads that sleep in different words
 * -------------------------------------------------------
 *
 * As with more than 64 threads. A thread that sleeps is found, though another has just seen nobody
 * in its word and says so: the first work lasts until the other has ended, on another thread. */

static void words_of_one(void) {
    two_threads();
    device->pool.idle_bits = 1;
}

static void submit_short_then_long(void *unused) {
    (void)unused;
    submit(&works[0]);
    explore_await(is_done, &counts[0]);
    submit(&works[1]);
}

static void submit_other(void *unused) {
    (void)unused;
    submit(&works[2]);
}

static void words(void) {
    make(0, 1);
    make(1, 1)->until = make(2, 1);
    explore_thread("short, then long", submit_short_then_long, NULL);
    explore_thread("other", submit_other, NULL);
}

/* ---- one work that two help with ---------------------------------------------------------------
 */

static void help(void *number) {
    wait_for(&works[(intptr_t)number]);
}

static void two_helpers(void) {
    submit(make(0, 1));
    submit(make(1, 2));
    explore_thread("helper a", help, (void *)0);
    explore_thread("helper b", help, (void *)0);
    explore_thread("helper c", help, (void *)1);
}

/* ---- priorities and what a completion submits --------------------------------------------------
 */

static void submit_urgent(void *unused) {
    (void)unused;
    command *urgent = make(0, 2);
    urgent->work.priority = 1;
    submit(urgent);
}

static void submit_low(void *unused) {
    (void)unused;
    command *low = make(1, 3), *then = make(2, 1);
    low->work.priority = -1;
    low->then = &then->work;
    submit(low);
}

static void priorities(void) {
    explore_thread("urgent", submit_urgent, NULL);
    explore_thread("low", submit_low, NULL);
}

/* ---- frugal work wakes one, not none -----------------------------------------------------------
 */

static void submit_frugal(void *number) {
    command *mine = make((int)(intptr_t)number, 2);
    mine->work.frugal = true;
    submit(mine);
}

static void frugal(void) {
    explore_thread("frugal a", submit_frugal, (void *)0);
    explore_thread("frugal b", submit_frugal, (void *)1);
}

/* ---- the device goes ----------------------------------------------------------------------------
 *
 * Work that was handed over ends first; the threads end, and no memory stays. */

static void submit_and_destroy(void *unused) {
    (void)unused;
    submit(make(0, 2));
    submit(make(1, 1));
    ops->destroy(device);
    check_all(2);
}

static void destroyed(void) {
    explore_thread("owner", submit_and_destroy, NULL);
}

static void nothing_left(void) {
    /* The device, its folder's name, its threads and idle bits. */
    EXPLORE_EQ(explore_live_blocks(), -4);
}

/* ---- a part of a device goes --------------------------------------------------------------------
 *
 * Nobody waits for its threads, which may be the callers: the last one that has it frees it. */

static void part(void) {
    two_threads();
    device->is_part = true;
}

static void submit_and_let_go(void *unused) {
    (void)unused;
    submit(make(0, 2));
    submit(make(1, 1));
    ops->destroy(device);
}

static void let_go(void) {
    explore_thread("owner", submit_and_let_go, NULL);
}

static void part_is_gone(void) {
    check_all(2);
    nothing_left();
}

/* ---- no thread can be started ------------------------------------------------------------------
 *
 * Whoever submits runs the work, and what its end submits. */

static void submit_chain(void *number) {
    command *mine = make((int)(intptr_t)number, 2);

    if (!number)
        mine->then = &make(2, 1)->work;
    submit(mine);
    EXPLORE_EQ(mine->count->done, 1);
}

static void no_threads(void) {
    explore_start_no_threads();
    explore_thread("host a", submit_chain, (void *)0);
    explore_thread("host b", submit_chain, (void *)1);
}

static void inline_ended(void) {
    EXPLORE_EQ(atomic_load(&device->pool.started), 0);
    three_ended();
    EXPLORE_EQ(explore_live_blocks(), 0);
}

static const explore_scenario scenarios[] = {
    {"work_behind_a_busy_thread",
     one_thread,
     busy_thread,
     two_ended,
     {{FAULT_LATE, "drain_inbox", "fetch_add", "&pool->listed", 1,
       "what was taken out of the inbox is counted afterwards (issue 18, fault 8)"},
      {FAULT_LATE, "weft_pool_sleep", "fetch_or", "pool->sleepy", 1,
       "a thread says where it sleeps after it has looked"},
      {FAULT_STALE, "weft_pool_has_work", "load", "&pool->inbox", 1,
       "a thread that has said that it sleeps does not look again"},
      {FAULT_SKIP, "weft_runner_wake", "futex wake", "&runner->token", 1, "nobody is woken"}}},
    {"two_hosts_and_two_threads",
     two_threads,
     two_hosts,
     two_ended,
     {{FAULT_SPLIT, "run_chunks", "fetch_add", "&work->device.cursor", 1,
       "a chunk is taken by looking and then storing"},
      {FAULT_SPLIT, "publish", "compare_exchange", "&pool->inbox", 1,
       "work is put in front of another's at the same time"},
      {FAULT_RELAXED, "publish", "compare_exchange", "&pool->inbox", 1,
       "what work is, need not be seen with it"}}},
    {"threads_sleep_in_different_words",
     words_of_one,
     words,
     three_ended,
     {{FAULT_LATE, "pass_over", "fetch_and", "pool->sleepy", 1,
       "a word is passed over after it was looked at"},
      {FAULT_SKIP, "weft_pool_sleep", "fetch_or", "pool->sleepy", 1,
       "nobody is told in which word a thread sleeps"}}},
    {"two_help_with_one",
     two_threads,
     two_helpers,
     two_ended,
     {{FAULT_SPLIT, "leave", "fetch_sub", "&work->device.open", 1,
       "the last one out is known by looking and then storing"}}},
    {"priorities",
     two_threads,
     priorities,
     three_ended,
     {{FAULT_UNLOCKED, "find_work", "lock", "&pool->lock", 1, "the list without its lock"}}},
    {"frugal", two_threads, frugal, two_ended, {{0}}},
    {"the_device_goes",
     two_threads,
     destroyed,
     nothing_left,
     {{FAULT_SKIP, "weft_pool_stop", "store", "&pool->stopping", 1, "nobody is told to stop"}}},
    {"a_part_goes",
     part,
     let_go,
     part_is_gone,
     {{FAULT_SPLIT, "weft_device_drop", "fetch_sub", "&device->holds", 1,
       "who has it last is known by looking and then storing"}}},
    {"no_thread_can_be_started", two_threads, no_threads, inline_ended, {{0}}},
};

int main(int argc, char **argv) {
    return explore_main(argc, argv, NULL, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
