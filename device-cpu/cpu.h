// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The CPU device's inside: what its files share. */
#ifndef WEFT_CPU_H
#define WEFT_CPU_H

#include "isa.h"
#include "perf.h"
#include "scheduler.h"
#include "topology.h"
#include "weft/device.h"

struct weft_device {
    weft_device_caps caps;
    weft_cpu_settings settings; /* its text is not kept */
    weft_isa isa;
    weft_topology topology;
    weft_pool pool;
    weft_perf perf;
    char *sources;              /* own copy of settings.sources, "": none */
    _Atomic uint64_t last_time; /* of the device clock */
};

/** What compiled code may call: weft_launch.services. */
extern const weft_services weft_cpu_services;

#endif
