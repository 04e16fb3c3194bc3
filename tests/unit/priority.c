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

/* How far the slow work was when a short one ran. */
typedef struct glance {
    _Atomic int *slow;
    int seen;
} glance;

static void glance_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                         uint64_t count) {
    glance *mine = (glance *)launch->args;
    (void)worker, (void)first, (void)count;
    mine->seen = atomic_load(mine->slow);
}

static void check_overtaking(int8_t slow_priority, int8_t short_priority) {
    weft_device *device = make_device(1, 1, 0);
    _Atomic int slow = 0;
    glance look = {&slow, -1};
    command long_one, short_one;
    make_kernel(&long_one, device, slow_entry, (void *)&slow, 200, 1);
    make_kernel(&short_one, device, glance_entry, &look, 1, 1);
    long_one.work.priority = slow_priority;
    short_one.work.priority = short_priority;
    ops->submit(device, &long_one.work, NULL);
    wait_begun(&long_one);
    ops->submit(device, &short_one.work, NULL);
    bool in_time = atomic_load(&slow) < 190;
    wait_done(&short_one);
    wait_done(&long_one);
    ops->destroy(device);
    CHECK_EQ(slow, 200);
    if (!in_time)
        SKIP("this thread was not run for a tenth of a second");
    CHECK(look.seen < 200);
}

TEST(urgent_work_overtakes_between_chunks) {
    check_overtaking(0, 1);
}

TEST(low_work_gives_way) {
    check_overtaking(-1, 0);
}

enum { MANY = 60 };

/* One work: notes when its turn came, among all of the list that it belongs to. */
typedef struct turn {
    _Atomic int *next;
    int taken;
} turn;

static void turn_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                       uint64_t count) {
    turn *mine = (turn *)launch->args;
    (void)worker, (void)first, (void)count;
    mine->taken = atomic_fetch_add(mine->next, 1);
}

/* Works of all priorities, handed over while an urgent one kept the only thread busy. */
TEST(the_list_is_sorted_by_priority_then_age) {
    weft_device *device = make_device(1, 0, 0);
    static command works[MANY];
    static turn turns[MANY];
    _Atomic int gate = 0, next = 0;
    int order[MANY];
    command first;
    make_kernel(&first, device, slow_entry, (void *)&gate, 200, 1);
    first.work.priority = 1; /* nothing overtakes it */
    ops->submit(device, &first.work, NULL);
    wait_begun(&first);
    for (int i = 0; i < MANY; i++) {
        turns[i] = (turn){&next, -1};
        make_kernel(&works[i], device, turn_entry, &turns[i], 1, 1);
        works[i].work.priority = (int8_t)(i % 3 - 1);
        ops->submit(device, &works[i].work, NULL);
    }
    bool in_time = !atomic_load(&first.done);
    wait_done(&first);
    for (int i = 0; i < MANY; i++)
        wait_done(&works[i]);
    ops->destroy(device);
    if (!in_time)
        SKIP("this thread was not run for a tenth of a second");
    for (int i = 0; i < MANY; i++)
        order[turns[i].taken] = i;
    for (int i = 1; i < MANY; i++) {
        CHECK(order[i] % 3 <= order[i - 1] % 3);
        if (order[i] % 3 == order[i - 1] % 3)
            CHECK(order[i] > order[i - 1]);
    }
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
