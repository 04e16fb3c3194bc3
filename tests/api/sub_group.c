// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** clGetKernelSubGroupInfo, and what a required sub-group size makes of a kernel. */
#include "start.h"

static const char *const source =
    "kernel void sums(global int *x) {\n"
    "    size_t i = get_global_id(0);\n"
    "    x[i] = sub_group_reduce_add(x[i]) + 1000 * (int)get_max_sub_group_size();\n"
    "}\n"
    "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void of_64(global int *x) {\n"
    "    x[get_global_id(0)] = get_num_sub_groups();\n"
    "}\n"
    "__attribute__((intel_reqd_sub_group_size(4))) kernel void in_fours(global int *x) {\n"
    "    x[get_global_id(0)] = get_sub_group_size();\n"
    "}\n";

typedef struct kernels {
    start s;
    cl_program program;
} kernels;

static kernels build(void) {
    kernels k;
    weft_need_compiler();
    k.s = begin();
    k.program = weft_built(k.s.context, source, "-cl-std=CL2.0");
    return k;
}

static void finish(kernels k) {
    CHECK_EQ(clReleaseProgram(k.program), CL_SUCCESS);
    end(k.s);
}

#define QUERY(kernel, name, in_size, in, size, value, size_ret)                                    \
    clGetKernelSubGroupInfo(kernel, weft_device(0), name, in_size, in, size, value, size_ret)

static size_t ask(cl_kernel kernel, cl_kernel_sub_group_info name, size_t in_size, const void *in) {
    size_t value = 99, size = 0;
    CHECK_EQ(QUERY(kernel, name, in_size, in, sizeof(value), &value, &size), CL_SUCCESS);
    CHECK_EQ(size, sizeof(value));
    return value;
}

TEST(sizes_and_counts) {
    kernels k = build();
    cl_kernel kernel = weft_kernel(k.program, "sums");
    size_t local[3] = {7, 3, 2}, two = 64, one = 1;
    size_t width = ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(local), local);
    CHECK(width >= 1 && width <= 64);
    CHECK_EQ(ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(one), &one), width);
    CHECK_EQ(ask(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof(local), local),
             (42 + width - 1) / width);
    CHECK_EQ(ask(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof(two), &two),
             (64 + width - 1) / width);
    CHECK_EQ(ask(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL), 0);
    CHECK_EQ(ask(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), 0);
    clReleaseKernel(kernel);
    finish(k);
}

TEST(local_size_for_a_count) {
    kernels k = build();
    cl_kernel kernel = weft_kernel(k.program, "sums");
    size_t most = ask(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL), one = 1, count = 3;
    size_t width = ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(one), &one);
    size_t size[3] = {0}, bytes = 0;
    cl_uint device_most = 0;
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(device_most),
                             &device_most, NULL),
             CL_SUCCESS);
    CHECK(most >= 1 && most <= device_most);
    for (size_t dimensions = 1; dimensions <= 3; dimensions++) {
        CHECK_EQ(QUERY(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(count), &count,
                       dimensions * sizeof(size_t), size, &bytes),
                 CL_SUCCESS);
        CHECK_EQ(bytes, dimensions * sizeof(size_t));
        CHECK_EQ(size[0], 3 * width);
    }
    CHECK(size[1] == 1 && size[2] == 1);
    CHECK_EQ(ask(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(most), &most),
             most * width);
    count = most + 1;
    CHECK_EQ(QUERY(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(count), &count,
                   sizeof(size), size, NULL),
             CL_SUCCESS);
    CHECK(size[0] == 0 && size[1] == 0 && size[2] == 0);
    clReleaseKernel(kernel);
    finish(k);
}

TEST(required_group_size_decides_the_count) {
    kernels k = build();
    cl_kernel kernel = weft_kernel(k.program, "of_64");
    size_t one = 1, width, count, bad;
    width = ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(one), &one);
    count = 64 / width;
    bad = count + 1;
    CHECK_EQ(ask(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(count), &count), 64);
    CHECK_EQ(ask(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(bad), &bad), 0);
    clReleaseKernel(kernel);
    finish(k);
}

TEST(required_sub_group_size) {
    kernels k = build();
    cl_kernel kernel = weft_kernel(k.program, "in_fours");
    cl_int data[10] = {0}, error;
    size_t one = 1, global = 10, sizes[16] = {0}, bytes = 0;
    CHECK_EQ(ask(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), 4);
    CHECK_EQ(ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(one), &one), 4);
    cl_mem buffer = clCreateBuffer(k.s.context, CL_MEM_USE_HOST_PTR, sizeof(data), data, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(k.s.queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(k.s.queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < 10; i++)
        CHECK_EQ(data[i], i < 8 ? 4 : 2);
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes,
                             &bytes),
             CL_SUCCESS);
    CHECK(bytes >= 3 * sizeof(size_t) && sizes[2] == 4);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    finish(k);
}

