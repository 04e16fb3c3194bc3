// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu/{units,partition}.c: topologies, and devices that are parts of a device. */

#include "device-cpu/units.h"
#include "work.h"

#include <sched.h>
#include <unistd.h>

static weft_units read_units(uint32_t count, const char *synthetic) {
    weft_units units;
    CHECK(weft_units_read(&units, count, synthetic));
    return units;
}

static uint32_t own_cpus(void) {
    cpu_set_t set;
    CHECK_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
    return (uint32_t)CPU_COUNT(&set);
}

static void need_hwloc(void) {
    if (weft_cpu_synthetic_units("pu:2") != 2)
        SKIP("libhwloc.so.15 is not installed");
}

/* ---- units ----------------------------------------------------------------------------------- */

TEST(each_cpu_of_ours_is_a_unit) {
    weft_units units = read_units(0, NULL);
    cpu_set_t set, seen;
    CHECK_EQ(units.count, own_cpus());
    CHECK_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
    CPU_ZERO(&seen);
    for (uint32_t i = 0; i < units.count; i++) {
        CHECK(CPU_ISSET(units.list[i].cpu, &set) && !CPU_ISSET(units.list[i].cpu, &seen));
        CPU_SET(units.list[i].cpu, &seen);
    }
    weft_units_finish(&units);
}

TEST(a_synthetic_machine_has_its_caches) {
    need_hwloc();
    const char *machine = "numa:2 l3:2 l2:2 l1:1 core:1 pu:2";
    weft_units units = read_units(0, machine);
    uint32_t sizes[16] = {0};
    CHECK_EQ(units.count, 16);
    CHECK_EQ(units.nodes, 2);
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_NUMA, sizes, 16), 2);
    CHECK(sizes[0] == 8 && sizes[1] == 8 && sizes[2] == 0);
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_L4, sizes, 16), 0);
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_L3, sizes, 16), 4);
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_L2, sizes, 1), 8);
    CHECK_EQ(sizes[0], 2);
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_L1, NULL, 0), 8);
    CHECK_EQ(weft_cpu_synthetic_units(machine), 16);
    CHECK_EQ(weft_cpu_synthetic_units("no machine"), 0);
    weft_units_finish(&units);
}

TEST(units_of_an_uneven_machine) {
    need_hwloc();
    weft_units units = read_units(0, "l3:3 pu:3");
    uint32_t sizes[3] = {0};
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_L3, sizes, 3), 3);
    CHECK(sizes[0] == 3 && sizes[1] == 3 && sizes[2] == 3);
    CHECK_EQ(units.nodes, 1);
    weft_units_finish(&units);
}

TEST(more_and_fewer_units_than_cpus) {
    need_hwloc();
    uint32_t sizes[8] = {0};
    weft_units units = read_units(8, "l2:2 pu:2");
    CHECK_EQ(units.count, 8);
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_L2, sizes, 8), 2);
    CHECK(sizes[0] == 4 && sizes[1] == 4);
    weft_units_finish(&units);
    units = read_units(2, "l2:4 pu:2");
    CHECK_EQ(weft_units_groups(&units, WEFT_DOMAIN_L2, sizes, 8), 2);
    weft_units_finish(&units);
}

TEST(a_machine_that_is_not_understood_is_the_real_one) {
    weft_units units = read_units(0, "nonsense:3");
    CHECK_EQ(units.count, own_cpus());
    weft_units_finish(&units);
}

