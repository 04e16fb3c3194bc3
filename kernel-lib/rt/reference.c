// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reference.h"

#include "fiber.h"

/** All of an item: what a new stack begins with. Its last place is never gone back to. */
static void weft_rt_run_item(void *argument) {
    weft_rt_item *item = argument;
    weft_rt_enter(item, 0, 0, 0, (void (*)(void))item->run);
    item->ended = 1;
    weft_rt_switch(&item->stack, *item->group);
}

void weft_rt_reference_barrier(weft_rt_item *item) {
    weft_rt_switch(&item->stack, *item->group);
}

void weft_rt_check(weft_rt_item *item, uint32_t fails, uint32_t which) {
    if (fails)
        item->launch->services->fault(item->launch, item->worker, which, 0, "");
}

static uint64_t weft_rt_group_of(const weft_launch *launch, uint64_t group, unsigned d) {
    for (unsigned k = 0; k < d; k++)
        group /= launch->num_groups[k];
    return group % launch->num_groups[d];
}

void weft_rt_describe(weft_rt_item *item, uint64_t group) {
    const weft_launch *launch = item->launch;
    item->group_items = 1;
    for (unsigned d = 0; d < 3; d++) {
        uint64_t id = weft_rt_group_of(launch, group, d), before = id * launch->local_size[d];
        uint64_t rest = launch->global_size[d] - before;
        item->group_id[d] = id;
        item->group_base[d] = launch->global_offset[d] + before;
        item->local_size[d] = rest < launch->local_size[d] ? rest : launch->local_size[d];
        item->group_items *= item->local_size[d];
    }
}

static weft_rt_item *weft_rt_item_at(const weft_launch *launch, weft_worker *worker, uint64_t at) {
    unsigned char *end = (unsigned char *)worker->private_memory + (at + 1) * launch->run_bytes;
    return (weft_rt_item *)(end - (sizeof(weft_rt_item) + 63) / 64 * 64);
}

static void weft_rt_start(weft_rt_item *item, const weft_rt_item *group, uint64_t at) {
    *item = *group;
    item->local_linear_id = at;
    item->local_id[0] = at % item->local_size[0];
    item->local_id[1] = at / item->local_size[0] % item->local_size[1];
    item->local_id[2] = at / item->local_size[0] / item->local_size[1];
    item->stack = weft_rt_new_stack(item, weft_rt_run_item, item);
}

static void weft_rt_run_group(weft_rt_item *group) {
    for (uint64_t at = 0; at < group->group_items; at++)
        weft_rt_start(weft_rt_item_at(group->launch, group->worker, at), group, at);
    for (uint64_t alive = group->group_items; alive;) {
        alive = 0;
        for (uint64_t at = 0; at < group->group_items; at++) {
            weft_rt_item *item = weft_rt_item_at(group->launch, group->worker, at);
            if (item->ended)
                continue;
            weft_rt_switch(group->group, item->stack);
            alive += !item->ended;
        }
    }
}

void weft_rt_reference(const weft_launch *launch, weft_worker *worker, uint64_t first,
                       uint64_t count, weft_rt_item_fn *run) {
    void *loop;
    for (uint64_t group = first; group < first + count; group++) {
        weft_rt_item shared = {.launch = launch, .worker = worker, .group = &loop, .run = run};
        weft_rt_describe(&shared, group);
        weft_rt_run_group(&shared);
    }
}
