// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The CPU device: its table of functions, its clock. */

#include "cpu.h"

#include "clock.h"
#include "enqueue_service.h"
#include "loader.h"
#include "pipe.h"

#include "weft/shim.h"

#include <CL/cl.h>
#include <stdio.h>

/* Local memory of one group; it should stay in a core's cache. */
enum { LOCAL_BYTES = 64 * 1024, MAX_GROUP_ITEMS = 4096 };
/* Bounds of what one thread may use for one group. */
#define ARENA_LEAST ((uint64_t)64 << 20)
#define ARENA_MOST  ((uint64_t)1 << 30)

static const weft_device_caps *cpu_caps(const weft_device *device) {
    return &device->caps;
}

static int32_t cpu_image_load(weft_device *device, const void *bytes, size_t size,
                              weft_image **image, const char **error_text) {
    int32_t status = weft_loader_load(&device->isa, device->folder, bytes, size, image, error_text);

    if (status == CL_SUCCESS && device->settings.debugger)
        weft_loader_show_gdb(*image, bytes, size, device->sources);
    if (status == CL_SUCCESS && device->settings.perf != WEFT_PERF_OFF)
        weft_perf_add(&device->perf, bytes, size,
                      (const void *)(uintptr_t)weft_loader_base(*image));
    return status;
}

/* What a part is handed may be all that keeps it: it must outlive the call. */
static void cpu_submit(weft_device *device, weft_work *work, weft_runner *runner) {
    if (!device->is_part) {
        weft_pool_submit(&device->pool, work, runner);
        return;
    }
    weft_device_hold(device);
    weft_pool_submit(&device->pool, work, runner);
    weft_device_drop(device);
}

static bool cpu_is_small(weft_device *device, const weft_work *work) {
    return weft_pool_is_small(&device->pool, work);
}

/* "the commands enqueued on the queue are executed only on the sub-device": a thread of the
 * application's takes no part in them unless it is confined to the same CPUs. */
static bool cpu_run(weft_device *device, weft_work *work, void *waiter) {
    if (!device->is_part)
        return weft_pool_run(&device->pool, work, waiter);
    if (!weft_cpus_hold_thread(&device->cpus))
        return false;
    weft_device_hold(device);
    bool ran = weft_pool_run(&device->pool, work, waiter);
    weft_device_drop(device);
    return ran;
}

static bool cpu_help(weft_device *device, weft_work *work, void *waiter) {
    if (!device->is_part)
        return weft_pool_help(&device->pool, work, waiter);
    if (!weft_cpus_hold_thread(&device->cpus))
        return false;
    weft_device_hold(device);
    bool ran = weft_pool_help(&device->pool, work, waiter);
    weft_device_drop(device);
    return ran;
}

static uint32_t cpu_clock_mhz(const weft_device *device) {
    return device->isa.clock_mhz ? device->isa.clock_mhz : weft_limits_clock_mhz();
}

static uint64_t cpu_time_ns(const weft_device *device) {
    /* Only the clock's last value changes, which no caller can see. */
    _Atomic uint64_t *last = (_Atomic uint64_t *)&device->last_time;
    uint64_t before = atomic_load_explicit(last, memory_order_relaxed), value = weft_now_ns();

    do {
        if (value <= before)
            value = before + 1;
    } while (!atomic_compare_exchange_weak_explicit(last, &before, value, memory_order_relaxed,
                                                    memory_order_relaxed));
    return value;
}

void weft_device_hold(weft_device *device) {
    atomic_fetch_add_explicit(&device->holds, 1, memory_order_relaxed);
}

void weft_device_drop(weft_device *device) {
    if (atomic_fetch_sub_explicit(&device->holds, 1, memory_order_acq_rel) != 1)
        return;
    weft_pool_free(&device->pool);
    weft_perf_finish(&device->perf);
    weft_free(device->folder);
    weft_units_finish(&device->units);
    weft_cpus_finish(&device->cpus);
    weft_free(device->nodes);
    pthread_mutex_destroy(&device->units_lock);
    weft_free(device);
}