TEST(a_thread_is_inside_its_own_cpus) {
    weft_units units = read_units(0, NULL);
    weft_cpus cpus, first;
    CHECK(weft_cpus_of(&cpus, &units));
    CHECK(weft_cpus_hold_thread(&cpus));
    if (units.count > 1) {
        units.count = 1;
        CHECK(weft_cpus_of(&first, &units));
        CHECK(!weft_cpus_hold_thread(&first));
        weft_cpus_finish(&first);
    }
    weft_cpus_finish(&cpus);
    weft_units_finish(&units);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Where each group ran. */
typedef struct places {
    uint32_t allowed; /* the one CPU */
    pid_t host;
    _Atomic int elsewhere, on_host, groups;
} places;

static void place_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                        uint64_t count) {
    places *where = (places *)launch->args;
    cpu_set_t set;

    (void)worker;
    for (uint64_t i = first; i < first + count; i++) {
        atomic_fetch_add(&where->groups, 1);
        if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) != 1 ||
            !CPU_ISSET(where->allowed, &set) || sched_getcpu() != (int)where->allowed)
            atomic_fetch_add(&where->elsewhere, 1);
        if (gettid() == where->host)
            atomic_fetch_add(&where->on_host, 1);
    }
}

TEST(work_runs_on_the_units_of_the_part) {
    weft_device *device = make_device(0, 0, 0);
    weft_units units = read_units(0, NULL);
    for (uint32_t i = 0; i < units.count; i++) {
        weft_device *part = ops->part(device, i, 1);
        places where = {.allowed = units.list[i].cpu, .host = gettid()};
        command c;
        CHECK(part);
        CHECK_EQ(ops->caps(part)->compute_units, 1);
        make_kernel(&c, part, place_entry, &where, 500, 1);
        if (units.count > 1) {
            /* This thread may run elsewhere: so it may not help. */
            CHECK(!ops->run(part, &c.work, NULL));
            CHECK(!ops->help(part, &c.work, NULL));
        }
        ops->submit(part, &c.work, NULL);
        wait_done(&c);
        CHECK_EQ(where.groups, 500);
        CHECK_EQ(where.elsewhere, 0);
        CHECK_EQ(where.on_host, 0);
        ops->destroy(part);
    }
    weft_units_finish(&units);
    ops->destroy(device);
}

TEST(a_thread_confined_to_the_part_helps) {
    weft_device *device = make_device(0, 0, 0);
    weft_units units = read_units(0, NULL);
    weft_device *part = ops->part(device, units.count - 1, 1);
    uint32_t cpu = units.list[units.count - 1].cpu;
    places where = {.allowed = cpu, .host = gettid()};
    cpu_set_t before, one;
    command c;
    CHECK_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    make_kernel(&c, part, place_entry, &where, 1, 1);
    CHECK(ops->run(part, &c.work, NULL));
    CHECK_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
    CHECK_EQ(where.groups, 1);
    CHECK_EQ(where.on_host, 1);
    CHECK_EQ(where.elsewhere, 0);
    ops->destroy(part);
    weft_units_finish(&units);
    ops->destroy(device);
}

/* A part's last owner may be its own thread, in the middle of a completion. */
typedef struct last_command {
    command c;
    _Atomic int ended;
} last_command;

static void on_last_done(weft_work *work, int32_t status, weft_runner *runner) {
    last_command *last = (last_command *)work;
    (void)status;
    (void)runner;
    ops->destroy(last->c.device);
    atomic_store(&last->ended, 1);
}

static void nothing_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                          uint64_t count) {
    (void)launch, (void)worker, (void)first, (void)count;
}

TEST(a_part_destroyed_by_its_own_thread) {
    weft_device *device = make_device(4, 0, 0);
    for (int round = 0; round < 200; round++) {
        weft_device *part = ops->part(device, (uint32_t)round % 2, 1 + (uint32_t)round % 3);
        last_command last = {0};
        make_kernel(&last.c, part, nothing_entry, NULL, 64, 1);
        last.c.work.done = on_last_done;
        ops->submit(part, &last.c.work, NULL);
        while (!atomic_load(&last.ended))
            usleep(50);
    }
    usleep(20000); /* the last threads are on their way out */
    ops->destroy(device);
}

