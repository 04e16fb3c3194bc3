// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* enqueue_kernel and its like: checks, and what a child's launch is. The order is child.c's. */

#include "enqueue_service.h"

#include "child.h"
#include "cpu.h"
#include "handover.h"
#include "loader.h"

#include "weft/ndrange.h"
#include "weft/shim.h"

#include <CL/cl.h>

enum { PROFILING_COMMAND_EXEC_TIME = 1, MAX_CAPTURES = 1 << 20 };

/* ---- queues ---------------------------------------------------------------------------------- */

weft_device_queue *weft_enqueue_queue_create(weft_device *device, uint32_t bytes) {
    weft_device_queue *queue = weft_calloc(1, sizeof(*queue));

    if (!queue)
        return NULL;
    queue->device = device;
    queue->bytes = bytes;
    return queue;
}

void weft_enqueue_queue_destroy(weft_device_queue *queue) {
    weft_free(queue);
}

void *weft_enqueue_default_queue(const weft_launch *launch) {
    return ((const weft_work *)launch->command)->kernel.default_queue;
}

/* A queue of another device: "enqueue additional work to the same device". */
static bool is_queue(const weft_device_queue *queue, const weft_cpu_runner *runner) {
    return queue && queue->device == runner->pool->device;
}

/* ---- events ---------------------------------------------------------------------------------- */

uint32_t weft_enqueue_is_valid(void *event) {
    return event && event != WEFT_NULL_EVENT;
}

/* Of the kernel that runs; NULL: it has none yet. */
static const weft_family *family_of(const weft_work *work) {
    return atomic_load_explicit(&work->kernel.family, memory_order_acquire);
}

/* The event that a kernel came with; NULL: none that is valid. */
static weft_child *event_of(void *event) {
    if (!weft_enqueue_is_valid(event))
        return NULL;
    weft_take_from_kernel(event);
    return event;
}

void weft_enqueue_retain(void *event) {
    weft_child *child = event_of(event);

    if (child)
        weft_child_retain(child);
}

void weft_enqueue_release(void *event) {
    weft_child *child = event_of(event);

    if (child)
        weft_child_release(child);
}

void weft_enqueue_capture(void *event, uint32_t name, void *value) {
    weft_child *child = event_of(event);

    if (child && name == PROFILING_COMMAND_EXEC_TIME && value)
        weft_child_capture(child, value);
}

/* "These events are only visible to the parent kernel": one of another family's, which ends when
 * that family can set it no more, is not set. */
void weft_enqueue_set_status(const weft_launch *launch, weft_worker *worker, void *event,
                             int32_t status) {
    weft_child *child = event_of(event);

    if (!child)
        return;
    if (child->family == family_of(launch->command))
        weft_child_set_status(child, status, weft_runner_of(worker));
    weft_hand_to_kernel(child);
}

void *weft_enqueue_user_event(const weft_launch *parent) {
    weft_child_wish wish = {.kind = WEFT_CHILD_USER, .parent = parent->command, .event = true};
    weft_child *child;
    int32_t error;
    void *extra;

    child = weft_child_create(&wish, &extra, &error);
    if (!child)
        return WEFT_NULL_EVENT;
    weft_child_commit(child, &wish, WEFT_ENQUEUE_NO_WAIT, NULL);
    return child;
}

/* "if event_wait_list is NULL and num_events_in_wait_list > 0, or if event_wait_list is not NULL
 * and num_events_in_wait_list is 0, or if event objects in event_wait_list are not valid events".
 * "These events are only visible to the parent kernel": one of another family's ends with that
 * family, and so might while a child of this one is among those who wait for it. (One whose family
 * has ended is nobody's memory, like any pointer that a kernel keeps for too long.) */
static bool is_wait_list(const weft_work *parent, uint32_t count, void *const *list) {
    const weft_family *family = family_of(parent);

    if (!list || !count)
        return !list && !count;
    for (uint32_t i = 0; i < count; i++) {
        weft_child *event = event_of(list[i]);
        bool good = event && event->family == family;
        if (event)
            weft_hand_to_kernel(event);
        if (!good)
            return false;
    }
    return true;
}

/* ---- markers --------------------------------------------------------------------------------- */

