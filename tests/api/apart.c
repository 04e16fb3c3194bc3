// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Kernels whose loops or straight code gain from buffers that do not overlap
 * (compiler/vector/apart.cc, apart_straight.cc), launched with buffers that do: each item's
 * accesses happen one after the other, whatever they go through. */

#include "start.h"

enum { ROW = 64, ITEMS = 40, SIZE = ROW * ITEMS };
enum { ADD_UP, SCALE, IN_TURN, KERNELS };

enum { FROM = 28 }; /* in_turn reads elements of a row from here on, and writes from at % 32 on */

static const char source[] =
    "kernel void add_up(global int *out, global const int *in, int row, int at) {\n"
    "    int i = get_global_id(0);\n"
    "    for (int k = 0; k < row; k++) out[i * row + at] += in[i * row + k];\n"
    "}\n"
    "kernel void scale(global int *out, global const int *by, int row, int at) {\n"
    "    int i = get_global_id(0);\n"
    "    for (int k = 0; k < row; k++) out[i * row + k] = out[i * row + k] * by[i * row + at] + "
    "k;\n"
    "}\n"
    "kernel void in_turn(global int *out, global const int *in, int row, int at) {\n"
    "    int i = get_global_id(0);\n"
    "    if (!row) return;\n"
    "    out += i * 64 + at % 32;\n"
    "    in += i * 64 + 28;\n"
    "    out[0] = in[0] ^ row;\n"
    "    out[1] = in[1] * 3;\n"
    "    out[2] = in[2] - row;\n"
    "    out[3] = in[3] | 1;\n"
    "    out[4] = in[4] + row;\n"
    "    out[5] = in[5] & 7;\n"
    "    out[6] = ~in[6];\n"
    "    out[7] = in[7] + 7;\n"
    "}\n";

static const char *const names[KERNELS] = {"add_up", "scale", "in_turn"};

static void in_turn(int *out, const int *in) {
    out[0] = in[0] ^ ROW;
    out[1] = (int)((unsigned)in[1] * 3);
    out[2] = (int)((unsigned)in[2] - ROW);
    out[3] = in[3] | 1;
    out[4] = (int)((unsigned)in[4] + ROW);
    out[5] = in[5] & 7;
    out[6] = ~in[6];
    out[7] = (int)((unsigned)in[7] + 7);
}

static void run_on_host(int kernel, int *out, const int *in, int items, int at) {
    for (int i = 0; kernel == IN_TURN && i < items; i++)
        in_turn(out + i * ROW + at % 32, in + i * ROW + FROM);
    for (int i = 0; kernel != IN_TURN && i < items; i++)
        for (int k = 0; k < ROW; k++)
            if (kernel == SCALE)
                out[i * ROW + k] =
                    (int)((unsigned)out[i * ROW + k] * (unsigned)in[i * ROW + at]) + k;
            else
                out[i * ROW + at] = (int)((unsigned)out[i * ROW + at] + (unsigned)in[i * ROW + k]);
}

static int *numbers(int *data) {
    for (int i = 0; i < SIZE; i++)
        data[i] = i * 7 % 23 - 9;
    return data;
}

typedef struct kernels {
    cl_program program;
    cl_kernel kernel[KERNELS];
} kernels;

static kernels build(start s) {
    kernels k = {.program = weft_built(s.context, source, "")};
    for (int which = 0; which < KERNELS; which++)
        k.kernel[which] = weft_kernel(k.program, names[which]);
    return k;
}

static void release(kernels k) {
    for (int which = 0; which < KERNELS; which++)
        clReleaseKernel(k.kernel[which]);
    clReleaseProgram(k.program);
}

/* The pointers are set. */
static void launch(start s, cl_kernel kernel, size_t items, int at) {
    int row = ROW;
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof(row), &row), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 3, sizeof(at), &at), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
}

static cl_mem part(cl_mem whole, size_t first, size_t count) {
    cl_buffer_region region = {first * sizeof(int), count * sizeof(int)};
    cl_int error = 1;
    cl_mem mem = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return mem;
}

