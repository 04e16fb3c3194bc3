// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Events: user events, wait lists, errors, callbacks, profiling, references. */

#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef struct fixture {
    cl_context context;
    cl_command_queue queue;
    cl_mem mem;
} fixture;

static fixture make(cl_command_queue_properties properties) {
    fixture f = {.context = weft_context(1)};
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = 1;
    f.queue = clCreateCommandQueueWithProperties(f.context, weft_device(0), list, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.mem = clCreateBuffer(f.context, 0, 4096, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return f;
}

static void drop(fixture *f) {
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(f->mem), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f->context), CL_SUCCESS);
}

static cl_event user_event(cl_context context) {
    cl_int error = 1;
    cl_event event = clCreateUserEvent(context, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return event;
}

static cl_int status_of(cl_event event) {
    cl_int status = 99;
    CHECK_EQ(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
        CL_SUCCESS);
    return status;
}

/* Fills the buffer with `value`. */
static cl_event fill(fixture *f, cl_int value, cl_uint count, const cl_event *list) {
    cl_event event = NULL;
    CHECK_EQ(clEnqueueFillBuffer(f->queue, f->mem, &value, 4, 0, 4096, count, list, &event),
             CL_SUCCESS);
    CHECK(event);
    return event;
}

static cl_int value_of(fixture *f) {
    cl_int value = 0;
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL),
             CL_SUCCESS);
    return value;
}

/* ---- user events and information ------------------------------------------------------------- */

