// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Runs each kernel of one .cl file through OpenCL on Weft and through the reference executor, for
 * local sizes in one to three dimensions with and without smaller last groups, and compares all
 * bytes. KERNELS is a generated list KERNEL(name), SOURCE the path of the file. Where the
 * environment names a module (KERNELS_SPIRV), it is what Clang made of the file, and is run
 * instead.
 */
#include "reference.h"
#include "session.h"

static const reference_launch shapes[] = {
    {1, {1, 1, 1}, {0}, {1, 1, 1}},    {1, {5, 1, 1}, {0}, {1, 1, 1}},
    {1, {12, 1, 1}, {0}, {3, 1, 1}},   {1, {14, 1, 1}, {0}, {3, 1, 1}},
    {1, {28, 1, 1}, {0}, {7, 1, 1}},   {1, {30, 1, 1}, {0}, {7, 1, 1}},
    {1, {64, 1, 1}, {0}, {16, 1, 1}},  {1, {75, 1, 1}, {0}, {16, 1, 1}},
    {1, {128, 1, 1}, {0}, {64, 1, 1}}, {1, {200, 1, 1}, {0}, {64, 1, 1}},
    {2, {9, 10, 1}, {0}, {3, 5, 1}},   {2, {10, 11, 1}, {0}, {3, 5, 1}},
    {2, {8, 8, 1}, {0}, {8, 8, 1}},    {2, {17, 4, 1}, {0}, {16, 4, 1}},
    {2, {33, 9, 1}, {0}, {32, 2, 1}},  {3, {8, 8, 4}, {0}, {4, 4, 2}},
    {3, {9, 7, 5}, {0}, {4, 4, 2}},    {3, {14, 2, 6}, {0}, {7, 1, 3}},
    {3, {15, 3, 7}, {0}, {7, 2, 3}},   {3, {3, 3, 3}, {0}, {1, 1, 1}},
};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes), MAX_TOTAL = 1024, MAX_ITEMS = 128 };
enum { OUT_COUNT = MAX_TOTAL * 4, IN_COUNT = MAX_TOTAL + 64, SCRATCH_COUNT = MAX_ITEMS * 8 };

static session here;
static cl_mem out_buffer, in_buffer;
static int out_wanted[OUT_COUNT], out_got[OUT_COUNT], in_data[IN_COUNT], scratch[SCRATCH_COUNT];

static int pseudo_random(void) {
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (int)(state >> 8) % 251;
}

static void set_up(void) {
    const char *module = getenv("KERNELS_SPIRV");
    cl_int error;
    if (here.program)
        return;
    here = start_session(module ? module : SOURCE, module);
    out_buffer = clCreateBuffer(here.context, CL_MEM_READ_WRITE, sizeof(out_got), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    in_buffer = clCreateBuffer(here.context, CL_MEM_READ_WRITE, sizeof(in_data), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
}

/** One launch on the device: fills out_got. */
static void run_device(cl_kernel kernel, const reference_launch *launch, int n) {
    size_t sizes[3][3];
    size_t items = 1;
    for (unsigned d = 0; d < 3; d++) {
        sizes[0][d] = launch->global_offset[d];
        sizes[1][d] = launch->global_size[d];
        sizes[2][d] = launch->local_size[d];
        items *= launch->local_size[d];
    }
    CHECK_EQ(clEnqueueWriteBuffer(here.queue, out_buffer, CL_FALSE, 0, sizeof(out_got), out_got, 0,
                                  NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueWriteBuffer(here.queue, in_buffer, CL_FALSE, 0, sizeof(in_data), in_data, 0,
                                  NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(out_buffer), &out_buffer), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(in_buffer), &in_buffer), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 2, items * 32, NULL), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(here.queue, kernel, launch->work_dim, sizes[0], sizes[1],
                                    sizes[2], 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(here.queue, out_buffer, CL_TRUE, 0, sizeof(out_got), out_got, 0,
                                 NULL, NULL),
             CL_SUCCESS);
}

static void compare(const char *name, const reference_launch *launch, int n) {
    for (unsigned i = 0; i < OUT_COUNT; i++)
        if (out_got[i] != out_wanted[i])
            FAIL("%s: global %zu %zu %zu local %zu %zu %zu n %d: out[%u] is %d, not %d", name,
                 (size_t)launch->global_size[0], (size_t)launch->global_size[1],
                 (size_t)launch->global_size[2], (size_t)launch->local_size[0],
                 (size_t)launch->local_size[1], (size_t)launch->local_size[2], n, i, out_got[i],
                 out_wanted[i]);
}

static void check_kernel(const char *name, reference_kernel *reference) {
    cl_int error;
    set_up();
    cl_kernel kernel = clCreateKernel(here.program, name, &error);
    CHECK_EQ(error, CL_SUCCESS);
    for (unsigned shape = 0; shape < SHAPES; shape++)
        for (int n = 0; n < 7; n++) {
            reference_launch launch = shapes[shape];
            for (unsigned d = 0; d < launch.work_dim; d++)
                launch.global_offset[d] = (uint64_t)(n % 3) * (d + 2);
            for (unsigned i = 0; i < OUT_COUNT; i++)
                out_got[i] = out_wanted[i] = 0x1234567;
            for (unsigned i = 0; i < IN_COUNT; i++)
                in_data[i] = pseudo_random();
            reference_run(reference, &launch, out_wanted, in_data, scratch, n);
            run_device(kernel, &launch, n);
            compare(name, &launch, n);
        }
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

#define KERNEL(name)                                                                               \
    reference_kernel name;                                                                         \
    TEST(name) {                                                                                   \
        check_kernel(#name, name);                                                                 \
    }
#include KERNELS

TEST_MAIN()