/* Both arguments are parts of one buffer, from these elements on. */
static void check_parts(size_t out_first, size_t out_count, size_t in_first, size_t in_count,
                        int items, int at) {
    static int data[SIZE], wanted[SIZE], got[SIZE];
    start s = begin();
    kernels k = build(s);
    for (int which = 0; which < KERNELS; which++) {
        cl_int error = 1;
        cl_mem whole =
            clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(data), numbers(data), &error);
        CHECK_EQ(error, CL_SUCCESS);
        cl_mem out = part(whole, out_first, out_count), in = part(whole, in_first, in_count);
        CHECK_EQ(clSetKernelArg(k.kernel[which], 0, sizeof(out), &out), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(k.kernel[which], 1, sizeof(in), &in), CL_SUCCESS);
        launch(s, k.kernel[which], (size_t)items, at);
        numbers(wanted);
        run_on_host(which, wanted + out_first, wanted + in_first, items, at);
        CHECK_EQ(clEnqueueReadBuffer(s.queue, whole, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK(memcmp(got, wanted, sizeof(got)) == 0);
        clReleaseMemObject(in);
        clReleaseMemObject(out);
        clReleaseMemObject(whole);
    }
    release(k);
    end(s);
}

TEST(one_buffer_twice) {
    check_parts(0, SIZE, 0, SIZE, ITEMS, 5);
    check_parts(0, SIZE, 0, SIZE, ITEMS, 0);
    check_parts(0, SIZE, 0, SIZE, ITEMS, 30); /* out[2] of in_turn is in[4] */
    check_parts(0, SIZE, 0, SIZE, 1, ROW - 1);
}

TEST(parts_that_overlap) {
    check_parts(0, 128, 32, 128, 1, 40);   /* in[8] is out[40] */
    check_parts(32, 128, 0, 128, 1, 8);    /* in[40] is out[8] */
    check_parts(0, SIZE, 1280, 128, 1, 9); /* one within the other */
    check_parts(32, 128, 0, 128, 1, 0);    /* out[0] of in_turn is in[4] */
}

TEST(parts_side_by_side) {
    check_parts(0, SIZE / 2, SIZE / 2, SIZE / 2, ITEMS / 2, 3);
    check_parts(SIZE / 2, SIZE / 2, 0, SIZE / 2, ITEMS / 2, 63);
}

/* Addresses that clSetKernelArgSVMPointer gets. */
static void check_addresses(start s, kernels k, int *out, int *in, int items, int at) {
    static int wanted[SIZE + ROW];
    for (int which = 0; which < KERNELS; which++) {
        int *first = in < out ? in : out;
        const size_t gap = (size_t)((in < out ? out : in) - first);
        const bool near = gap < ROW;
        numbers(out);
        if (!near)
            numbers(in);
        memcpy(wanted, first, sizeof(int) * SIZE);
        CHECK_EQ(clSetKernelArgSVMPointer(k.kernel[which], 0, out), CL_SUCCESS);
        CHECK_EQ(clSetKernelArgSVMPointer(k.kernel[which], 1, in), CL_SUCCESS);
        if (near) {
            memcpy(wanted, first, sizeof(int) * (SIZE + gap));
            run_on_host(which, wanted + (out - first), wanted + (in - first), items, at);
        } else {
            memcpy(wanted, out, sizeof(int) * SIZE);
            run_on_host(which, wanted, in, items, at);
        }
        launch(s, k.kernel[which], (size_t)items, at);
        CHECK(memcmp(near ? first : out, wanted, sizeof(int) * (SIZE + (near ? gap : 0))) == 0);
    }
}

TEST(shared_virtual_memory) {
    start s = begin();
    kernels k = build(s);
    int *one = clSVMAlloc(s.context, 0, sizeof(int) * (SIZE + ROW), 0);
    int *two = clSVMAlloc(s.context, 0, sizeof(int) * (SIZE + ROW), 0);
    memset(one, 0, sizeof(int) * (SIZE + ROW));
    memset(two, 0, sizeof(int) * (SIZE + ROW));
    check_addresses(s, k, one, two, ITEMS, 5);
    check_addresses(s, k, one, one, ITEMS, 5);
    check_addresses(s, k, one, one + 8, 1, 40);
    check_addresses(s, k, one + 8, one, 1, 3);
    clSVMFree(s.context, one);
    clSVMFree(s.context, two);
    release(k);
    end(s);
}

/* CL_DEVICE_SVM_FINE_GRAIN_SYSTEM: any address will do. */
TEST(memory_of_the_host) {
    static int one[SIZE + ROW], two[SIZE + ROW];
    start s = begin();
    kernels k = build(s);
    check_addresses(s, k, one, two, ITEMS, 5);
    check_addresses(s, k, one, one, ITEMS, 5);
    check_addresses(s, k, one, one + 8, 1, 40);
    release(k);
    end(s);
}

/* The same memory as a buffer and by its address. */
TEST(buffer_and_address) {
    static int wanted[SIZE];
    start s = begin();
    kernels k = build(s);
    int *data = clSVMAlloc(s.context, 0, sizeof(int) * SIZE, 0);
    cl_int error = 1;
    for (int which = 0; which < KERNELS; which++) {
        cl_mem mem = clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, sizeof(int) * SIZE,
                                    numbers(data), &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(k.kernel[which], 0, sizeof(mem), &mem), CL_SUCCESS);
        CHECK_EQ(clSetKernelArgSVMPointer(k.kernel[which], 1, data), CL_SUCCESS);
        launch(s, k.kernel[which], ITEMS, 11);
        numbers(wanted);
        run_on_host(which, wanted, wanted, ITEMS, 11);
        CHECK_EQ(
            clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, sizeof(int) * SIZE, data, 0, NULL, NULL),
            CL_SUCCESS);
        CHECK(memcmp(data, wanted, sizeof(wanted)) == 0);
        clReleaseMemObject(mem);
    }
    clSVMFree(s.context, data);
    release(k);
    end(s);
}

/* No buffer, and no access. */
TEST(null_buffers) {
    start s = begin();
    kernels k = build(s);
    cl_mem none = NULL;
    size_t one = 1;
    int zero = 0;
    for (int which = 0; which < KERNELS; which++) {
        CHECK_EQ(clSetKernelArg(k.kernel[which], 0, sizeof(none), &none), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(k.kernel[which], 1, sizeof(none), &none), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(k.kernel[which], 2, sizeof(zero), &zero), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(k.kernel[which], 3, sizeof(zero), &zero), CL_SUCCESS);
        CHECK_EQ(
            clEnqueueNDRangeKernel(s.queue, k.kernel[which], 1, NULL, &one, NULL, 0, NULL, NULL),
            CL_SUCCESS);
        CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    }
    release(k);
    end(s);
}

TEST_MAIN()
