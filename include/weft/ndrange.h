// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The rules of ND-ranges, for what the host enqueues (runtime/enqueue_kernel.c) and for what
 * kernels do (device-cpu/enqueue_service.c): which are valid, which local size one gets that leaves
 * it to us, how many groups and sub-groups there are. Each side has its own names for what is
 * wrong.
 *
 * Pure functions: any thread, no memory, no floating point.
 */
#ifndef WEFT_NDRANGE_H
#define WEFT_NDRANGE_H

#include "weft/abi.h"

#include <stdbool.h>
#include <stdint.h>

/** What is wrong with a range. */
typedef enum weft_ndrange_fault {
    WEFT_NDRANGE_GOOD,
    WEFT_NDRANGE_DIMENSIONS, /* not 1 to 3 */
    WEFT_NDRANGE_OFFSET,     /* global size and offset add up to more than 64 bits hold */
    WEFT_NDRANGE_REQUIRED,   /* not the local size that the kernel requires */
    WEFT_NDRANGE_ZERO,       /* a local size of 0 in a dimension */
    WEFT_NDRANGE_ITEM_SIZE,  /* larger than the device allows along a dimension */
    WEFT_NDRANGE_GROUP_SIZE, /* more work-items than a group of this kernel can have */
    WEFT_NDRANGE_SUB_GROUPS, /* not the number of sub-groups that the kernel requires */
    WEFT_NDRANGE_UNEVEN      /* must divide the global size, and does not */
} weft_ndrange_fault;

/** Of a device. */
typedef struct weft_ndrange_limits {
    uint64_t group_items; /* work-items of a group */
    uint64_t item_sizes[3];
    uint32_t compute_units;
} weft_ndrange_limits;

/** Fills in the dimensions that a range does not have (1 item at 0, local size 1). DIMENSIONS,
 *  OFFSET. The range may be an empty one. */
weft_ndrange_fault weft_ndrange_complete(weft_ndrange *range);

/** No work-items: the kernel trivially succeeds. Of a complete range. */
static inline bool weft_ndrange_is_empty(const weft_ndrange *range) {
    return !range->global_size[0] || !range->global_size[1] || !range->global_size[2];
}

/** The kernel leaves no choice of a local size. */
static inline bool weft_ndrange_is_fixed(const weft_kernel_info *info) {
    return info->reqd_local_size[0] || info->reqd_sub_groups;
}

/**
 * The local size of a complete range that is not empty: checks it (`given`), or else puts the
 * required one in its place, or one that suits kernel and device.
 */
weft_ndrange_fault weft_ndrange_fix_local(weft_ndrange *range, bool given,
                                          const weft_kernel_info *info,
                                          const weft_ndrange_limits *limits);

/** What a launch has from the range, its local size fixed, and from the kernel. */
void weft_ndrange_launch(const weft_ndrange *range, const weft_kernel_info *info,
                         weft_launch *launch);

/** The most work-items that a group of this kernel can have (CL_KERNEL_WORK_GROUP_SIZE). */
uint64_t weft_group_limit(const weft_kernel_info *info, uint64_t max_group_items);

/** Items of each sub-group of this kernel but the last of a group; at least 1. */
uint64_t weft_sub_group_size(const weft_kernel_info *info);

/** Sub-groups of a group of so many items. */
uint64_t weft_sub_group_count(const weft_kernel_info *info, uint64_t items);

/** CL_KERNEL_MAX_NUM_SUB_GROUPS of a kernel with this group limit; at least 1. */
uint64_t weft_max_sub_groups(const weft_kernel_info *info, uint64_t group_limit);

/** CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT along x; 0: no size has so many. */
uint64_t weft_items_for_sub_groups(const weft_kernel_info *info, uint64_t group_limit,
                                   uint64_t count);

#endif
