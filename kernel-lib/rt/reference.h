// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Reference execution: what runs kernels whose work-items have stacks of their own. */
#ifndef WEFT_RT_REFERENCE_H
#define WEFT_RT_REFERENCE_H

#include "../../include/weft/abi.h"

struct weft_rt_item;

/** A kernel's code: one work-item from the kernel's beginning to its end. */
typedef void weft_rt_item_fn(struct weft_rt_item *item);

/** One work-item, at the upper end of its part of the arena; its stack grows down from there. */
typedef struct weft_rt_item {
    const weft_launch *launch;
    weft_worker *worker;
    uint64_t local_id[3];
    uint64_t local_linear_id;
    uint64_t group_id[3];
    uint64_t group_base[3]; /* global id of the group's first item */
    uint64_t local_size[3];
    uint64_t group_items;
    void *stack;  /* stack pointer while it waits */
    void **group; /* stack pointer of the loop over the group, while an item runs */
    weft_rt_item_fn *run;
    uint64_t ended;
} weft_rt_item;

#ifdef __cplusplus
extern "C" {
#endif

/** Fills in what all items of the group with the linear number `group` share. */
void weft_rt_describe(weft_rt_item *item, uint64_t group);

/** What an entry does (weft_entry_fn). Items run one after the other, in linear order, each until
 *  its next barrier or its end. */
void weft_rt_reference(const weft_launch *launch, weft_worker *worker, uint64_t first,
                       uint64_t count, weft_rt_item_fn *run);

/** An item has come to a barrier: returns when all others have come to one or ended. */
void weft_rt_reference_barrier(weft_rt_item *item);

/** With checks on (WEFT_CHECKS): reports the fault `which` if a claim fails. */
void weft_rt_check(weft_rt_item *item, uint32_t fails, uint32_t which);

#ifdef __cplusplus
}
#endif

#endif
