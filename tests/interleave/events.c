// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Events (runtime/event.c, command.c, callback.c, include/weft/graph.h): a status only falls and
 * ends once, whoever waits for it hears of it once, callbacks are called once, nodes live as long
 * as somebody may look at them. */

#include "world.h"

static cl_command_queue queue;
static cl_mem mem;
static cl_event user, event;
static int statuses[2]; /* of two calls */
static int called[3], reported[3];

static void setup(void) {
    make_world("1");
}

static void begin(cl_command_queue_properties properties) {
    cl_int status;

    memset(statuses, -1, sizeof(statuses));
    memset(called, 0, sizeof(called));
    queue = make_queue(properties);
    mem = make_buffer();
    user = weft_clCreateUserEvent(the_context, &status);
    GOOD(status);
    event = NULL;
}

static void finish(void *unused) {
    (void)unused;
    GOOD(weft_clFinish(queue));
}

static void end(void) {
    if (event)
        GOOD(weft_clReleaseEvent(event));
    GOOD(weft_clReleaseEvent(user));
    GOOD(weft_clReleaseCommandQueue(queue));
    GOOD(weft_clReleaseMemObject(mem));
    check_nothing_left();
}

static void CL_CALLBACK count(cl_event which, cl_int status, void *number) {
    (void)which;
    explore_point("in a callback");
    called[(intptr_t)number]++;
    reported[(intptr_t)number] = status;
}

/* ---- two set the status of one event, two wait for it ------------------------------------------
 *
 * Issue 18's fault 1: the second one ended it again. */

static void set_status(void *number) {
    int mine = (int)(intptr_t)number;

    statuses[mine] = weft_clSetUserEventStatus(user, mine ? -7 : CL_COMPLETE);
}

static void wait_for_user(void *unused) {
    (void)unused;
    cl_int status = weft_clWaitForEvents(1, &user);
    EXPLORE_EQ(status,
               status_of(user) < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS);
}

static void two_set(void) {
    begin(0);
    GOOD(weft_clEnqueueMarkerWithWaitList(queue, 1, &user, &event));
    GOOD(weft_clSetEventCallback(user, CL_COMPLETE, count, (void *)0));
    explore_thread("sets 0", set_status, (void *)0);
    explore_thread("sets -7", set_status, (void *)1);
    explore_thread("waits", wait_for_user, NULL);
}

