// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Threads that go to sleep while work is handed over: steps in an order that the test decides. */

#include "work.h"

#include <unistd.h>

/* How far the two threads have come, see below. */
static _Atomic int stage;

static void wait_for(int wanted) {
    while (atomic_load(&stage) < wanted)
        usleep(100);
}

static void nothing(const weft_launch *launch, weft_worker *worker, uint64_t first,
                    uint64_t count) {
    (void)launch;
    (void)worker;
    (void)first;
    (void)count;
}

/* Runs until the command that it is told of has ended, or for three seconds. */
static void until_done(const weft_launch *launch, weft_worker *worker, uint64_t first,
                       uint64_t count) {
    const command *other = launch->args;

    (void)worker;
    (void)first;
    (void)count;
    for (int i = 0; i < 30000 && !atomic_load(&other->done); i++)
        usleep(100);
}

/*
 * The thread of the pool has found nothing and is about to say that it sleeps. Work is handed over;
 * the waiting thread takes it out of the inbox, and has not counted it yet. Only then does the
 * other look once more.
 */
static void look_between(const char *point) {
    if (strcmp(point, "nothing found") == 0 && atomic_load(&stage) == 0) {
        atomic_store(&stage, 1);
        wait_for(2);
    } else if (strcmp(point, "inbox emptied") == 0 && atomic_load(&stage) == 1) {
        atomic_store(&stage, 2);
        usleep(50 * 1000); /* it sleeps now, or waits for the list's lock */
    }
}

/* On e8e9dd5 the second command waited behind the first, while the pool's thread slept. */
TEST(work_that_another_takes_from_the_inbox_is_seen) {
    weft_device *device = make_device(1, 0, 0);
    command starter, first, second;

    weft_shim_set_schedule(look_between);
    make_kernel(&starter, device, nothing, NULL, 1, 1);
    ops->submit(device, &starter.work, NULL);
    wait_for(1);
    make_kernel(&second, device, nothing, NULL, 1, 1);
    make_kernel(&first, device, until_done, &second, 1, 1);
    ops->submit(device, &first.work, NULL);
    ops->submit(device, &second.work, NULL);
    CHECK(ops->help(device, &first.work, NULL));
    CHECK_EQ(atomic_load(&first.done), 1);
    CHECK_EQ(atomic_load(&second.done), 1);
    weft_shim_set_schedule(NULL);
    ops->destroy(device);
}

TEST_MAIN()
