// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Walking over the groups of a launch: what compiled entries call, once per group. */
#ifndef WEFT_RT_GROUPS_H
#define WEFT_RT_GROUPS_H

#include "../../include/weft/abi.h"

/** The group that an entry is at. Compiled code reads the members that the kernel asks for. */
typedef struct weft_rt_group {
    uint64_t id[3];   /* get_group_id */
    uint64_t base[3]; /* global id of its first item */
    uint64_t size[3]; /* get_local_size: smaller than enqueued in the last group of a row */
    uint64_t rows;    /* size[1] * size[2] */
    uint64_t items;   /* size[0] * rows */
} weft_rt_group;

#ifdef __cplusplus
extern "C" {
#endif

/** Sets `group` to the group with the linear number `first` (x fastest). */
void weft_rt_group_first(const weft_launch *launch, weft_rt_group *group, uint64_t first);

/** Moves on to the next group in linear order. Undefined behind the last. */
void weft_rt_group_next(const weft_launch *launch, weft_rt_group *group);

#ifdef __cplusplus
}
#endif

#endif
