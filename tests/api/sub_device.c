// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Sub-devices: partitions, references, nesting, errors, and where their commands run. WEFT_TOPOLOGY
 * simulates 16 units: two nodes, in each two third-level caches over two cores of two threads.
 */

#include "common.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define EQUALLY     CL_DEVICE_PARTITION_EQUALLY
#define BY_COUNTS   CL_DEVICE_PARTITION_BY_COUNTS
#define COUNTS_END  CL_DEVICE_PARTITION_BY_COUNTS_LIST_END
#define BY_AFFINITY CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN
#define NUMA        CL_DEVICE_AFFINITY_DOMAIN_NUMA
#define L4          CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE
#define L3          CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE
#define L2          CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE
#define L1          CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE
#define NEXT        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE

typedef cl_device_partition_property property;

static cl_uint units_of(cl_device_id device) {
    cl_uint units = 0;
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL),
             CL_SUCCESS);
    return units;
}

static cl_uint references_of(cl_device_id device) {
    cl_uint count = 0;
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof(count), &count, NULL),
             CL_SUCCESS);
    return count;
}

static cl_device_affinity_domain domains_of(cl_device_id device) {
    cl_device_affinity_domain domains = 0;
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(domains), &domains,
                             NULL),
             CL_SUCCESS);
    return domains;
}

/** The simulated machine; without hwloc there are no domains to test. */
static cl_device_id root(void) {
    cl_device_id device = weft_device(0);
    CHECK_EQ(units_of(device), 16);
    return device;
}

static void divide(cl_device_id device, const property *properties, cl_uint count,
                   cl_device_id *parts) {
    cl_uint there = 0;
    CHECK_EQ(clCreateSubDevices(device, properties, 0, NULL, &there), CL_SUCCESS);
    CHECK_EQ(there, count);
    there = 0;
    CHECK_EQ(clCreateSubDevices(device, properties, count, parts, &there), CL_SUCCESS);
    CHECK_EQ(there, count);
}

static void drop(cl_uint count, cl_device_id *parts) {
    for (cl_uint i = 0; i < count; i++)
        CHECK_EQ(clReleaseDevice(parts[i]), CL_SUCCESS);
}

/* ---- partitions ------------------------------------------------------------------------------ */

TEST(equally) {
    const property three[] = {EQUALLY, 3, 0};
    cl_device_id parts[5];
    divide(root(), three, 5, parts);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(units_of(parts[i]), 3);
    drop(5, parts);
}

TEST(by_counts) {
    const property counts[] = {BY_COUNTS, 1, 4, 11, COUNTS_END, 0};
    cl_device_id parts[3];
    divide(root(), counts, 3, parts);
    CHECK_EQ(units_of(parts[0]), 1);
    CHECK_EQ(units_of(parts[1]), 4);
    CHECK_EQ(units_of(parts[2]), 11);
    drop(3, parts);
}

TEST(by_affinity_domain) {
    const struct {
        cl_device_affinity_domain domain;
        cl_uint parts;
    } domains[] = {{NUMA, 2}, {L3, 4}, {L2, 8}, {L1, 8}};
    CHECK_EQ(domains_of(root()), NUMA | L3 | L2 | L1 | NEXT);
    for (int d = 0; d < 4; d++) {
        const property properties[] = {BY_AFFINITY, (property)domains[d].domain, 0};
        cl_device_id parts[16];
        divide(root(), properties, domains[d].parts, parts);
        for (cl_uint i = 0; i < domains[d].parts; i++) {
            property type[3] = {7, 7, 7};
            CHECK_EQ(units_of(parts[i]), 16 / domains[d].parts);
            CHECK_EQ(clGetDeviceInfo(parts[i], CL_DEVICE_PARTITION_TYPE, sizeof(type), type, NULL),
                     CL_SUCCESS);
            CHECK(memcmp(type, properties, sizeof(type)) == 0);
        }
        drop(domains[d].parts, parts);
    }
}

