// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "groups.h"

static void weft_group_set(const weft_launch *launch, weft_rt_group *group, unsigned d) {
    uint64_t before = group->id[d] * launch->local_size[d];
    uint64_t rest = launch->global_size[d] - before;
    group->base[d] = launch->global_offset[d] + before;
    group->size[d] = rest < launch->local_size[d] ? rest : launch->local_size[d];
}

static void weft_group_count(weft_rt_group *group) {
    group->rows = group->size[1] * group->size[2];
    group->items = group->size[0] * group->rows;
}

void weft_rt_group_first(const weft_launch *launch, weft_rt_group *group, uint64_t first) {
    uint64_t row = first / launch->num_groups[0];
    group->id[0] = first % launch->num_groups[0];
    group->id[1] = row % launch->num_groups[1];
    group->id[2] = row / launch->num_groups[1];
    for (unsigned d = 0; d < 3; d++)
        weft_group_set(launch, group, d);
    weft_group_count(group);
}

void weft_rt_group_next(const weft_launch *launch, weft_rt_group *group) {
    uint64_t last = launch->num_groups[0] - 1;
    if (++group->id[0] < last) { /* neither new row nor smaller last group */
        group->base[0] += launch->local_size[0];
        return;
    }
    if (group->id[0] > last) {
        group->id[0] = 0;
        if (++group->id[1] == launch->num_groups[1]) {
            group->id[1] = 0;
            group->id[2]++;
            weft_group_set(launch, group, 2);
        }
        weft_group_set(launch, group, 1);
    }
    weft_group_set(launch, group, 0);
    weft_group_count(group);
}
