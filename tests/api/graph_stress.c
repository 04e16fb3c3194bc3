// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Many threads, queues of both kinds, user events, wait lists across queues, callbacks, releases in
 * any order. Every command adds to a counter that its successors must see.
 */

#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 16, ROUNDS = 200, DEPTH = 12 };

typedef struct shared {
    cl_context context;
    cl_device_id device;
    _Atomic int callbacks_wanted, callbacks_seen;
    _Atomic int failures;
} shared;

typedef struct worker {
    shared *all;
    uint32_t seed;
} worker;

static uint32_t next(worker *w) {
    w->seed = w->seed * 1664525u + 1013904223u;
    return w->seed >> 8;
}

/* Notes a failure; which one is told by the line. */
#define OK(condition)                                                                              \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "# %s:%d: %s\n", __FILE__, __LINE__, #condition);                      \
            atomic_fetch_add(&w->all->failures, 1);                                                \
        }                                                                                          \
    } while (0)

static void CL_CALLBACK seen(cl_event event, cl_int status, void *user) {
    (void)event;
    (void)status;
    atomic_fetch_add(&((shared *)user)->callbacks_seen, 1);
}

static void watch(worker *w, cl_event event) {
    static const cl_int types[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};
    atomic_fetch_add(&w->all->callbacks_wanted, 1);
    OK(clSetEventCallback(event, types[next(w) % 3], seen, w->all) == CL_SUCCESS);
}

static cl_command_queue make_queue(worker *w) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, next(w) % 4, 0};
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(w->all->context, w->all->device, list, &error);
    OK(error == CL_SUCCESS);
    return queue;
}

/* One command that copies element i of the buffer to element i + 1; after `list`. */
static cl_event step(worker *w, cl_command_queue queue, cl_mem mem, size_t i, cl_uint count,
                     const cl_event *list) {
    cl_event event = NULL;
    OK(clEnqueueCopyBuffer(queue, mem, mem, i * 4, i * 4 + 4, 4, count, list, &event) ==
       CL_SUCCESS);
    return event;
}

/* A chain over several queues that starts with a user event, and must carry the value through. */
static void run_chain(worker *w, cl_command_queue *queues, cl_mem mem, cl_int value) {
    cl_event chain[DEPTH + 2], user;
    cl_int got = 0, error, fails = next(w) % 8 == 0 ? -9 : CL_COMPLETE;
    cl_uint count = 0;

    user = clCreateUserEvent(w->all->context, &error);
    chain[count++] = user;
    OK(clEnqueueFillBuffer(queues[0], mem, &value, 4, 0, 4, 1, &user, &chain[count]) == CL_SUCCESS);
    count++;
    for (size_t i = 0; i < DEPTH; i++, count++) {
        chain[count] = step(w, queues[next(w) % 3], mem, i, 1, &chain[count - 1]);
        if (next(w) % 3 == 0)
            watch(w, chain[count]);
        if (next(w) % 5 == 0)
            OK(clFlush(queues[next(w) % 3]) == CL_SUCCESS);
    }
    if (next(w) % 2) /* nobody but the graph holds it any more */
        OK(clRetainEvent(user) == CL_SUCCESS && clReleaseEvent(user) == CL_SUCCESS);
    OK(clSetUserEventStatus(user, fails) == CL_SUCCESS);
    error = clEnqueueReadBuffer(queues[next(w) % 3], mem, CL_TRUE, DEPTH * 4, 4, &got, 1,
                                &chain[count - 1], NULL);
    if (fails)
        OK(error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    else
        OK(error == CL_SUCCESS && got == value);
    for (cl_uint i = next(w) % count, n = 0; n < count; n++)
        OK(clReleaseEvent(chain[(i + n * 3) % count]) == CL_SUCCESS); /* 3 and 14 have no factor */
}

/* Independent fills, a marker for all of them, queues released before they end. */
static void run_crowd(worker *w) {
    cl_command_queue queue = make_queue(w);
    cl_int error, value = 3, got[64];
    cl_mem mem = clCreateBuffer(w->all->context, 0, sizeof(got), NULL, &error);
    cl_event marker = NULL;

    for (size_t i = 0; i < 64; i++)
        OK(clEnqueueFillBuffer(queue, mem, &value, 4, i * 4, 4, 0, NULL, NULL) == CL_SUCCESS);
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker) == CL_SUCCESS);
    if (next(w) % 2)
        watch(w, marker);
    OK(clReleaseCommandQueue(queue) == CL_SUCCESS);
    OK(clWaitForEvents(1, &marker) == CL_SUCCESS);
    OK(clReleaseEvent(marker) == CL_SUCCESS);
    queue = make_queue(w);
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL) == CL_SUCCESS);
    for (size_t i = 0; i < 64; i++)
        OK(got[i] == value);
    OK(clReleaseMemObject(mem) == CL_SUCCESS);
    OK(clReleaseCommandQueue(queue) == CL_SUCCESS);
}