/* Level by level, as CL_DEVICE_PARTITION_TYPE then tells; a level of one part is passed over. */
TEST(next_partitionable_nests) {
    const property next[] = {BY_AFFINITY, NEXT, 0};
    const cl_device_affinity_domain order[] = {NUMA, L3, L2};
    const cl_uint parts_of_level[] = {2, 2, 2};
    cl_device_id device = root(), levels[3][2];
    for (int level = 0; level < 3; level++) {
        property type[3];
        cl_device_id parent = NULL;
        divide(device, next, parts_of_level[level], levels[level]);
        CHECK_EQ(
            clGetDeviceInfo(levels[level][1], CL_DEVICE_PARTITION_TYPE, sizeof(type), type, NULL),
            CL_SUCCESS);
        CHECK_EQ(type[1], order[level]);
        CHECK_EQ(clGetDeviceInfo(levels[level][1], CL_DEVICE_PARENT_DEVICE, sizeof(parent), &parent,
                                 NULL),
                 CL_SUCCESS);
        CHECK(parent == device);
        device = levels[level][1];
    }
    /* Two threads of one core share everything. */
    CHECK_EQ(domains_of(device), 0);
    CHECK_EQ(clCreateSubDevices(device, next, 0, NULL, &(cl_uint){0}), CL_DEVICE_PARTITION_FAILED);
    for (int level = 0; level < 3; level++)
        drop(2, levels[level]); /* parents before children: children hold them */
}

