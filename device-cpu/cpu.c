// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The CPU device: its table of functions, its memory, its clock. */

#include "cpu.h"

#include "loader.h"

#include "weft/shim.h"

#include <CL/cl.h>
#include <stdio.h>
#include <time.h>

/* Larger blocks are mappings of their own: zero pages that cost nothing until touched. */
enum { MAP_BYTES = 1024 * 1024, PAGE_BYTES = 4096 };
/* Local memory of one group; it should stay in a core's cache. */
enum { LOCAL_BYTES = 64 * 1024, MAX_GROUP_ITEMS = 4096 };
/* Bounds of what one thread may use for one group. */
#define ARENA_LEAST ((uint64_t)64 << 20)
#define ARENA_MOST  ((uint64_t)1 << 30)

static const weft_device_caps *cpu_caps(const weft_device *device) {
    return &device->caps;
}

static void *cpu_memory_alloc(weft_device *device, size_t bytes, size_t align) {
    void *memory;

    (void)device;
    if (align < WEFT_BLOCK_ALIGN)
        align = WEFT_BLOCK_ALIGN;
    if (bytes < MAP_BYTES) {
        memory = weft_aligned_alloc(align, bytes);
        return memory ? memset(memory, 0, bytes) : NULL;
    }
    if (align > PAGE_BYTES)
        return NULL;
    memory = weft_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE); /* only a wish */
    return memory;
}

static void cpu_memory_free(weft_device *device, void *memory, size_t bytes) {
    (void)device;
    if (memory && bytes >= MAP_BYTES)
        munmap(memory, bytes);
    else
        weft_free(memory);
}

static int32_t cpu_image_load(weft_device *device, const void *bytes, size_t size,
                              weft_image **image, const char **error_text) {
    int32_t status = weft_loader_load(&device->isa, bytes, size, image, error_text);

    if (status == CL_SUCCESS && device->settings.debugger)
        weft_loader_show_gdb(*image, bytes, size, device->sources);
    if (status == CL_SUCCESS && device->settings.perf != WEFT_PERF_OFF)
        weft_perf_add(&device->perf, bytes, size,
                      (const void *)(uintptr_t)weft_loader_base(*image));
    return status;
}

static void cpu_submit(weft_device *device, weft_work *work, weft_runner *runner) {
    weft_pool_submit(&device->pool, work, runner);
}

static bool cpu_is_small(weft_device *device, const weft_work *work) {
    return weft_pool_is_small(&device->pool, work);
}

static bool cpu_run(weft_device *device, weft_work *work, void *waiter) {
    return weft_pool_run(&device->pool, work, waiter);
}

static bool cpu_help(weft_device *device, weft_work *work, void *waiter) {
    return weft_pool_help(&device->pool, work, waiter);
}

static uint32_t cpu_clock_mhz(const weft_device *device) {
    return device->isa.clock_mhz ? device->isa.clock_mhz : weft_topology_clock_mhz();
}

static uint64_t cpu_time_ns(const weft_device *device) {
    /* Only the clock's last value changes, which no caller can see. */
    _Atomic uint64_t *last = (_Atomic uint64_t *)&device->last_time;
    uint64_t before = atomic_load_explicit(last, memory_order_relaxed), value;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    value = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    do {
        if (value <= before)
            value = before + 1;
    } while (!atomic_compare_exchange_weak_explicit(last, &before, value, memory_order_relaxed,
                                                    memory_order_relaxed));
    return value;
}

static void cpu_destroy(weft_device *device) {
    if (!device)
        return;
    weft_pool_finish(&device->pool);
    weft_perf_finish(&device->perf);
    weft_free(device->sources);
    weft_free(device);
}

const weft_device_ops *weft_cpu_ops(void) {
    static const weft_device_ops ops = {
        .destroy = cpu_destroy,
        .caps = cpu_caps,
        .memory_alloc = cpu_memory_alloc,
        .memory_free = cpu_memory_free,
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

static void fill_caps(weft_device *device) {
    weft_device_caps *caps = &device->caps;

    caps->name = device->isa.brand;
    caps->isa = device->isa.text;
    caps->vendor_id = device->isa.pci_vendor;
    caps->compute_units =
        device->settings.threads ? device->settings.threads : device->topology.compute_units;
    caps->clock_mhz = device->isa.clock_mhz;
    caps->vector_bytes = device->isa.vector_bytes;
    caps->cache_line_bytes = device->topology.cache_line_bytes;
    caps->cache_bytes = device->topology.cache_bytes;
    caps->memory_bytes = device->topology.memory_bytes;
    caps->local_bytes = LOCAL_BYTES;
    caps->max_group_items = MAX_GROUP_ITEMS;
    caps->has_fma = device->isa.fma;
    caps->has_f16c = device->isa.f16c;
}

weft_device *weft_cpu_create(const weft_cpu_settings *settings) {
    weft_device *device = weft_aligned_alloc(64, sizeof(*device));
    uint64_t share;

    if (!device)
        return NULL;
    memset(device, 0, sizeof(*device));
    device->settings = *settings;
    device->settings.isa = device->settings.sources = NULL;
    device->sources = weft_strdup(settings->sources ? settings->sources : "");
    if (!device->sources) {
        weft_free(device);
        return NULL;
    }
    weft_isa_detect(&device->isa, settings->isa);
    weft_topology_read(&device->topology);
    fill_caps(device);
    if (!weft_pool_init(&device->pool, device, device->caps.compute_units)) {
        weft_free(device->sources);
        weft_free(device);
        return NULL;
    }
    device->pool.trace = settings->trace;
    weft_perf_init(&device->perf, settings->perf, device->sources);
    share = device->caps.memory_bytes / (4 * (uint64_t)device->pool.size);
    device->pool.arena_cap = share < ARENA_LEAST  ? ARENA_LEAST
                             : share > ARENA_MOST ? ARENA_MOST
                                                  : share;
    return device;
}
