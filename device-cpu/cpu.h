// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The CPU device's inside: what its files share. */
#ifndef WEFT_CPU_H
#define WEFT_CPU_H

#include "isa.h"
#include "perf.h"
#include "scheduler.h"
#include "process_limits.h"
#include "units.h"
#include "weft/device.h"

/** Memory of a part of the device that is larger is a mapping of its own. */
enum { WEFT_PART_MAP_BYTES = 64 * 1024 };

struct weft_device {
    weft_device_caps caps;
    weft_cpu_settings settings; /* its text is not kept */
    weft_isa isa;
    weft_limits limits;
    weft_pool pool;
    weft_perf perf;
    char *folder;               /* own copy of settings.folder, "": none */
    const char *sources;        /* behind it: where source text for debuggers goes */
    _Atomic uint64_t last_time; /* of the device clock */

    pthread_mutex_t units_lock; /* guards has_units, of a whole device */
    bool has_units;
    weft_units units;
    const char *synthetic; /* machine to be simulated; NULL: the real one */
    bool is_part;          /* of another device: runs on its own CPUs only */
    weft_cpus cpus;        /* a part's */
    uint64_t *nodes;       /* NUMA nodes for a part's memory, as mbind takes them; NULL: any */
    uint32_t node_bits;
    /* The owner, each thread of the pool, each call in progress on a part. Zero: it is freed. */
    _Atomic uint32_t holds;
};

/** Keeps a device's memory while a call or thread uses it. */
void weft_device_hold(weft_device *device);
void weft_device_drop(weft_device *device);

/* partition.c: as in weft_device_ops. */
uint32_t weft_cpu_groups(weft_device *device, uint64_t domain, uint32_t *sizes, uint32_t room);
weft_device *weft_cpu_part(weft_device *parent, uint32_t first, uint32_t count);
/** A new device of so many units, its threads not started. NULL: out of memory. */
weft_device *weft_cpu_make(const weft_cpu_settings *settings, const weft_isa *isa,
                           const weft_limits *limits, uint32_t units);
/** Asks that a part's mapping lies in the memory next to its units. */
void weft_part_place(const weft_device *device, void *memory, size_t bytes);

/** The device's memory (weft_device_ops.memory_alloc and memory_free), from any thread:
 * zero-filled, aligned to `align` (a power of two up to 4096) and at least WEFT_BLOCK_ALIGN, from 1
 * MiB on to huge pages. NULL if there is none. It is freed with the same device and size. */
void *weft_memory_alloc(weft_device *device, size_t bytes, size_t align);
void weft_memory_free(weft_device *device, void *memory, size_t bytes);

/** What compiled code may call: weft_launch.services. */
extern const weft_services weft_cpu_services;

#endif