TEST(user_events) {
    fixture f = make(0);
    cl_event event = user_event(f.context), other = user_event(f.context);
    cl_command_type type = 0;
    cl_command_queue queue = f.queue;
    cl_context context = NULL;
    cl_uint count = 0;
    cl_ulong time;
    cl_int error = 1;

    CHECK(!clCreateUserEvent(NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK_EQ(status_of(event), CL_SUBMITTED);
    CHECK_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
    CHECK_EQ(type, CL_COMMAND_USER);
    CHECK_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, NULL),
             CL_SUCCESS);
    CHECK(!queue);
    CHECK_EQ(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(context), &context, NULL), CL_SUCCESS);
    CHECK(context == f.context);
    CHECK_EQ(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(count), &count, NULL),
             CL_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK_EQ(clGetEventInfo(event, 0x1, sizeof(count), &count, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, 1, &type, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(time), &time, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_EQ(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
    CHECK_EQ(clSetUserEventStatus((cl_event)f.queue, CL_COMPLETE), CL_INVALID_EVENT);
    CHECK_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
    CHECK_EQ(clSetUserEventStatus(other, -5), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(other, CL_COMPLETE), CL_INVALID_OPERATION);
    CHECK_EQ(status_of(event), CL_COMPLETE);
    CHECK_EQ(status_of(other), -5);
    CHECK_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &other), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    clReleaseEvent(event);
    clReleaseEvent(other);
    drop(&f);
}

/* Whatever it was, it is not changed: a second status below the first one ended the event again,
 * and released what others had. Crashed on e8e9dd5. */
TEST(user_events_end_once) {
    fixture f = make(0);
    const cl_int first[] = {CL_COMPLETE, CL_COMPLETE, -1, -1, -5};
    const cl_int second[] = {-1, CL_COMPLETE, -2, CL_COMPLETE, INT32_MIN};
    for (int i = 0; i < 5; i++) {
        cl_event event = user_event(f.context), after = fill(&f, i, 1, &event);
        CHECK_EQ(clSetUserEventStatus(event, first[i]), CL_SUCCESS);
        for (int again = 0; again < 3; again++)
            CHECK_EQ(clSetUserEventStatus(event, second[i]), CL_INVALID_OPERATION);
        CHECK_EQ(status_of(event), first[i]);
        CHECK_EQ(clFinish(f.queue), CL_SUCCESS);
        CHECK_EQ(status_of(after) < 0, first[i] < 0);
        CHECK_EQ(clReleaseEvent(after), CL_SUCCESS);
        CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    drop(&f);
}

/* Who sets an event, with what, and whether that was the first status. */
typedef struct setter {
    cl_event event;
    cl_int status, error;
    atomic_int *ready;
} setter;

static void *set_at_once(void *user) {
    setter *s = user;
    atomic_fetch_sub(s->ready, 1);
    while (atomic_load(s->ready))
        ;
    s->error = clSetUserEventStatus(s->event, s->status);
    return NULL;
}

TEST(one_of_two_threads_ends_a_user_event) {
    fixture f = make(0);
    for (int turn = 0; turn < 300; turn++) {
        atomic_int ready = 2;
        cl_event event = user_event(f.context);
        setter s[2] = {{event, turn % 3 - 2, 1, &ready}, {event, -1 - turn % 2, 1, &ready}};
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            CHECK_EQ(pthread_create(&threads[i], NULL, set_at_once, &s[i]), 0);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        CHECK_EQ(s[0].error + s[1].error, CL_INVALID_OPERATION);
        CHECK_EQ(status_of(event), s[s[0].error == CL_SUCCESS ? 0 : 1].status);
        CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    drop(&f);
}

TEST(only_user_events_can_be_set) {
    fixture f = make(0);
    cl_event event = fill(&f, 1, 0, NULL);
    CHECK_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
    clReleaseEvent(event);
    drop(&f);
}

TEST(wait_errors) {
    fixture f = make(0);
    cl_context other = weft_context(1);
    cl_event a = user_event(f.context), b = user_event(other), both[] = {a, b}, wrong = NULL;
    CHECK_EQ(clWaitForEvents(0, &a), CL_INVALID_VALUE);
    CHECK_EQ(clWaitForEvents(1, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clWaitForEvents(1, &wrong), CL_INVALID_EVENT);
    CHECK_EQ(clWaitForEvents(2, both), CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 1, &b, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 1, &wrong, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 0, &a, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueMarkerWithWaitList((cl_command_queue)a, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    clSetUserEventStatus(a, CL_COMPLETE);
    clSetUserEventStatus(b, CL_COMPLETE);
    clReleaseEvent(a);
    clReleaseEvent(b);
    clReleaseContext(other);
    drop(&f);
}

TEST(references) {
    fixture f = make(0);
    cl_event event = fill(&f, 3, 0, NULL);
    CHECK_EQ(clRetainEvent(event), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
    CHECK_EQ(clFinish(f.queue), CL_SUCCESS);
    CHECK_EQ(status_of(event), CL_COMPLETE);
    CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(event), CL_INVALID_EVENT); /* noticed, while the queue lives */
    CHECK_EQ(clRetainEvent((cl_event)f.context), CL_INVALID_EVENT);
    drop(&f);
}

/* ---- order and errors through wait lists ----------------------------------------------------- */

TEST(wait_lists_of_many_events) {
    enum { COUNT = 100 };
    fixture f = make(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event events[COUNT], last;
    for (int i = 0; i < COUNT; i++)
        events[i] = user_event(f.context);
    last = fill(&f, 42, COUNT, events);
    for (int i = 0; i < COUNT; i++) {
        CHECK(status_of(last) > CL_COMPLETE);
        CHECK_EQ(clSetUserEventStatus(events[COUNT - 1 - i], CL_COMPLETE), CL_SUCCESS);
    }
    CHECK_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
    CHECK_EQ(value_of(&f), 42);
    for (int i = 0; i < COUNT; i++)
        clReleaseEvent(events[i]);
    clReleaseEvent(last);
    drop(&f);
}

TEST(errors_travel_along_wait_lists_only) {
    fixture f = make(0);
    cl_event user = user_event(f.context), a, b, c, d;
    cl_int value = 9;

    CHECK_EQ(clEnqueueFillBuffer(f.queue, f.mem, &value, 4, 0, 4096, 0, NULL, NULL), CL_SUCCESS);
    a = fill(&f, 1, 1, &user);
    b = fill(&f, 2, 1, &a);
    CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 1, &b, &c), CL_SUCCESS);
    CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 0, NULL, &d), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(user, -77), CL_SUCCESS);
    CHECK_EQ(clFinish(f.queue), CL_SUCCESS);
    CHECK_EQ(status_of(a), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(status_of(b), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(status_of(c), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(status_of(d), CL_COMPLETE);
    CHECK_EQ(value_of(&f), 9);
    clReleaseEvent(user);
    clReleaseEvent(a);
    clReleaseEvent(b);
    clReleaseEvent(c);
    clReleaseEvent(d);
    drop(&f);
}

TEST(blocking_calls_say_that_their_list_failed) {
    fixture f = make(0);
    cl_event user = user_event(f.context), event = (cl_event)&f;
    cl_int value = 0, error = 1;

    clSetUserEventStatus(user, -1);
    CHECK_EQ(clEnqueueReadBuffer(f.queue, f.mem, CL_TRUE, 0, 4, &value, 1, &user, &event),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(event == (cl_event)&f);
    CHECK_EQ(clEnqueueWriteBuffer(f.queue, f.mem, CL_TRUE, 0, 4, &value, 1, &user, NULL),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(!clEnqueueMapBuffer(f.queue, f.mem, CL_TRUE, CL_MAP_WRITE, 0, 4, 1, &user, NULL, &error));
    CHECK_EQ(error, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(value_of(&f), 0);
    clReleaseEvent(user);
    drop(&f);
}

TEST(queues_wait_for_each_other_without_a_flush) {
    fixture f = make(0);
    cl_int error, value = 11, got = 0;
    cl_command_queue second =
        clCreateCommandQueueWithProperties(f.context, weft_device(0), NULL, &error);
    for (int round = 0; round < 200; round++) {
        cl_event first, last;
        value++;
        first = fill(&f, value, 0, NULL);
        CHECK_EQ(clEnqueueReadBuffer(second, f.mem, CL_FALSE, 4, 4, &got, 1, &first, &last),
                 CL_SUCCESS);
        CHECK_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
        CHECK_EQ(got, value);
        clReleaseEvent(first);
        clReleaseEvent(last);
    }
    clReleaseCommandQueue(second);
    drop(&f);
}

TEST(a_chain_of_a_hundred_thousand) {
    fixture f = make(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event first = user_event(f.context), before = first, next;
    for (int i = 0; i < 100000; i++) {
        CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 1, &before, &next), CL_SUCCESS);
        if (before != first)
            clReleaseEvent(before);
        before = next;
    }
    CHECK_EQ(clSetUserEventStatus(first, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &before), CL_SUCCESS);
    clReleaseEvent(before);
    clReleaseEvent(first);
    drop(&f);
}

static void *set_later(void *event) {
    struct timespec moment = {0, 20000000};
    nanosleep(&moment, NULL);
    clSetUserEventStatus(event, CL_COMPLETE);
    return NULL;
}

TEST(a_wait_for_a_user_event_that_another_thread_sets) {
    fixture f = make(0);
    cl_event user = user_event(f.context), event = fill(&f, 5, 1, &user);
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, set_later, user), 0);
    CHECK_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &user), CL_SUCCESS);
    pthread_join(thread, NULL);
    clReleaseEvent(user);
    clReleaseEvent(event);
    drop(&f);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

typedef struct calls {
    _Atomic int count[4]; /* by what was asked for: complete, running, submitted */
    _Atomic int status;
    _Atomic int total;
    pthread_t caller;
    bool own_thread;
} calls;

static void note(calls *c, int which, cl_int status) {
    atomic_fetch_add(&c->count[which], 1);
    atomic_store(&c->status, status);
    c->own_thread = !pthread_equal(pthread_self(), c->caller);
    atomic_fetch_add(&c->total, 1);
}

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *user) {
    (void)event;
    note(user, 0, status);
}

static void CL_CALLBACK on_running(cl_event event, cl_int status, void *user) {
    (void)event;
    note(user, 1, status);
}

static void CL_CALLBACK on_submitted(cl_event event, cl_int status, void *user) {
    (void)event;
    note(user, 2, status);
}

static void await(_Atomic int *value, int wanted) {
    struct timespec moment = {0, 100000};
    for (int i = 0; i < 100000 && atomic_load(value) < wanted; i++)
        nanosleep(&moment, NULL);
    CHECK_EQ(atomic_load(value), wanted);
}

static void set_all(cl_event event, calls *c) {
    CHECK_EQ(clSetEventCallback(event, CL_COMPLETE, on_complete, c), CL_SUCCESS);
    CHECK_EQ(clSetEventCallback(event, CL_RUNNING, on_running, c), CL_SUCCESS);
    CHECK_EQ(clSetEventCallback(event, CL_SUBMITTED, on_submitted, c), CL_SUCCESS);
}

TEST(callbacks_before_and_after_the_end) {
    fixture f = make(0);
    cl_event user = user_event(f.context), event = fill(&f, 5, 1, &user);
    calls before = {.caller = pthread_self()}, after = {.caller = pthread_self()};

    set_all(event, &before);
    clSetUserEventStatus(user, CL_COMPLETE);
    await(&before.total, 3);
    CHECK(before.own_thread);
    CHECK_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    set_all(event, &after);
    await(&after.total, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(before.count[i], 1);
        CHECK_EQ(after.count[i], 1);
    }
    clReleaseEvent(user);
    clReleaseEvent(event);
    drop(&f);
}

TEST(callbacks_make_deferred_work_run) {
    fixture f = make(0);
    for (int i = 0; i < 50; i++) {
        cl_event event = fill(&f, i, 0, NULL);
        calls c = {.caller = pthread_self()};
        CHECK_EQ(clSetEventCallback(event, CL_COMPLETE, on_complete, &c), CL_SUCCESS);
        CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
        await(&c.total, 1);
        CHECK_EQ(c.status, CL_COMPLETE);
    }
    drop(&f);
}

TEST(callbacks_hear_of_errors) {
    fixture f = make(0);
    cl_event user = user_event(f.context), event = fill(&f, 5, 1, &user);
    calls of_user = {.caller = pthread_self()}, of_event = {.caller = pthread_self()};

    CHECK_EQ(clSetEventCallback(user, CL_COMPLETE, on_complete, &of_user), CL_SUCCESS);
    CHECK_EQ(clSetEventCallback(event, CL_COMPLETE, on_complete, &of_event), CL_SUCCESS);
    clSetUserEventStatus(user, -42);
    await(&of_user.total, 1);
    await(&of_event.total, 1);
    CHECK_EQ(of_user.status, -42);
    CHECK_EQ(of_event.status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    clReleaseEvent(user);
    clReleaseEvent(event);
    drop(&f);
}

TEST(callback_errors) {
    fixture f = make(0);
    cl_event user = user_event(f.context);
    CHECK_EQ(clSetEventCallback((cl_event)f.queue, CL_COMPLETE, on_complete, NULL),
             CL_INVALID_EVENT);
    CHECK_EQ(clSetEventCallback(user, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetEventCallback(user, CL_QUEUED, on_complete, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetEventCallback(user, -1, on_complete, NULL), CL_INVALID_VALUE);
    clSetUserEventStatus(user, CL_COMPLETE);
    clReleaseEvent(user);
    drop(&f);
}

/* ---- profiling ------------------------------------------------------------------------------- */

static cl_ulong time_of(cl_event event, cl_profiling_info name) {
    cl_ulong time = 0;
    CHECK_EQ(clGetEventProfilingInfo(event, name, sizeof(time), &time, NULL), CL_SUCCESS);
    CHECK(time > 0);
    return time;
}

static void check_times(cl_event event, cl_ulong before, cl_ulong after) {
    cl_ulong queued = time_of(event, CL_PROFILING_COMMAND_QUEUED);
    cl_ulong submitted = time_of(event, CL_PROFILING_COMMAND_SUBMIT);
    cl_ulong started = time_of(event, CL_PROFILING_COMMAND_START);
    cl_ulong ended = time_of(event, CL_PROFILING_COMMAND_END);
    cl_ulong completed = time_of(event, CL_PROFILING_COMMAND_COMPLETE);
    CHECK(before <= queued);
    CHECK(queued <= submitted);
    CHECK(submitted <= started);
    CHECK(started < ended);
    CHECK(ended <= completed);
    CHECK(completed <= after);
}

TEST(profiling_times_rise) {
    for (int ooo = 0; ooo < 2; ooo++) {
        fixture f =
            make(CL_QUEUE_PROFILING_ENABLE | (ooo ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
        for (int i = 0; i < 100; i++) {
            cl_ulong before, after, ignored;
            cl_event event, marker;
            clGetDeviceAndHostTimer(weft_device(0), &before, &ignored);
            event = fill(&f, 1, 0, NULL);
            CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 0, NULL, &marker), CL_SUCCESS);
            if (i % 2)
                clFlush(f.queue);
            CHECK_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
            clGetDeviceAndHostTimer(weft_device(0), &after, &ignored);
            check_times(event, before, after);
            check_times(marker, before, after);
            clReleaseEvent(event);
            clReleaseEvent(marker);
        }
        drop(&f);
    }
}

/* A flush says that the marker is submitted before it is: its time is known at the end at latest.
 */
TEST(a_flushed_command_without_work_has_all_times) {
    fixture f = make(CL_QUEUE_PROFILING_ENABLE);
    cl_event user = user_event(f.context), marker;
    cl_ulong before, after, ignored;

    clGetDeviceAndHostTimer(weft_device(0), &before, &ignored);
    CHECK_EQ(clEnqueueMarkerWithWaitList(f.queue, 1, &user, &marker), CL_SUCCESS);
    CHECK_EQ(clFlush(f.queue), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
    clGetDeviceAndHostTimer(weft_device(0), &after, &ignored);
    check_times(marker, before, after);
    clReleaseEvent(user);
    clReleaseEvent(marker);
    drop(&f);
}

/* Applications divide by the difference: an unmap used to end at the nanosecond of its start. */
TEST(a_command_without_work_takes_some_time) {
    fixture f = make(CL_QUEUE_PROFILING_ENABLE);
    cl_event event;
    cl_int error;
    void *mapped =
        clEnqueueMapBuffer(f.queue, f.mem, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &error);

    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clEnqueueUnmapMemObject(f.queue, f.mem, mapped, 0, NULL, &event), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    CHECK(time_of(event, CL_PROFILING_COMMAND_START) < time_of(event, CL_PROFILING_COMMAND_END));
    clReleaseEvent(event);
    drop(&f);
}

TEST(profiling_errors) {
    fixture plain = make(0), profiled = make(CL_QUEUE_PROFILING_ENABLE);
    cl_event event = fill(&plain, 1, 0, NULL), user = user_event(profiled.context);
    cl_event waits = fill(&profiled, 1, 1, &user);
    cl_ulong time;

    clFinish(plain.queue);
    CHECK_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &time, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_EQ(clGetEventProfilingInfo(waits, CL_PROFILING_COMMAND_END, 8, &time, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK_EQ(
        clGetEventProfilingInfo((cl_event)plain.queue, CL_PROFILING_COMMAND_END, 8, &time, NULL),
        CL_INVALID_EVENT);
    clSetUserEventStatus(user, CL_COMPLETE);
    clFinish(profiled.queue);
    CHECK_EQ(clGetEventProfilingInfo(waits, 0x1, 8, &time, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetEventProfilingInfo(waits, CL_PROFILING_COMMAND_END, 4, &time, NULL),
             CL_INVALID_VALUE);
    clReleaseEvent(event);
    clReleaseEvent(user);
    clReleaseEvent(waits);
    drop(&plain);
    drop(&profiled);
}

TEST_MAIN()