static void *run(void *argument) {
    worker *w = argument;
    cl_command_queue queues[3];
    cl_int error;
    cl_mem mem = clCreateBuffer(w->all->context, 0, 4096, NULL, &error);

    for (int i = 0; i < 3; i++)
        queues[i] = make_queue(w);
    for (cl_int round = 0; round < ROUNDS; round++) {
        run_chain(w, queues, mem, round + 1);
        if (round % 4 == 0)
            run_crowd(w);
    }
    for (int i = 0; i < 3; i++) {
        OK(clFinish(queues[i]) == CL_SUCCESS);
        OK(clReleaseCommandQueue(queues[i]) == CL_SUCCESS);
    }
    OK(clReleaseMemObject(mem) == CL_SUCCESS);
    return NULL;
}

static void run_all(void) {
    shared all = {.context = weft_context(1), .device = weft_device(0)};
    struct timespec moment = {0, 1000000};
    pthread_t threads[THREADS];
    worker workers[THREADS];

    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){&all, i * 7919 + 1};
        CHECK_EQ(pthread_create(&threads[i], NULL, run, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(atomic_load(&all.failures), 0);
    for (int i = 0; i < 20000 && atomic_load(&all.callbacks_seen) < all.callbacks_wanted; i++)
        nanosleep(&moment, NULL);
    CHECK_EQ(atomic_load(&all.callbacks_seen), atomic_load(&all.callbacks_wanted));
    CHECK_EQ(clReleaseContext(all.context), CL_SUCCESS);
}

TEST(sixteen_threads) {
    run_all();
}

/* One queue that all threads share, one order for each of them. */

typedef struct sharer {
    cl_command_queue queue;
    cl_mem mem;
    int index, failures;
} sharer;

static void *share(void *argument) {
    sharer *s = argument;
    for (cl_int i = 1; i <= 400; i++) {
        cl_event event = NULL;
        cl_int got = 0;
        s->failures += clEnqueueFillBuffer(s->queue, s->mem, &i, 4, (size_t)s->index * 4, 4, 0,
                                           NULL, &event) != CL_SUCCESS;
        s->failures += clEnqueueReadBuffer(s->queue, s->mem, i % 3 == 0, (size_t)s->index * 4, 4,
                                           &got, 1, &event, NULL) != CL_SUCCESS;
        if (i % 3)
            s->failures += clFinish(s->queue) != CL_SUCCESS;
        s->failures += got != i;
        clReleaseEvent(event);
    }
    return NULL;
}

TEST(threads_that_share_a_queue) {
    for (cl_queue_properties kind = 0; kind < 4; kind++) {
        cl_context context = weft_context(1);
        cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kind, 0};
        cl_int error;
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(context, weft_device(0), list, &error);
        cl_mem mem = clCreateBuffer(context, 0, 4096, NULL, &error);
        pthread_t threads[8];
        sharer sharers[8];
        for (int i = 0; i < 8; i++) {
            sharers[i] = (sharer){queue, mem, i, 0};
            pthread_create(&threads[i], NULL, share, &sharers[i]);
        }
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < 8; i++)
            CHECK_EQ(sharers[i].failures, 0);
        clReleaseMemObject(mem);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
}

TEST_MAIN()
