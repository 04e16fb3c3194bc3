// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The rules of ND-ranges (weft/ndrange.h) alone: what clEnqueueNDRangeKernel and enqueue_kernel
 * have in common. Which error each makes of it is tested in api/errors_enqueue, api/enqueue and
 * api/device_enqueue. */

#include "harness.h"

#include "weft/ndrange.h"

static const weft_ndrange_limits limits = {1024, {1024, 512, 64}, 4};

static weft_ndrange range_of(uint64_t x, uint64_t y, uint64_t z) {
    return (weft_ndrange){.work_dim = 3, .global_size = {x, y, z}};
}

static weft_ndrange_fault check(const weft_kernel_info *info, uint64_t global, uint64_t x,
                                uint64_t y, uint64_t z) {
    weft_ndrange range = range_of(global, global, global);

    range.local_size[0] = x;
    range.local_size[1] = y;
    range.local_size[2] = z;
    return weft_ndrange_fix_local(&range, true, info, &limits);
}

TEST(dimensions_that_are_not_there) {
    weft_ndrange range;

    memset(&range, 0xee, sizeof(range));
    range.work_dim = 1;
    range.global_size[0] = 7;
    range.global_offset[0] = 3;
    CHECK_EQ(weft_ndrange_complete(&range), WEFT_NDRANGE_GOOD);
    CHECK_EQ(range.global_size[0], 7);
    for (int i = 1; i < 3; i++) {
        CHECK_EQ(range.global_size[i], 1);
        CHECK_EQ(range.global_offset[i], 0);
        CHECK_EQ(range.local_size[i], 1);
    }
    CHECK(!weft_ndrange_is_empty(&range));
    range.work_dim = 0;
    CHECK_EQ(weft_ndrange_complete(&range), WEFT_NDRANGE_DIMENSIONS);
    range.work_dim = 4;
    CHECK_EQ(weft_ndrange_complete(&range), WEFT_NDRANGE_DIMENSIONS);
}

TEST(offsets_that_wrap_around) {
    weft_ndrange range = range_of(2, 2, 2);

    range.global_offset[2] = UINT64_MAX - 2;
    CHECK_EQ(weft_ndrange_complete(&range), WEFT_NDRANGE_GOOD);
    range.global_offset[2] = UINT64_MAX - 1;
    CHECK_EQ(weft_ndrange_complete(&range), WEFT_NDRANGE_OFFSET);
    range.work_dim = 2; /* the third is not there, whatever it says */
    CHECK_EQ(weft_ndrange_complete(&range), WEFT_NDRANGE_GOOD);
}

TEST(empty_ranges) {
    for (int i = 0; i < 3; i++) {
        weft_ndrange range = range_of(i != 0, i != 1, i != 2);
        CHECK_EQ(weft_ndrange_complete(&range), WEFT_NDRANGE_GOOD);
        CHECK(weft_ndrange_is_empty(&range));
    }
}

TEST(given_local_sizes) {
    weft_kernel_info info = {.width = 8};

    CHECK_EQ(check(&info, 100, 7, 3, 2), WEFT_NDRANGE_GOOD);
    CHECK_EQ(check(&info, 100, 0, 1, 1), WEFT_NDRANGE_ZERO);
    CHECK_EQ(check(&info, 100, 1, 1, 0), WEFT_NDRANGE_ZERO);
    CHECK_EQ(check(&info, 100, 1024, 1, 1), WEFT_NDRANGE_GOOD);
    CHECK_EQ(check(&info, 100, 1025, 1, 1), WEFT_NDRANGE_ITEM_SIZE);
    CHECK_EQ(check(&info, 100, 1, 1, 65), WEFT_NDRANGE_ITEM_SIZE);
    CHECK_EQ(check(&info, 100, 1024, 2, 1), WEFT_NDRANGE_GROUP_SIZE);
    info.flags = WEFT_KERNEL_UNIFORM_GROUPS;
    CHECK_EQ(check(&info, 100, 7, 1, 1), WEFT_NDRANGE_UNEVEN);
    CHECK_EQ(check(&info, 100, 10, 5, 4), WEFT_NDRANGE_GOOD);
}

