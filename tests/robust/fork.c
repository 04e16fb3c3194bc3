// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Applications that fork: "fork() before use (child works) and after use (new objects work in the
 * child; inherited ones return errors, never hang)". */
#include "robust/guest.h"

#include <pthread.h>

/** In a child, whose parent has made `g`. */
static int inherited_are_refused(guest *g) {
    const size_t one = 1;
    cl_uint value = 0;
    cl_int error = CL_SUCCESS;
    char text[64];
    REQUIRE(clFinish(g->queue) == CL_INVALID_COMMAND_QUEUE);
    REQUIRE(clFlush(g->queue) == CL_INVALID_COMMAND_QUEUE);
    REQUIRE(clEnqueueNDRangeKernel(g->queue, g->add, 1, NULL, &one, NULL, 0, NULL, NULL) ==
            CL_INVALID_COMMAND_QUEUE);
    REQUIRE(clEnqueueReadBuffer(g->queue, g->buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL) ==
            CL_INVALID_COMMAND_QUEUE);
    REQUIRE(clSetKernelArg(g->add, 1, 4, &value) == CL_INVALID_KERNEL);
    REQUIRE(clGetKernelInfo(g->add, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL) ==
            CL_INVALID_KERNEL);
    REQUIRE(!clCreateKernel(g->program, "add", &error) && error == CL_INVALID_PROGRAM);
    REQUIRE(clBuildProgram(g->program, 0, NULL, "", NULL, NULL) == CL_INVALID_PROGRAM);
    REQUIRE(!clCreateBuffer(g->context, 0, 4, NULL, &error) && error == CL_INVALID_CONTEXT);
    REQUIRE(!clCreateUserEvent(g->context, &error) && error == CL_INVALID_CONTEXT);
    REQUIRE(clReleaseKernel(g->add) == CL_INVALID_KERNEL);
    REQUIRE(clReleaseMemObject(g->buffer) == CL_INVALID_MEM_OBJECT);
    REQUIRE(clReleaseProgram(g->program) == CL_INVALID_PROGRAM);
    REQUIRE(clReleaseCommandQueue(g->queue) == CL_INVALID_COMMAND_QUEUE);
    REQUIRE(clRetainContext(g->context) == CL_INVALID_CONTEXT);
    REQUIRE(clReleaseContext(g->context) == CL_INVALID_CONTEXT);
    return 0;
}

static int inherited_event_is_refused(cl_event event) {
    cl_int status;
    REQUIRE(clWaitForEvents(1, &event) == CL_INVALID_EVENT);
    REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, &status, NULL) ==
            CL_INVALID_EVENT);
    REQUIRE(clSetUserEventStatus(event, CL_COMPLETE) == CL_INVALID_EVENT);
    REQUIRE(clReleaseEvent(event) == CL_INVALID_EVENT);
    return 0;
}

/** Platform and device handles stay good; new objects of theirs work, the old ones never do. */
static int after_use(void *argument) {
    guest *old = argument, fresh = *old;
    REQUIRE_DONE(inherited_are_refused(old));
    REQUIRE_DONE(guest_objects(&fresh));
    REQUIRE_DONE(guest_build(&fresh));
    REQUIRE_DONE(guest_use(&fresh));
    REQUIRE_DONE(inherited_are_refused(old));
    /* Old and new in one call. */
    REQUIRE(clSetKernelArg(fresh.add, 0, sizeof old->buffer, &old->buffer) ==
            CL_INVALID_MEM_OBJECT);
    REQUIRE_DONE(guest_release(&fresh));
    return guest_life(NULL); /* and once more from the platform on */
}

static int only_platform_was_used(void *argument) {
    guest fresh = *(guest *)argument;
    REQUIRE_DONE(guest_objects(&fresh));
    REQUIRE_DONE(guest_build(&fresh));
    return guest_use(&fresh);
}

/** A host that looks at the devices, then forks its workers. */
static int fork_after_platform(void *unused) {
    static guest listed; /* in this process nothing but the devices is there */
    (void)unused;
    REQUIRE_DONE(guest_platform(&listed));
    return in_child(only_platform_was_used, &listed);
}

static guest g; /* the parent's, in all tests but the first */

TEST(fork_before_use) {
    CHECK_CHILD(guest_life, NULL);
    CHECK_CHILD(fork_after_platform, NULL);
    CHECK_EQ(guest_make(&g), 0);
    CHECK_EQ(guest_use(&g), 0);
}

TEST(fork_after_use) {
    for (int i = 0; i < 3; i++)
        CHECK_CHILD(after_use, &g);
    CHECK_EQ(guest_use(&g), 0);
}