/* A size that no vector has, and one for a kernel whose items wait for each other. */
TEST(impossible_sub_group_size) {
    static const char *const programs[][2] = {
        {"__attribute__((intel_reqd_sub_group_size(5))) kernel void k() {}", "sizes are 1, 2"},
        {"__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global atomic_int *lock) {\n"
         "    while (atomic_exchange(lock, 1)) ;\n"
         "    atomic_store(lock, 0);\n"
         "}",
         "'k' cannot have sub-groups of 8"},
    };
    weft_need_compiler();
    start s = begin();
    for (int i = 0; i < 2; i++) {
        cl_program program = weft_source(s.context, programs[i][0]);
        CHECK_EQ(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL),
                 CL_BUILD_PROGRAM_FAILURE);
        if (!strstr(weft_log_of(program, weft_device(0)), programs[i][1]))
            FAIL("log: %.300s", weft_log_of(program, weft_device(0)));
        clReleaseProgram(program);
    }
    end(s);
}

/* Independent forward progress is what the extension promises beyond the core functions. */
TEST(the_extension_is_not_reported) {
    static const char *const text =
        "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
        "#ifdef cl_khr_subgroups\n"
        "#error reported\n"
        "#endif\n"
        "kernel void k(global uint *x) { sub_group_barrier(CLK_LOCAL_MEM_FENCE,\n"
        "    memory_scope_sub_group); x[0] = get_sub_group_id(); }";
    static char extensions[4096];
    cl_bool independent = CL_TRUE;
    weft_need_compiler();
    start s = begin();
    clReleaseProgram(weft_built(s.context, text, "-cl-std=CL2.0"));
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL),
        CL_SUCCESS);
    CHECK(!strstr(extensions, "cl_khr_subgroups "));
    CHECK(strstr(extensions, "cl_khr_subgroup_ballot "));
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                             sizeof(independent), &independent, NULL),
             CL_SUCCESS);
    CHECK_EQ(independent, CL_FALSE);
    end(s);
}

TEST(errors) {
    kernels k = build();
    cl_kernel kernel = weft_kernel(k.program, "sums");
    size_t value, local[4] = {1, 1, 1, 1}, one = 1;
    const cl_kernel_sub_group_info name = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
    CHECK_EQ(QUERY(NULL, name, sizeof(one), &one, sizeof(value), &value, NULL), CL_INVALID_KERNEL);
    CHECK_EQ(clGetKernelSubGroupInfo(kernel, (cl_device_id)k.s.context, name, sizeof(one), &one,
                                     sizeof(value), &value, NULL),
             CL_INVALID_DEVICE);
    CHECK_EQ(
        clGetKernelSubGroupInfo(kernel, NULL, name, sizeof(one), &one, sizeof(value), &value, NULL),
        CL_SUCCESS);
    CHECK_EQ(QUERY(kernel, name, sizeof(one), NULL, sizeof(value), &value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(QUERY(kernel, name, 4, &one, sizeof(value), &value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(QUERY(kernel, name, 0, &one, sizeof(value), &value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(QUERY(kernel, name, sizeof(local), local, sizeof(value), &value, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(QUERY(kernel, name, sizeof(one), &one, 4, &value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(QUERY(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4, &one, sizeof(value), &value,
                   NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(QUERY(kernel, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, sizeof(value), &value, NULL),
             CL_INVALID_VALUE);
    clReleaseKernel(kernel);
    finish(k);
}

/* Groups of sub-groups are no larger than those of GPUs, for which two steps of a sum are written:
 * ggml's rms_norm has local memory for 32 sub-groups of 32 items, and took what was reported. */
TEST(groups_are_no_larger_than_on_gpus) {
    static const char *const text =
        "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
        "__attribute__((intel_reqd_sub_group_size(32))) kernel void sums(global float *x) {\n"
        "    x[get_sub_group_id()] = sub_group_reduce_add(x[get_global_id(0)]);\n"
        "}\n"
        "kernel void plain(global float *x) { x[get_global_id(0)] += 1; }\n";
    size_t size = 0, most = 0;
    weft_need_compiler();
    start s = begin();
    cl_program program = weft_built(s.context, text, "-cl-std=CL2.0");
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(most), &most, NULL),
        CL_SUCCESS);
    CHECK(most > 1024);
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = weft_kernel(program, i ? "plain" : "sums");
        CHECK_EQ(clGetKernelWorkGroupInfo(kernel, weft_device(0), CL_KERNEL_WORK_GROUP_SIZE,
                                          sizeof(size), &size, NULL),
                 CL_SUCCESS);
        CHECK_EQ(size, i ? most : 1024);
        clReleaseKernel(kernel);
    }
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    end(s);
}

TEST_MAIN()