/* A product that is small again once it has wrapped around is not small. */
TEST(products_do_not_wrap_around) {
    weft_ndrange_limits no_limits = {1024, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, 4};
    weft_ndrange range = range_of(8, 8, 8);
    weft_kernel_info info = {.width = 8};

    range.local_size[0] = range.local_size[1] = (uint64_t)1 << 32;
    range.local_size[2] = 1;
    CHECK_EQ(weft_ndrange_fix_local(&range, true, &info, &no_limits), WEFT_NDRANGE_GROUP_SIZE);
}

/* enqueue_kernel ran a block with any local size, whatever its kernel required. */
TEST(required_local_sizes) {
    weft_kernel_info info = {.width = 8, .reqd_local_size = {8, 4, 1}};
    weft_ndrange range = range_of(16, 16, 16);

    CHECK_EQ(check(&info, 16, 8, 4, 1), WEFT_NDRANGE_GOOD);
    CHECK_EQ(check(&info, 16, 4, 8, 1), WEFT_NDRANGE_REQUIRED);
    CHECK_EQ(check(&info, 16, 1, 1, 1), WEFT_NDRANGE_REQUIRED);
    CHECK_EQ(weft_ndrange_fix_local(&range, false, &info, &limits), WEFT_NDRANGE_GOOD);
    CHECK_EQ(range.local_size[0] * 100 + range.local_size[1] * 10 + range.local_size[2], 841);
    info.flags = WEFT_KERNEL_UNIFORM_GROUPS;
    range.global_size[0] = 12;
    CHECK_EQ(weft_ndrange_fix_local(&range, false, &info, &limits), WEFT_NDRANGE_UNEVEN);
}

/* A binary may lie: 8 x 0 x 0 was a division by zero. */
TEST(required_local_sizes_that_lie) {
    weft_kernel_info info = {.width = 8, .reqd_local_size = {8, 0, 0}};
    weft_ndrange range = range_of(16, 16, 16);

    CHECK(weft_ndrange_fix_local(&range, false, &info, &limits) != WEFT_NDRANGE_GOOD);
}

TEST(required_sub_groups) {
    weft_kernel_info info = {.width = 8, .sub_group_size = 8, .reqd_sub_groups = 3};
    weft_ndrange range = range_of(100, 1, 1);

    CHECK_EQ(check(&info, 100, 24, 1, 1), WEFT_NDRANGE_GOOD);
    CHECK_EQ(check(&info, 100, 17, 1, 1), WEFT_NDRANGE_GOOD);
    CHECK_EQ(check(&info, 100, 16, 1, 1), WEFT_NDRANGE_SUB_GROUPS);
    CHECK_EQ(weft_ndrange_fix_local(&range, false, &info, &limits), WEFT_NDRANGE_GOOD);
    CHECK_EQ(range.local_size[0], 24);
}

TEST(chosen_local_sizes_obey_all_limits) {
    static const uint64_t sizes[] = {1, 2, 7, 64, 100, 1000, 1021, 4096, 100003, UINT64_MAX / 2};
    enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

    for (unsigned n = 0; n < SIZES * SIZES * SIZES * 4; n++) {
        weft_kernel_info info = {.width = 8};
        weft_ndrange range =
            range_of(sizes[n % SIZES], sizes[n / SIZES % SIZES], sizes[n / SIZES / SIZES % SIZES]);
        if (n % 4 & 1)
            info.flags |= WEFT_KERNEL_UNIFORM_GROUPS;
        if (n % 4 & 2)
            info.flags |= WEFT_KERNEL_BARRIER;
        CHECK_EQ(weft_ndrange_fix_local(&range, false, &info, &limits), WEFT_NDRANGE_GOOD);
        CHECK_EQ(weft_ndrange_fix_local(&range, true, &info, &limits), WEFT_NDRANGE_GOOD);
    }
}

TEST(what_a_launch_has_of_it) {
    weft_kernel_info info = {.width = 8, .sub_group_size = 8};
    weft_launch launch = {0};
    weft_ndrange range = range_of(100, 9, 1);

    range.local_size[0] = 10;
    range.local_size[1] = 2;
    range.local_size[2] = 1;
    range.global_offset[1] = 5;
    weft_ndrange_launch(&range, &info, &launch);
    CHECK_EQ(launch.work_dim, 3);
    CHECK_EQ(launch.num_groups[0], 10);
    CHECK_EQ(launch.num_groups[1], 5);
    CHECK_EQ(launch.num_groups[2], 1);
    CHECK_EQ(launch.global_offset[1], 5);
    CHECK_EQ(launch.max_sub_groups, 3);
}

TEST_MAIN()