static int grandchild(void *argument) {
    REQUIRE_DONE(after_use(argument));
    static guest mine;
    REQUIRE_DONE(guest_make(&mine));
    REQUIRE_DONE(guest_use(&mine));
    REQUIRE_DONE(in_child(after_use, &mine));
    REQUIRE_DONE(in_child(after_use, argument)); /* the grandparent's */
    return guest_use(&mine);
}

TEST(fork_of_a_fork) {
    CHECK_CHILD(grandchild, &g);
    CHECK_EQ(guest_use(&g), 0);
}

typedef struct with_event {
    guest *g;
    cl_event event, user;
} with_event;

static int while_running(void *argument) {
    with_event *state = argument;
    REQUIRE_DONE(inherited_event_is_refused(state->event));
    REQUIRE_DONE(inherited_event_is_refused(state->user));
    return after_use(state->g);
}

TEST(fork_while_commands_run) {
    cl_int error;
    with_event state = {.g = &g, .user = clCreateUserEvent(g.context, &error)};
    CHECK_EQ(error, CL_SUCCESS);
    g.word.stop = g.word.started = 0;
    CHECK_EQ(guest_hold(&g, &state.event), 0);
    int failed = 0;
    for (int i = 0; i < 3 && !failed; i++)
        failed = in_child(while_running, &state);
    CHECK(!g.word.ended);
    g.word.stop = 1;
    CHECK_EQ(failed, 0);
    CHECK_EQ(clFinish(g.queue), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(state.user, CL_COMPLETE), CL_SUCCESS);
    clReleaseEvent(state.event);
    clReleaseEvent(state.user);
    CHECK_EQ(guest_use(&g), 0);
}

typedef struct busy {
    _Atomic bool stop;
    _Atomic int failed;
} busy;

/** All locks are taken now and then. */
static void *keep_using(void *argument) {
    busy *state = argument;
    while (!state->stop && !state->failed)
        state->failed = guest_use(&g);
    return NULL;
}

static void *keep_living(void *argument) {
    busy *state = argument;
    guest *mine = aligned_alloc(128, sizeof *mine);
    while (!state->stop && !state->failed) {
        int failed = guest_make(mine);
        if (!failed)
            failed = guest_use(mine);
        if (!failed)
            failed = guest_release(mine);
        if (failed)
            state->failed = failed;
    }
    free(mine);
    return NULL;
}

/** The copies of the runtime's locks may be taken in the child, its lists half changed. */
TEST(fork_while_other_threads_work) {
#if defined(__SANITIZE_ADDRESS__)
    SKIP("AddressSanitizer's allocator may be locked in the child: it hangs in its calloc");
#endif
    busy state = {0};
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, keep_using, &state);
    pthread_create(&threads[1], NULL, keep_living, &state);
    int failed = 0;
    for (int i = 0; i < 15 && !failed; i++)
        failed = in_child(after_use, &g);
    state.stop = true;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(failed, 0);
    CHECK_EQ(state.failed, 0);
}

static int _Atomic called;

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user) {
    (void)event;
    (void)status;
    (void)user;
    called++;
}

/** The callback thread does not live on in a child; the child's own calls back. */
static int callbacks_in_child(void *unused) {
    static guest mine;
    cl_event event;
    (void)unused;
    called = 0;
    REQUIRE_DONE(guest_make(&mine));
    REQUIRE_DONE(guest_hold(&mine, &event));
    REQUIRE(clSetEventCallback(event, CL_COMPLETE, on_event, NULL) == CL_SUCCESS);
    mine.word.stop = 1;
    for (int i = 0; i < 5000 && !called; i++)
        usleep(1000);
    REQUIRE(called == 1);
    return 0;
}

TEST(callbacks_after_fork) {
    cl_event event;
    g.word.stop = 1;
    g.word.started = 0;
    CHECK_EQ(guest_hold(&g, &event), 0);
    CHECK_EQ(clSetEventCallback(event, CL_COMPLETE, on_event, NULL), CL_SUCCESS);
    CHECK_CHILD(callbacks_in_child, NULL);
    CHECK_EQ(clFinish(g.queue), CL_SUCCESS);
    clReleaseEvent(event);
}

static void *fork_here(void *argument) {
    return (void *)(intptr_t)in_child(after_use, argument);
}

/** In the child that thread is the only one, and its stack is not the process' first. */
TEST(fork_from_another_thread) {
    pthread_t thread;
    void *failed = NULL;
    CHECK_EQ(pthread_create(&thread, NULL, fork_here, &g), 0);
    pthread_join(thread, &failed);
    CHECK_EQ((intptr_t)failed, 0);
}

/** Last: the parent lets go of everything. */
TEST(parent_is_unharmed) {
    CHECK_EQ(guest_use(&g), 0);
    CHECK_EQ(guest_release(&g), 0);
}

TEST_MAIN()