static void cpu_destroy(weft_device *device) {
    if (!device)
        return;
    weft_pool_stop(&device->pool, !device->is_part);
    weft_device_drop(device);
}

const weft_device_ops *weft_cpu_ops(void) {
    static const weft_device_ops ops = {
        .destroy = cpu_destroy,
        .groups = weft_cpu_groups,
        .part = weft_cpu_part,
        .caps = cpu_caps,
        .memory_alloc = weft_memory_alloc,
        .memory_free = weft_memory_free,
        .pipe_bytes = weft_pipe_bytes,
        .queue_create = weft_enqueue_queue_create,
        .queue_destroy = weft_enqueue_queue_destroy,
        .image_load = cpu_image_load,
        .image_retain = weft_loader_retain,
        .image_release = weft_loader_release,
        .image_info = weft_loader_info,
        .image_kernel = weft_loader_kernel,
        .image_data = weft_loader_data,
        .image_base = weft_loader_base,
        .submit = cpu_submit,
        .is_small = cpu_is_small,
        .run = cpu_run,
        .help = cpu_help,
        .clock_mhz = cpu_clock_mhz,
        .time_ns = cpu_time_ns,
    };

    return &ops;
}

static void fill_caps(weft_device *device, uint32_t units) {
    weft_device_caps *caps = &device->caps;

    caps->name = device->isa.brand;
    caps->maker = device->isa.maker;
    caps->isa = device->isa.text;
    caps->vendor_id = device->isa.pci_vendor;
    caps->compute_units = units;
    caps->clock_mhz = device->isa.clock_mhz;
    caps->vector_bytes = device->isa.vector_bytes;
    caps->cache_line_bytes = device->limits.cache_line_bytes;
    caps->cache_bytes =
        device->isa.cache_bytes ? device->isa.cache_bytes : device->limits.cache_bytes;
    caps->memory_bytes = device->limits.memory_bytes;
    caps->local_bytes = LOCAL_BYTES;
    caps->max_group_items = MAX_GROUP_ITEMS;
    caps->has_fma = device->isa.fma;
    caps->has_f16c = device->isa.f16c;
}

/** One block: the cache folder, then the one for source text in it; or both "". */
static bool keep_folder(weft_device *device, const char *folder) {
    size_t length = folder ? strlen(folder) : 0, room = 2 * length + sizeof("/sources") + 1;

    device->folder = weft_calloc(room, 1);
    if (!device->folder)
        return false;
    if (length)
        snprintf(device->folder, room, "%s%c%s/sources", folder, 0, folder);
    device->sources = device->folder + length + (length != 0);
    return true;
}

weft_device *weft_cpu_make(const weft_cpu_settings *settings, const weft_isa *isa,
                           const weft_limits *limits, uint32_t units) {
    weft_device *device = weft_aligned_alloc(64, sizeof(*device));
    uint64_t share;

    if (!device)
        return NULL;
    memset(device, 0, sizeof(*device));
    device->settings = *settings;
    device->settings.isa = device->settings.folder = NULL;
    device->synthetic = settings->synthetic;
    device->isa = *isa;
    device->limits = *limits;
    fill_caps(device, units);
    if (!keep_folder(device, settings->folder) || !weft_pool_init(&device->pool, device, units)) {
        weft_free(device->folder);
        weft_free(device);
        return NULL;
    }
    device->pool.trace = settings->trace;
    weft_perf_init(&device->perf, settings->perf, device->sources);
    pthread_mutex_init(&device->units_lock, NULL);
    atomic_init(&device->holds, 1);
    share = device->caps.memory_bytes / (4 * (uint64_t)device->pool.size);
    device->pool.arena_cap = share < ARENA_LEAST  ? ARENA_LEAST
                             : share > ARENA_MOST ? ARENA_MOST
                                                  : share;
    return device;
}

weft_device *weft_cpu_create(const weft_cpu_settings *settings) {
    uint32_t units = settings->threads;
    weft_limits limits;
    weft_isa isa;

    weft_isa_detect(&isa, settings->isa);
    weft_limits_read(&limits);
    return weft_cpu_make(settings, &isa, &limits, units ? units : limits.compute_units);
}