static void one_has_set(void) {
    EXPLORE_CHECK((statuses[0] == CL_SUCCESS && statuses[1] == CL_INVALID_OPERATION) ||
                  (statuses[1] == CL_SUCCESS && statuses[0] == CL_INVALID_OPERATION));
    EXPLORE_EQ(status_of(user), statuses[0] == CL_SUCCESS ? CL_COMPLETE : -7);
    EXPLORE_EQ(status_of(event), statuses[0] == CL_SUCCESS
                                     ? CL_COMPLETE
                                     : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPLORE_EQ(called[0], 1);
    EXPLORE_EQ(reported[0], status_of(user));
    end();
}

/* ---- successors are linked while the event ends ------------------------------------------------
 */

static int linked;

static void fill_after_user(void *number) {
    GOOD(fill(queue, mem, (size_t)(intptr_t)number, 2, 1, &user, NULL));
    linked++;
}

static bool both_linked(void *unused) {
    (void)unused;
    return linked == 2;
}

static void finish_both(void *unused) {
    explore_await(both_linked, NULL);
    finish(unused);
    EXPLORE_CHECK(mem->data[0] == 2 && mem->data[1] == 2);
}

static void linked_late(void) {
    linked = 0;
    begin(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    explore_thread("links a", fill_after_user, (void *)0);
    explore_thread("links b", fill_after_user, (void *)1);
    explore_thread("sets 0", set_status, (void *)0);
    explore_thread("finishes", finish_both, NULL);
}

/* ---- callbacks are added while the command goes its way ----------------------------------------
 */

static void add_callbacks(void *unused) {
    (void)unused;
    GOOD(weft_clSetEventCallback(event, CL_COMPLETE, count, (void *)0));
    GOOD(weft_clSetEventCallback(event, CL_RUNNING, count, (void *)1));
    GOOD(weft_clSetEventCallback(event, CL_SUBMITTED, count, (void *)2));
}

static void called_back(void) {
    begin(0);
    GOOD(fill(queue, mem, 0, 2, 0, NULL, &event));
    explore_thread("adds", add_callbacks, NULL);
    explore_thread("finishes", finish, NULL);
}

static void all_called_once(void) {
    static const int wanted[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};

    for (int i = 0; i < 3; i++) {
        EXPLORE_EQ(called[i], 1);
        EXPLORE_EQ(reported[i], wanted[i]);
    }
    end();
}

/* ---- two add one each, the event ends with an error --------------------------------------------
 */

static void add_one(void *number) {
    GOOD(weft_clSetEventCallback(user, CL_COMPLETE, count, number));
}

static void called_with_error(void) {
    begin(0);
    explore_thread("adds a", add_one, (void *)0);
    explore_thread("adds b", add_one, (void *)1);
    explore_thread("sets -7", set_status, (void *)1);
}

static void both_called_with_error(void) {
    for (int i = 0; i < 2; i++) {
        EXPLORE_EQ(called[i], 1);
        EXPLORE_EQ(reported[i], -7);
    }
    end();
}

/* ---- a barrier out of order --------------------------------------------------------------------
 */

static void fill_behind_barrier(void *unused) {
    (void)unused;
    GOOD(weft_clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    GOOD(fill(queue, mem, 0, 2, 0, NULL, NULL));
    GOOD(weft_clFinish(queue));
    EXPLORE_EQ(mem->data[0], 2);
}

static void barrier(void) {
    begin(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    GOOD(fill(queue, mem, 0, 1, 1, &user, NULL));
    explore_thread("barrier", fill_behind_barrier, NULL);
    explore_thread("sets 0", set_status, (void *)0);
}

static void barrier_ended(void) {
    EXPLORE_EQ(mem->data[0], 2);
    EXPLORE_CHECK(!queue->barrier && !queue->first);
    end();
}

/* ---- a command of the pool's thread, and two who sleep until it ends ---------------------------
 */

static void CL_CALLBACK native(void *unused) {
    (void)unused;
    explore_point("in a native kernel");
    mem->data[0] = 2;
}

static void wait_for_event(void *unused) {
    (void)unused;
    GOOD(weft_clWaitForEvents(1, &event));
    EXPLORE_EQ(mem->data[0], 2);
    EXPLORE_EQ(status_of(event), CL_COMPLETE);
}

static void two_sleep(void) {
    begin(0);
    GOOD(weft_clEnqueueNativeKernel(queue, native, NULL, 0, 0, NULL, NULL, 1, &user, &event));
    explore_thread("waits a", wait_for_event, NULL);
    explore_thread("waits b", wait_for_event, NULL);
    explore_thread("sets 0", set_status, (void *)0);
}

/* ---- an event is released while its command ends -----------------------------------------------
 */

static void release_event(void *unused) {
    (void)unused;
    GOOD(weft_clReleaseEvent(event));
}

static void released_early(void) {
    begin(0);
    GOOD(fill(queue, mem, 0, 2, 1, &user, &event));
    GOOD(weft_clEnqueueMarkerWithWaitList(queue, 1, &event, NULL));
    explore_thread("releases", release_event, NULL);
    explore_thread("sets 0", set_status, (void *)0);
    explore_thread("finishes", finish, NULL);
}

static void released_and_done(void) {
    event = NULL;
    EXPLORE_EQ(mem->data[0], 2);
    end();
}

/* ---- a user event that nobody can set any more -------------------------------------------------
 */

static void release_user(void *unused) {
    (void)unused;
    GOOD(weft_clReleaseEvent(user));
}

static void set_and_release(void *number) {
    set_status(number);
    release_user(NULL);
}

static void given_up(void) {
    begin(0);
    GOOD(weft_clRetainEvent(user));
    explore_thread("sets and releases", set_and_release, (void *)0);
    explore_thread("releases", release_user, NULL);
}

static void user_is_gone(void) {
    EXPLORE_EQ(statuses[0], CL_SUCCESS);
    GOOD(weft_clReleaseCommandQueue(queue));
    GOOD(weft_clReleaseMemObject(mem));
    check_nothing_left();
}

static const explore_scenario scenarios[] = {
    {"two_set_one_event",
     NULL,
     two_set,
     one_has_set,
     {{FAULT_SPLIT, "weft_node_advance", "compare_exchange", "&node->status", 1,
       "a status is changed by looking and then storing"},
      {FAULT_SKIP, "on_end", "futex wake", "(_Atomic uint32_t *)&node->status", 1,
       "who sleeps until the end is not woken"},
      {FAULT_SKIP, "sleep_until_end", "fetch_add", "&command->waiters", 1,
       "a waiter does not count itself"}}},
    {"linked_while_it_ends",
     NULL,
     linked_late,
     end,
     {{FAULT_SPLIT, "weft_edges_add", "compare_exchange", "edges", 1,
       "an edge is added to a list that may have been closed"},
      {FAULT_SPLIT, "weft_edges_close", "exchange", "edges", 1,
       "the list is read, and closed afterwards"},
      {FAULT_SPLIT, "weft_node_meet", "fetch_sub", "&node->unmet", 1,
       "what is unmet is counted by looking and then storing"}}},
    {"callbacks_on_its_way",
     NULL,
     called_back,
     all_called_once,
     {{FAULT_STALE, "weft_callbacks_post_due", "load", "&event->node.status", 2,
       "the status is not looked at again"},
      {FAULT_SPLIT, "weft_callbacks_post_due", "exchange", "&event->callbacks", 1,
       "two take the same list"}}},
    {"callbacks_with_an_error",
     NULL,
     called_with_error,
     both_called_with_error,
     {{FAULT_SPLIT, "push", "compare_exchange", "&event->callbacks", 1,
       "two callbacks are put in front of the same"},
      {FAULT_SKIP, "post", "signal", "&thread->posted", 1, "the thread is not told"}}},
    {"a_barrier_out_of_order", NULL, barrier, barrier_ended, {{0}}},
    {"two_sleep_until_it_ends", NULL, two_sleep, end, {{0}}},
    {"released_before_it_ends", NULL, released_early, released_and_done, {{0}}},
    {"nobody_can_set_it", NULL, given_up, user_is_gone, {{0}}},
};

int main(int argc, char **argv) {
    return explore_main(argc, argv, setup, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
