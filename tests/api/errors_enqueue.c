// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Errors that all enqueue functions share, each provoked for each of them: a queue that is none,
 * wait lists that are none, events and objects of another context, blocking calls whose wait list
 * failed. tests/coverage says which errors are left.
 */

#include "common.h"

/* Two contexts with one of everything. */
typedef struct side {
    cl_context context;
    cl_command_queue queue;
    cl_mem mem, other;
    cl_program program;
    cl_kernel kernel;
    cl_event event;
} side;

typedef struct fixture {
    side here, there;
    cl_mem mem; /* what the calls below use; here's, unless a test says otherwise */
    cl_kernel kernel;
    cl_bool blocking;
    void *mapped;
    char bytes[64];
} fixture;

static side make_side(void) {
    side s = {.context = weft_context(2)};
    cl_int error = 1;
    s.queue = clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    s.mem = clCreateBuffer(s.context, 0, 4096, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    s.other = clCreateBuffer(s.context, 0, 4096, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    s.program = weft_built(s.context, "kernel void k(global int *p) { *p = 1; }", NULL);
    s.kernel = weft_kernel(s.program, "k");
    CHECK_EQ(clSetKernelArg(s.kernel, 0, sizeof(s.mem), &s.mem), CL_SUCCESS);
    s.event = clCreateUserEvent(s.context, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(s.event, CL_COMPLETE), CL_SUCCESS);
    return s;
}

static void drop_side(side *s) {
    CHECK_EQ(clFinish(s->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(s->event), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(s->kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(s->program), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(s->mem), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(s->other), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(s->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(s->context), CL_SUCCESS);
}

static fixture begin(void) {
    fixture f = {.here = make_side(), .there = make_side()};
    cl_int error = 1;
    f.mem = f.here.mem;
    f.kernel = f.here.kernel;
    f.mapped =
        clEnqueueMapBuffer(f.here.queue, f.mem, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return f;
}

static void end(fixture *f) {
    drop_side(&f->here);
    drop_side(&f->there);
}

/* ---- a good call of each function ------------------------------------------------------------ */

#define CALL(name)                                                                                 \
    static cl_int name(fixture *f, cl_command_queue queue, cl_uint count, const cl_event *list,    \
                       cl_event *event)

static const size_t ZERO[3], REGION[3] = {4, 2, 1}, ONE = 1;

CALL(read_buffer) {
    return clEnqueueReadBuffer(queue, f->mem, f->blocking, 0, 8, f->bytes, count, list, event);
}

CALL(write_buffer) {
    return clEnqueueWriteBuffer(queue, f->mem, f->blocking, 0, 8, f->bytes, count, list, event);
}

CALL(copy_buffer) {
    return clEnqueueCopyBuffer(queue, f->mem, f->here.other, 0, 0, 8, count, list, event);
}

CALL(fill_buffer) {
    return clEnqueueFillBuffer(queue, f->mem, "xy", 2, 0, 8, count, list, event);
}

CALL(map_buffer) {
    cl_int error = 1;
    void *at = clEnqueueMapBuffer(queue, f->mem, f->blocking, CL_MAP_READ, 0, 8, count, list, event,
                                  &error);
    if (!at != (error != CL_SUCCESS))
        return 1;
    return error;
}

CALL(unmap) {
    return clEnqueueUnmapMemObject(queue, f->mem, f->mapped, count, list, event);
}

CALL(read_rect) {
    return clEnqueueReadBufferRect(queue, f->mem, f->blocking, ZERO, ZERO, REGION, 8, 0, 8, 0,
                                   f->bytes, count, list, event);
}

CALL(write_rect) {
    return clEnqueueWriteBufferRect(queue, f->mem, f->blocking, ZERO, ZERO, REGION, 8, 0, 8, 0,
                                    f->bytes, count, list, event);
}

CALL(copy_rect) {
    return clEnqueueCopyBufferRect(queue, f->mem, f->here.other, ZERO, ZERO, REGION, 8, 0, 8, 0,
                                   count, list, event);
}

CALL(migrate) {
    return clEnqueueMigrateMemObjects(queue, 1, &f->mem, CL_MIGRATE_MEM_OBJECT_HOST, count, list,
                                      event);
}

CALL(nd_range) {
    return clEnqueueNDRangeKernel(queue, f->kernel, 1, NULL, &ONE, NULL, count, list, event);
}

CALL(task) {
    return clEnqueueTask(queue, f->kernel, count, list, event);
}

static void CL_CALLBACK nothing(void *args) {
    (void)args;
}

CALL(native) {
    (void)f;
    return clEnqueueNativeKernel(queue, nothing, NULL, 0, 0, NULL, NULL, count, list, event);
}

CALL(marker) {
    (void)f;
    return clEnqueueMarkerWithWaitList(queue, count, list, event);
}

CALL(barrier) {
    (void)f;
    return clEnqueueBarrierWithWaitList(queue, count, list, event);
}

enum { HAS_MEM = 1, HAS_KERNEL = 2, CAN_BLOCK = 4 };
static const struct {
    const char *name;
    cl_int (*call)(fixture *f, cl_command_queue queue, cl_uint count, const cl_event *list,
                   cl_event *event);
    int what;
} CALLS[] = {{"read buffer", read_buffer, HAS_MEM | CAN_BLOCK},
             {"write buffer", write_buffer, HAS_MEM | CAN_BLOCK},
             {"copy buffer", copy_buffer, HAS_MEM},
             {"fill buffer", fill_buffer, HAS_MEM},
             {"map buffer", map_buffer, HAS_MEM | CAN_BLOCK},
             {"unmap", unmap, HAS_MEM},
             {"read rect", read_rect, HAS_MEM | CAN_BLOCK},
             {"write rect", write_rect, HAS_MEM | CAN_BLOCK},
             {"copy rect", copy_rect, HAS_MEM},
             {"migrate", migrate, HAS_MEM},
             {"nd-range", nd_range, HAS_KERNEL},
             {"task", task, HAS_KERNEL},
             {"native kernel", native, 0},
             {"marker", marker, 0},
             {"barrier", barrier, 0}};

enum { COUNT = sizeof(CALLS) / sizeof(CALLS[0]) };

/* Such a call fails so, and returns no event. */
static void refuse(fixture *f, int i, cl_command_queue queue, cl_uint count, const cl_event *list,
                   cl_int wanted) {
    cl_event untouched = (cl_event)f, event = untouched;
    cl_int got = CALLS[i].call(f, queue, count, list, &event);
    if (got != wanted)
        FAIL("%s: %d, not %d", CALLS[i].name, got, wanted);
    if (event != untouched)
        FAIL("%s: returned an event with error %d", CALLS[i].name, got);
}

TEST(good_calls_are_good) {
    fixture f = begin();
    for (int i = 0; i < COUNT; i++) {
        cl_event event = NULL;
        if (CALLS[i].call(&f, f.here.queue, 1, &f.here.event, &event) != CL_SUCCESS || !event)
            FAIL("%s", CALLS[i].name);
        CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    end(&f);
}

TEST(not_a_queue) {
    fixture f = begin();
    for (int i = 0; i < COUNT; i++) {
        refuse(&f, i, (cl_command_queue)f.here.context, 0, NULL, CL_INVALID_COMMAND_QUEUE);
        refuse(&f, i, (cl_command_queue)f.here.event, 0, NULL, CL_INVALID_COMMAND_QUEUE);
        refuse(&f, i, NULL, 0, NULL, CL_INVALID_COMMAND_QUEUE);
    }
    CHECK_EQ(clEnqueueMarker((cl_command_queue)f.here.context, &f.here.event),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueBarrier((cl_command_queue)f.here.context), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueWaitForEvents((cl_command_queue)f.here.context, 1, &f.here.event),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueMarker(f.here.queue, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWaitForEvents(f.here.queue, 0, &f.here.event), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWaitForEvents(f.here.queue, 1, NULL), CL_INVALID_VALUE);
    end(&f);
}

TEST(not_a_wait_list) {
    fixture f = begin();
    cl_event bad[3] = {f.here.event, (cl_event)f.here.queue, f.here.event};
    for (int i = 0; i < COUNT; i++) {
        refuse(&f, i, f.here.queue, 1, NULL, CL_INVALID_EVENT_WAIT_LIST);
        refuse(&f, i, f.here.queue, 0, &f.here.event, CL_INVALID_EVENT_WAIT_LIST);
        refuse(&f, i, f.here.queue, 3, bad, CL_INVALID_EVENT_WAIT_LIST);
    }
    bad[1] = NULL;
    for (int i = 0; i < COUNT; i++)
        refuse(&f, i, f.here.queue, 3, bad, CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueWaitForEvents(f.here.queue, 3, bad), CL_INVALID_EVENT);
    end(&f);
}

TEST(events_of_another_context) {
    fixture f = begin();
    const cl_event mixed[2] = {f.here.event, f.there.event};
    for (int i = 0; i < COUNT; i++)
        refuse(&f, i, f.here.queue, 2, mixed, CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueWaitForEvents(f.here.queue, 2, mixed), CL_INVALID_CONTEXT);
    CHECK_EQ(clWaitForEvents(2, mixed), CL_INVALID_CONTEXT);
    end(&f);
}

TEST(objects_of_another_context) {
    fixture f = begin();
    f.mem = f.there.mem;
    f.kernel = f.there.kernel;
    for (int i = 0; i < COUNT; i++)
        if (CALLS[i].what & (HAS_MEM | HAS_KERNEL))
            refuse(&f, i, f.here.queue, 0, NULL, CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueCopyBuffer(f.here.queue, f.here.mem, f.there.mem, 0, 0, 4, 0, NULL, NULL),
             CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueCopyBufferRect(f.here.queue, f.here.mem, f.there.mem, ZERO, ZERO, REGION, 8,
                                     0, 8, 0, 0, NULL, NULL),
             CL_INVALID_CONTEXT);
    end(&f);
}

TEST(not_an_object) {
    fixture f = begin();
    f.mem = (cl_mem)f.here.queue;
    f.kernel = (cl_kernel)f.here.queue;
    for (int i = 0; i < COUNT; i++)
        if (CALLS[i].what)
            refuse(&f, i, f.here.queue, 0, NULL,
                   CALLS[i].what & HAS_KERNEL ? CL_INVALID_KERNEL : CL_INVALID_MEM_OBJECT);
    end(&f);
}

TEST(blocking_calls_tell_failures_of_their_wait_list) {
    fixture f = begin();
    cl_int error = 1;
    f.blocking = CL_TRUE;
    for (int i = 0; i < COUNT; i++) {
        if (!(CALLS[i].what & CAN_BLOCK))
            continue;
        cl_event failed = clCreateUserEvent(f.here.context, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(clSetUserEventStatus(failed, -1234), CL_SUCCESS);
        refuse(&f, i, f.here.queue, 1, &failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(clReleaseEvent(failed), CL_SUCCESS);
    }
    end(&f);
}

/* Without blocking the command itself ends so, and passes it on. */
TEST(failures_go_along_chains) {
    fixture f = begin();
    cl_int error = 1, status = 1;
    for (int i = 0; i < COUNT; i++) {
        cl_event gate = clCreateUserEvent(f.here.context, &error), first = NULL, second = NULL;
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(CALLS[i].call(&f, f.here.queue, 1, &gate, &first), CL_SUCCESS);
        CHECK_EQ(clEnqueueMarkerWithWaitList(f.here.queue, 1, &first, &second), CL_SUCCESS);
        CHECK_EQ(clSetUserEventStatus(gate, -77), CL_SUCCESS);
        CHECK_EQ(clWaitForEvents(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(
            clGetEventInfo(first, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
            CL_SUCCESS);
        CHECK_EQ(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(
            clGetEventInfo(gate, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
            CL_SUCCESS);
        CHECK_EQ(status, -77);
        CHECK_EQ(clReleaseEvent(gate), CL_SUCCESS);
        CHECK_EQ(clReleaseEvent(first), CL_SUCCESS);
        CHECK_EQ(clReleaseEvent(second), CL_SUCCESS);
    }
    end(&f);
}

TEST(kernels_that_cannot_run) {
    fixture f = begin();
    cl_device_id first = weft_device(0);
    cl_int error = 1;
    cl_command_queue second =
        clCreateCommandQueueWithProperties(f.here.context, weft_device(1), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_kernel unset = weft_kernel(f.here.program, "k");
    CHECK_EQ(clEnqueueTask(f.here.queue, unset, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.here.queue, unset, 1, NULL, &ONE, NULL, 0, NULL, NULL),
             CL_INVALID_KERNEL_ARGS);
    CHECK_EQ(clReleaseKernel(unset), CL_SUCCESS);
    cl_program half = weft_source(f.here.context, "kernel void k(global int *p) { *p = 1; }");
    CHECK_EQ(clBuildProgram(half, 1, &first, NULL, NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = weft_kernel(half, "k");
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(f.mem), &f.mem), CL_SUCCESS);
    CHECK_EQ(clEnqueueTask(f.here.queue, kernel, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueTask(second, kernel, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(clEnqueueNDRangeKernel(second, kernel, 1, NULL, &ONE, NULL, 0, NULL, NULL),
             CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(half), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(second), CL_SUCCESS);
    end(&f);
}

TEST(rectangles_and_access) {
    fixture f = begin();
    static const size_t none[3] = {0, 1, 1}, wide[3] = {5000, 1, 1};
    cl_int error = 1;
    cl_mem hidden = clCreateBuffer(f.here.context, CL_MEM_HOST_NO_ACCESS, 4096, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clEnqueueWriteBufferRect(f.here.queue, f.mem, CL_TRUE, ZERO, ZERO, none, 0, 0, 0, 0,
                                      f.bytes, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWriteBufferRect(f.here.queue, f.mem, CL_TRUE, ZERO, ZERO, wide, 0, 0, 0, 0,
                                      f.bytes, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWriteBufferRect(f.here.queue, hidden, CL_TRUE, ZERO, ZERO, REGION, 0, 0, 0, 0,
                                      f.bytes, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clReleaseMemObject(hidden), CL_SUCCESS);
    end(&f);
}

TEST_MAIN()
