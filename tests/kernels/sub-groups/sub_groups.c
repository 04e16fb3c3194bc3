// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Sub-group functions, each in a kernel of sub_groups.cl, against what the host computes for the
 * sub-groups that clGetKernelSubGroupInfo promises: consecutive linear local ids, all of one size
 * but a group's last. Groups in one to three dimensions, with and without smaller last ones.
 */
#include "../session.h"

typedef struct shape {
    cl_uint dimensions;
    size_t global[3], local[3];
} shape;

static const shape shapes[] = {
    {1, {1, 1, 1}, {1, 1, 1}},   {1, {14, 1, 1}, {3, 1, 1}},   {1, {64, 1, 1}, {64, 1, 1}},
    {1, {75, 1, 1}, {16, 1, 1}}, {1, {200, 1, 1}, {64, 1, 1}}, {1, {256, 1, 1}, {256, 1, 1}},
    {2, {9, 10, 1}, {3, 5, 1}},  {2, {10, 11, 1}, {3, 5, 1}},  {2, {33, 9, 1}, {32, 2, 1}},
    {2, {16, 16, 1}, {8, 8, 1}}, {3, {9, 7, 5}, {4, 4, 2}},    {3, {15, 3, 7}, {7, 2, 3}},
};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes), MAX_TOTAL = 1024, MAX_LANES = 64 };

static session here;
static cl_mem out_buffer, in_buffer;
static cl_long got[MAX_TOTAL];
static int input[MAX_TOTAL];

/** One sub-group as the host sees it. */
typedef struct lanes {
    int n, width;               /* items; items of a full one */
    int x[MAX_LANES];           /* inputs */
    int index, count, enqueued; /* of the sub-group; of the group; of a full group */
    int group_sum;              /* of all inputs of the group */
    int local[MAX_LANES];       /* sum of the local ids */
} lanes;

static bool on(const lanes *l, int lane) {
    return l->x[lane] & 1;
}

/* ---- what the host computes ------------------------------------------------------------------ */

typedef cl_long expectation(const lanes *l, int lane);
#define WANT(name, body)                                                                           \
    static cl_long want_##name(const lanes *l, int lane) {                                         \
        (void)l;                                                                                   \
        (void)lane;                                                                                \
        body                                                                                       \
    }
/* Combines v, the inputs of lanes from `from` up to `to` for which `test` holds. */
#define FOLD(start, from, to, test, step)                                                          \
    cl_long r = (start);                                                                           \
    for (int i = (from); i < (to); i++) {                                                          \
        int v = l->x[i];                                                                           \
        (void)v;                                                                                   \
        if (test)                                                                                  \
            step;                                                                                  \
    }
#define MIN(a, b)       ((a) < (b) ? (a) : (b))
#define MAX(a, b)       ((a) > (b) ? (a) : (b))
#define ALL_BITS(width) ((width) == 64 ? ~UINT64_C(0) : (UINT64_C(1) << (width)) - 1)

WANT(size, return l->n;)
WANT(max_size, return l->width;)
WANT(count, return l->count;)
WANT(enqueued_count, return l->enqueued;)
WANT(id, return l->index;)
WANT(local_id, return lane;)
WANT(all, FOLD(1, 0, l->n, v <= 20, r = 0) return r;)
WANT(any, FOLD(0, 0, l->n, v > 240, r = 1) return r;)
WANT(broadcast, return l->x[0];)
WANT(broadcast_last, return l->x[l->n - 1];)
WANT(reduce_add, FOLD(0, 0, l->n, true, r += v) return r;)
WANT(reduce_add_char, FOLD(0, 0, l->n, true, r += v) return (cl_char)r;)
WANT(reduce_min, FOLD(1 << 20, 0, l->n, true, r = MIN(r, v - 100)) return r;)
WANT(reduce_min_uint,
     FOLD(CL_UINT_MAX, 0, l->n, true, r = MIN(r, (cl_long)(cl_uint)(v - 100))) return r;)
