// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Kernels that enqueue kernels: when children run, what they see, when parents are complete, and
 * every error that a kernel can get. */

#include "device_family.h"

/* ---- what is known of a block's sub-groups --------------------------------------------------- */

/* Words: size, counts for ranges of 1 to 3 dimensions (the range is one variable that changes), for
 * one that leaves the local size to the device, and for two that are not valid. The kernel itself
 * enqueues the fourth range to count what there is. */
TEST(sub_groups_of_a_block) {
    family f =
        setup("kernel void ask(global int *r) {\n"
              "    size_t big[3] = {10, 6, 4}, small[3] = {5, 3, 2};\n"
              "    void (^b)(void) = ^{\n"
              "        if (get_group_id(0) == 0 && get_local_id(0) == 0)\n"
              "            r[10] = get_enqueued_num_sub_groups(); };\n"
              "    ndrange_t n = ndrange_1D(40, 40);\n"
              "    r[0] = get_kernel_max_sub_group_size_for_ndrange(n, b);\n"
              "    r[1] = get_kernel_sub_group_count_for_ndrange(n, b);\n"
              "    n = ndrange_2D(big, small);\n"
              "    r[2] = get_kernel_sub_group_count_for_ndrange(n, b);\n"
              "    n = ndrange_3D(big, small);\n"
              "    r[3] = get_kernel_sub_group_count_for_ndrange(n, b);\n"
              "    n.workDimension = 4;\n"
              "    r[4] = get_kernel_sub_group_count_for_ndrange(n, b);\n"
              "    n = ndrange_1D(1000000, 1000000);\n"
              "    r[5] = get_kernel_sub_group_count_for_ndrange(n, b);\n"
              "    n = ndrange_1D(1000);\n"
              "    r[6] = get_kernel_sub_group_count_for_ndrange(n, b);\n"
              "    r[7] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, n, b);\n"
              "}\n"
              "kernel void only(global int *r) {\n"
              "    size_t i = get_global_id(0);\n"
              "    r[i] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(i + 1, i + 1),\n"
              "                                                  ^{ r[0] = 1; });\n"
              "    if (i == 0)\n"
              "        r[100] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(1, 1),\n"
              "                                                           ^{ r[0] = 1; });\n"
              "}\n",
              CL20, 0);
    static const int items[] = {40, 15, 30};

    CHECK_EQ(run(&f, "ask", 1, 0, NULL), CL_COMPLETE);
    int size = f.words[0];
    CHECK(size >= 1);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(f.words[1 + i], (items[i] + size - 1) / size);
    CHECK_EQ(f.words[4], 0);
    CHECK_EQ(f.words[5], 0);
    CHECK_EQ(f.words[7], 0);
    CHECK(f.words[6] >= 1);
    CHECK_EQ(f.words[6], f.words[10]);
    CHECK_EQ(run(&f, "only", 50, 0, NULL), CL_COMPLETE);
    size = f.words[100];
    for (int i = 0; i < 50; i++)
        CHECK_EQ(f.words[i], (i + size) / size);
    finish(&f);
}

/* ---- what a child sees ----------------------------------------------------------------------- */

