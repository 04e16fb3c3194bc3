// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Parts of the CPU: devices of some of its compute units, with a pool of their own. */

#include "cpu.h"

#include "weft/shim.h"

#include <CL/cl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of linux/mempolicy.h: allocate from these nodes if they have room. */
enum { POLICY_PREFERRED_MANY = 5, POLICY_PREFERRED = 1, MOST_NODES = 1 << 12 };

/*
 * The units of a whole device are read when the first question is asked. Not under the lock: a
 * library that another thread is loading may ask OpenCL when it starts, and waits for nobody here.
 * (What hwloc itself loads waits for hwloc.)
 */
static bool need_units(weft_device *device) {
    weft_units read;

    pthread_mutex_lock(&device->units_lock);
    bool there = device->has_units;
    pthread_mutex_unlock(&device->units_lock);
    if (there)
        return true;
    if (!weft_units_read(&read, device->caps.compute_units, device->synthetic))
        return false;
    pthread_mutex_lock(&device->units_lock);
    there = device->has_units;
    if (!there) {
        device->units = read;
        device->has_units = true;
    }
    pthread_mutex_unlock(&device->units_lock);
    if (there)
        weft_units_finish(&read); /* another thread was first */
    return true;
}

static int domain_of(uint64_t domain) {
    static const uint64_t names[WEFT_DOMAINS] = {
        CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};

    for (int i = 0; i < WEFT_DOMAINS; i++)
        if (names[i] == domain)
            return i;
    return -1;
}

uint32_t weft_cpu_groups(weft_device *device, uint64_t domain, uint32_t *sizes, uint32_t room) {
    int which = domain_of(domain);

    if (which < 0 || !need_units(device))
        return 0;
    return weft_units_groups(&device->units, which, sizes, room);
}

/* Which nodes the units belong to, if the machine has others. False: out of memory. */
static bool find_nodes(weft_device *device) {
    const weft_units *units = &device->units;
    uint32_t most = 0;

    for (uint32_t i = 0; i < units->count; i++)
        most = units->list[i].node > most ? units->list[i].node : most;
    if (units->nodes <= 1 || most >= MOST_NODES || device->synthetic)
        return true;
    device->node_bits = most + 1;
    device->nodes = weft_calloc(most / 64 + 1, sizeof(uint64_t));
    if (!device->nodes)
        return false;
    for (uint32_t i = 0; i < units->count; i++)
        device->nodes[units->list[i].node / 64] |= (uint64_t)1 << units->list[i].node % 64;
    return true;
}

/* Whoever touches a page first, it comes from a near node; where the system forbids the call, the
 * part's threads are near and usually first. */
void weft_part_place(const weft_device *device, void *memory, size_t bytes) {
    if (!device->nodes)
        return;
    /* One bit more than there are: the system call does not look at the last. */
    if (syscall(SYS_mbind, memory, bytes, POLICY_PREFERRED_MANY, device->nodes,
                (unsigned long)device->node_bits + 1, 0))
        syscall(SYS_mbind, memory, bytes, POLICY_PREFERRED, device->nodes,
                (unsigned long)device->node_bits + 1, 0);
}

weft_device *weft_cpu_part(weft_device *parent, uint32_t first, uint32_t count) {
    weft_cpu_settings settings = parent->settings;
    weft_device *device;
    bool complete;

    if (!need_units(parent))
        return NULL;
    settings.folder = parent->folder;
    settings.synthetic = parent->synthetic;
    device = weft_cpu_make(&settings, &parent->isa, &parent->limits, count);
    if (!device)
        return NULL;
    device->is_part = true;
    device->has_units = true;
    device->units.nodes = parent->units.nodes;
    device->units.count = count;
    device->units.list = weft_memdup(parent->units.list + first, count * sizeof(weft_unit));
    complete =
        device->units.list && weft_cpus_of(&device->cpus, &device->units) && find_nodes(device);
    if (complete)
        return device;
    weft_device_drop(device);
    return NULL;
}
