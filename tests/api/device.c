// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clGetDeviceIDs, clGetDeviceInfo, clCreateSubDevices, retain and release. */

#include "common.h"

#include "weft/cl_newer.h"

#define QUERY(name, size, value, size_ret)                                                         \
    clGetDeviceInfo(weft_device(0), name, size, value, size_ret)

static cl_ulong number(cl_device_info name, size_t size) {
    cl_ulong value = 0;
    size_t got = 0;
    CHECK_EQ(QUERY(name, size, &value, &got), CL_SUCCESS);
    CHECK_EQ(got, size);
    return value;
}

#define UINT(name)  number(name, sizeof(cl_uint))
#define ULONG(name) number(name, sizeof(cl_ulong))
#define SIZE(name)  number(name, sizeof(size_t))

static const char *text(cl_device_info name) {
    static char value[4096];
    size_t size = 0;
    CHECK_EQ(QUERY(name, sizeof(value), value, &size), CL_SUCCESS);
    CHECK_EQ(size, strlen(value) + 1);
    return value;
}

TEST(list) {
    cl_platform_id platform = weft_platform();
    cl_device_id devices[16] = {0}, device = NULL;
    cl_uint count = 0;
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count), CL_SUCCESS);
    CHECK_EQ(count, 3); /* WEFT_DEVICES=3, see meson.build */
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 2, devices, &count), CL_SUCCESS);
    CHECK_EQ(count, 3);
    CHECK(devices[0] && devices[1] && !devices[2] && devices[0] != devices[1]);
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, &count), CL_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK(device == devices[0]);
}

TEST(list_errors) {
    cl_platform_id platform = weft_platform();
    cl_device_id device = NULL;
    cl_uint count = 77;
    CHECK_EQ(clGetDeviceIDs(platform, 0, 1, &device, NULL), CL_INVALID_DEVICE_TYPE);
    CHECK_EQ(clGetDeviceIDs(platform, 1u << 20, 1, &device, NULL), CL_INVALID_DEVICE_TYPE);
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, &count), CL_DEVICE_NOT_FOUND);
    CHECK(!device);
    CHECK_EQ(clGetDeviceIDs((cl_platform_id)weft_device(0), CL_DEVICE_TYPE_ALL, 1, &device, NULL),
             CL_INVALID_PLATFORM);
}

TEST(identity) {
    cl_platform_id platform = NULL;
    CHECK_EQ(ULONG(CL_DEVICE_TYPE), CL_DEVICE_TYPE_CPU);
    CHECK(strlen(text(CL_DEVICE_NAME)) > 0);
    CHECK(strlen(text(CL_DEVICE_VENDOR)) == 12); /* what cpuid says */
    CHECK_STR(text(CL_DEVICE_PROFILE), "FULL_PROFILE");
    CHECK_STR(text(CL_DEVICE_OPENCL_C_VERSION), "OpenCL C 2.0 ");
    CHECK(strncmp(text(CL_DEVICE_VERSION), "OpenCL 2.2 Weft ", 16) == 0);
    CHECK(strstr(text(CL_DEVICE_VERSION), "x86-64-v"));
    CHECK_EQ(UINT(CL_DEVICE_NUMERIC_VERSION), CL_MAKE_VERSION(2, 2, 0));
    CHECK_EQ(UINT(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR), CL_MAKE_VERSION(2, 0, 0));
    CHECK_EQ(QUERY(CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL), CL_SUCCESS);
    CHECK(platform == weft_platform());
    CHECK_EQ(UINT(CL_DEVICE_AVAILABLE), CL_TRUE);
}

TEST(extensions_agree) {
    cl_name_version list[64];
    char joined[4096] = "";
    size_t size = 0;
    CHECK_EQ(QUERY(CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(list), list, &size), CL_SUCCESS);
    for (size_t i = 0; i < size / sizeof(list[0]); i++) {
        strcat(joined, list[i].name);
        strcat(joined, " ");
    }
    CHECK_STR(text(CL_DEVICE_EXTENSIONS), joined);
}

