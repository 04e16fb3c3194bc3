// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * As failures.c, for the command graph without programs: the n-th allocation or system call fails,
 * for every n over all kinds of commands. Needs a build with -Dfault-injection=true.
 */

#include "failing.h"

#ifdef WEFT_FAULT_INJECTION

enum { EVENTS = 6 };

typedef struct life {
    cl_context context;
    cl_command_queue in_order, out_of_order;
    cl_mem a, b;
    cl_event user, events[EVENTS];
    void *mapped;
} life;

static void CL_CALLBACK native(void *args) {
    **(cl_int **)args = 7;
}

static cl_int enqueue_natives(life *l) {
    void *args = l->a;
    const void *place = &args;
    STEP(weft_clEnqueueNativeKernel(l->in_order, native, &args, sizeof(args), 1, &l->a, &place, 1,
                                    &l->user, &l->events[0]));
    STEP(weft_clEnqueueMarkerWithWaitList(l->out_of_order, 1, l->events, &l->events[1]));
    return weft_clSetEventCallback(l->events[1], CL_COMPLETE, heard, NULL);
}

static cl_int enqueue_transfers(life *l) {
    static const size_t origin[3] = {0, 0, 0}, region[3] = {16, 4, 1};
    cl_int pattern = 3;
    STEP(weft_clEnqueueFillBuffer(l->out_of_order, l->b, &pattern, 4, 0, 4096, 2, l->events,
                                  &l->events[2]));
    STEP(weft_clEnqueueCopyBufferRect(l->out_of_order, l->b, l->a, origin, origin, region, 64, 0,
                                      64, 0, 3, l->events, &l->events[3]));
    STEP(weft_clEnqueueBarrierWithWaitList(l->out_of_order, 0, NULL, NULL));
    STEP(weft_clEnqueueCopyBuffer(l->out_of_order, l->b, l->a, 1024, 1024, 512, 4, l->events,
                                  &l->events[4]));
    MAKE(l->mapped, weft_clEnqueueMapBuffer(l->in_order, l->b, CL_FALSE, CL_MAP_WRITE, 0, 64, 5,
                                            l->events, &l->events[5], &error));
    return CL_SUCCESS;
}

static cl_int check(life *l) {
    cl_int got[2] = {0, 0}, status;
    for (int i = 0; i < EVENTS; i++) {
        STEP(weft_clGetEventInfo(l->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                                 &status, NULL));
        if (status)
            return status;
    }
    STEP(weft_clEnqueueUnmapMemObject(l->in_order, l->b, l->mapped, 0, NULL, NULL));
    l->mapped = NULL;
    STEP(weft_clEnqueueReadBuffer(l->in_order, l->a, CL_TRUE, 1024, 8, got, 0, NULL, NULL));
    return got[0] == 3 && got[1] == 3 ? CL_SUCCESS : WRONG_RESULT;
}

static cl_int live(void *argument) {
    life *l = argument;
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    STEP(weft_clGetPlatformIDs(1, &platform, NULL));
    STEP(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    MAKE(l->context, weft_clCreateContext(NULL, 1, &device, NULL, NULL, &error));
    MAKE(l->in_order, weft_clCreateCommandQueueWithProperties(l->context, device, NULL, &error));
    MAKE(l->out_of_order,
         weft_clCreateCommandQueueWithProperties(l->context, device, list, &error));
    MAKE(l->a, weft_clCreateBuffer(l->context, 0, 4096, NULL, &error));
    MAKE(l->b, weft_clCreateBuffer(l->context, 0, 4096, NULL, &error));
    MAKE(l->user, weft_clCreateUserEvent(l->context, &error));
    status = enqueue_natives(l);
    if (status == CL_SUCCESS)
        status = enqueue_transfers(l);
    /* Whatever failed: what was enqueued has to end. */
    weft_clSetUserEventStatus(l->user, CL_COMPLETE);
    STEP(weft_clFinish(l->in_order));
    STEP(weft_clFinish(l->out_of_order));
    return status ? status : check(l);
}

static void end(void *argument) {
    life *l = argument;
    for (int i = 0; i < EVENTS; i++)
        if (l->events[i])
            weft_clReleaseEvent(l->events[i]);
    if (l->user)
        weft_clReleaseEvent(l->user);
    if (l->a)
        weft_clReleaseMemObject(l->a);
    if (l->b)
        weft_clReleaseMemObject(l->b);
    if (l->in_order)
        weft_clReleaseCommandQueue(l->in_order);
    if (l->out_of_order)
        weft_clReleaseCommandQueue(l->out_of_order);
    if (l->context)
        weft_clReleaseContext(l->context);
    memset(l, 0, sizeof(*l));
}

TEST(every_call_may_fail) {
    life l = {0};
    CHECK(fail_each_call(live, end, &l) > 20);
}

#else

TEST(every_call_may_fail) {
    SKIP("not a build with -Dfault-injection=true");
}

#endif

TEST_MAIN()
