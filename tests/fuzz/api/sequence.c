// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* One sequence: which call comes when, and the end, at which nothing may be left. */

#include "rows.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

/* What a sequence begins with, so that there is something to play with. */
static const char *const prologue[] = {
    "clCreateContext",
    "clCreateCommandQueueWithProperties",
    "clCreateCommandQueueWithProperties",
    "clCreateBuffer",
    "clCreateBuffer",
    "clCreateUserEvent",
    "clCreateProgramWithSource",
    "clBuildProgram",
    "clCreateKernel",
    "clCreateImage",
};
tally *tallies;
enum { PROLOGUE = sizeof(prologue) / sizeof(*prologue) };

void world_begin(world *w, uint64_t seed) {
    w->seed = seed;
    w->count = 0;
    w->commands = NULL;
    w->command_count = w->clock = 0;
    w->contexts_made = 0;
    atomic_store(&w->contexts_gone, 0);
    atomic_store(&w->callbacks_due, 0);
    atomic_store(&w->callbacks_done, 0);
    w->weight_total = row_weights(w->weights);
    w->builds_due = 0;
    atomic_store(&w->builds_done, 0);
    w->function = "clGetDeviceIDs";
    cl_device_id devices[MOST_DEVICES];
    cl_uint count = 0;
    if (cl.clGetDeviceIDs(w->platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count) ||
        count < 2)
        wrong(w, "there are not two devices");
    for (cl_uint i = 0; i < count; i++) {
        w->number = i;
        object *device = add(w, DEVICE, devices[i], NULL);
        cl.clGetDeviceInfo(devices[i], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(device->units),
                           &device->units, NULL);
    }
}

static const row *row_named(const char *name) {
    for (unsigned i = 0; i < row_count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    fprintf(stderr, "no row is named %s\n", name);
    _exit(2);
}

static const row *draw_row(world *w) {
    unsigned at = (unsigned)draw(w, w->weight_total), i = 0;
    while (at >= w->weights[i])
        at -= w->weights[i++];
    return &rows[i];
}

void expect_nothing(world *w) {
    w->allowed_count = 0;
    w->must_fail = w->any_error = w->skipped = false;
}

void world_call(world *w, unsigned number, const char *only) {
    w->number = number;
    w->random = w->seed * 0x2545f4914f6cdd1du + number * 0x9e3779b97f4a7c15u;
    w->valid = draw(w, 2);
    const row *row = draw_row(w);
    if (number < PROLOGUE) {
        w->valid = true;
        row = row_named(prologue[number]);
    } else if (only && draw(w, 2)) {
        row = row_named(only);
    }
    expect_nothing(w);
    w->function = row->name;
    w->tally = &tallies[row - rows];
    row->run(w);
    w->tally = NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void must(world *w, object *o, const char *function, cl_int status) {
    const arg a = arg_of(o);
    w->function = function;
    if (w->trace)
        fprintf(stderr, "/* end */ %s(%s); /* %d */\n", function, name_of(&a), status);
    if (status != CL_SUCCESS)
        wrong(w, "status %d at the end, for %s", status, name_of(&a));
}

static cl_int release(object *o) {
    switch (o->kind) {
    case DEVICE:
        return o->parent ? cl.clReleaseDevice(o->handle) : CL_SUCCESS;
    case CONTEXT:
        return cl.clReleaseContext(o->handle);
    case QUEUE:
        return cl.clReleaseCommandQueue(o->handle);
    case MEM:
        return cl.clReleaseMemObject(o->handle);
    case SAMPLER:
        return cl.clReleaseSampler(o->handle);
    case PROGRAM:
        return cl.clReleaseProgram(o->handle);
    case KERNEL:
        return cl.clReleaseKernel(o->handle);
    case EVENT:
        return cl.clReleaseEvent(o->handle);
    default:
        return CL_SUCCESS; /* SVM goes with its context */
    }
}

cl_int release_handle(kind kind, void *handle) {
    object o = {.kind = kind, .handle = handle, .parent = &o};
    return release(&o);
}

/* Waits until `*counter` is `wanted`; callbacks come from other threads. */
static void await(world *w, _Atomic unsigned *counter, unsigned wanted, const char *what) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (atomic_load(counter) != wanted) {
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - begin.tv_sec > 60)
            wrong(w, "%s: %u of %u after a minute", what, atomic_load(counter), wanted);
    }
}

static void forget(world *w) {
    for (unsigned i = 0; i < w->count; i++) {
        free(w->objects[i]->pending);
        free(w->objects[i]->lent);
        free(w->objects[i]);
    }
    w->count = 0;
    while (w->commands) {
        command *next = w->commands->next;
        free(w->commands->edges);
        free(w->commands->before);
        free(w->commands);
        w->commands = next;
    }
}

void world_end(world *w) {
    w->random = w->seed;
    for (unsigned i = 0; i < w->count; i++) {
        object *o = w->objects[i];
        if (o->refs && is_user_event(o) && !o->command->settled) {
            must(w, o, "clSetUserEventStatus", cl.clSetUserEventStatus(o->handle, CL_COMPLETE));
            o->command->settled = true;
        }
    }
    for (unsigned i = 0; i < w->count; i++)
        if (w->objects[i]->refs && is_host_queue(w->objects[i]) && draw(w, 2))
            must(w, w->objects[i], "clFinish", cl.clFinish(w->objects[i]->handle));
    unsigned start = w->count ? (unsigned)draw(w, w->count) : 0;
    for (unsigned i = 0; i < w->count; i++) {
        object *o = w->objects[(start + i) % w->count];
        for (; o->refs; o->refs--)
            must(w, o, "clRelease", release(o));
    }
    w->function = "the end";
    await(w, &w->contexts_gone, w->contexts_made, "contexts that are gone");
    await(w, &w->callbacks_done, atomic_load(&w->callbacks_due), "callbacks that came");
    check_values(w);
    forget_values(w);
    forget(w);
}
