// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Objects that all threads use at once. Here a call gets more than one answer where the order of
 * threads decides; what must be true afterwards (one thread has set each event, every callback
 * came, everything is gone) is checked at the end.
 */
#include "rows.h"
#include "setup.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 24, BUFFERS = 4, BYTES = 4096 };

struct shared {
    cl_context context;
    cl_device_id device;
    cl_command_queue in_order, out_of_order; /* the first is never held back */
    cl_mem buffers[BUFFERS];
    cl_event events[EVENTS];
    _Atomic unsigned winners[EVENTS];
    cl_program program, built;
    cl_kernel kernel;
    world *w; /* for what callbacks do */
    _Atomic unsigned due, done, gone;
    unsigned char *memory;
};

static _Noreturn void stop(const char *what, cl_int status) {
    fprintf(stderr, "WRONG: shared objects: %s: %d\n", what, status);
    _exit(3);
}

static void need(const char *what, cl_int status) {
    if (status != CL_SUCCESS)
        stop(what, status);
}

static void CL_CALLBACK on_gone(cl_context context, void *user) {
    (void)context;
    atomic_fetch_add(&((shared *)user)->gone, 1);
}

static void make_objects(shared *all) {
    const cl_queue_properties mixed[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int status = 1;
    all->in_order = cl.clCreateCommandQueueWithProperties(all->context, all->device, NULL, &status);
    need("a queue", status);
    all->out_of_order =
        cl.clCreateCommandQueueWithProperties(all->context, all->device, mixed, &status);
    need("a queue", status);
    for (int i = 0; i < BUFFERS; i++) {
        all->buffers[i] = cl.clCreateBuffer(all->context, 0, BYTES, NULL, &status);
        need("a buffer", status);
    }
    for (int i = 0; i < EVENTS; i++) {
        all->events[i] = cl.clCreateUserEvent(all->context, &status);
        need("a user event", status);
    }
    all->program = cl.clCreateProgramWithSource(
        all->context, 1, (const char **)(uintptr_t)&sources[1].text, NULL, &status);
    need("a program", status);
    all->built = cl.clCreateProgramWithSource(
        all->context, 1, (const char **)(uintptr_t)&sources[1].text, NULL, &status);
    need("a program", status);
    need("a build", cl.clBuildProgram(all->built, 0, NULL, "", NULL, NULL));
    all->kernel = cl.clCreateKernel(all->built, "none", &status);
    need("a kernel", status);
}

shared *shared_begin(cl_platform_id platform) {
    shared *all = calloc(1, sizeof(*all));
    cl_int status = 1;
    if (!all || !(all->w = calloc(1, sizeof(*all->w))) || !(all->memory = calloc(1, BYTES)))
        _exit(2);
    all->w->function = "a callback";
    need("devices", cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &all->device, NULL));
    all->context = cl.clCreateContext(NULL, 1, &all->device, NULL, NULL, &status);
    need("a context", status);
    need("its callback", cl.clSetContextDestructorCallback(all->context, on_gone, all));
    make_objects(all);
    return all;
}

/* ---- what threads do ------------------------------------------------------------------------- */

static void references(world *w, shared *all) {
    unsigned i = (unsigned)draw(w, EVENTS);
    w->function = "clRetain... and clRelease... of shared objects";
    SAY("%u", i);
    judge(w, cl.clRetainEvent(all->events[i]) | cl.clReleaseEvent(all->events[i]) |
                 cl.clRetainContext(all->context) | cl.clReleaseContext(all->context) |
                 cl.clRetainMemObject(all->buffers[i % BUFFERS]) |
                 cl.clReleaseMemObject(all->buffers[i % BUFFERS]) |
                 cl.clRetainCommandQueue(all->in_order) | cl.clReleaseCommandQueue(all->in_order) |
                 cl.clRetainKernel(all->kernel) | cl.clReleaseKernel(all->kernel) |
                 cl.clRetainProgram(all->built) | cl.clReleaseProgram(all->built));
}