static const char CAPTURES[] =
    "typedef struct { int a; float4 v; char c[5]; } thing;\n"
    "void (^constant nothing)(void) = ^{};\n"
    "kernel void captures(global int *r) {\n"
    "    thing t = {3, (float4)(1, 2, 3, 4), {9, 8, 7, 6, 5}};\n"
    "    int n = 10;\n"
    "    void (^b)(void) = ^{\n"
    "        size_t i = get_global_id(0);\n"
    "        r[i] = n + t.a + (int)t.v.w + t.c[4] + (int)i;\n"
    "    };\n"
    "    n = 1000; t.a = 1000;\n"
    "    r[2000] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, "
    "ndrange_1D(1000), b);\n"
    "    n = 2000;\n"
    "    r[2001] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), "
    "nothing);\n"
    "}\n"
    "kernel void ranges(global int *r) {\n"
    "    const size_t o[3] = {1, 2, 3}, g[3] = {4, 3, 2}, l[3] = {2, 3, 1};\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(o, g, l), ^{\n"
    "        int at = get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2);\n"
    "        atomic_add(&r[at], (int)(get_local_size(0) * 10000 + get_local_size(1) * 1000 +\n"
    "                           get_local_size(2) * 100 + get_work_dim() * 10 + "
    "get_global_offset(2)));\n"
    "    });\n"
    "    const size_t g2[2] = {5, 7};\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(g2), ^{\n"
    "        r[1000 + get_global_id(0) + 10 * get_global_id(1)] = get_work_dim(); });\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 9, 3), ^{\n"
    "        r[2000 + get_global_id(0)] = get_local_size(0); });\n"
    "    r[3000] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(0), "
    "^{\n"
    "        r[3001] = 1; });\n"
    "}\n"
    "kernel void locals(global int *r) {\n"
    "    r[4000] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, "
    "16),\n"
    "        ^(local void *p, local void *q) {\n"
    "            local int fixed[16];\n"
    "            local int *a = p; local float4 *b = q;\n"
    "            int i = get_local_id(0);\n"
    "            a[i] = i; b[i] = i; fixed[i] = 2 * i;\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "            r[get_global_id(0)] = a[15 - i] + (int)b[15 - i].y + fixed[15 - i];\n"
    "        }, 16 * sizeof(int), 16 * sizeof(float4));\n"
    "}\n";

TEST(captures_are_those_of_the_literal) {
    family f = setup(CAPTURES, CL20, 0);
    CHECK_EQ(run(&f, "captures", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[2000], 0);
    CHECK_EQ(f.words[2001], 0);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(f.words[i], 10 + 3 + 4 + 5 + i);
    CHECK_EQ(f.words[1000], 0);
    finish(&f);
}

TEST(nd_ranges) {
    family f = setup(CAPTURES, CL20, 0);
    CHECK_EQ(run(&f, "ranges", 1, 0, NULL), CL_COMPLETE);
    for (int z = 0; z < 8; z++)
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 10; x++) {
                bool in = x >= 1 && x < 5 && y >= 2 && y < 5 && z >= 3 && z < 5;
                CHECK_EQ(f.words[x + 10 * y + 100 * z], in ? 23133 : 0);
            }
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 5; x++)
            CHECK_EQ(f.words[1000 + x + 10 * y], 2);
    for (int i = 0; i < 20; i++)
        CHECK_EQ(f.words[2000 + i], i >= 4 && i < 13 ? 3 : 0);
    CHECK_EQ(f.words[3000], 0);
    CHECK_EQ(f.words[3001], 0);
    finish(&f);
}

TEST(local_arguments) {
    family f = setup(CAPTURES, CL20, 0);
    CHECK_EQ(run(&f, "locals", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[4000], 0);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(f.words[i], 4 * (15 - i % 16));
    finish(&f);
}

/* ---- order ----------------------------------------------------------------------------------- */

static const char ORDER[] =
    "kernel void wait_kernel(global int *r) {\n"
    "    int n = get_global_size(0);\n"
    "    if (get_global_id(0) == 0)\n"
    "        r[4000] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, "
    "ndrange_1D(1), ^{\n"
    "            int sum = 0;\n"
    "            for (int i = 0; i < n; i++) sum += r[i];\n"
    "            r[4001] = sum; });\n"
    "    r[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void wait_group(global int *r) {\n"
    "    int first = get_group_id(0) * get_enqueued_local_size(0), n = get_local_size(0);\n"
    "    if (get_local_id(0) == 0)\n"
    "        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), "
    "^{\n"
    "            int sum = 0;\n"
    "            for (int i = 0; i < n; i++) sum += r[first + i];\n"
    "            atomic_add(&r[4000], sum); });\n"
    "    r[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void chain(global int *r, int n) {\n"
    "    clk_event_t last = CLK_NULL_EVENT;\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        clk_event_t next;\n"
    "        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
    "                i ? 1 : 0, i ? &last : 0, &next, ^{ if (r[0] == i) r[0] = i + 1; }))\n"
    "            atomic_inc(&r[1]);\n"
    "        if (is_valid_event(last)) release_event(last);\n"
    "        last = next;\n"
    "    }\n"
    "    release_event(last);\n"
    "    r[2] = is_valid_event(CLK_NULL_EVENT);\n"
    "}\n"
    "kernel void user(global int *r) {\n"
    "    clk_event_t go = create_user_event(), done, mark, all[2];\n"
    "    queue_t q = get_default_queue();\n"
    "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &go, &done, ^{ r[1] = "
    "r[0]; });\n"
    "    all[0] = go; all[1] = done;\n"
    "    r[10] = enqueue_marker(q, 2, all, &mark);\n"
    "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &mark, 0, ^{ r[2] = r[1] + "
    "1; });\n"
    "    r[11] = enqueue_marker(q, 1, &mark, 0);\n"
    "    retain_event(done); release_event(done);\n"
    "    r[0] = 41;\n"
    "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);\n"
    "    set_user_event_status(go, CL_COMPLETE);\n"
    "    set_user_event_status(go, -5);\n"
    "    release_event(done); release_event(mark); release_event(go);\n"
    "}\n";

TEST(children_wait_for_their_parent) {
    family f = setup(ORDER, CL20, 0);
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(run(&f, "wait_kernel", 3000, 0, NULL), CL_COMPLETE);
        CHECK_EQ(f.words[4000], 0);
        CHECK_EQ(f.words[4001], 3000);
    }
    finish(&f);
}

