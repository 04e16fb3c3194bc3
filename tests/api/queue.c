// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Command queues: creation, information, order, flush and finish, ends of life. */

#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

#define QUERY(name, size, value, size_ret) clGetCommandQueueInfo(queue, name, size, value, size_ret)

static cl_command_queue queue_of(cl_context context, cl_command_queue_properties properties) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), list, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return queue;
}

static cl_int create_error(cl_context context, cl_device_id device,
                           const cl_queue_properties *list) {
    cl_int error = 1;
    CHECK(!clCreateCommandQueueWithProperties(context, device, list, &error));
    return error;
}

TEST(creation_errors) {
    cl_context context = weft_context(1);
    cl_device_id device = weft_device(0), other = weft_device(1);
    const cl_queue_properties unknown[] = {0x4321, 1, 0}, bits[] = {CL_QUEUE_PROPERTIES, 1 << 9, 0},
                              twice[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0},
                              sized[] = {CL_QUEUE_SIZE, 64, 0},
                              in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    cl_int error = 1;

    CHECK_EQ(create_error(NULL, device, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(create_error(context, NULL, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(create_error(context, other, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(create_error(context, (cl_device_id)context, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(create_error(context, device, unknown), CL_INVALID_VALUE);
    CHECK_EQ(create_error(context, device, bits), CL_INVALID_VALUE);
    CHECK_EQ(create_error(context, device, twice), CL_INVALID_VALUE);
    CHECK_EQ(create_error(context, device, sized), CL_INVALID_VALUE);
    CHECK_EQ(create_error(context, device, in_order), CL_INVALID_VALUE);
    CHECK(!clCreateCommandQueue(context, device, 1 << 9, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateCommandQueue(context, other, 0, &error));
    CHECK_EQ(error, CL_INVALID_DEVICE);
    clReleaseContext(context);
}

TEST(info) {
    cl_context context = weft_context(1), got_context = NULL;
    cl_command_queue queue = queue_of(context, CL_QUEUE_PROFILING_ENABLE);
    cl_queue_properties list[8];
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 77;
    cl_uint count = 0;
    size_t size = 0;

    CHECK_EQ(QUERY(CL_QUEUE_CONTEXT, sizeof(got_context), &got_context, NULL), CL_SUCCESS);
    CHECK(got_context == context);
    CHECK_EQ(QUERY(CL_QUEUE_DEVICE, sizeof(device), &device, NULL), CL_SUCCESS);
    CHECK(device == weft_device(0));
    CHECK_EQ(QUERY(CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL), CL_SUCCESS);
    CHECK_EQ(properties, CL_QUEUE_PROFILING_ENABLE);
    CHECK_EQ(clRetainCommandQueue(queue), CL_SUCCESS);
    CHECK_EQ(QUERY(CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    CHECK_EQ(QUERY(CL_QUEUE_PROPERTIES_ARRAY, sizeof(list), list, &size), CL_SUCCESS);
    CHECK_EQ(size, 3 * sizeof(list[0]));
    CHECK_EQ(list[1], CL_QUEUE_PROFILING_ENABLE);
    CHECK_EQ(QUERY(CL_QUEUE_SIZE, sizeof(count), &count, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_INFO_SIZE(QUERY, CL_QUEUE_DEVICE_DEFAULT, sizeof(cl_command_queue));
    CHECK_EQ(QUERY(0x1, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(context, weft_device(0), queue),
             CL_INVALID_COMMAND_QUEUE);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(invalid_handles) {
    cl_context context = weft_context(1);
    CHECK_EQ(clFlush((cl_command_queue)context), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clFinish((cl_command_queue)context), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clReleaseCommandQueue((cl_command_queue)context), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clRetainCommandQueue((cl_command_queue)context), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clGetCommandQueueInfo((cl_command_queue)context, CL_QUEUE_CONTEXT, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    clReleaseContext(context);
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct step {
    _Atomic int *clock;
    int at;
    unsigned sleep_us;
} step;

static void CL_CALLBACK run_step(void *args) {
    step *s = *(step **)args;
    struct timespec moment = {0, (long)s->sleep_us * 1000};
    nanosleep(&moment, NULL);
    s->at = atomic_fetch_add(s->clock, 1) + 1;
}

static void enqueue_step(cl_command_queue queue, step *s, cl_uint count, const cl_event *list,
                         cl_event *event) {
    CHECK_EQ(
        clEnqueueNativeKernel(queue, run_step, &s, sizeof(s), 0, NULL, NULL, count, list, event),
        CL_SUCCESS);
}

TEST(in_order_queues_keep_their_order) {
    enum { STEPS = 200 };
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, 0);
    _Atomic int clock = 0;
    step steps[STEPS];

    for (int i = 0; i < STEPS; i++) {
        steps[i] = (step){&clock, 0, (unsigned)(i * 7919 % 50)};
        enqueue_step(queue, &steps[i], 0, NULL, NULL);
    }
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    for (int i = 0; i < STEPS; i++)
        CHECK_EQ(steps[i].at, i + 1);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(out_of_order_queues_run_independent_commands_together) {
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_uint units = 0;
    _Atomic int clock = 0;
    step slow = {&clock, 0, 100000}, fast = {&clock, 0, 0};

    clGetDeviceInfo(weft_device(0), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
    if (units < 2)
        SKIP("one compute unit");
    enqueue_step(queue, &slow, 0, NULL, NULL);
    enqueue_step(queue, &fast, 0, NULL, NULL);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    CHECK_EQ(fast.at, 1);
    CHECK_EQ(slow.at, 2);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(barriers_divide_an_out_of_order_queue) {
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    _Atomic int clock = 0;
    step slow = {&clock, 0, 30000}, fast = {&clock, 0, 0}, later = {&clock, 0, 0};

    enqueue_step(queue, &slow, 0, NULL, NULL);
    CHECK_EQ(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL), CL_SUCCESS);
    enqueue_step(queue, &fast, 0, NULL, NULL);
    CHECK_EQ(clEnqueueBarrier(queue), CL_SUCCESS);
    enqueue_step(queue, &later, 0, NULL, NULL);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    CHECK_EQ(slow.at, 1);
    CHECK_EQ(fast.at, 2);
    CHECK_EQ(later.at, 3);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(a_barrier_with_a_list_waits_for_the_list_only) {
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int error;
    cl_event blocker = clCreateUserEvent(context, &error), wanted, last;
    _Atomic int clock = 0;
    step blocked = {&clock, 0, 0}, first = {&clock, 0, 10000}, second = {&clock, 0, 0};

    enqueue_step(queue, &blocked, 1, &blocker, NULL);
    enqueue_step(queue, &first, 0, NULL, &wanted);
    CHECK_EQ(clEnqueueBarrierWithWaitList(queue, 1, &wanted, NULL), CL_SUCCESS);
    enqueue_step(queue, &second, 0, NULL, &last);
    CHECK_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
    CHECK_EQ(first.at, 1);
    CHECK_EQ(second.at, 2);
    CHECK_EQ(blocked.at, 0);
    CHECK_EQ(clSetUserEventStatus(blocker, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    CHECK_EQ(blocked.at, 3);
    clReleaseEvent(blocker);
    clReleaseEvent(wanted);
    clReleaseEvent(last);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(a_marker_waits_for_all_before_it_and_holds_up_nothing) {
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int error, status = 1;
    cl_event blocker = clCreateUserEvent(context, &error), marker, after;
    _Atomic int clock = 0;
    step blocked = {&clock, 0, 0}, free_step = {&clock, 0, 0};

    enqueue_step(queue, &blocked, 1, &blocker, NULL);
    CHECK_EQ(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker), CL_SUCCESS);
    enqueue_step(queue, &free_step, 0, NULL, &after);
    CHECK_EQ(clWaitForEvents(1, &after), CL_SUCCESS);
    clGetEventInfo(marker, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
    CHECK(status > CL_COMPLETE);
    clSetUserEventStatus(blocker, CL_COMPLETE);
    CHECK_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
    CHECK(blocked.at > 0);
    clReleaseEvent(blocker);
    clReleaseEvent(marker);
    clReleaseEvent(after);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(deprecated_marker_and_wait) {
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int error;
    cl_event blocker = clCreateUserEvent(context, &error), marker, wrong = (cl_event)queue;
    _Atomic int clock = 0;
    step late = {&clock, 0, 0};

    CHECK_EQ(clEnqueueWaitForEvents(queue, 0, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWaitForEvents(queue, 1, &wrong), CL_INVALID_EVENT);
    CHECK_EQ(clEnqueueMarker(queue, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWaitForEvents(queue, 1, &blocker), CL_SUCCESS);
    enqueue_step(queue, &late, 0, NULL, NULL);
    CHECK_EQ(clEnqueueMarker(queue, &marker), CL_SUCCESS);
    CHECK_EQ(clFlush(queue), CL_SUCCESS);
    struct timespec moment = {0, 20000000};
    nanosleep(&moment, NULL);
    CHECK_EQ(late.at, 0);
    clSetUserEventStatus(blocker, CL_COMPLETE);
    CHECK_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
    CHECK_EQ(late.at, 1);
    clReleaseEvent(blocker);
    clReleaseEvent(marker);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

/* ---- flush, finish, release ------------------------------------------------------------------ */

TEST(flushed_work_runs_without_another_call) {
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, 0);
    struct timespec moment = {0, 1000000};
    cl_int error, zero = 0, one = 1;
    _Atomic int target = 0;
    cl_mem mem =
        clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(target), (void *)&target, &error);

    (void)zero;
    for (int round = 0; round < 20; round++) {
        atomic_store(&target, 0);
        CHECK_EQ(clEnqueueFillBuffer(queue, mem, &one, 4, 0, 4, 0, NULL, NULL), CL_SUCCESS);
        CHECK_EQ(clFlush(queue), CL_SUCCESS);
        for (int i = 0; i < 5000 && !atomic_load(&target); i++)
            nanosleep(&moment, NULL);
        CHECK_EQ(atomic_load(&target), 1);
    }
    clFinish(queue);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

/* How often threads of this process have gone to sleep. */
static long sleeps(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
}

/* A small command that is waited for at once runs on the thread that waits. On e8e9dd5 every 32nd
 * was handed to another thread, since waiting was no flush. */
TEST(waiting_for_each_command_wakes_nobody) {
    cl_context context = weft_context(1);
    cl_command_queue queue = queue_of(context, 0);
    cl_int error = 1;
    cl_mem mem = clCreateBuffer(context, 0, 64, NULL, &error);
    const cl_int value = 5;
    cl_event event;
    for (int how = 0; how < 2; how++) {
        long before = 0;
        for (int i = 0; i < 8100; i++) {
            if (i == 100) /* threads that were woken before have gone to sleep again */
                before = sleeps();
            CHECK_EQ(
                clEnqueueFillBuffer(queue, mem, &value, 4, 0, 64, 0, NULL, how ? &event : NULL),
                CL_SUCCESS);
            CHECK_EQ(how ? clWaitForEvents(1, &event) : clFinish(queue), CL_SUCCESS);
            if (how)
                clReleaseEvent(event);
        }
        CHECK(sleeps() - before < 60);
    }
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(release_is_a_flush_and_commands_outlive_the_queue) {
    cl_context context = weft_context(1);
    cl_int error;
    cl_event blocker = clCreateUserEvent(context, &error), last;
    cl_command_queue queue = queue_of(context, 0), got = NULL;
    _Atomic int clock = 0;
    step a = {&clock, 0, 0}, b = {&clock, 0, 0};

    enqueue_step(queue, &a, 1, &blocker, NULL);
    enqueue_step(queue, &b, 0, NULL, &last);
    CHECK_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    clSetUserEventStatus(blocker, CL_COMPLETE);
    CHECK_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
    CHECK_EQ(b.at, 2);
    CHECK_EQ(clGetEventInfo(last, CL_EVENT_COMMAND_QUEUE, sizeof(got), &got, NULL), CL_SUCCESS);
    CHECK(got == queue);
    clReleaseEvent(last);
    clReleaseEvent(blocker);
    clReleaseContext(context);
}

static void *finish_many(void *argument) {
    for (int i = 0; i < 300; i++)
        if (clFinish(argument) != CL_SUCCESS)
            return argument;
    return NULL;
}

TEST(many_threads_finish_while_one_enqueues) {
    for (int ooo = 0; ooo < 2; ooo++) {
        cl_context context = weft_context(1);
        cl_command_queue queue =
            queue_of(context, ooo ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        cl_int error, value = 5;
        cl_mem mem = clCreateBuffer(context, 0, 3000 * 64, NULL, &error);
        pthread_t threads[4];
        void *result;
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, finish_many, queue);
        for (size_t i = 0; i < 3000; i++)
            CHECK_EQ(clEnqueueFillBuffer(queue, mem, &value, 4, i * 64, 64, 0, NULL, NULL),
                     CL_SUCCESS);
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], &result);
            CHECK(!result);
        }
        CHECK_EQ(clFinish(queue), CL_SUCCESS);
        clReleaseMemObject(mem);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
}

TEST(timers) {
    cl_ulong device_time = 0, host_time = 0, before = 0;
    for (int i = 0; i < 1000; i++) {
        CHECK_EQ(clGetDeviceAndHostTimer(weft_device(0), &device_time, &host_time), CL_SUCCESS);
        CHECK(device_time > before);
        before = device_time;
    }
    CHECK_EQ(clGetHostTimer(weft_device(0), &host_time), CL_SUCCESS);
    CHECK(host_time > before);
    CHECK_EQ(clGetHostTimer(weft_device(0), NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceAndHostTimer(weft_device(0), NULL, &host_time), CL_INVALID_VALUE);
    CHECK_EQ(clGetHostTimer(NULL, &host_time), CL_INVALID_DEVICE);
}

TEST_MAIN()
