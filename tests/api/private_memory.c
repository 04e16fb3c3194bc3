// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Kernels whose items keep much private memory across barriers, in groups as large as programs like
 * them: what limits a group is what its runs take (device-cpu/ndrange.c). */

#include "start.h"

static const char source[] =
    "kernel %s void keep(global uint *out, uint n) {\n"
    "    uint kept[%d], sum = 0;\n"
    "    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "    for (uint k = 0; k < n; k++) kept[k] = (uint)i * 31 + k;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint k = 0; k < 64; k++) sum = sum * 3 + kept[(k * 977 + (uint)i) %% n];\n"
    "    out[i] = sum;\n"
    "}\n";

static cl_uint wanted(cl_uint i, cl_uint n) {
    cl_uint sum = 0;
    for (cl_uint k = 0; k < 64; k++)
        sum = sum * 3 + (i * 31 + (k * 977 + i) % n);
    return sum;
}

static size_t group_size(cl_kernel kernel) {
    size_t size = 0;
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, weft_device(0), CL_KERNEL_WORK_GROUP_SIZE,
                                      sizeof(size), &size, NULL),
             CL_SUCCESS);
    return size;
}

/* Two groups of this size. */
static void check(const char *attribute, cl_uint elements, size_t x, size_t y) {
    static cl_uint got[4096];
    char text[2048];
    const size_t local[2] = {x, y}, global[2] = {2 * x, y};
    cl_int error = 1;
    start s = begin();
    snprintf(text, sizeof(text), source, attribute, (int)elements);
    cl_program program = weft_built(s.context, text, "");
    cl_kernel kernel = weft_kernel(program, "keep");
    CHECK(group_size(kernel) >= x * y);
    cl_mem out = clCreateBuffer(s.context, 0, 2 * x * y * sizeof(cl_uint), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(elements), &elements), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 2, NULL, global, local, 0, NULL, NULL),
             CL_SUCCESS);
    if (*attribute) /* the size is known without */
        CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL),
                 CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(s.queue, out, CL_TRUE, 0, 2 * x * y * sizeof(cl_uint), got, 0,
                                 NULL, NULL),
             CL_SUCCESS);
    for (cl_uint i = 0; i < 2 * x * y; i++)
        CHECK_EQ(got[i], wanted(i, elements));
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

TEST(sixteen_kib_in_groups_of_1024) {
    check("", 4096, 1024, 1);
}

TEST(thirty_two_kib_in_rows_of_16) {
    check("", 8192, 16, 8);
}

/* 256 runs of one item each. */
TEST(rows_of_one_item) {
    check("", 4096, 1, 256);
}

TEST(required_size) {
    check("__attribute__((reqd_work_group_size(64, 4, 1)))", 5000, 64, 4);
}

/* More than the runtime would choose, which has no choice here. */
TEST(required_size_of_much) {
    check("__attribute__((reqd_work_group_size(1024, 1, 1)))", 20000, 1024, 1);
}

TEST_MAIN()