/* Whoever is first: the others come too late. */
static void set_event(world *w, shared *all) {
    unsigned i = (unsigned)draw(w, EVENTS);
    w->function = "clSetUserEventStatus";
    may(w, true, CL_INVALID_OPERATION);
    SAY("shared %u", i);
    if (judge(w, cl.clSetUserEventStatus(all->events[i], draw(w, 2) ? CL_COMPLETE : -7)) &&
        atomic_fetch_add(&all->winners[i], 1))
        wrong(w, "two threads have set one event");
}

static void wait_for_event(world *w, shared *all) {
    unsigned i = (unsigned)draw(w, EVENTS);
    w->function = "clWaitForEvents";
    if (!atomic_load(&all->winners[i]))
        return;
    may(w, true, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    SAY("shared %u", i);
    judge(w, cl.clWaitForEvents(1, &all->events[i]));
}

static void status_of_event(world *w, shared *all) {
    unsigned i = (unsigned)draw(w, EVENTS);
    cl_int status = 12345;
    w->function = "clGetEventInfo";
    SAY("shared %u", i);
    judge(w, cl.clGetEventInfo(all->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                               &status, NULL));
    if (status != CL_SUBMITTED && status != CL_COMPLETE && status != -7)
        wrong(w, "status %d of a user event", status);
}

static void transfer(world *w, shared *all) {
    cl_mem from = all->buffers[draw(w, 2)], to = all->buffers[2 + draw(w, 2)];
    cl_event event = NULL, *wanted = draw(w, 2) ? &event : NULL;
    cl_uint zero = 0;
    w->function = "clEnqueue... in the shared queue";
    SAY("%s", wanted ? "&event" : "NULL");
    switch (draw(w, 4)) {
    case 0:
        judge(w, cl.clEnqueueCopyBuffer(all->in_order, from, to, 0, 0, BYTES, 0, NULL, wanted));
        break;
    case 1:
        judge(w, cl.clEnqueueFillBuffer(all->in_order, to, &zero, 4, 0, BYTES, 0, NULL, wanted));
        break;
    case 2: {
        const size_t one = 1 + draw(w, 100);
        judge(w, cl.clEnqueueNDRangeKernel(all->in_order, all->kernel, 1, NULL, &one, NULL, 0, NULL,
                                           wanted));
        break;
    }
    default:
        judge(w, cl.clEnqueueMarkerWithWaitList(all->in_order, 0, NULL, wanted));
    }
    if (!event)
        return;
    if (draw(w, 2))
        need("waiting", cl.clWaitForEvents(1, &event));
    need("release", cl.clReleaseEvent(event));
}

static void chain(world *w, shared *all) {
    cl_event event = NULL;
    const cl_event list[2] = {all->events[draw(w, EVENTS)], all->events[draw(w, EVENTS)]};
    w->function = "clEnqueueMarkerWithWaitList";
    SAY("shared, of two");
    judge(w, cl.clEnqueueMarkerWithWaitList(all->out_of_order, 2, list, &event));
    if (draw(w, 2)) {
        cl_uint word = 1;
        need("a fill", cl.clEnqueueFillBuffer(all->out_of_order, all->buffers[0], &word, 4, 0,
                                              BYTES, 1, &event, NULL));
    }
    if (draw(w, 4) == 0)
        need("a barrier", cl.clEnqueueBarrierWithWaitList(all->out_of_order, 1, &event, NULL));
    need("release", cl.clReleaseEvent(event));
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user) {
    shared *all = user;
    if (status > CL_SUBMITTED)
        stop("a callback's status", status);
    call_from_callback(all->w, event);
    atomic_fetch_add(&all->done, 1);
}

static void add_callback(world *w, shared *all) {
    w->function = "clSetEventCallback";
    SAY("shared");
    atomic_fetch_add(&all->due, 1);
    judge(w,
          cl.clSetEventCallback(all->events[draw(w, EVENTS)], (cl_int)draw(w, 3), on_event, all));
}

static void CL_CALLBACK on_mem(cl_mem mem, void *user) {
    (void)mem;
    atomic_fetch_add(&((shared *)user)->done, 1);
}

static void add_destructor(world *w, shared *all) {
    cl_mem mem = all->buffers[draw(w, BUFFERS)], part;
    const cl_buffer_region region = {0, 64};
    cl_int status = 1;
    w->function = "clSetMemObjectDestructorCallback";
    SAY("shared");
    atomic_fetch_add(&all->due, 1);
    judge(w, cl.clSetMemObjectDestructorCallback(mem, on_mem, all));
    part = cl.clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    need("a sub-buffer", status);
    need("release", cl.clReleaseMemObject(part));
}

static void finish(world *w, shared *all) {
    w->function = "clFinish";
    SAY("shared");
    judge(w, draw(w, 2) ? cl.clFinish(all->in_order) : cl.clFlush(all->out_of_order));
}

/* "if the build of a program executable ... by a previous call ... has not completed", or kernels
 * are attached, which other threads make and release. */
static void build(world *w, shared *all) {
    w->function = "clBuildProgram";
    may(w, true, CL_INVALID_OPERATION);
    SAY("shared");
    judge(w, cl.clBuildProgram(all->program, 0, NULL, draw(w, 2) ? "" : "-DX=1", NULL, NULL));
}

static void make_kernel(world *w, shared *all) {
    w->function = "clCreateKernel";
    may(w, true, CL_INVALID_PROGRAM_EXECUTABLE);
    SAY("shared");
    w->has_errcode = true;
    cl_kernel kernel = cl.clCreateKernel(all->program, "small", &w->status);
    if (judge_object(w, kernel))
        need("release", cl.clReleaseKernel(kernel));
}

void shared_call(world *w, unsigned number, shared *all) {
    static void (*const calls[])(world *, shared *) = {
        references,  set_event, wait_for_event, status_of_event, transfer,       transfer,
        transfer,    chain,     chain,          add_callback,    add_destructor, finish,
        make_kernel, build,     add_callback,   set_event};
    w->number = number;
    w->random = w->seed * 0x9e3779b97f4a7c15u + number;
    w->valid = true;
    expect_nothing(w);
    calls[draw(w, COUNT(calls))](w, all);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void await(_Atomic unsigned *counter, unsigned wanted, const char *what) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (atomic_load(counter) != wanted) {
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - begin.tv_sec > 60)
            stop(what, (cl_int)atomic_load(counter));
    }
}

void shared_end(shared *all) {
    for (int i = 0; i < EVENTS; i++) {
        cl_int status = cl.clSetUserEventStatus(all->events[i], CL_COMPLETE);
        if (status != (atomic_load(&all->winners[i]) ? CL_INVALID_OPERATION : CL_SUCCESS))
            stop("setting an event at the end", status);
    }
    need("clFinish", cl.clFinish(all->in_order));
    need("clFinish", cl.clFinish(all->out_of_order));
    for (int i = 0; i < EVENTS; i++)
        need("release", cl.clReleaseEvent(all->events[i]));
    for (int i = 0; i < BUFFERS; i++)
        need("release", cl.clReleaseMemObject(all->buffers[i]));
    need("release", cl.clReleaseKernel(all->kernel));
    need("release", cl.clReleaseProgram(all->program));
    need("release", cl.clReleaseProgram(all->built));
    need("release", cl.clReleaseCommandQueue(all->in_order));
    need("release", cl.clReleaseCommandQueue(all->out_of_order));
    need("release", cl.clReleaseContext(all->context));
    await(&all->gone, 1, "the shared context stays");
    await(&all->done, atomic_load(&all->due), "callbacks did not come");
    free(all->memory);
    free(all->w);
    free(all);
}
