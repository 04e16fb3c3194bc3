// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The full profile's minimums of clGetDeviceInfo (table 3 of the specification of OpenCL 2.2), all
 * in one table. A row that belongs to a feature counts if the device reports the feature; if it
 * does not, the limit must be 0, for what is not built is not reported.
 */

#include "common.h"

/** What a row depends on: a query whose answer is not 0 where the feature exists. */
typedef struct feature {
    cl_device_info query;
    size_t bytes;
} feature;

static const feature ALWAYS = {0, 0}, IMAGES = {CL_DEVICE_IMAGE_SUPPORT, sizeof(cl_bool)},
                     PIPES = {CL_DEVICE_MAX_PIPE_ARGS, sizeof(cl_uint)},
                     DEVICE_QUEUES = {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
                                      sizeof(cl_command_queue_properties)},
                     GLOBAL_VARIABLES = {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(size_t)},
                     SUB_GROUPS = {CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(cl_uint)};

typedef struct row {
    const char *name;
    cl_device_info query;
    const feature *of;
    size_t bytes;
    cl_ulong least;
    bool bits; /* `least` is a set that must be contained */
} row;

#define AT_LEAST(query, of, type, least) {#query, query, &of, sizeof(type), least, false}
#define CONTAINS(query, of, type, set)   {#query, query, &of, sizeof(type), set, true}

