// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What compiled code may call while it runs: weft_launch.services. */

#include "cpu.h"

#include "enqueue_service.h"
#include "pipe.h"
#include "printf.h"

#include <CL/cl.h>

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
    weft_cpu_runner *runner = weft_runner_of(worker);
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
    (void)detail;
    (void)text;
    atomic_store_explicit(&work->fault, fault, memory_order_relaxed);
    atomic_compare_exchange_strong(&work->device.status, &none, CL_OUT_OF_RESOURCES);
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
    .enqueue = weft_enqueue_kernel,
    .enqueue_marker = weft_enqueue_marker,
    .create_user_event = weft_enqueue_user_event,
    .set_user_event_status = weft_enqueue_set_status,
    .retain_event = weft_enqueue_retain,
    .release_event = weft_enqueue_release,
    .is_valid_event = weft_enqueue_is_valid,
    .capture_profiling = weft_enqueue_capture,
    .default_queue = weft_enqueue_default_queue,
    .query_kernel = weft_enqueue_query,
    .sub_group_count = weft_enqueue_sub_group_count,
    .sub_group_local_size = weft_enqueue_sub_group_local_size,
};
