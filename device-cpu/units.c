// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "units.h"

#include "hwloc_environment.h"

#include "weft/device.h"
#include "weft/shim.h"

#include <dlfcn.h>
#include <hwloc.h>
#include <unistd.h>

enum { MOST_CPUS = 1 << 16 };

/* ---- sets of CPUs ---------------------------------------------------------------------------- */

void weft_cpus_finish(weft_cpus *cpus) {
    weft_free(cpus->set);
    cpus->set = NULL;
}

static bool make_set(weft_cpus *cpus, uint32_t room) {
    cpus->bytes = CPU_ALLOC_SIZE(room);
    cpus->set = weft_calloc(1, cpus->bytes);
    return cpus->set != NULL;
}

/* The calling thread's mask; grows until the kernel's fits. */
static bool read_affinity(weft_cpus *cpus) {
    for (uint32_t room = 1024; room <= MOST_CPUS; room *= 4) {
        if (!make_set(cpus, room))
            return false;
        if (sched_getaffinity(0, cpus->bytes, cpus->set) == 0)
            return true;
        weft_cpus_finish(cpus);
    }
    return false;
}

bool weft_cpus_of(weft_cpus *cpus, const weft_units *units) {
    uint32_t last = 1023;

    for (uint32_t i = 0; i < units->count; i++)
        last = units->list[i].cpu > last ? units->list[i].cpu : last;
    if (!make_set(cpus, last + 1))
        return false;
    for (uint32_t i = 0; i < units->count; i++)
        CPU_SET_S(units->list[i].cpu, cpus->bytes, cpus->set);
    return true;
}

bool weft_cpus_hold_thread(const weft_cpus *cpus) {
    /* Words of the masks: this is asked for each command of a part that a thread would run. */
    unsigned long here[MOST_CPUS / 8 / sizeof(unsigned long)];
    const unsigned long *may = (const unsigned long *)(const void *)cpus->set;
    size_t bytes = cpus->bytes, known = cpus->bytes / sizeof(*may);

    /* A kernel with a longer mask refuses the short one. */
    if (sched_getaffinity(0, bytes, (cpu_set_t *)(void *)here) &&
        sched_getaffinity(0, bytes = sizeof(here), (cpu_set_t *)(void *)here))
        return false;
    for (size_t i = 0; i < bytes / sizeof(*here); i++)
        if (here[i] & ~(i < known ? may[i] : 0))
            return false;
    return true;
}

/* The numbers of the CPUs that the process may use, rising; allocated. 0: out of memory. */
static uint32_t list_cpus(uint32_t **list) {
    weft_cpus cpus = {0};
    uint32_t count = 0;

    if (!read_affinity(&cpus))
        return 0;
    *list = weft_calloc((size_t)CPU_COUNT_S(cpus.bytes, cpus.set), sizeof(**list));
    for (uint32_t cpu = 0; *list && cpu < cpus.bytes * 8; cpu++)
        if (CPU_ISSET_S(cpu, cpus.bytes, cpus.set))
            (*list)[count++] = cpu;
    weft_cpus_finish(&cpus);
    return count;
}

/* ---- hwloc ----------------------------------------------------------------------------------- */

/* What is called of it. hwloc's own inline functions are not used: they would need the library. */
typedef struct hwloc_api {
    void *library;
    __typeof__(hwloc_topology_init) *init;
    __typeof__(hwloc_topology_load) *load;
    __typeof__(hwloc_topology_destroy) *destroy;
    __typeof__(hwloc_topology_set_components) *set_components;
    __typeof__(hwloc_topology_set_synthetic) *set_synthetic;
    __typeof__(hwloc_get_type_depth) *type_depth;
    __typeof__(hwloc_get_nbobjs_by_depth) *count_at;
    __typeof__(hwloc_get_obj_by_depth) *object_at;
    __typeof__(hwloc_bitmap_first) *first;
} hwloc_api;

/* Local: an application may bring another hwloc of its own. */
static bool open_hwloc(hwloc_api *api) {
    const struct {
        const char *name;
        void *at;
    } symbols[] = {
        {"hwloc_topology_init", &api->init},
        {"hwloc_topology_load", &api->load},
        {"hwloc_topology_destroy", &api->destroy},
        {"hwloc_topology_set_components", &api->set_components},
        {"hwloc_topology_set_synthetic", &api->set_synthetic},
        {"hwloc_get_type_depth", &api->type_depth},
        {"hwloc_get_nbobjs_by_depth", &api->count_at},
        {"hwloc_get_obj_by_depth", &api->object_at},
        {"hwloc_bitmap_first", &api->first},
    };

    if (!weft_hwloc_environment_is_ours() || weft_shim_fails())
        return false;
    api->library = dlopen("libhwloc.so.15", RTLD_LAZY | RTLD_LOCAL);
    if (!api->library)
        return false;
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        void *symbol = dlsym(api->library, symbols[i].name);
        if (!symbol) {
            dlclose(api->library);
            return false;
        }
        memcpy(symbols[i].at, &symbol, sizeof(symbol));
    }
    return true;
}

/* Loads the topology; NULL: it cannot be read. */
static hwloc_topology_t load_topology(const hwloc_api *api, const char *synthetic) {
    /* x86: cpuid on every core by moving this thread. The others open devices that do not matter,
     * opencl even us. */
    static const char *const off[] = {"x86",  "opencl",    "cuda", "nvml",
                                      "rsmi", "levelzero", "gl",   "pci"};
    hwloc_topology_t topology;

    if (api->init(&topology))
        return NULL;
    for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
        api->set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, off[i]);
    if ((synthetic && api->set_synthetic(topology, synthetic)) || api->load(topology)) {
        api->destroy(topology);
        return NULL;
    }
    return topology;
}

