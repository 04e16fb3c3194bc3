// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weft/ndrange.h"

/* ---- local sizes ----------------------------------------------------------------------------- */

/* Enough work per group that its start does not count; small enough that what it keeps across
 * barriers stays in the first-level cache. */
enum { MOST_ITEMS = 1024, MOST_ITEMS_BARRIER = 256, LEAST_ITEMS = 64 };
/* Where sub-groups matter: two steps that reduce a group, in sub-groups and then over what these
 * leave, are written for as many as fit GPUs' groups, which are no larger. (ggml's rms_norm has
 * local memory for 32 sub-groups of 32.) */
enum { MOST_ITEMS_SUB_GROUPS = 1024 };
/* The arena of one group, for what its items keep, is at most this large where rows fill vectors;
 * rows of one item each take `width` times as much, up to what weft_launch_plan() allows. */
#define GROUP_ARENA_BYTES ((uint64_t)64 << 20)
/* So many groups per compute unit, if the range has them. */
enum { GROUPS_PER_UNIT = 8 };

uint64_t weft_group_limit(const weft_kernel_info *info, uint64_t max_group_items) {
    const weft_body_info *rows = &info->body[WEFT_SHAPE_ROWS];
    uint64_t limit = max_group_items, required = info->reqd_local_size[0];
    uint64_t width = rows->width ? rows->width : 1;

    for (int i = 1; i < 3; i++)
        if (__builtin_mul_overflow(required, info->reqd_local_size[i], &required))
            required = UINT64_MAX;
    if (required && required <= limit)
        return required; /* there is no other choice, whatever it takes */
    if (info->flags & WEFT_KERNEL_SUB_GROUPS && limit > MOST_ITEMS_SUB_GROUPS)
        limit = MOST_ITEMS_SUB_GROUPS;
    while (limit > 1 && rows->run_bytes > GROUP_ARENA_BYTES / ((limit + width - 1) / width))
        limit /= 2;
    return limit;
}

uint64_t weft_sub_group_size(const weft_kernel_info *info) {
    return info->sub_group_size ? info->sub_group_size : 1;
}

uint64_t weft_sub_group_count(const weft_kernel_info *info, uint64_t items) {
    uint64_t size = weft_sub_group_size(info);

    return items / size + (items % size != 0);
}

uint64_t weft_max_sub_groups(const weft_kernel_info *info, uint64_t group_limit) {
    uint64_t count = group_limit / weft_sub_group_size(info);

    return count ? count : 1;
}

/* "The returned value will produce an exact number of sub-groups and result in no partial groups
 * ... If no work-group size can accommodate the requested number of sub-groups, 0". */
uint64_t weft_items_for_sub_groups(const weft_kernel_info *info, uint64_t group_limit,
                                   uint64_t count) {
    const uint64_t *required = info->reqd_local_size;
    uint64_t size = weft_sub_group_size(info), items;

    if (count > group_limit / size)
        return 0;
    items = count * size;
    if (required[0] && (required[0] != items || required[1] != 1 || required[2] != 1))
        return 0;
    return items;
}

/* The largest divisor of `size` up to `most`; a multiple of `width` if there is one. */
static uint64_t find_divisor(uint64_t size, uint64_t most, uint64_t width) {
    uint64_t largest = 1;

    if (size <= most)
        return size;
    if (size % most == 0)
        return most;
    for (uint64_t d = most / width * width; d >= width; d -= width)
        if (size % d == 0)
            return d;
    if (size <= UINT32_MAX) { /* the same, but division is several times as fast */
        for (uint32_t d = (uint32_t)most; d > 1 && largest == 1; d--)
            if ((uint32_t)size % d == 0)
                largest = d;
        return largest;
    }
    for (uint64_t d = most; d > 1; d--)
        if (size % d == 0)
            return d;
    return 1;
}

/* A size in one dimension, at most `most`. */
static uint64_t choose(uint64_t size, uint64_t most, uint64_t width, bool uniform) {
    uint64_t divisor;

    if (most <= 1)
        return 1;
    if (width > most)
        width = 1;
    divisor = find_divisor(size, most, width);
    if (!uniform && divisor * 4 < most && size > most)
        return most / width * width; /* a smaller last group is better than many tiny ones */
    return divisor;
}

