// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** A platform, a device with its pool and a context, made once; what scenarios of the runtime
 *  share. */
#ifndef WEFT_INTERLEAVE_WORLD_H
#define WEFT_INTERLEAVE_WORLD_H

#include "explore.h"

#include "device-cpu/cpu.h"
#include "icd/dispatch.h"
#include "runtime/callback.h"
#include "runtime/device_object.h"
#include "runtime/mem.h"
#include "runtime/queue.h"

#include <stdio.h>

int setenv(const char *name, const char *value, int overwrite); /* strict C hides it */

static cl_device_id the_device;
static cl_context the_context;

#define GOOD(call) EXPLORE_EQ((call), CL_SUCCESS)

static inline void make_world(const char *pool_threads) {
    cl_platform_id platform;
    cl_int status;

    setenv("WEFT_THREADS", pool_threads, 1);
    setenv("WEFT_CACHE", "0", 1);
    GOOD(weft_clGetPlatformIDs(1, &platform, NULL));
    GOOD(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &the_device, NULL));
    the_context = weft_clCreateContext(NULL, 1, &the_device, NULL, NULL, &status);
    GOOD(status);
}

static inline cl_command_queue make_queue(cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int status;
    cl_command_queue queue =
        weft_clCreateCommandQueueWithProperties(the_context, the_device, list, &status);

    GOOD(status);
    return queue;
}

static inline cl_mem make_buffer(void) {
    cl_int status;
    cl_mem mem = weft_clCreateBuffer(the_context, 0, 256, NULL, &status);

    GOOD(status);
    memset(mem->data, 0, mem->size);
    return mem;
}

/** Fills one byte: small work, which is deferred. */
static inline cl_int fill(cl_command_queue queue, cl_mem mem, size_t at, unsigned char value,
                          cl_uint count, const cl_event *list, cl_event *event) {
    return weft_clEnqueueFillBuffer(queue, mem, &value, 1, at, 1, count, list, event);
}

static inline cl_int status_of(cl_event event) {
    return atomic_load(&event->node.status);
}

/** Blocks of the pool that stay: its threads' runners, helpers', the thread of callbacks. */
static inline long lasting_blocks(void) {
    const weft_pool *pool = &the_device->device->pool;
    long count = atomic_load(&pool->started);

    for (int i = 0; i < WEFT_HELPERS; i++)
        count += atomic_load(&pool->helpers[i]) != NULL;
    return count + (atomic_load(&the_device->platform->callbacks) != NULL);
}

/** Nothing that the schedule made is left: with a last look at the pool. */
static inline void check_nothing_left(void) {
    const weft_pool *pool = &the_device->device->pool;

    EXPLORE_CHECK(!atomic_load(&pool->inbox) && !pool->first);
    EXPLORE_EQ(atomic_load(&pool->listed), 0);
    EXPLORE_EQ(explore_live_blocks(), lasting_blocks());
}

#endif