static uint32_t find_group(const hwloc_api *api, hwloc_obj_t unit, hwloc_obj_type_t type) {
    if (type == HWLOC_OBJ_NUMANODE) {
        int node = unit->nodeset ? api->first(unit->nodeset) : -1;
        return node < 0 ? WEFT_NO_GROUP : (uint32_t)node;
    }
    for (hwloc_obj_t at = unit; at; at = at->parent)
        if (at->type == type)
            return at->logical_index;
    return WEFT_NO_GROUP;
}

static void fill_unit(const hwloc_api *api, hwloc_obj_t from, uint32_t cpu, weft_unit *unit) {
    static const hwloc_obj_type_t types[WEFT_DOMAINS] = {HWLOC_OBJ_NUMANODE, HWLOC_OBJ_L4CACHE,
                                                         HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE,
                                                         HWLOC_OBJ_L1CACHE};

    unit->cpu = cpu;
    for (int i = 0; i < WEFT_DOMAINS; i++)
        unit->group[i] = find_group(api, from, types[i]);
    unit->node = unit->group[WEFT_DOMAIN_NUMA] == WEFT_NO_GROUP ? 0 : unit->group[WEFT_DOMAIN_NUMA];
}

static bool contains(const uint32_t *list, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

/*
 * One unit for each CPU of the machine that is in the list; the CPUs of a synthetic machine stand
 * for those of the list in turn. 0: nothing is known.
 */
static uint32_t read_machine(weft_units *units, const char *synthetic, const uint32_t *cpus,
                             uint32_t cpu_count) {
    hwloc_api api;
    hwloc_topology_t topology = open_hwloc(&api) ? load_topology(&api, synthetic) : NULL;

    units->count = 0;
    units->nodes = 1;
    if (!topology)
        return 0;
    int depth = api.type_depth(topology, HWLOC_OBJ_PU);
    uint32_t total = api.count_at(topology, depth);
    units->list = weft_calloc(total, sizeof(*units->list));
    for (uint32_t i = 0; units->list && i < total; i++) {
        hwloc_obj_t object = api.object_at(topology, depth, i);
        uint32_t number = (uint32_t)object->os_index;
        if (!synthetic && !contains(cpus, cpu_count, number))
            continue;
        fill_unit(&api, object, synthetic ? cpus[i % cpu_count] : number,
                  &units->list[units->count++]);
    }
    units->nodes = api.count_at(topology, HWLOC_TYPE_DEPTH_NUMANODE);
    api.destroy(topology);
    /* The library stays: unloading gains nothing. */
    return units->count;
}

/* ---- units ----------------------------------------------------------------------------------- */

void weft_units_finish(weft_units *units) {
    weft_free(units->list);
    units->list = NULL;
    units->count = 0;
}

/* Without a topology: each CPU is a unit that shares nothing. */
static bool use_list(weft_units *units, const uint32_t *cpus, uint32_t count) {
    weft_units_finish(units);
    units->nodes = 1;
    units->list = weft_calloc(count, sizeof(*units->list));
    if (!units->list)
        return false;
    units->count = count;
    for (uint32_t i = 0; i < count; i++) {
        units->list[i].cpu = cpus[i];
        for (int d = 0; d < WEFT_DOMAINS; d++)
            units->list[i].group[d] = WEFT_NO_GROUP;
    }
    return true;
}

static bool spread(weft_units *units, uint32_t count) {
    weft_unit *list;

    if (count == 0 || count == units->count)
        return true;
    list = weft_calloc(count, sizeof(*list));
    if (!list)
        return false;
    for (uint32_t i = 0; i < count; i++)
        list[i] = units->list[(uint64_t)i * units->count / count];
    weft_free(units->list);
    units->list = list;
    units->count = count;
    return true;
}

bool weft_units_read(weft_units *units, uint32_t count, const char *synthetic) {
    uint32_t *cpus = NULL, cpu_count = list_cpus(&cpus);
    uint32_t first = 0;
    bool there;

    memset(units, 0, sizeof(*units));
    if (cpu_count == 0) { /* no memory, or no such system call: one unit will do */
        cpus = &first;
        cpu_count = 1;
    }
    there = read_machine(units, synthetic, cpus, cpu_count) || use_list(units, cpus, cpu_count);
    if (cpus != &first)
        weft_free(cpus);
    if (there && spread(units, count))
        return true;
    weft_units_finish(units);
    return false;
}

uint32_t weft_cpu_synthetic_units(const char *synthetic) {
    const uint32_t any = 0;
    weft_units units = {0};
    uint32_t count = read_machine(&units, synthetic, &any, 1);

    weft_units_finish(&units);
    return count;
}

uint32_t weft_units_groups(const weft_units *units, int domain, uint32_t *sizes, uint32_t room) {
    uint32_t groups = 0, before = WEFT_NO_GROUP;

    for (uint32_t i = 0; i < units->count; i++) {
        uint32_t group = units->list[i].group[domain];
        if (group == WEFT_NO_GROUP)
            return 0;
        if (group != before && groups++ < room)
            sizes[groups - 1] = 0;
        if (groups <= room)
            sizes[groups - 1]++;
        before = group;
    }
    return groups;
}