WANT(reduce_max, FOLD(-1000, 0, l->n, true, r = MAX(r, v - 100)) return r;)
WANT(scan_inclusive_add, FOLD(0, 0, lane + 1, true, r += v) return r;)
WANT(scan_exclusive_add, FOLD(0, 0, lane, true, r += v) return r;)
WANT(scan_exclusive_max, FOLD(CL_INT_MIN, 0, lane, true, r = MAX(r, v)) return r;)
WANT(scan_inclusive_min, FOLD(1000, 0, lane + 1, true, r = MIN(r, v)) return r;)
WANT(shuffle, return l->x[l->x[lane] % l->n];)
/* Lanes that there are not: anything may come out, so what came out is what is wanted. */
#define NOTHING INT64_MIN
WANT(shuffle_xor, return (lane ^ 1) < l->n ? l->x[lane ^ 1] : NOTHING;)
WANT(shuffle_up, return lane ? (cl_uchar)l->x[lane - 1] : NOTHING;)
WANT(shuffle_down, return lane + 1 < l->n ? l->x[lane + 1] : NOTHING;)
WANT(shuffle_vector, return l->x[0] + 2;)
WANT(rotate, int from = (lane + 1) % l->width; return from < l->n ? l->x[from] : NOTHING;)
WANT(clustered_rotate, if (l->width < 2) return NOTHING;
     return (lane ^ 1) < l->n ? l->x[lane ^ 1] : NOTHING;)
WANT(clustered_add, if (l->width < 4) return NOTHING; int first = lane & ~3;
     FOLD(0, first, MIN(first + 4, l->n), true, r += v) return r;)
WANT(self, return l->x[lane];)

WANT(elect, FOLD(-1, 0, l->n, on(l, i) && r < 0, r = i) return r == lane;)
WANT(some_all, FOLD(1, 0, l->n, on(l, i) && v <= 20, r = 0) return r;)
WANT(some_any, FOLD(0, 0, l->n, on(l, i) && v > 240, r = 1) return r;)
WANT(all_equal, FOLD(1, 0, l->n, on(l, i) && (v & 3) != (l->x[lane] & 3), r = 0) return r;)
WANT(some_first, FOLD(-1, 0, l->n, on(l, i) && r < 0, r = v) return r;)
WANT(ballot, FOLD(0, 0, l->n, on(l, i) && v & 2, r |= (cl_long)(UINT64_C(1) << i)) return r;)
WANT(inverse_ballot, return (l->x[lane] & 2) != 0;)
WANT(bit_extract, return l->n > 1 && on(l, 1);)
WANT(bit_count, FOLD(0, 0, l->n, on(l, i) && v & 2, r++) return r;)
WANT(ballot_inclusive, FOLD(0, 0, lane + 1, on(l, i), r++) return r;)
WANT(ballot_exclusive, FOLD(0, 0, lane, on(l, i), r++) return r;)
WANT(find_lsb, FOLD(-1, 0, l->n, on(l, i) && r < 0, r = i) return r;)
WANT(find_msb, FOLD(-1, 0, l->n, on(l, i), r = i) return r;)
WANT(eq_mask, return (cl_long)(UINT64_C(1) << lane);)
WANT(lt_mask, return (cl_long)((UINT64_C(1) << lane) - 1);)
WANT(le_mask, return (cl_long)ALL_BITS(lane + 1);)
WANT(ge_mask, return (cl_long)(ALL_BITS(l->width) & ~((UINT64_C(1) << lane) - 1));)
WANT(gt_mask, return (cl_long)(ALL_BITS(l->width) & ~ALL_BITS(lane + 1));)
WANT(some_add, FOLD(0, 0, l->n, on(l, i), r += v) return r;)
WANT(some_mul, FOLD(1, 0, l->n, on(l, i), r = (cl_long)(cl_uint)(r * v)) return r;)
WANT(some_and, FOLD(-1, 0, l->n, on(l, i), r &= v) return r;)
WANT(some_or, FOLD(0, 0, l->n, on(l, i), r |= v) return r;)
WANT(some_xor, FOLD(0, 0, l->n, on(l, i), r ^= (cl_uchar)v) return r;)
WANT(some_scan, FOLD(0, 0, lane, on(l, i), r += v) return r;)
WANT(some_scan_min, FOLD(1000, 0, lane + 1, on(l, i), r = MIN(r, v)) return r;)
WANT(logical_and, FOLD(1, 0, l->n, on(l, i) && !(v & 2), r = 0) return r;)
WANT(logical_or, FOLD(0, 0, lane, on(l, i) && v & 2, r = 1) return r;)
WANT(logical_xor, FOLD(0, 0, lane + 1, on(l, i) && v & 2, r ^= 1) return r;)

