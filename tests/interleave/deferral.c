// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Deferral and flush (runtime/queue.c, command.c): small commands stay with their queue until
 * somebody waits, flushes or releases; whoever waits runs them; nobody is left asleep. */

#include "world.h"

static cl_command_queue queue, other;
static cl_mem mem;
static cl_event event, user;

static void setup(void) {
    make_world("1");
}

static void in_order(void) {
    queue = make_queue(0);
    mem = make_buffer();
}

static void out_of_order(void) {
    queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    mem = make_buffer();
}

static void two_queues(void) {
    in_order();
    other = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* What setup made goes, too: so its blocks are missing in the end, and nothing else is there. */
static void release_all(long made) {
    const weft_pool *pool = &the_device->device->pool;

    GOOD(weft_clReleaseCommandQueue(queue));
    GOOD(weft_clReleaseMemObject(mem));
    EXPLORE_CHECK(!atomic_load(&pool->inbox) && !pool->first);
    EXPLORE_EQ(explore_live_blocks(), lasting_blocks() - made);
}

enum { QUEUE_AND_BUFFER = 4 }; /* both with a list of properties or memory */

static void flush(void *unused) {
    (void)unused;
    GOOD(weft_clFlush(queue));
}

static void finish(void *unused) {
    (void)unused;
    GOOD(weft_clFinish(queue));
}

/* ---- one waits for an event, another flushes ---------------------------------------------------
 */

static void fill_and_wait(void *unused) {
    cl_event last = NULL;

    (void)unused;
    GOOD(fill(queue, mem, 0, 1, 0, NULL, NULL));
    GOOD(fill(queue, mem, 0, 2, 0, NULL, &last));
    GOOD(weft_clWaitForEvents(1, &last));
    EXPLORE_EQ(mem->data[0], 2);
    GOOD(weft_clReleaseEvent(last));
}

static void wait_and_flush(void) {
    explore_thread("waits", fill_and_wait, NULL);
    explore_thread("flushes", flush, NULL);
}

static void two_is_there(void) {
    EXPLORE_EQ(mem->data[0], 2);
    release_all(QUEUE_AND_BUFFER);
}

/* ---- two enqueue and finish --------------------------------------------------------------------
 */

static void fill_and_finish(void *number) {
    size_t at = (size_t)(intptr_t)number;

    GOOD(fill(queue, mem, at, 1, 0, NULL, NULL));
    GOOD(fill(queue, mem, at, 2, 0, NULL, NULL));
    GOOD(weft_clFinish(queue));
    EXPLORE_EQ(mem->data[at], 2);
}

static void two_finish(void) {
    explore_thread("finishes a", fill_and_finish, (void *)0);
    explore_thread("finishes b", fill_and_finish, (void *)1);
}

/* Out of order, so in one command each. */
static void fill_once_and_finish(void *number) {
    size_t at = (size_t)(intptr_t)number;

    GOOD(fill(queue, mem, at, 2, 0, NULL, NULL));
    GOOD(weft_clFinish(queue));
    EXPLORE_EQ(mem->data[at], 2);
}

static void two_finish_out_of_order(void) {
    explore_thread("finishes a", fill_once_and_finish, (void *)0);
    explore_thread("finishes b", fill_once_and_finish, (void *)1);
    explore_thread("flushes", flush, NULL);
}

static void both_are_there(void) {
    EXPLORE_EQ(mem->data[0], 2);
    EXPLORE_EQ(mem->data[1], 2);
    release_all(QUEUE_AND_BUFFER);
}

/* ---- a command of another queue waits, nobody flushes ------------------------------------------
 */

static void wait_elsewhere(void *unused) {
    cl_event marker = NULL;

    (void)unused;
    GOOD(weft_clEnqueueMarkerWithWaitList(other, 1, &event, &marker));
    GOOD(weft_clWaitForEvents(1, &marker));
    EXPLORE_EQ(mem->data[0], 2);
    GOOD(weft_clReleaseEvent(marker));
}

static void fill_more(void *unused) {
    (void)unused;
    GOOD(fill(queue, mem, 1, 2, 0, NULL, NULL));
}

static void across_queues(void) {
    GOOD(fill(queue, mem, 0, 1, 0, NULL, NULL));
    GOOD(fill(queue, mem, 0, 2, 0, NULL, &event));
    explore_thread("waits", wait_elsewhere, NULL);
    explore_thread("fills", fill_more, NULL);
}

static void across_ended(void) {
    GOOD(weft_clReleaseEvent(event));
    GOOD(weft_clReleaseCommandQueue(other));
    GOOD(weft_clFlush(queue)); /* the second thread's may still be deferred: to the pool's thread */
}

/* ---- a user event holds the queue up -----------------------------------------------------------
 */

static void set_user(void *unused) {
    (void)unused;
    GOOD(weft_clSetUserEventStatus(user, CL_COMPLETE));
}

static void gated(void) {
    cl_int status;

    user = weft_clCreateUserEvent(the_context, &status);
    GOOD(status);
    GOOD(fill(queue, mem, 0, 1, 1, &user, NULL));
    GOOD(fill(queue, mem, 0, 2, 0, NULL, NULL));
    explore_thread("sets", set_user, NULL);
    explore_thread("finishes", finish, NULL);
    explore_thread("finishes too", finish, NULL);
}

static void gate_ended(void) {
    GOOD(weft_clReleaseEvent(user));
    two_is_there();
}

/* ---- the queue is released with commands in it -------------------------------------------------
 */

static void fill_and_release(void *unused) {
    (void)unused;
    GOOD(fill(queue, mem, 0, 2, 0, NULL, NULL));
    GOOD(weft_clReleaseCommandQueue(queue));
}

static void released(void) {
    GOOD(weft_clRetainCommandQueue(queue));
    explore_thread("releases a", fill_and_release, NULL);
    explore_thread("releases b", fill_and_release, NULL);
}

static void queue_is_gone(void) {
    EXPLORE_EQ(mem->data[0], 2);
    GOOD(weft_clReleaseMemObject(mem));
    EXPLORE_EQ(explore_live_blocks(), lasting_blocks() - QUEUE_AND_BUFFER);
}

/* ---- as many as may be deferred ----------------------------------------------------------------
 */

static void fill_only(void *number) {
    GOOD(fill(queue, mem, (size_t)(intptr_t)number, 2, 0, NULL, NULL));
}

/* The limit's flush comes between the two fills, or behind them. */
static void at_the_limit(void) {
    for (int i = 0; i < WEFT_DEFER_LIMIT - 2; i++)
        GOOD(fill(queue, mem, 2, 2, 0, NULL, NULL));
    explore_thread("fills a", fill_only, (void *)0);
    explore_thread("fills b", fill_only, (void *)1);
}

static void limit_ended(void) {
    EXPLORE_EQ(queue->deferred, 0);
    EXPLORE_CHECK(!queue->first);
    both_are_there();
}

/* ---- memory is freed once its users have ended -------------------------------------------------
 */

static void await_users(void *unused) {
    (void)unused;
    EXPLORE_CHECK(weft_context_await_users(the_context, mem->data, mem->size));
    EXPLORE_EQ(mem->data[0], 2);
}

static void users_of_memory(void) {
    GOOD(fill(queue, mem, 0, 2, 0, NULL, NULL));
    explore_thread("awaits", await_users, NULL);
    explore_thread("flushes", flush, NULL);
}

static const explore_scenario scenarios[] = {
    {"one_waits_one_flushes",
     in_order,
     wait_and_flush,
     two_is_there,
     {{FAULT_UNLOCKED, "leave_queue", "lock", "&queue->lock", 1,
       "commands leave the list without the lock"},
      {FAULT_UNLOCKED, "join_queue", "lock", "&queue->lock", 1,
       "commands join the list without the lock"}}},
    {"two_finish", in_order, two_finish, both_are_there, {{0}}},
    {"two_finish_out_of_order",
     out_of_order,
     two_finish_out_of_order,
     both_are_there,
     {{FAULT_SKIP, "leave_queue", "futex wake", "&queue->finish_word", 1,
       "who finishes is not woken"},
      {FAULT_SKIP, "leave_queue", "fetch_add", "&queue->finish_word", 1,
       "the word that finishers sleep on stays the same"}}},
    {"a_command_of_another_queue_waits", two_queues, across_queues, across_ended, {{0}}},
    {"a_user_event_holds_the_queue_up", in_order, gated, gate_ended, {{0}}},
    {"released_with_commands_in_it", in_order, released, queue_is_gone, {{0}}},
    {"as_many_as_may_be_deferred", in_order, at_the_limit, limit_ended, {{0}}},
    {"memory_is_freed_after_its_users", in_order, users_of_memory, two_is_there, {{0}}},
};

int main(int argc, char **argv) {
    return explore_main(argc, argv, setup, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