static void choose_local(weft_ndrange *range, const weft_kernel_info *info,
                         const weft_ndrange_limits *limits) {
    /* Groups keep values across barriers in memory: not too large. */
    uint64_t most = info->flags & WEFT_KERNEL_BARRIER ? MOST_ITEMS_BARRIER : MOST_ITEMS;
    uint64_t limit = weft_group_limit(info, limits->group_items), items;
    bool uniform = info->flags & WEFT_KERNEL_UNIFORM_GROUPS;

    /* Integers only: the calling thread's floating-point exceptions are the application's. */
    if (__builtin_mul_overflow(range->global_size[0], range->global_size[1], &items) ||
        __builtin_mul_overflow(items, range->global_size[2], &items))
        items = UINT64_MAX;
    if (most > limit)
        most = limit;
    while (most > LEAST_ITEMS && items / most < GROUPS_PER_UNIT * limits->compute_units)
        most /= 2;
    for (int i = 0; i < 3; i++) {
        uint64_t here = most < limits->item_sizes[i] ? most : limits->item_sizes[i];
        uint64_t width = i == 0 && info->width ? info->width : 1;
        range->local_size[i] = choose(range->global_size[i], here, width, uniform);
        most /= range->local_size[i];
    }
}

/* ---- ranges ---------------------------------------------------------------------------------- */

weft_ndrange_fault weft_ndrange_complete(weft_ndrange *range) {
    if (range->work_dim < 1 || range->work_dim > 3)
        return WEFT_NDRANGE_DIMENSIONS;
    for (uint32_t i = range->work_dim; i < 3; i++) {
        range->global_offset[i] = 0;
        range->global_size[i] = range->local_size[i] = 1;
    }
    for (uint32_t i = 0; i < range->work_dim; i++)
        if (range->global_size[i] > UINT64_MAX - range->global_offset[i])
            return WEFT_NDRANGE_OFFSET;
    return WEFT_NDRANGE_GOOD;
}

static weft_ndrange_fault check_local(const weft_ndrange *range, const weft_kernel_info *info,
                                      const weft_ndrange_limits *limits) {
    const uint64_t *local = range->local_size, *required = info->reqd_local_size;
    uint64_t most = weft_group_limit(info, limits->group_items), items = 1;

    if (required[0] &&
        (local[0] != required[0] || local[1] != required[1] || local[2] != required[2]))
        return WEFT_NDRANGE_REQUIRED;
    for (int i = 0; i < 3; i++) {
        if (!local[i])
            return WEFT_NDRANGE_ZERO;
        if (local[i] > limits->item_sizes[i])
            return WEFT_NDRANGE_ITEM_SIZE;
        if (__builtin_mul_overflow(items, local[i], &items))
            return WEFT_NDRANGE_GROUP_SIZE;
    }
    if (items > most)
        return WEFT_NDRANGE_GROUP_SIZE;
    if (info->reqd_sub_groups && weft_sub_group_count(info, items) != info->reqd_sub_groups)
        return WEFT_NDRANGE_SUB_GROUPS;
    for (int i = 0; i < 3 && info->flags & WEFT_KERNEL_UNIFORM_GROUPS; i++)
        if (range->global_size[i] % local[i])
            return WEFT_NDRANGE_UNEVEN;
    return WEFT_NDRANGE_GOOD;
}

weft_ndrange_fault weft_ndrange_fix_local(weft_ndrange *range, bool given,
                                          const weft_kernel_info *info,
                                          const weft_ndrange_limits *limits) {
    if (given)
        return check_local(range, info, limits);
    if (!weft_ndrange_is_fixed(info)) {
        choose_local(range, info, limits);
        return WEFT_NDRANGE_GOOD;
    }
    for (int i = 0; i < 3; i++)
        range->local_size[i] = info->reqd_local_size[0] ? info->reqd_local_size[i]
                               : i == 0 ? info->reqd_sub_groups * weft_sub_group_size(info)
                                        : 1;
    return check_local(range, info, limits);
}

void weft_ndrange_launch(const weft_ndrange *range, const weft_kernel_info *info,
                         weft_launch *launch) {
    const uint64_t *global = range->global_size, *local = range->local_size;

    launch->abi_version = WEFT_ABI_VERSION;
    launch->work_dim = range->work_dim;
    for (int i = 0; i < 3; i++) {
        launch->global_size[i] = global[i];
        launch->global_offset[i] = range->global_offset[i];
        launch->local_size[i] = local[i];
        launch->num_groups[i] = global[i] / local[i] + (global[i] % local[i] != 0);
    }
    launch->sub_group_size = info->sub_group_size;
    if (info->sub_group_size)
        launch->max_sub_groups =
            (uint32_t)weft_sub_group_count(info, local[0] * local[1] * local[2]);
}