TEST(parts_of_parts) {
    need_hwloc();
    const char *const machine = "numa:2 l2:4 pu:2";
    const weft_cpu_settings settings = {.threads = weft_cpu_synthetic_units(machine),
                                        .synthetic = machine};
    uint32_t sizes[8];
    ops = weft_cpu_ops();
    weft_device *device = weft_cpu_create(&settings);
    CHECK_EQ(ops->caps(device)->compute_units, 16);
    CHECK_EQ(ops->groups(device, CL_DEVICE_AFFINITY_DOMAIN_NUMA, sizes, 8), 2);
    weft_device *node = ops->part(device, sizes[0], sizes[1]);
    CHECK_EQ(ops->caps(node)->compute_units, 8);
    CHECK_EQ(ops->groups(node, CL_DEVICE_AFFINITY_DOMAIN_NUMA, sizes, 8), 1);
    CHECK_EQ(ops->groups(node, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, sizes, 8), 4);
    CHECK_EQ(ops->groups(node, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, sizes, 8), 0);
    CHECK_EQ(ops->groups(node, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, sizes, 8), 0);
    weft_device *core = ops->part(node, 6, 2);
    CHECK_EQ(ops->groups(core, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, sizes, 8), 1);
    ops->destroy(device); /* a part needs its parent for nothing */
    ops->destroy(node);
    command c;
    make_kernel(&c, core, nothing_entry, NULL, 1000, 1);
    ops->submit(core, &c.work, NULL);
    wait_done(&c);
    ops->destroy(core);
}

static void count_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                        uint64_t count) {
    (void)first;
    (void)worker;
    atomic_fetch_add((_Atomic uint64_t *)launch->args, count);
}

/* A machine of 256 units on the CPUs that there are: each cache is a part, and does its work. */
TEST(parts_of_a_machine_of_256) {
    need_hwloc();
    const char *const machine = "numa:4 l3:4 l2:8 pu:2";
    const weft_cpu_settings settings = {.threads = weft_cpu_synthetic_units(machine),
                                        .synthetic = machine};
    uint32_t sizes[16];
    ops = weft_cpu_ops();
    weft_device *device = weft_cpu_create(&settings);
    CHECK_EQ(ops->caps(device)->compute_units, 256);
    CHECK_EQ(ops->groups(device, CL_DEVICE_AFFINITY_DOMAIN_NUMA, sizes, 16), 4);
    CHECK_EQ(sizes[3], 64);
    CHECK_EQ(ops->groups(device, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, sizes, 16), 16);
    for (uint32_t i = 0; i < 16; i++) {
        weft_device *part = ops->part(device, 16 * i, sizes[i]);
        _Atomic uint64_t groups = 0;
        command c;
        CHECK_EQ(ops->caps(part)->compute_units, 16);
        make_kernel(&c, part, count_entry, (void *)&groups, 10000, 1);
        ops->submit(part, &c.work, NULL);
        wait_done(&c);
        CHECK_EQ(groups, 10000);
        ops->destroy(part);
    }
    ops->destroy(device);
}

/* Memory of a part is not touched by whoever asks for it. */
TEST(a_parts_memory_is_first_touched_by_its_work) {
    weft_device *device = make_device(0, 0, 0);
    weft_device *part = ops->part(device, 0, 1);
    const size_t bytes = 256 * 1024;
    unsigned char there[64], *memory = ops->memory_alloc(part, bytes, 128);
    CHECK(memory);
    CHECK_EQ(mincore(memory, bytes, there), 0);
    for (size_t i = 0; i < bytes / 4096; i++)
        CHECK_EQ(there[i] & 1, 0);
    command c = {0};
    c.device = part;
    c.work.kind = WEFT_WORK_TRANSFER;
    c.work.begin = on_begin;
    c.work.done = on_done;
    c.work.transfer.items = &c.transfer;
    c.work.transfer.count = 1;
    c.transfer = (weft_transfer){.to = memory,
                                 .row_bytes = bytes,
                                 .rows = 1,
                                 .planes = 1,
                                 .pattern = {7},
                                 .pattern_bytes = 1};
    ops->submit(part, &c.work, NULL);
    wait_done(&c);
    CHECK(memory[0] == 7 && memory[bytes - 1] == 7);
    ops->memory_free(part, memory, bytes);
    ops->destroy(part);
    ops->destroy(device);
}

TEST_MAIN()