static cl_long want_in_loop(const lanes *l, int lane) {
    cl_long sum = 0;
    for (int trip = 0; trip < l->x[lane] % 5; trip++) {
        int there = 0, first = -1;
        for (int i = 0; i < l->n; i++)
            if (l->x[i] % 5 > trip) {
                there++;
                first = first < 0 ? i : first;
            }
        sum += there * 100 + (first == lane);
    }
    return sum;
}

static cl_long want_behind_branch(const lanes *l, int lane) {
    int most = -1, least = 1000, sum = 0;
    (void)lane;
    for (int i = 0; i < l->n; i++) {
        most = on(l, i) ? MAX(most, l->x[i]) : most;
        least = on(l, i) ? least : MIN(least, l->x[i]);
    }
    for (int i = 0; i < l->n; i++)
        sum += on(l, i) ? most : least;
    return sum;
}

static cl_long want_uniform_branch(const lanes *l, int lane) {
    FOLD(0, 0, l->n, true, r += v)
    return l->x[lane] + (r & 1 ? l->x[0] % 4 * (lane + 1) : 0);
}

WANT(through_memory, return l->x[(lane + 1) % l->n];)
WANT(across_barrier, return (cl_long)l->group_sum * 1000 + l->local[lane];)

/* ---- running --------------------------------------------------------------------------------- */