int32_t weft_enqueue_marker(const weft_launch *parent, weft_worker *worker, void *queue,
                            uint32_t wait_count, void *const *wait_list, void **event) {
    weft_child_wish wish = {.kind = WEFT_CHILD_MARKER,
                            .parent = parent->command,
                            .queue = queue,
                            .wait_count = wait_count,
                            .wait_list = wait_list,
                            .event = true};
    weft_child *child = NULL;
    int32_t error = CLK_SUCCESS;
    void *extra;

    if (!is_queue(queue, weft_runner_of(worker)))
        error = CLK_INVALID_QUEUE;
    else if (!wait_list || !is_wait_list(parent->command, wait_count, wait_list))
        error = CLK_INVALID_EVENT_WAIT_LIST;
    else if (event) /* "event_ret must not be NULL as otherwise this is a no-op" */
        child = weft_child_create(&wish, &extra, &error);
    if (child)
        weft_child_commit(child, &wish, WEFT_ENQUEUE_NO_WAIT, weft_runner_of(worker));
    if (event) /* not before: the wait list may be the same variable */
        *event = child ? child : WEFT_NULL_EVENT;
    return child ? CLK_SUCCESS : error;
}

/* ---- ND-ranges ------------------------------------------------------------------------------- */

/* Completes the range and fixes its local size, unless it is empty. False: it is not valid. */
static bool read_range(const weft_device *device, const weft_kernel_info *info,
                       weft_ndrange *range) {
    uint64_t most = device->caps.max_group_items;
    weft_ndrange_limits limits = {most, {most, most, most}, device->caps.compute_units};
    bool given = false;

    if (weft_ndrange_complete(range) != WEFT_NDRANGE_GOOD)
        return false;
    for (uint32_t i = 0; i < range->work_dim; i++)
        given = given || range->local_size[i];
    return weft_ndrange_is_empty(range) ||
           weft_ndrange_fix_local(range, given, info, &limits) == WEFT_NDRANGE_GOOD;
}

/* ---- children -------------------------------------------------------------------------------- */

/* What a call of enqueue_kernel says, and what comes of it before memory is needed. */
typedef struct request {
    const weft_kernel_code *code;
    const void *captures;
    uint64_t capture_bytes;
    uint32_t local_count;
    const uint64_t *local_bytes;
    weft_launch launch;
    bool empty;
    int32_t error;
} request;

/* Places of the local arguments, behind the static part; `block` NULL: only adds up. */
static int32_t place_locals(request *r, unsigned char *block) {
    uint64_t end = r->code->info->local_bytes;

    for (uint32_t i = 0; i < r->local_count; i++) {
        uint64_t at = weft_block_align(end);
        if (r->local_bytes[i] == 0)
            return CLK_INVALID_ARG_SIZE;
        if (block)
            memcpy(block + r->code->args[i + 1].offset, &at, sizeof(at));
        if (r->local_bytes[i] > UINT32_MAX)
            return CLK_OUT_OF_RESOURCES;
        end = at + r->local_bytes[i];
    }
    r->launch.local_bytes = end;
    return CLK_SUCCESS;
}

/* Is the kernel one of a block with so many local arguments? The compiler sees to it. */
static bool is_block(const request *r) {
    return r->code && r->code->info->flags & WEFT_KERNEL_BLOCK &&
           r->code->info->arg_count == r->local_count + 1;
}

static int32_t check(request *r, const weft_cpu_runner *runner, const weft_launch *parent,
                     weft_ndrange range) {
    const weft_device *device = runner->pool->device;
    int32_t error;

    if (!is_block(r) || r->capture_bytes > MAX_CAPTURES)
        return CLK_OUT_OF_RESOURCES;
    if (!read_range(device, r->code->info, &range))
        return CLK_INVALID_NDRANGE;
    if ((error = place_locals(r, NULL)))
        return error;
    if (r->launch.local_bytes > device->caps.local_bytes)
        return CLK_OUT_OF_RESOURCES;
    r->empty = weft_ndrange_is_empty(&range);
    if (!r->empty)
        weft_ndrange_launch(&range, r->code->info, &r->launch);
    r->launch.program_data = parent->program_data;
    return CLK_SUCCESS;
}

/* Block of arguments, and the copy of the captures that the first of them points to. */
static void fill_child(request *r, weft_child *child, unsigned char *extra) {
    unsigned char *copy = extra + weft_block_align(r->code->info->args_bytes);
    uint64_t address = (uint64_t)(uintptr_t)copy;

    memcpy(extra + r->code->args[0].offset, &address, sizeof(address));
    memcpy(copy, r->captures, r->capture_bytes);
    place_locals(r, extra);
    r->launch.args = extra;
    child->node.has_work = !r->empty;
    child->work.kernel.code = r->code;
    child->work.kernel.launch = r->launch;
}

