// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "local_size.h"

/* Enough work per group that its start does not count; small enough that what it keeps across
 * barriers stays in the first-level cache. */
enum { MOST_ITEMS = 1024, MOST_ITEMS_BARRIER = 256, LEAST_ITEMS = 64 };
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
    while (limit > 1 && rows->run_bytes > GROUP_ARENA_BYTES / ((limit + width - 1) / width))
        limit /= 2;
    return limit;
}

uint64_t weft_sub_group_size(const weft_kernel_info *info) {
    return info->sub_group_size ? info->sub_group_size : 1;
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
static uint64_t choose(const weft_local_size_rules *rules, uint64_t size, uint64_t most,
                       uint64_t width) {
    uint64_t divisor;

    if (most <= 1)
        return 1;
    if (width > most)
        width = 1;
    divisor = find_divisor(size, most, width);
    if (!rules->uniform && divisor * 4 < most && size > most)
        return most / width * width; /* a smaller last group is better than many tiny ones */
    return divisor;
}

void weft_choose_local_size(const weft_local_size_rules *rules, const uint64_t global[3],
                            uint64_t local[3]) {
    uint64_t most = rules->barrier ? MOST_ITEMS_BARRIER : MOST_ITEMS;
    uint64_t width = rules->width ? rules->width : 1, items;

    /* Integers only: the calling thread's floating-point exceptions are the application's. */
    if (__builtin_mul_overflow(global[0], global[1], &items) ||
        __builtin_mul_overflow(items, global[2], &items))
        items = UINT64_MAX;
    if (most > rules->limit)
        most = rules->limit;
    while (most > LEAST_ITEMS && items / most < GROUPS_PER_UNIT * rules->compute_units)
        most /= 2;
    for (int i = 0; i < 3; i++) {
        uint64_t here = most < rules->dimension_limit[i] ? most : rules->dimension_limit[i];
        local[i] = choose(rules, global[i], here, i == 0 ? width : 1);
        most /= local[i];
    }
}
