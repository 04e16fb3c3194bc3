// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The compute units of a device, each a logical CPU, in the order of the machine's topology, and
 * what each shares with its neighbours: so every cache and every NUMA node is a range of units.
 *
 * The topology is read by hwloc, which is loaded (dlopen) when the first question is asked: a
 * process that asks nothing pays nothing. Without hwloc there are units, but no domains.
 */
#ifndef WEFT_UNITS_H
#define WEFT_UNITS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In the order in which CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE looks. */
enum {
    WEFT_DOMAIN_NUMA,
    WEFT_DOMAIN_L4,
    WEFT_DOMAIN_L3,
    WEFT_DOMAIN_L2,
    WEFT_DOMAIN_L1,
    WEFT_DOMAINS
};
#define WEFT_NO_GROUP UINT32_MAX

typedef struct weft_unit {
    uint32_t cpu;                 /* the operating system's number */
    uint32_t node;                /* NUMA node, likewise */
    uint32_t group[WEFT_DOMAINS]; /* which cache or node; WEFT_NO_GROUP: the machine has none */
} weft_unit;

typedef struct weft_units {
    uint32_t count;
    uint32_t nodes; /* NUMA nodes of the whole machine */
    weft_unit *list;
} weft_units;

/**
 * `count` units (0: as many as there are CPUs) over the CPUs that the process may use. More units
 * than CPUs share them, fewer are spread over them. `synthetic` is a machine to be simulated in
 * hwloc's notation ("numa:2 l2:2 pu:2"), NULL: the real one. False: out of memory.
 */
bool weft_units_read(weft_units *units, uint32_t count, const char *synthetic);
void weft_units_finish(weft_units *units);

/** How many groups the units form in a domain, 0: the machine has none such; the first `room` of
 *  their sizes are stored. */
uint32_t weft_units_groups(const weft_units *units, int domain, uint32_t *sizes, uint32_t room);

/** A set of CPUs of any size. */
typedef struct weft_cpus {
    size_t bytes;
    cpu_set_t *set; /* NULL: none */
} weft_cpus;

/** Those of the units. False: out of memory. */
bool weft_cpus_of(weft_cpus *cpus, const weft_units *units);
void weft_cpus_finish(weft_cpus *cpus);
/** Does the calling thread only ever run on these CPUs? */
bool weft_cpus_hold_thread(const weft_cpus *cpus);

#endif
