// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Which local size an ND-range gets if the application leaves it to us. */
#ifndef WEFT_LOCAL_SIZE_H
#define WEFT_LOCAL_SIZE_H

#include "weft/abi.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct weft_local_size_rules {
    uint64_t limit; /* work-items of a group at most */
    uint64_t dimension_limit[3];
    uint32_t compute_units;
    uint32_t width; /* work-items per vector */
    bool uniform;   /* must divide the global size */
    bool barrier;   /* groups keep values across barriers in memory: not too large */
} weft_local_size_rules;

/** The most work-items that a group of this kernel can have (CL_KERNEL_WORK_GROUP_SIZE). */
uint64_t weft_group_limit(const weft_kernel_info *info, uint64_t max_group_items);

/** Items of each sub-group of this kernel but the last of a group; at least 1. */
uint64_t weft_sub_group_size(const weft_kernel_info *info);

/** CL_KERNEL_MAX_NUM_SUB_GROUPS of a kernel with this group limit; at least 1. */
uint64_t weft_max_sub_groups(const weft_kernel_info *info, uint64_t group_limit);

/** CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT along x; 0: no size has so many. */
uint64_t weft_items_for_sub_groups(const weft_kernel_info *info, uint64_t group_limit,
                                   uint64_t count);

/** `global` has three sizes, none 0. */
void weft_choose_local_size(const weft_local_size_rules *rules, const uint64_t global[3],
                            uint64_t local[3]);

#endif
