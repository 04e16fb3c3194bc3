// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu's scheduler: works of different priority, and works that wake nobody. */

#include "work.h"

#include <unistd.h>

/* A short sleep for each group; how many ran. */
static void slow_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                       uint64_t count) {
    (void)worker;
    for (uint64_t i = first; i < first + count; i++) {
        usleep(500);
        atomic_fetch_add((_Atomic int *)launch->args, 1);
    }
}

static void wait_begun(command *c) {
    while (!atomic_load(&c->begun))
        usleep(50);
}

TEST(urgent_work_overtakes_between_chunks) {
    weft_device *device = make_device(1, 1, 0);
    _Atomic int slow = 0, urgent = 0;
    command long_one, short_one;
    make_kernel(&long_one, device, slow_entry, (void *)&slow, 200, 1);
    make_kernel(&short_one, device, slow_entry, (void *)&urgent, 4, 1);
    short_one.work.priority = 1;
    ops->submit(device, &long_one.work, NULL);
    wait_begun(&long_one);
    ops->submit(device, &short_one.work, NULL);
    wait_done(&short_one);
    CHECK(atomic_load(&slow) < 200);
    wait_done(&long_one);
    CHECK_EQ(slow, 200);
    CHECK_EQ(urgent, 4);
    ops->destroy(device);
}

TEST(low_work_gives_way) {
    weft_device *device = make_device(1, 1, 0);
    _Atomic int slow = 0, normal = 0;
    command long_one, short_one;
    make_kernel(&long_one, device, slow_entry, (void *)&slow, 200, 1);
    make_kernel(&short_one, device, slow_entry, (void *)&normal, 4, 1);
    long_one.work.priority = -1;
    ops->submit(device, &long_one.work, NULL);
    wait_begun(&long_one);
    ops->submit(device, &short_one.work, NULL);
    wait_done(&short_one);
    CHECK(atomic_load(&slow) < 200);
    wait_done(&long_one);
    CHECK_EQ(slow, 200);
    ops->destroy(device);
}

enum { MANY = 60 };

/* The order in which works of all priorities began, while one thread was kept busy. */
TEST(the_list_is_sorted_by_priority_then_age) {
    weft_device *device = make_device(1, 0, 0);
    static command works[MANY];
    _Atomic int gate = 0, ran = 0;
    int order[MANY];
    command first;
    make_kernel(&first, device, slow_entry, (void *)&gate, 40, 1);
    first.work.priority = 1; /* nothing overtakes it */
    ops->submit(device, &first.work, NULL);
    wait_begun(&first);
    for (int i = 0; i < MANY; i++) {
        make_kernel(&works[i], device, slow_entry, (void *)&ran, 1, 1);
        works[i].work.priority = (int8_t)(i % 3 - 1);
        ops->submit(device, &works[i].work, NULL);
    }
    int seen = 0;
    while (seen < MANY) {
        for (int i = 0; i < MANY; i++)
            if (atomic_load(&works[i].begun) == 1) {
                atomic_store(&works[i].begun, 2);
                order[seen++] = i;
            }
        usleep(100);
    }
    wait_done(&first);
    for (int i = 0; i < MANY; i++)
        while (!atomic_load(&works[i].done))
            usleep(50);
    for (int i = 1; i < MANY; i++) {
        CHECK(order[i] % 3 <= order[i - 1] % 3);
        if (order[i] % 3 == order[i - 1] % 3)
            CHECK(order[i] > order[i - 1]);
    }
    ops->destroy(device);
}

TEST(frugal_work_ends_too) {
    weft_device *device = make_device(4, 1, 0);
    _Atomic int ran = 0;
    for (int round = 0; round < 50; round++) {
        command c;
        make_kernel(&c, device, slow_entry, (void *)&ran, 8, 1);
        c.work.frugal = true;
        ops->submit(device, &c.work, NULL);
        wait_done(&c);
    }
    CHECK_EQ(ran, 400);
    ops->destroy(device);
}

TEST_MAIN()