TEST(full_profile_minimums) {
    size_t sizes[3] = {0};
    CHECK(UINT(CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
    CHECK_EQ(UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3);
    CHECK_EQ(QUERY(CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(sizes), sizes, NULL), CL_SUCCESS);
    CHECK(sizes[0] == 4096 && sizes[1] == 4096 && sizes[2] == 4096);
    CHECK_EQ(SIZE(CL_DEVICE_MAX_WORK_GROUP_SIZE), 4096);
    CHECK_EQ(UINT(CL_DEVICE_ADDRESS_BITS), 64);
    cl_ulong most = ULONG(CL_DEVICE_MAX_MEM_ALLOC_SIZE), global = ULONG(CL_DEVICE_GLOBAL_MEM_SIZE);
    CHECK(most >= global / 4 && most >= 128u << 20 && most <= global);
    CHECK(ULONG(CL_DEVICE_LOCAL_MEM_SIZE) >= 32 << 10);
    CHECK(ULONG(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 << 10);
    CHECK(UINT(CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
    CHECK(SIZE(CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    CHECK(UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 1024);
    CHECK(SIZE(CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1 << 20);
    CHECK(SIZE(CL_DEVICE_PROFILING_TIMER_RESOLUTION) > 0);
    const cl_ulong single = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    CHECK_EQ(ULONG(CL_DEVICE_SINGLE_FP_CONFIG) & single, single);
    const cl_ulong twice = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                           CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM;
    CHECK_EQ(ULONG(CL_DEVICE_DOUBLE_FP_CONFIG) & twice, twice);
    CHECK(ULONG(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
    CHECK(ULONG(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) & CL_QUEUE_PROFILING_ENABLE);
}

/* "the minimum value is" of table 4.3, full profile */
TEST(image_limits) {
    CHECK_EQ(UINT(CL_DEVICE_IMAGE_SUPPORT), CL_TRUE);
    CHECK(UINT(CL_DEVICE_MAX_READ_IMAGE_ARGS) >= 128);
    CHECK(UINT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS) >= 64);
    CHECK(UINT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS) >= 64);
    CHECK(SIZE(CL_DEVICE_IMAGE2D_MAX_WIDTH) >= 16384);
    CHECK(SIZE(CL_DEVICE_IMAGE2D_MAX_HEIGHT) >= 16384);
    CHECK(SIZE(CL_DEVICE_IMAGE3D_MAX_WIDTH) >= 2048);
    CHECK(SIZE(CL_DEVICE_IMAGE3D_MAX_HEIGHT) >= 2048);
    CHECK(SIZE(CL_DEVICE_IMAGE3D_MAX_DEPTH) >= 2048);
    CHECK(SIZE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE) >= 65536);
    CHECK(SIZE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE) >= 2048);
    CHECK(UINT(CL_DEVICE_MAX_SAMPLERS) >= 16);
    CHECK(UINT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT) > 0);
    CHECK(UINT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT) > 0);
}

/* What is not built is not reported. */
TEST(absent_features) {
    CHECK(SIZE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) >= 65536);
    CHECK(SIZE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE) >=
          SIZE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE));
#ifndef WEFT_HAS_SPIRV
    CHECK_STR(text(CL_DEVICE_IL_VERSION), "");
    CHECK_INFO_SIZE(QUERY, CL_DEVICE_ILS_WITH_VERSION, 0);
#endif
}

/* Every query of the headers up to OpenCL 3.0 has an answer. */
TEST(every_query) {
    static const cl_device_info names[] = {
        CL_DEVICE_TYPE,
        CL_DEVICE_VENDOR_ID,
        CL_DEVICE_MAX_COMPUTE_UNITS,
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
        CL_DEVICE_MAX_WORK_GROUP_SIZE,
        CL_DEVICE_MAX_WORK_ITEM_SIZES,
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT,
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT,
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT,
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
        CL_DEVICE_MAX_CLOCK_FREQUENCY,
        CL_DEVICE_ADDRESS_BITS,
        CL_DEVICE_MAX_READ_IMAGE_ARGS,
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
        CL_DEVICE_MAX_MEM_ALLOC_SIZE,
        CL_DEVICE_IMAGE2D_MAX_WIDTH,
        CL_DEVICE_IMAGE2D_MAX_HEIGHT,
        CL_DEVICE_IMAGE3D_MAX_WIDTH,
        CL_DEVICE_IMAGE3D_MAX_HEIGHT,
        CL_DEVICE_IMAGE3D_MAX_DEPTH,
        CL_DEVICE_IMAGE_SUPPORT,
        CL_DEVICE_MAX_PARAMETER_SIZE,
        CL_DEVICE_MAX_SAMPLERS,
        CL_DEVICE_MEM_BASE_ADDR_ALIGN,
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE,
        CL_DEVICE_SINGLE_FP_CONFIG,
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE,
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
        CL_DEVICE_GLOBAL_MEM_SIZE,
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
        CL_DEVICE_MAX_CONSTANT_ARGS,
        CL_DEVICE_LOCAL_MEM_TYPE,
        CL_DEVICE_LOCAL_MEM_SIZE,
        CL_DEVICE_ERROR_CORRECTION_SUPPORT,
        CL_DEVICE_PROFILING_TIMER_RESOLUTION,
        CL_DEVICE_ENDIAN_LITTLE,
        CL_DEVICE_AVAILABLE,
        CL_DEVICE_COMPILER_AVAILABLE,
        CL_DEVICE_EXECUTION_CAPABILITIES,
        CL_DEVICE_QUEUE_PROPERTIES,
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
        CL_DEVICE_NAME,
        CL_DEVICE_VENDOR,
        CL_DRIVER_VERSION,
        CL_DEVICE_PROFILE,
        CL_DEVICE_VERSION,
        CL_DEVICE_EXTENSIONS,
        CL_DEVICE_PLATFORM,
        CL_DEVICE_DOUBLE_FP_CONFIG,
        CL_DEVICE_HALF_FP_CONFIG,
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
        CL_DEVICE_HOST_UNIFIED_MEMORY,
        CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR,
        CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
        CL_DEVICE_NATIVE_VECTOR_WIDTH_INT,
        CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
        CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
        CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
        CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF,
        CL_DEVICE_OPENCL_C_VERSION,
        CL_DEVICE_LINKER_AVAILABLE,
        CL_DEVICE_BUILT_IN_KERNELS,
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE,
        CL_DEVICE_PARENT_DEVICE,
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
        CL_DEVICE_PARTITION_PROPERTIES,
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
        CL_DEVICE_PARTITION_TYPE,
        CL_DEVICE_REFERENCE_COUNT,
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
        CL_DEVICE_PRINTF_BUFFER_SIZE,
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
        CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
        CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
        CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
        CL_DEVICE_MAX_ON_DEVICE_QUEUES,
        CL_DEVICE_MAX_ON_DEVICE_EVENTS,
        CL_DEVICE_SVM_CAPABILITIES,
        CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
        CL_DEVICE_MAX_PIPE_ARGS,
        CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
        CL_DEVICE_PIPE_MAX_PACKET_SIZE,
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
        CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
        CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
        CL_DEVICE_IL_VERSION,
        CL_DEVICE_MAX_NUM_SUB_GROUPS,
        CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
        CL_DEVICE_SUB_GROUP_SIZES_INTEL,
        CL_DEVICE_NUMERIC_VERSION,
        CL_DEVICE_EXTENSIONS_WITH_VERSION,
        CL_DEVICE_ILS_WITH_VERSION,
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
        CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
        CL_DEVICE_OPENCL_C_ALL_VERSIONS,
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
        CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
        CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,
        CL_DEVICE_OPENCL_C_FEATURES,
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
        CL_DEVICE_PIPE_SUPPORT,
        CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
        CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT,
        CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT,
        CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT,
        CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char value[8192];
        size_t size = 0, again = 0;
        cl_int error = QUERY(names[i], 0, NULL, &size);
        if (error != CL_SUCCESS)
            FAIL("device query 0x%x: %d", names[i], error);
        CHECK_EQ(QUERY(names[i], sizeof(value), value, &again), CL_SUCCESS);
        CHECK_EQ(size, again);
    }
}

TEST(info_errors) {
    cl_uint value;
    CHECK_EQ(QUERY(0x7777, sizeof(value), &value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(QUERY(CL_DEVICE_VENDOR_ID, 1, &value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(clGetDeviceInfo((cl_device_id)weft_platform(), CL_DEVICE_NAME, 0, NULL, NULL),
             CL_INVALID_DEVICE);
}

TEST(root_device_references) {
    CHECK_EQ(UINT(CL_DEVICE_REFERENCE_COUNT), 1);
    CHECK_EQ(clRetainDevice(weft_device(0)), CL_SUCCESS);
    CHECK_EQ(UINT(CL_DEVICE_REFERENCE_COUNT), 1);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(clReleaseDevice(weft_device(0)), CL_SUCCESS);
    CHECK_EQ(UINT(CL_DEVICE_REFERENCE_COUNT), 1);
    CHECK_EQ(clRetainDevice(NULL), CL_INVALID_DEVICE);
    CHECK_EQ(clReleaseDevice(NULL), CL_INVALID_DEVICE);
}

TEST(timers) {
    cl_ulong device = 0, host = 0, later = 0;
    CHECK_EQ(clGetDeviceAndHostTimer(weft_device(0), &device, &host), CL_SUCCESS);
    CHECK(device && host);
    CHECK_EQ(clGetHostTimer(weft_device(0), &later), CL_SUCCESS);
    CHECK(later >= host);
    CHECK_EQ(clGetDeviceAndHostTimer(weft_device(0), NULL, &host), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceAndHostTimer(weft_device(0), &device, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetHostTimer(weft_device(0), NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetHostTimer(NULL, &host), CL_INVALID_DEVICE);
}

TEST_MAIN()