static void set_up(void) {
    cl_int error;
    if (here.program)
        return;
    here = start_session(SOURCE, false);
    for (int i = 0; i < MAX_TOTAL; i++)
        input[i] = (int)(((unsigned)i * 1103515245u + 12345u) >> 8 & 255);
    out_buffer = clCreateBuffer(here.context, CL_MEM_READ_WRITE, sizeof(got), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    in_buffer = clCreateBuffer(here.context, CL_MEM_COPY_HOST_PTR, sizeof(input), input, &error);
    CHECK_EQ(error, CL_SUCCESS);
}

static size_t query(cl_kernel kernel, cl_kernel_sub_group_info name, const shape *s) {
    size_t value = 0;
    CHECK_EQ(clGetKernelSubGroupInfo(kernel, here.device, name, s->dimensions * sizeof(size_t),
                                     s->local, sizeof(value), &value, NULL),
             CL_SUCCESS);
    return value;
}

/** One group: cut into sub-groups, whose lanes' results are compared. */
static void check_group(const char *name, expectation *want, bool some, const shape *s,
                        const size_t *start, size_t width, size_t enqueued) {
    size_t size[3], items = 1, places[256];
    int sum = 0;
    lanes l = {.width = (int)width, .enqueued = (int)enqueued};
    for (int d = 0; d < 3; d++) {
        size[d] = MIN(s->local[d], s->global[d] - start[d]);
        items *= size[d];
    }
    for (size_t i = 0; i < items; i++) {
        size_t x = i % size[0], y = i / size[0] % size[1], z = i / size[0] / size[1];
        places[i] = ((start[2] + z) * s->global[1] + start[1] + y) * s->global[0] + start[0] + x;
        sum += input[places[i]];
    }
    l.group_sum = sum;
    l.count = (int)((items + width - 1) / width);
    for (size_t first = 0; first < items; first += width) {
        l.index = (int)(first / width);
        l.n = (int)MIN(width, items - first);
        for (int i = 0; i < l.n; i++) {
            size_t item = first + (size_t)i;
            l.x[i] = input[places[item]];
            l.local[i] =
                (int)(item % size[0] + item / size[0] % size[1] + item / size[0] / size[1]);
        }
        for (int i = 0; i < l.n; i++) {
            cl_long wanted = some && !on(&l, i) ? -1 : want(&l, i);
            if (wanted != NOTHING && got[places[first + (size_t)i]] != wanted)
                FAIL("%s: local %zu %zu %zu, sub-group %d of %d items, lane %d: %lld, not %lld",
                     name, s->local[0], s->local[1], s->local[2], l.index, l.n, i,
                     (long long)got[places[first + (size_t)i]], (long long)wanted);
        }
    }
}

static void check_shape(const char *name, cl_kernel kernel, expectation *want, bool some,
                        const shape *s) {
    size_t width = query(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, s);
    size_t count = query(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, s);
    size_t items = s->local[0] * s->local[1] * s->local[2], start[3];
    CHECK(width >= 1 && width <= MAX_LANES);
    CHECK_EQ(count, (items + width - 1) / width);
    CHECK_EQ(clEnqueueNDRangeKernel(here.queue, kernel, s->dimensions, NULL, s->global, s->local, 0,
                                    NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(
        clEnqueueReadBuffer(here.queue, out_buffer, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL),
        CL_SUCCESS);
    for (start[2] = 0; start[2] < s->global[2]; start[2] += s->local[2])
        for (start[1] = 0; start[1] < s->global[1]; start[1] += s->local[1])
            for (start[0] = 0; start[0] < s->global[0]; start[0] += s->local[0])
                check_group(name, want, some, s, start, width, count);
}

static void check(const char *name, expectation *want, bool some) {
    cl_int error;
    set_up();
    cl_kernel kernel = clCreateKernel(here.program, name, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(out_buffer), &out_buffer), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(in_buffer), &in_buffer), CL_SUCCESS);
    for (int i = 0; i < SHAPES; i++)
        check_shape(name, kernel, want, some, &shapes[i]);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

#define ALL(kernel, want)                                                                          \
    TEST(kernel) {                                                                                 \
        check(#kernel, want_##want, false);                                                        \
    }
#define SOME(kernel, want)                                                                         \
    TEST(kernel) {                                                                                 \
        check(#kernel, want_##want, true);                                                         \
    }
ALL(size, size)
ALL(max_size, max_size)
ALL(count, count)
ALL(enqueued_count, enqueued_count)
ALL(id, id)
ALL(local_id, local_id)
ALL(all, all)
ALL(any, any)
ALL(broadcast, broadcast)
ALL(broadcast_last, broadcast_last)
ALL(reduce_add, reduce_add)
ALL(reduce_add_char, reduce_add_char)
ALL(reduce_add_float, reduce_add)
ALL(reduce_min, reduce_min)
ALL(reduce_min_uint, reduce_min_uint)
ALL(reduce_max, reduce_max)
ALL(reduce_max_double, reduce_max)
ALL(scan_inclusive_add, scan_inclusive_add)
ALL(scan_exclusive_add, scan_exclusive_add)
ALL(scan_exclusive_max, scan_exclusive_max)
ALL(scan_inclusive_min, scan_inclusive_min)
ALL(shuffle, shuffle)
ALL(shuffle_xor, shuffle_xor)
ALL(shuffle_up, shuffle_up)
ALL(shuffle_down, shuffle_down)
ALL(shuffle_vector, shuffle_vector)
ALL(rotate, rotate)
ALL(clustered_rotate, clustered_rotate)
ALL(clustered_add, clustered_add)
ALL(clustered_max, self)
SOME(elect, elect)
SOME(some_all, some_all)
SOME(some_any, some_any)
SOME(all_equal, all_equal)
SOME(some_first, some_first)
SOME(ballot, ballot)
SOME(inverse_ballot, inverse_ballot)
SOME(bit_extract, bit_extract)
SOME(bit_count, bit_count)
SOME(ballot_inclusive, ballot_inclusive)
SOME(ballot_exclusive, ballot_exclusive)
SOME(find_lsb, find_lsb)
SOME(find_msb, find_msb)
SOME(eq_mask, eq_mask)
SOME(ge_mask, ge_mask)
SOME(gt_mask, gt_mask)
SOME(le_mask, le_mask)
SOME(lt_mask, lt_mask)
SOME(some_add, some_add)
SOME(some_mul, some_mul)
SOME(some_and, some_and)
SOME(some_or, some_or)
SOME(some_xor, some_xor)
SOME(some_scan, some_scan)
SOME(some_scan_min, some_scan_min)
SOME(logical_and, logical_and)
SOME(logical_or, logical_or)
SOME(logical_xor, logical_xor)
ALL(in_loop, in_loop)
ALL(behind_branch, behind_branch)
ALL(through_memory, through_memory)
ALL(across_barrier, across_barrier)
ALL(uniform_branch, uniform_branch)

TEST_MAIN()