/* Makes the child of a request that is good; false: r->error says why not. */
static bool start_child(request *r, const weft_child_wish *wish, uint32_t flags,
                        weft_cpu_runner *runner, void **event) {
    weft_child *child;
    void *extra;

    child = weft_child_create(wish, &extra, &r->error);
    if (!child)
        return false;
    fill_child(r, child, extra);
    weft_child_commit(child, wish, flags, runner);
    if (event)
        *event = child; /* not before: the wait list may be the same variable */
    return true;
}

int32_t weft_enqueue_kernel(const weft_launch *parent, weft_worker *worker, void *queue,
                            uint32_t flags, const weft_ndrange *range, uint32_t wait_count,
                            void *const *wait_list, void **event, const char *kernel,
                            const void *captures, uint64_t capture_bytes, uint32_t local_count,
                            const uint64_t *local_bytes) {
    weft_work *work = parent->command;
    request r = {.captures = captures,
                 .capture_bytes = capture_bytes,
                 .local_count = local_count,
                 .local_bytes = local_bytes};
    weft_child_wish wish = {.kind = WEFT_CHILD_KERNEL,
                            .parent = work,
                            .queue = queue,
                            .wait_count = wait_count,
                            .wait_list = wait_list,
                            .event = event != NULL};

    r.code = weft_loader_find(work->kernel.code->image, kernel);
    if (!is_queue(queue, weft_runner_of(worker)))
        r.error = CLK_INVALID_QUEUE;
    else if (!is_wait_list(work, wait_count, wait_list))
        r.error = CLK_INVALID_EVENT_WAIT_LIST;
    else
        r.error = check(&r, weft_runner_of(worker), parent, *range);
    if (r.error == CLK_SUCCESS) {
        wish.extra = weft_block_align(r.code->info->args_bytes) + weft_block_align(capture_bytes);
        if (start_child(&r, &wish, flags, weft_runner_of(worker), event))
            return CLK_SUCCESS;
    }
    if (event)
        *event = WEFT_NULL_EVENT;
    return r.error;
}

/* ---- queries --------------------------------------------------------------------------------- */

static const weft_kernel_info *find_info(const weft_launch *launch, const char *kernel) {
    const weft_work *work = launch->command;
    const weft_kernel_code *code = weft_loader_find(work->kernel.code->image, kernel);

    return code ? code->info : NULL;
}

uint32_t weft_enqueue_query(const weft_launch *launch, weft_worker *worker, const char *kernel,
                            uint32_t query) {
    const weft_kernel_info *info = find_info(launch, kernel);
    const weft_device_caps *caps = &weft_runner_of(worker)->pool->device->caps;

    if (!info)
        return 0;
    switch (query) {
    case WEFT_QUERY_GROUP_SIZE:
        return (uint32_t)weft_group_limit(info, caps->max_group_items);
    case WEFT_QUERY_SUB_GROUP_SIZE:
        return (uint32_t)weft_sub_group_size(info);
    case WEFT_QUERY_MAX_SUB_GROUPS:
        return (uint32_t)weft_max_sub_groups(info, weft_group_limit(info, caps->max_group_items));
    default:
        return info->width > 1                      ? info->width
               : caps->vector_bytes > sizeof(float) ? caps->vector_bytes / (uint32_t)sizeof(float)
                                                    : 1;
    }
}

uint32_t weft_enqueue_sub_group_count(const weft_launch *launch, weft_worker *worker,
                                      const char *kernel, const weft_ndrange *range) {
    const weft_kernel_info *info = find_info(launch, kernel);
    weft_ndrange r = *range;

    if (!info || !read_range(weft_runner_of(worker)->pool->device, info, &r) ||
        weft_ndrange_is_empty(&r))
        return 0;
    return (uint32_t)weft_sub_group_count(info,
                                          r.local_size[0] * r.local_size[1] * r.local_size[2]);
}

uint32_t weft_enqueue_sub_group_local_size(const weft_launch *launch, weft_worker *worker,
                                           const char *kernel, uint32_t count) {
    const weft_kernel_info *info = find_info(launch, kernel);
    uint64_t most = weft_runner_of(worker)->pool->device->caps.max_group_items;

    return info ? (uint32_t)weft_items_for_sub_groups(info, weft_group_limit(info, most), count)
                : 0;
}