TEST(queries) {
    const property counts[] = {BY_COUNTS, 1, 2, COUNTS_END, 0};
    cl_device_id parts[2], parent = (cl_device_id)1;
    property list[8];
    size_t size = 0;
    cl_uint most = 0;
    CHECK_EQ(clGetDeviceInfo(root(), CL_DEVICE_PARENT_DEVICE, sizeof(parent), &parent, NULL),
             CL_SUCCESS);
    CHECK(!parent);
    CHECK_EQ(clGetDeviceInfo(root(), CL_DEVICE_PARTITION_TYPE, sizeof(list), list, &size),
             CL_SUCCESS);
    CHECK(size == sizeof(list[0]) && list[0] == 0);
    CHECK_EQ(clGetDeviceInfo(root(), CL_DEVICE_PARTITION_PROPERTIES, sizeof(list), list, &size),
             CL_SUCCESS);
    CHECK_EQ(size, 3 * sizeof(list[0]));
    CHECK_EQ(
        clGetDeviceInfo(root(), CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof(most), &most, NULL),
        CL_SUCCESS);
    CHECK_EQ(most, 16);

    divide(root(), counts, 2, parts);
    CHECK_EQ(clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_TYPE, sizeof(list), list, &size),
             CL_SUCCESS);
    CHECK(size == sizeof(counts) && memcmp(list, counts, size) == 0);
    /* One unit is not divided any further. */
    CHECK_EQ(clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_PROPERTIES, sizeof(list), list, &size),
             CL_SUCCESS);
    CHECK(size == sizeof(list[0]) && list[0] == 0);
    CHECK_EQ(domains_of(parts[0]), 0);
    cl_device_type type = 0;
    char name[128], root_name[128];
    CHECK_EQ(clGetDeviceInfo(parts[1], CL_DEVICE_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
    CHECK_EQ(type, CL_DEVICE_TYPE_CPU);
    CHECK_EQ(clGetDeviceInfo(parts[1], CL_DEVICE_NAME, sizeof(name), name, NULL), CL_SUCCESS);
    CHECK_EQ(clGetDeviceInfo(root(), CL_DEVICE_NAME, sizeof(name), root_name, NULL), CL_SUCCESS);
    CHECK_STR(name, root_name);
    drop(2, parts);
}

TEST(errors) {
    cl_device_id device = root(), parts[32];
    cl_uint count = 0;
    const property none[] = {0}, unknown[] = {-1, 1, 0}, zero[] = {EQUALLY, 0, 0},
                   twice[] = {EQUALLY, 4, BY_COUNTS, 1, COUNTS_END, 0}, all[] = {EQUALLY, 16, 0},
                   more[] = {EQUALLY, 17, 0}, one[] = {EQUALLY, 1, 0},
                   empty[] = {BY_COUNTS, COUNTS_END, 0},
                   too_large[] = {BY_COUNTS, 9, 8, COUNTS_END, 0},
                   negative[] = {BY_COUNTS, -1, COUNTS_END, 0}, no_domain[] = {BY_AFFINITY, 0, 0},
                   two_domains[] = {BY_AFFINITY, L3 | L2, 0}, absent[] = {BY_AFFINITY, L4, 0};
    property many[20] = {BY_COUNTS};
    for (int i = 1; i <= 17; i++)
        many[i] = 1;
    CHECK_EQ(clCreateSubDevices(NULL, one, 32, parts, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(clCreateSubDevices((cl_device_id)weft_platform(), one, 32, parts, NULL),
             CL_INVALID_DEVICE);
    const property *invalid[] = {NULL,  none,      unknown,     zero,  twice,
                                 empty, no_domain, two_domains, absent};
    for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++)
        CHECK_EQ(clCreateSubDevices(device, invalid[i], 32, parts, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clCreateSubDevices(device, all, 32, parts, NULL), CL_DEVICE_PARTITION_FAILED);
    const property *counts[] = {more, too_large, negative, many};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        CHECK_EQ(clCreateSubDevices(device, counts[i], 32, parts, NULL),
                 CL_INVALID_DEVICE_PARTITION_COUNT);
    CHECK_EQ(clCreateSubDevices(device, one, 15, parts, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clCreateSubDevices(device, one, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clCreateSubDevices(device, one, 0, NULL, &count), CL_SUCCESS);
    CHECK_EQ(count, 16);
}

/* ---- references ------------------------------------------------------------------------------ */

TEST(references) {
    const property half[] = {EQUALLY, 8, 0};
    cl_device_id parts[2];
    cl_int error = 1;
    CHECK_EQ(references_of(root()), 1);
    CHECK_EQ(clRetainDevice(root()), CL_SUCCESS);
    CHECK_EQ(references_of(root()), 1);
    CHECK_EQ(clReleaseDevice(root()), CL_SUCCESS);
    CHECK_EQ(clReleaseDevice(root()), CL_SUCCESS);
    divide(root(), half, 2, parts);
    CHECK_EQ(references_of(parts[0]), 1);
    CHECK_EQ(clRetainDevice(parts[0]), CL_SUCCESS);
    CHECK_EQ(references_of(parts[0]), 2);
    CHECK_EQ(clReleaseDevice(parts[0]), CL_SUCCESS);

    /* A context keeps its devices, whatever the application does. */
    cl_context context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    drop(2, parts);
    CHECK_EQ(clReleaseDevice(parts[0]), CL_INVALID_DEVICE);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, parts[1], NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    CHECK_EQ(clRetainDevice(NULL), CL_INVALID_DEVICE);
    CHECK_EQ(clReleaseDevice((cl_device_id)weft_platform()), CL_INVALID_DEVICE);
}

/* ---- commands -------------------------------------------------------------------------------- */

typedef struct place {
    cpu_set_t *set;
} place;

static void CL_CALLBACK look(void *args) {
    place where = *(place *)args;
    sched_getaffinity(0, sizeof(*where.set), where.set);
}

/* The CPUs that a native kernel on a device may use. */
static cpu_set_t cpus_of(cl_device_id device) {
    cl_int error = 1;
    cpu_set_t set;
    place where = {&set};
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    CPU_ZERO(&set);
    CHECK_EQ(
        clEnqueueNativeKernel(queue, look, &where, sizeof(where), 0, NULL, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return set;
}

/* Units of the simulated machine stand for the CPUs of ours in turn. */
TEST(commands_stay_on_their_cpus) {
    const property singles[] = {EQUALLY, 1, 0};
    cl_device_id parts[16];
    cpu_set_t all, set;
    CHECK_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    divide(root(), singles, 16, parts);
    for (int i = 0; i < 16; i++) {
        int left = i % CPU_COUNT(&all), cpu = 0;
        for (; !CPU_ISSET(cpu, &all) || left--; cpu++)
            ;
        set = cpus_of(parts[i]);
        CHECK_EQ(CPU_COUNT(&set), 1);
        CHECK(CPU_ISSET(cpu, &set));
    }
    drop(16, parts);
}

/* Each of two functions says that it runs, and waits (10 s at most) until the other does. */
static _Atomic int running, met;

static void CL_CALLBACK meet_the_other(void *unused) {
    (void)unused;
    atomic_fetch_add(&running, 1);
    for (int i = 0; i < 10000 && atomic_load(&running) < 2; i++)
        usleep(1000);
    atomic_fetch_add(&met, atomic_load(&running) == 2);
}

/* Sub-devices do not take turns: what one runs does not wait for the other's to end. */
TEST(two_run_at_the_same_time) {
    const property eighths[] = {EQUALLY, 2, 0};
    cl_device_id parts[8];
    cl_command_queue queues[2];
    cl_int error = 1;
    divide(root(), eighths, 8, parts);
    cl_context context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        queues[i] = clCreateCommandQueueWithProperties(context, parts[i], NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(
            clEnqueueNativeKernel(queues[i], meet_the_other, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
            CL_SUCCESS);
        CHECK_EQ(clFlush(queues[i]), CL_SUCCESS);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(clFinish(queues[i]), CL_SUCCESS);
        CHECK_EQ(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
    }
    CHECK_EQ(atomic_load(&met), 2);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
    drop(8, parts);
}

static const char source[] = "kernel void add(global int *to, int by) {\n"
                             "    atomic_add(to + get_global_id(0) % 7, by);\n"
                             "}\n";

/* A context of two parts and their parent, one program, one buffer, everything released while the
 * last commands are under way. */
TEST(a_program_for_the_parent_serves_its_parts) {
    weft_need_compiler();
    const property half[] = {EQUALLY, 8, 0};
    cl_device_id devices[3] = {NULL, NULL, root()};
    cl_int error = 1;
    cl_uint by = 1, sums[7];
    const size_t items = 7000;
    divide(root(), half, 2, devices);
    cl_context context = clCreateContext(NULL, 3, devices, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_program program = weft_source(context, source);
    CHECK_EQ(clBuildProgram(program, 1, &devices[2], "", NULL, NULL), CL_SUCCESS);
    cl_build_status status = 77;
    CHECK_EQ(clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_STATUS, sizeof(status),
                                   &status, NULL),
             CL_SUCCESS);
    CHECK_EQ(status, CL_BUILD_SUCCESS);
    cl_kernel kernel = weft_kernel(program, "add");
    cl_mem buffer = clCreateBuffer(context, 0, sizeof(sums), NULL, &error);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(by), &by), CL_SUCCESS);
    size_t limit = 0;
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, devices[1], CL_KERNEL_WORK_GROUP_SIZE, sizeof(limit),
                                      &limit, NULL),
             CL_SUCCESS);
    CHECK(limit >= 1);
    for (int i = 0; i < 3; i++) {
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(context, devices[i], NULL, &error);
        for (int round = 0; round < 10; round++)
            CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
        CHECK_EQ(clFinish(queue), CL_SUCCESS);
        if (i == 2)
            CHECK_EQ(
                clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(sums), sums, 0, NULL, NULL),
                CL_SUCCESS);
        clReleaseCommandQueue(queue);
    }
    for (int i = 0; i < 7; i++)
        CHECK_EQ(sums[i], 30 * items / 7);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
    drop(2, devices);
}

/* The last reference of everything goes on a thread of the sub-device. */
TEST(released_while_commands_run) {
    weft_need_compiler();
    const property quarter[] = {EQUALLY, 4, 0};
    const size_t items = 100000;
    for (int round = 0; round < 20; round++) {
        cl_device_id parts[4];
        cl_int error = 1;
        cl_uint by = 1;
        divide(root(), quarter, 4, parts);
        cl_context context = clCreateContext(NULL, 1, &parts[1], NULL, NULL, &error);
        cl_program program = weft_built(context, source, "");
        cl_kernel kernel = weft_kernel(program, "add");
        cl_mem buffer = clCreateBuffer(context, 0, 1 << 20, NULL, &error);
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(context, parts[1], NULL, &error);
        CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(by), &by), CL_SUCCESS);
        for (int i = 0; i < 5; i++)
            CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
        clReleaseCommandQueue(queue);
        clReleaseKernel(kernel);
        clReleaseMemObject(buffer);
        clReleaseProgram(program);
        clReleaseContext(context);
        drop(4, parts);
    }
    usleep(50000);
}

TEST_MAIN()
