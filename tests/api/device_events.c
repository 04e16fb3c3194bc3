// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Events of kernels that go further than to the work-item that made them. */

#include "device_family.h"

#include <sched.h>
#include <stdatomic.h>

enum { WAIT_LIST = -57 };

/* An event that another kernel made, while that one runs: its family would keep an edge of this
 * one's child, as it did on e8e9dd5, and a status from here might start children of a family that
 * is about to end. */
static const char OTHERS[] = "kernel void keeper(global int *r) {\n"
                             "    clk_event_t e = create_user_event();\n"
                             "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, "
                             "ndrange_1D(1), 1, &e, 0,\n"
                             "                   ^{ r[7] = 1; });\n"
                             "    *(global ulong *)(r + 2) = *(ulong *)&e;\n"
                             "    atomic_xchg(&r[0], 1);\n"
                             "    for (long i = 0; i < 2000000000 && !atomic_or(&r[1], 0); i++)\n"
                             "        ;\n"
                             "    set_user_event_status(e, CL_COMPLETE);\n"
                             "    release_event(e);\n"
                             "}\n"
                             "kernel void thief(global int *r) {\n"
                             "    clk_event_t e, m;\n"
                             "    *(ulong *)&e = *(global ulong *)(r + 2);\n"
                             "    r[4] = enqueue_kernel(get_default_queue(), "
                             "CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e,\n"
                             "                          0, ^{ r[6] = 1; });\n"
                             "    r[5] = enqueue_marker(get_default_queue(), 1, &e, &m);\n"
                             "    set_user_event_status(e, -5);\n"
                             "    atomic_xchg(&r[1], 1);\n"
                             "}\n";