static const row rows[] = {
    AT_LEAST(CL_DEVICE_MAX_COMPUTE_UNITS, ALWAYS, cl_uint, 1),
    AT_LEAST(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, ALWAYS, cl_uint, 3),
    AT_LEAST(CL_DEVICE_MAX_WORK_GROUP_SIZE, ALWAYS, size_t, 1),
    AT_LEAST(CL_DEVICE_ADDRESS_BITS, ALWAYS, cl_uint, 32),
    AT_LEAST(CL_DEVICE_MAX_MEM_ALLOC_SIZE, ALWAYS, cl_ulong, 32 << 20),
    AT_LEAST(CL_DEVICE_MAX_READ_IMAGE_ARGS, IMAGES, cl_uint, 128),
    AT_LEAST(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, IMAGES, cl_uint, 64),
    AT_LEAST(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, IMAGES, cl_uint, 64),
    AT_LEAST(CL_DEVICE_IMAGE2D_MAX_WIDTH, IMAGES, size_t, 16384),
    AT_LEAST(CL_DEVICE_IMAGE2D_MAX_HEIGHT, IMAGES, size_t, 16384),
    AT_LEAST(CL_DEVICE_IMAGE3D_MAX_WIDTH, IMAGES, size_t, 2048),
    AT_LEAST(CL_DEVICE_IMAGE3D_MAX_HEIGHT, IMAGES, size_t, 2048),
    AT_LEAST(CL_DEVICE_IMAGE3D_MAX_DEPTH, IMAGES, size_t, 2048),
    AT_LEAST(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, IMAGES, size_t, 65536),
    AT_LEAST(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, IMAGES, size_t, 2048),
    AT_LEAST(CL_DEVICE_MAX_SAMPLERS, IMAGES, cl_uint, 16),
    AT_LEAST(CL_DEVICE_MAX_PIPE_ARGS, PIPES, cl_uint, 16),
    AT_LEAST(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, PIPES, cl_uint, 1),
    AT_LEAST(CL_DEVICE_PIPE_MAX_PACKET_SIZE, PIPES, cl_uint, 1024),
    AT_LEAST(CL_DEVICE_MAX_PARAMETER_SIZE, ALWAYS, size_t, 1024),
    AT_LEAST(CL_DEVICE_MEM_BASE_ADDR_ALIGN, ALWAYS, cl_uint, 8 * sizeof(cl_long16)),
    CONTAINS(CL_DEVICE_SINGLE_FP_CONFIG, ALWAYS, cl_device_fp_config,
             CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
    CONTAINS(CL_DEVICE_DOUBLE_FP_CONFIG, ALWAYS, cl_device_fp_config,
             CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF |
                 CL_FP_INF_NAN | CL_FP_DENORM),
    CONTAINS(CL_DEVICE_HALF_FP_CONFIG, ALWAYS, cl_device_fp_config,
             CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
    AT_LEAST(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, ALWAYS, cl_ulong, 64 << 10),
    AT_LEAST(CL_DEVICE_MAX_CONSTANT_ARGS, ALWAYS, cl_uint, 8),
    AT_LEAST(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, GLOBAL_VARIABLES, size_t, 64 << 10),
    AT_LEAST(CL_DEVICE_LOCAL_MEM_SIZE, ALWAYS, cl_ulong, 32 << 10),
    CONTAINS(CL_DEVICE_EXECUTION_CAPABILITIES, ALWAYS, cl_device_exec_capabilities, CL_EXEC_KERNEL),
    CONTAINS(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, ALWAYS, cl_command_queue_properties,
             CL_QUEUE_PROFILING_ENABLE),
    CONTAINS(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, DEVICE_QUEUES, cl_command_queue_properties,
             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
    AT_LEAST(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, DEVICE_QUEUES, cl_uint, 16 << 10),
    AT_LEAST(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, DEVICE_QUEUES, cl_uint, 256 << 10),
    AT_LEAST(CL_DEVICE_MAX_ON_DEVICE_QUEUES, DEVICE_QUEUES, cl_uint, 1),
    AT_LEAST(CL_DEVICE_MAX_ON_DEVICE_EVENTS, DEVICE_QUEUES, cl_uint, 1024),
    AT_LEAST(CL_DEVICE_PRINTF_BUFFER_SIZE, ALWAYS, size_t, 1 << 20),
    AT_LEAST(CL_DEVICE_PROFILING_TIMER_RESOLUTION, ALWAYS, size_t, 1),
    CONTAINS(CL_DEVICE_SVM_CAPABILITIES, ALWAYS, cl_device_svm_capabilities,
             CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
    AT_LEAST(CL_DEVICE_MAX_NUM_SUB_GROUPS, SUB_GROUPS, cl_uint, 1),
    AT_LEAST(CL_DEVICE_COMPILER_AVAILABLE, ALWAYS, cl_bool, CL_TRUE),
    AT_LEAST(CL_DEVICE_LINKER_AVAILABLE, ALWAYS, cl_bool, CL_TRUE),
};

static cl_ulong ask(cl_device_id device, cl_device_info query, size_t bytes) {
    cl_ulong value = 0;
    size_t size = 0;
    CHECK_EQ(clGetDeviceInfo(device, query, sizeof(value), &value, &size), CL_SUCCESS);
    CHECK_EQ(size, bytes);
    return value;
}

static void check_row(cl_device_id device, const row *row) {
    cl_ulong value = ask(device, row->query, row->bytes);
    bool there = !row->of->query || ask(device, row->of->query, row->of->bytes);
    if (!there) {
        if (value)
            FAIL("%s is %llu, but the feature it belongs to is not reported", row->name,
                 (unsigned long long)value);
    } else if (row->bits ? (value & row->least) != row->least : value < row->least) {
        FAIL("%s is %#llx, less than %#llx", row->name, (unsigned long long)value,
             (unsigned long long)row->least);
    }
}

TEST(every_minimum) {
    weft_need_compiler();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        check_row(weft_device(0), &rows[i]);
}

/* Minimums that are not one number. */
TEST(minimums_that_depend) {
    cl_device_id device = weft_device(0);
    size_t sizes[3] = {0};
    cl_ulong global = ask(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    cl_ulong most = ask(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    cl_ulong least = global / 4 < 1 << 30 ? global / 4 : 1 << 30;
    CHECK(most >= least && most <= global);
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(sizes), sizes, NULL),
             CL_SUCCESS);
    CHECK(sizes[0] >= 1 && sizes[1] >= 1 && sizes[2] >= 1);
    /* "For this minimum value, only a maximum of 128 arguments can be passed to a kernel" */
    CHECK(ask(device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t)) >= 128 * sizeof(cl_mem));
}

/* The same holds for every part of the device. */
TEST(sub_devices_keep_the_minimums) {
    weft_need_compiler();
    const cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[64];
    cl_uint count = 0;
    if (ask(weft_device(0), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint)) < 2)
        SKIP("one compute unit cannot be divided");
    CHECK_EQ(clCreateSubDevices(weft_device(0), ones, 64, parts, &count), CL_SUCCESS);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        check_row(parts[count - 1], &rows[i]);
    for (cl_uint i = 0; i < count; i++)
        clReleaseDevice(parts[i]);
}

TEST_MAIN()