TEST(children_wait_for_their_group) {
    family f = setup(ORDER, CL20, 0);
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(run(&f, "wait_group", 3000, 0, NULL), CL_COMPLETE);
        CHECK_EQ(f.words[4000], 3000);
    }
    finish(&f);
}

TEST(children_wait_for_events) {
    family f = setup(ORDER, CL20, 0);
    CHECK_EQ(run(&f, "chain", 1, 500, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[0], 500);
    CHECK_EQ(f.words[1], 0);
    CHECK_EQ(f.words[2], 0);
    CHECK_EQ(run(&f, "user", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[1], 41);
    CHECK_EQ(f.words[2], 42);
    CHECK_EQ(f.words[10], 0);
    CHECK_EQ(f.words[11], 0);
    finish(&f);
}

/* ---- when a parent is complete --------------------------------------------------------------- */

/* The language forbids recursion, through blocks as well: each level is a function of its own. */
static const char LEVELS[] =
    "#define NEXT(level, below)                                                              \\\n"
    "    void step##level(global int *r) {                                                   \\\n"
    "        atomic_inc(&r[level]);                                                          \\\n"
    "        queue_t q = get_default_queue();                                                \\\n"
    "        ndrange_t one = ndrange_1D(1);                                                  \\\n"
    "        if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, one, ^{ step##below(r); }) ||\\\n"
    "            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ step##below(r); }))    \\\n"
    "            atomic_inc(&r[100]);                                                        \\\n"
    "    }\n"
    "void step0(global int *r) { atomic_inc(&r[0]); }\n"
    "NEXT(1, 0) NEXT(2, 1) NEXT(3, 2) NEXT(4, 3) NEXT(5, 4) NEXT(6, 5) NEXT(7, 6) NEXT(8, 7)\n"
    "kernel void nested(global int *r) { step8(r); }\n"
    "kernel void follows(global int *r) { r[get_global_id(0) + 200] = r[0]; }\n"
    "kernel void times(global int *r) {\n"
    "    clk_event_t e;\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, 0, "
    "&e, ^{\n"
    "        int x = 1;\n"
    "        for (int i = 0; i < 3000000; i++) x = x * 1664525 + 1013904223;\n"
    "        r[10] = x; });\n"
    "    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, (global ulong *)r);\n"
    "    release_event(e);\n"
    "}\n";

TEST(a_parent_is_complete_after_all_its_descendants) {
    family f = setup(LEVELS, CL20, 0);
    for (int round = 0; round < 10; round++) {
        CHECK_EQ(run(&f, "nested", 1, 0, NULL), CL_COMPLETE);
        for (int level = 0; level <= 8; level++)
            CHECK_EQ(f.words[level], 1 << (8 - level));
        CHECK_EQ(f.words[100], 0);
    }
    finish(&f);
}

TEST(an_in_order_queue_waits_for_descendants) {
    family f = setup(LEVELS, CL20, 0);
    cl_kernel nested = weft_kernel(f.program, "nested"),
              follows = weft_kernel(f.program, "follows");
    const size_t one = 1, some = 16;
    CHECK_EQ(clSetKernelArg(nested, 0, sizeof(f.buffer), &f.buffer), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(follows, 0, sizeof(f.buffer), &f.buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.host, nested, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.host, follows, 1, NULL, &some, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(f.host), CL_SUCCESS);
    for (int i = 0; i < 16; i++)
        CHECK_EQ(f.words[200 + i], 256);
    clReleaseKernel(nested);
    clReleaseKernel(follows);
    finish(&f);
}

static cl_ulong profile(cl_event event, cl_profiling_info name) {
    cl_ulong value = 0;
    CHECK_EQ(clGetEventProfilingInfo(event, name, sizeof(value), &value, NULL), CL_SUCCESS);
    return value;
}

/* CL_PROFILING_COMMAND_COMPLETE is "when the command and all child commands" have. */
TEST(profiling_tells_the_parent_from_its_children) {
    family f = setup(LEVELS, CL20, 0);
    cl_event event;
    cl_ulong child[2];
    CHECK_EQ(run(&f, "times", 1, 0, &event), CL_COMPLETE);
    memcpy(child, f.words, sizeof(child));
    CHECK(child[0] > 0);
    CHECK(child[1] >= child[0]);
    CHECK(profile(event, CL_PROFILING_COMMAND_START) < profile(event, CL_PROFILING_COMMAND_END));
    CHECK(profile(event, CL_PROFILING_COMMAND_COMPLETE) -
              profile(event, CL_PROFILING_COMMAND_END) >=
          child[0]);
    clReleaseEvent(event);
    finish(&f);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static const char ERRORS[] =
    "kernel void codes(global int *r) {\n"
    "    queue_t q = get_default_queue(), none = CLK_NULL_QUEUE;\n"
    "    clk_event_t e, bad = CLK_NULL_EVENT;\n"
    "    ndrange_t n = ndrange_1D(1), wrong = n;\n"
    "    void (^b)(void) = ^{ atomic_inc(&r[100]); };\n"
    "    r[0] = enqueue_kernel(none, CLK_ENQUEUE_FLAGS_NO_WAIT, n, b);\n"
    "    r[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1 << 20, 1 << 20), b);\n"
    "    wrong.workDimension = 4;\n"
    "    r[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, wrong, b);\n"
    "    r[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(~0ul, 16, 4), b);\n"
    "    r[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, 1, 0, &e, b);\n"
    "    r[5] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, 0, &bad, &e, b);\n"
    "    r[6] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, 1, &bad, &e, b);\n"
    "    r[7] = is_valid_event(e);\n"
    "    r[8] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, ^(local void *p) { r[100] = 1; }, "
    "0u);\n"
    "    r[9] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, ^(local void *p) { r[100] = 1; }, "
    "1u << 30);\n"
    "    r[10] = enqueue_marker(q, 0, 0, &e);\n"
    "    r[11] = enqueue_marker(none, 1, &bad, &e);\n"
    "    r[12] = enqueue_marker(q, 1, &bad, &e);\n"
    "    r[13] = get_kernel_work_group_size(b);\n"
    "    r[14] = get_kernel_preferred_work_group_size_multiple(b);\n"
    "    int width = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(40, 40), b);\n"
    "    int count = get_kernel_sub_group_count_for_ndrange(ndrange_1D(40, 40), b);\n"
    "    r[15] = width > 0 && count == (40 + width - 1) / width;\n"
    "}\n"
    "kernel void fill(global int *r) {\n"
    "    for (int i = 0; i < 2000; i++) {\n"
    "        int e = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, "
    "ndrange_1D(1),\n"
    "                               ^{ atomic_inc(&r[1]); });\n"
    "        if (e) { r[2] = e; break; }\n"
    "        r[0]++;\n"
    "    }\n"
    "}\n"
    "kernel void events(global int *r) {\n"
    "    clk_event_t e; \n"
    "    for (int i = 0; i < 70000; i++)\n"
    "        if (!is_valid_event(e = create_user_event())) { r[0] = i; break; }\n"
    "    r[1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, "
    "0, &e,\n"
    "                          ^{ r[2] = 1; });\n"
    "}\n"
    "kernel void fails(global int *r) {\n"
    "    clk_event_t go = create_user_event(), e;\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &go, &e, "
    "^{ r[0] = 1; });\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, 0, "
    "^{ r[1] = 1; });\n"
    "    set_user_event_status(go, -7);\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &go, 0, "
    "^{ r[2] = 1; });\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ r[3] = "
    "1; });\n"
    "    release_event(go); release_event(e);\n"
    "}\n"
    "kernel void stuck(global int *r) {\n"
    "    clk_event_t go = create_user_event(), e, other = create_user_event();\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &go, &e, "
    "^{ r[0] = 1; });\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, 0, "
    "^{ r[0] = 1; });\n"
    "}\n"
    "kernel void traps(global int *r) {\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{\n"
    "        if (r[get_global_id(0)] == 0) __builtin_trap(); });\n"
    "}\n";

/* Numbers of opencl-c-base.h. */
enum { FAILURE = -101, QUEUE = -102, NDRANGE = -160, WAIT_LIST = -57, FULL = -161, ARG_SIZE = -51 };
enum { EVENT_ALLOCATION = -100, RESOURCES = -5 };

static void check_codes(family *f, bool reasons) {
    static const int codes[] = {QUEUE,     NDRANGE,   NDRANGE,  NDRANGE,  WAIT_LIST,
                                WAIT_LIST, WAIT_LIST, 0,        ARG_SIZE, RESOURCES,
                                WAIT_LIST, QUEUE,     WAIT_LIST};
    CHECK_EQ(run(f, "codes", 1, 0, NULL), CL_COMPLETE);
    for (int i = 0; i < 13; i++)
        CHECK_EQ(f->words[i], i == 7 ? 0 : reasons ? codes[i] : FAILURE);
    CHECK_EQ(f->words[100], 0);
    CHECK(f->words[13] >= 1);
    CHECK(f->words[14] >= 1);
    CHECK_EQ(f->words[15], 1);
}

TEST(errors_of_enqueue_kernel) {
    family f = setup(ERRORS, CL20, 0);
    check_codes(&f, false);
    finish(&f);
}

TEST(errors_of_enqueue_kernel_with_reasons) {
    family f = setup(ERRORS, CL20 " -g", 0);
    check_codes(&f, true);
    finish(&f);
}

TEST(a_full_queue) {
    family f = setup(ERRORS, CL20 " -g", 64 << 10);
    for (int round = 0; round < 3; round++) { /* what has ended takes no room */
        CHECK_EQ(run(&f, "fill", 1, 0, NULL), CL_COMPLETE);
        CHECK_EQ(f.words[2], FULL);
        CHECK(f.words[0] > 16 && f.words[0] < 2000);
        CHECK_EQ(f.words[1], f.words[0]);
    }
    finish(&f);
}

TEST(too_many_events) {
    family f = setup(ERRORS, CL20 " -g", 0);
    CHECK_EQ(run(&f, "events", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[0], 65536);
    CHECK_EQ(f.words[1], EVENT_ALLOCATION);
    CHECK_EQ(f.words[2], 0);
    finish(&f);
}

/* "If a child terminates abnormally, the parent will abnormally terminate and propagate" it. */
TEST(errors_reach_the_parent) {
    family f = setup(ERRORS, CL20, 0);
    CHECK(run(&f, "fails", 1, 0, NULL) < 0);
    CHECK_EQ(f.words[0] | f.words[1] | f.words[2], 0);
    CHECK_EQ(f.words[3], 1);
    CHECK(run(&f, "traps", 1, 0, NULL) < 0);
    finish(&f);
}

/* A user event that nobody is left to set: an error, and no hang. */
TEST(an_event_that_is_never_set) {
    family f = setup(ERRORS, CL20, 0);
    for (int round = 0; round < 10; round++) {
        CHECK(run(&f, "stuck", 1, 0, NULL) < 0);
        CHECK_EQ(f.words[0], 0);
    }
    finish(&f);
}

TEST(no_default_queue) {
    family f = setup(ERRORS, CL20 " -g", 0);
    clReleaseCommandQueue(f.queue);
    f.queue = f.host;
    clRetainCommandQueue(f.queue);
    CHECK_EQ(run(&f, "fill", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[0], 0);
    CHECK_EQ(f.words[2], QUEUE);
    finish(&f);
}

/* ---- many ------------------------------------------------------------------------------------ */

static const char MANY[] =
    "kernel void many(global int *r) {\n"
    "    size_t i = get_global_id(0);\n"
    "    clk_event_t a, b, all[2];\n"
    "    queue_t q = get_default_queue();\n"
    "    int bad = 0;\n"
    "    bad |= enqueue_kernel(q, i & 1 ? CLK_ENQUEUE_FLAGS_NO_WAIT : "
    "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP,\n"
    "                          ndrange_1D(8), 0, 0, &a, ^{ atomic_inc(&r[i]); });\n"
    "    bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &b, ^{\n"
    "        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{\n"
    "            atomic_inc(&r[i]); }); });\n"
    "    all[0] = a; all[1] = b;\n"
    "    bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 2, all, 0, ^{\n"
    "        if (atomic_inc(&r[i]) != 12) r[3000] = -1; });\n"
    "    release_event(a); release_event(b);\n"
    "    if (bad) r[3001] = bad;\n"
    "}\n";

TEST(many_children_on_all_threads) {
    family f = setup(MANY, CL20, 8 << 20);
    for (int round = 0; round < 20; round++) {
        CHECK_EQ(run(&f, "many", 700, 0, NULL), CL_COMPLETE);
        CHECK_EQ(f.words[3000], 0);
        CHECK_EQ(f.words[3001], 0);
        for (int i = 0; i < 700; i++)
            CHECK_EQ(f.words[i], 13);
    }
    finish(&f);
}

/* ---- programs -------------------------------------------------------------------------------- */

static const char PART[] =
    "static void f(global int *r) {\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "                   ndrange_1D(4), ^{ r[get_global_id(0) + AT] = AT; });\n"
    "}\n"
    "kernel void NAME(global int *r) { f(r); }\n";

/* Kernels of blocks are the program's own affair: not shown, and never in each other's way. */
TEST(blocks_are_not_kernels_of_the_program) {
    family f = setup(CAPTURES, CL20, 0);
    cl_program parts[2] = {weft_source(f.s.context, PART), weft_source(f.s.context, PART)}, linked;
    char names[256] = "";
    size_t count = 0;
    cl_int error = 1;

    CHECK_EQ(
        clCompileProgram(parts[0], 0, NULL, CL20 " -DAT=8 -DNAME=first", 0, NULL, NULL, NULL, NULL),
        CL_SUCCESS);
    CHECK_EQ(clCompileProgram(parts[1], 0, NULL, CL20 " -DAT=16 -DNAME=second", 0, NULL, NULL, NULL,
                              NULL),
             CL_SUCCESS);
    linked = clLinkProgram(f.s.context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clGetProgramInfo(linked, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
             CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(clGetProgramInfo(linked, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
             CL_SUCCESS);
    CHECK(!strcmp(names, "first;second") || !strcmp(names, "second;first"));
    CHECK(!clCreateKernel(f.program, "__captures_block_invoke_kernel", &error));
    CHECK_EQ(error, CL_INVALID_KERNEL_NAME);
    clReleaseProgram(f.program);
    f.program = linked;
    CHECK_EQ(run(&f, "first", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[8] + f.words[11], 16);
    CHECK_EQ(f.words[16], 0);
    CHECK_EQ(run(&f, "second", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[16] + f.words[19], 32);
    CHECK_EQ(f.words[8], 0);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    finish(&f);
}

TEST(binaries_with_blocks) {
    family f = setup(CAPTURES, CL20, 0);
    cl_device_id device = weft_device(0);
    size_t size = 0;
    cl_int error = 1, status = 1;
    unsigned char *bytes = weft_binary_of(f.program, &size);
    const unsigned char *binary = bytes;
    cl_program program =
        clCreateProgramWithBinary(f.s.context, 1, &device, &size, &binary, &status, &error);
    CHECK_EQ(error, CL_SUCCESS);
    free(bytes);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    clReleaseProgram(f.program);
    f.program = program;
    CHECK_EQ(run(&f, "captures", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[999], 10 + 3 + 4 + 5 + 999);
    finish(&f);
}

TEST_MAIN()