TEST(events_of_another_kernel) {
    family f = setup(OTHERS, CL20 " -g", 0);
    const size_t one = 1;
    cl_int error = 1, status = 1;
    cl_event kept = NULL;
    cl_command_queue other =
        clCreateCommandQueueWithProperties(f.s.context, weft_device(0), NULL, &error);
    cl_kernel keeper = weft_kernel(f.program, "keeper"), thief = weft_kernel(f.program, "thief");
    const _Atomic int *ready = (const _Atomic int *)f.words;
    CHECK_EQ(clSetKernelArg(keeper, 0, sizeof(f.buffer), &f.buffer), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(thief, 0, sizeof(f.buffer), &f.buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.host, keeper, 1, NULL, &one, NULL, 0, NULL, &kept),
             CL_SUCCESS);
    CHECK_EQ(clFlush(f.host), CL_SUCCESS);
    while (!atomic_load(ready))
        sched_yield();
    CHECK_EQ(clEnqueueNDRangeKernel(other, thief, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(other), CL_SUCCESS);
    CHECK_EQ(clFinish(f.host), CL_SUCCESS);
    CHECK_EQ(f.words[4], WAIT_LIST);
    CHECK_EQ(f.words[5], WAIT_LIST);
    CHECK_EQ(f.words[6], 0);
    CHECK_EQ(clGetEventInfo(kept, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
             CL_SUCCESS);
    CHECK_EQ(status, CL_COMPLETE); /* the thief did not set it */
    CHECK_EQ(f.words[7], 1);
    clReleaseEvent(kept);
    clReleaseKernel(keeper);
    clReleaseKernel(thief);
    clReleaseCommandQueue(other);
    finish(&f);
}

/* Half of the groups use events of their own and hand them through memory to whichever group is the
 * last, on any thread. The atomics that make that right are the kernel's: ThreadSanitizer does not
 * see them. */
static const char GROUPS[] =
    "enum { MAKERS = 64 };\n"
    "void make(global int *r, size_t at) {\n"
    "    queue_t q = get_default_queue();\n"
    "    clk_event_t e, m;\n"
    "    int bad = 0;\n"
    "    if (at & 1)\n"
    "        e = create_user_event();\n"
    "    else\n"
    "        bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &e,\n"
    "                              ^{ atomic_inc(&r[1]); });\n"
    "    bad |= enqueue_marker(q, 1, &e, &m);\n"
    "    release_event(m);\n"
    "    if (!(at & 1)) set_user_event_status(e, CL_COMPLETE); /* it is none */\n"
    "    if (bad) r[4] = bad;\n"
    "    ((global ulong *)(r + 8))[at] = *(ulong *)&e;\n"
    "}\n"
    "void use(global int *r) {\n"
    "    queue_t q = get_default_queue();\n"
    "    clk_event_t all[MAKERS], done;\n"
    "    int bad = 0;\n"
    "    for (int i = 0; i < MAKERS; i++) {\n"
    "        *(ulong *)&all[i] = ((global ulong *)(r + 8))[i];\n"
    "        if (i & 1) set_user_event_status(all[i], CL_COMPLETE);\n"
    "        retain_event(all[i]);\n"
    "    }\n"
    "    bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), MAKERS, all, 0,\n"
    "                          ^{ r[2] = r[1]; });\n"
    "    bad |= enqueue_marker(q, MAKERS, all, &done);\n"
    "    bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0,\n"
    "                          ^{ r[3] = r[1]; });\n"
    "    release_event(done);\n"
    "    for (int i = 0; i < 2 * MAKERS; i++)\n"
    "        release_event(all[i / 2]);\n"
    "    if (bad) r[4] = bad;\n"
    "}\n"
    "kernel void collect(global int *r) {\n"
    "    size_t g = get_group_id(0);\n"
    "    for (int i = 0; i < 30000; i++) atomic_or(&r[5], i);\n"
    "    if (g & 1) make(r, g / 2);\n"
    "    if (atomic_fetch_add_explicit((global atomic_int *)r, 1, memory_order_acq_rel,\n"
    "                                  memory_scope_device) == 2 * MAKERS - 1)\n"
    "        use(r);\n"
    "}\n";

TEST(events_between_groups) {
    family f = setup(GROUPS, CL20 " -g", 0);
    const size_t items = 128, one = 1;
    cl_kernel kernel = weft_kernel(f.program, "collect");
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(f.buffer), &f.buffer), CL_SUCCESS);
    for (int round = 0; round < 10; round++) {
        memset(f.words, 0, WORDS * sizeof(int));
        CHECK_EQ(clEnqueueNDRangeKernel(f.host, kernel, 1, NULL, &items, &one, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(clFinish(f.host), CL_SUCCESS);
        CHECK_EQ(f.words[0], 128);
        CHECK_EQ(f.words[2], 32);
        CHECK_EQ(f.words[3], 32);
        CHECK_EQ(f.words[4], 0);
    }
    clReleaseKernel(kernel);
    finish(&f);
}

/* ---- where an event is returned -------------------------------------------------------------- */

/* A chain in one variable: the list of what is waited for is where the new event goes. The marker
 * was refused, its list overwritten before it was read. */
static const char CHAIN[] =
    "kernel void chain(global int *r) {\n"
    "    clk_event_t go = create_user_event(), e = go, before;\n"
    "    queue_t q = get_default_queue();\n"
    "    r[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, &e,\n"
    "                          ^{ r[10] = 1; });\n"
    "    before = e;\n"
    "    r[1] = enqueue_marker(q, 1, &e, &e);\n"
    "    r[2] = is_valid_event(e) && *(ulong *)&before != *(ulong *)&e;\n"
    "    release_event(before);\n"
    "    r[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, 0,\n"
    "                          ^{ r[11] = r[10] + 1; });\n"
    "    release_event(e);\n"
    "    set_user_event_status(go, CL_COMPLETE);\n"
    "    r[4] = enqueue_marker(q, 0, &go, &go);\n"
    "    r[5] = is_valid_event(go);\n"
    "}\n";

TEST(the_wait_list_may_be_where_the_event_goes) {
    family f = setup(CHAIN, CL20 " -g", 0);
    CHECK_EQ(run(&f, "chain", 1, 0, NULL), CL_COMPLETE);
    CHECK_EQ(f.words[0], 0);
    CHECK_EQ(f.words[1], 0);
    CHECK_EQ(f.words[2], 1);
    CHECK_EQ(f.words[3], 0);
    CHECK_EQ(f.words[4], WAIT_LIST);
    CHECK_EQ(f.words[5], 0);
    CHECK_EQ(f.words[11], 2);
    finish(&f);
}

TEST_MAIN()
