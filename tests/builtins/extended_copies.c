// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * cl_khr_extended_async_copies: planes and volumes of elements of any size, both ways, against
 * loops over bytes as the table of the specification has them. What lies between lines and planes
 * stays as it was.
 */
#include "../api/common.h"

enum { BYTES = 16384 };

/* One group: what comes from global memory goes back to it from another place of local memory. */
static const char source[] =
    "#ifndef cl_khr_extended_async_copies\n"
    "#error no macro\n"
    "#endif\n"
    "kernel void flat(global const char *in, global char *out, local char *room,\n"
    "                 global const ulong *n) {\n"
    "    for (ulong i = get_local_linear_id(); i < 16384;\n"
    "         i += get_local_size(0) * get_local_size(1))\n"
    "        room[i] = 7;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    event_t e = async_work_group_copy_2D2D(room, n[1], in, n[2], n[0], n[3], n[4], n[6], "
    "n[8], 0);\n"
    "    wait_group_events(1, &e);\n"
    "    e = async_work_group_copy_2D2D(out, n[2], room, n[1], n[0], n[3], n[4], n[8], n[6], 0);\n"
    "    wait_group_events(1, &e);\n"
    "}\n"
    "kernel void deep(global const char *in, global char *out, local char *room,\n"
    "                 global const ulong *n) {\n"
    "    for (ulong i = get_local_linear_id(); i < 16384;\n"
    "         i += get_local_size(0) * get_local_size(1))\n"
    "        room[i] = 7;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    event_t e = async_work_group_copy_3D3D(room, n[1], in, n[2], n[0], n[3], n[4], n[5], "
    "n[6],\n"
    "                                           n[7], n[8], n[9], (event_t)0);\n"
    "    wait_group_events(1, &e);\n"
    "    event_t f = async_work_group_copy_3D3D(out, n[2], room, n[1], n[0], n[3], n[4], n[5], "
    "n[8],\n"
    "                                           n[9], n[6], n[7], (event_t)0);\n"
    "    wait_group_events(1, &f);\n"
    "}\n";
#define GET_LINEAR                                                                                 \
    "#if __OPENCL_C_VERSION__ < 200\n"                                                             \
    "#define get_local_linear_id() (get_local_id(1) * get_local_size(0) + get_local_id(0))\n"      \
    "#endif\n"

/** In the order that the kernels read. */
typedef struct copy {
    cl_ulong element, local_offset, global_offset, line, lines, planes, global_line, global_plane,
        local_line, local_plane;
} copy;

static const copy copies[] = {
    {1, 0, 0, 1, 1, 1, 1, 1, 1, 1},        {1, 3, 5, 7, 4, 3, 9, 40, 8, 37},
    {2, 1, 2, 5, 6, 2, 6, 37, 5, 30},      {3, 2, 0, 5, 3, 2, 7, 25, 6, 18},
    {4, 0, 0, 16, 8, 2, 20, 161, 16, 128}, {4, 3, 1, 1, 9, 2, 5, 45, 2, 19},
    {8, 1, 1, 10, 5, 3, 12, 60, 11, 56},   {16, 0, 2, 4, 4, 4, 6, 24, 4, 16},
    {12, 1, 1, 6, 3, 2, 8, 24, 7, 22},     {64, 0, 1, 3, 2, 2, 4, 8, 3, 6},
    {128, 0, 0, 2, 3, 2, 3, 9, 2, 6},      {4, 0, 0, 0, 5, 2, 0, 0, 0, 0},
    {4, 0, 0, 5, 0, 2, 5, 0, 5, 0},        {1, 0, 0, 300, 2, 1, 301, 700, 300, 600},
};
enum { COPIES = sizeof copies / sizeof copies[0] };

/* Only bytes of elements in lines of planes have been copied, twice: to where they came from. */
static void reference(const copy *c, bool deep, const char *in, char *out) {
    for (cl_ulong plane = 0; plane < (deep ? c->planes : 1); plane++)
        for (cl_ulong line = 0; line < c->lines; line++)
            for (cl_ulong byte = 0; byte < c->line * c->element; byte++) {
                cl_ulong at = (c->global_offset + plane * c->global_plane + line * c->global_line) *
                                  c->element +
                              byte;
                out[at] = in[at];
            }
}

static void check(const char *options, size_t width, size_t height) {
    static char in[BYTES], out[BYTES], wanted[BYTES];
    cl_int error = CL_SUCCESS;
    cl_context context = weft_context(1);
    cl_command_queue queue = clCreateCommandQueue(context, weft_device(0), 0, &error);
    static char text[sizeof source + sizeof GET_LINEAR];
    snprintf(text, sizeof text, "%s%s", GET_LINEAR, source);
    cl_program program = weft_built(context, text, options);
    for (size_t i = 0; i < BYTES; i++)
        in[i] = (char)(i * 37 + i / 256);
    for (unsigned k = 0; k < 2 * COPIES; k++) {
        const copy *c = &copies[k / 2];
        size_t local[2] = {width, height};
        memset(out, 5, BYTES);
        memset(wanted, 5, BYTES);
        reference(c, k % 2, in, wanted);
        cl_mem buffers[] = {
            clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, in, &error),
            clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, out, &error),
            clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof *c, (void *)(uintptr_t)c, &error)};
        cl_kernel kernel = weft_kernel(program, k % 2 ? "deep" : "flat");
        CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, 2, BYTES, NULL), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, 3, sizeof(cl_mem), &buffers[2]), CL_SUCCESS);
        CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, local, local, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, BYTES, out, 0, NULL, NULL),
                 CL_SUCCESS);
        for (size_t i = 0; i < BYTES; i++)
            if (out[i] != wanted[i]) {
                FAIL("copy %u (%s): byte %zu is %d, not %d", k / 2, k % 2 ? "3D" : "2D", i, out[i],
                     wanted[i]);
                break;
            }
        for (int i = 0; i < 3; i++)
            clReleaseMemObject(buffers[i]);
        clReleaseKernel(kernel);
    }
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(in_opencl_c_1_2) {
    check("", 64, 1);
}
TEST(in_opencl_c_2_0) {
    check("-cl-std=CL2.0", 16, 5);
}
TEST(in_opencl_c_3_0) {
    check("-cl-std=CL3.0", 3, 2);
}
TEST(one_item) {
    check("-cl-std=CL2.0", 1, 1);
}

/* A program that brings the function along for devices without it keeps its own. */
TEST(own_function_of_this_name) {
    static const char text[] =
        "event_t async_work_group_copy_2D2D(local int *to, global int *from) {\n"
        "    to[0] = from[0];\n"
        "    return 0;\n"
        "}\n"
        "kernel void k(global int *p, local int *room) {\n"
        "    event_t e = async_work_group_copy_2D2D(room, p);\n"
        "    p[1] = room[0];\n"
        "}\n";
    cl_context context = weft_context(1);
    clReleaseProgram(weft_built(context, text, ""));
    clReleaseContext(context);
}

TEST_MAIN()
