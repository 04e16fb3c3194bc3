// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What compiled code may call while it runs: weft_launch.services. */

#include "cpu.h"

#include "pipe.h"
#include "printf.h"

#include <CL/cl.h>

static weft_cpu_runner *runner_of(weft_worker *worker) {
    return (weft_cpu_runner *)((char *)worker - offsetof(weft_cpu_runner, worker));
}

/* The command's printf output; made by the first work-item that prints. */
static weft_printf_sink *sink_of(weft_work *work, const weft_device *device) {
    void *sink = atomic_load_explicit(&work->device.output, memory_order_acquire), *mine;

    if (sink)
        return sink;
    mine = weft_printf_create(device->settings.printf_immediate);
    if (!mine)
        return NULL;
    if (atomic_compare_exchange_strong_explicit(&work->device.output, &sink, mine,
                                                memory_order_acq_rel, memory_order_acquire))
        return mine;
    weft_printf_finish(mine); /* another thread was first; this one is empty */
    return sink;
}

static void *service_printf_reserve(const weft_launch *launch, weft_worker *worker,
                                    uint32_t bytes) {
    weft_cpu_runner *runner = runner_of(worker);
    weft_printf_sink *sink = sink_of(launch->command, runner->pool->device);

    return sink ? weft_printf_reserve(sink, worker, runner->order, bytes) : NULL;
}

static void service_printf_commit(const weft_launch *launch, weft_worker *worker, void *record) {
    weft_work *work = launch->command;

    (void)record;
    weft_printf_commit(atomic_load_explicit(&work->device.output, memory_order_acquire), worker);
}

static void service_fault(const weft_launch *launch, weft_worker *worker, uint32_t fault,
                          uint64_t detail, const char *text) {
    weft_work *work = launch->command;
    int32_t none = CL_SUCCESS;

    (void)worker;
    (void)fault;
    (void)detail;
    (void)text;
    atomic_compare_exchange_strong(&work->device.status, &none, CL_OUT_OF_RESOURCES);
}

/* Device-side enqueue is not offered yet: CLK_ENQUEUE_FAILURE. */
enum { CLK_ENQUEUE_FAILURE = -101 };

static int32_t service_enqueue(const weft_launch *parent, weft_worker *worker, void *queue,
                               uint32_t flags, const weft_ndrange *range, uint32_t wait_count,
                               void *const *wait_list, void **event, const weft_block *block,
                               uint32_t local_count, const uint32_t *local_bytes) {
    (void)parent;
    (void)worker;
    (void)queue;
    (void)flags;
    (void)range;
    (void)wait_count;
    (void)wait_list;
    (void)event;
    (void)block;
    (void)local_count;
    (void)local_bytes;
    return CLK_ENQUEUE_FAILURE;
}

static int32_t service_enqueue_marker(const weft_launch *parent, weft_worker *worker, void *queue,
                                      uint32_t wait_count, void *const *wait_list, void **event) {
    (void)parent;
    (void)worker;
    (void)queue;
    (void)wait_count;
    (void)wait_list;
    (void)event;
    return CLK_ENQUEUE_FAILURE;
}

static void *service_create_user_event(const weft_launch *parent) {
    (void)parent;
    return NULL;
}

static void service_set_user_event_status(void *event, int32_t state) {
    (void)event;
    (void)state;
}

static void service_event_nothing(void *event) {
    (void)event;
}

static uint32_t service_is_valid_event(void *event) {
    (void)event;
    return 0;
}

static void service_capture_profiling(void *event, uint32_t name, void *value) {
    (void)event;
    (void)name;
    (void)value;
}

static void *service_default_queue(const weft_launch *launch) {
    (void)launch;
    return NULL;
}

const weft_services weft_cpu_services = {
    .abi_version = WEFT_ABI_VERSION,
    .bytes = sizeof(weft_services),
    .printf_reserve = service_printf_reserve,
    .printf_commit = service_printf_commit,
    .fault = service_fault,
    .pipe_read = weft_pipe_read,
    .pipe_write = weft_pipe_write,
    .pipe_reserve = weft_pipe_reserve,
    .pipe_access = weft_pipe_access,
    .pipe_commit = weft_pipe_commit,
    .enqueue = service_enqueue,
    .enqueue_marker = service_enqueue_marker,
    .create_user_event = service_create_user_event,
    .set_user_event_status = service_set_user_event_status,
    .retain_event = service_event_nothing,
    .release_event = service_event_nothing,
    .is_valid_event = service_is_valid_event,
    .capture_profiling = service_capture_profiling,
    .default_queue = service_default_queue,
};
