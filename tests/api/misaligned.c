// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Places that only the elements of an OpenCL vector fit: undefined, but programs have them, they
 * work wherever else these run, and an access that insists would end the host (it did: piglit's
 * vstorea_half). */

#include "start.h"

enum { ITEMS = 37, EACH = 48 };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define HERE global float *p = a + get_global_id(0) * 48 + 1\n"
    "typedef struct { float16 x, y; } two;\n"
    "kernel void floats(global float *a) { HERE; *(global float16 *)p += 1; }\n"
    "kernel void doubles(global float *a) {\n"
    "    HERE;\n"
    "    double16 all = convert_double16(*(global float16 *)p);\n"
    "    double room[18];\n"
    "    *(double16 *)(room + 1) = all;\n"
    "    for (int i = 0; i < 16; i++) p[i] = room[i + 1] + 1;\n"
    "}\n"
    "__attribute__((noinline)) void add(global float16 *p) { *p += 1; }\n"
    "kernel void called(global float *a) { HERE; add((global float16 *)p); }\n"
    "kernel void copied(global float *a) {\n"
    "    HERE;\n"
    "    global two *from = (global two *)p;\n"
    "    two t = *from;\n"
    "    t.x += 1;\n"
    "    *from = t;\n"
    "}\n"
    "kernel void locals(global float *a, local float *l) {\n"
    "    HERE;\n"
    "    for (int i = 0; i < 16; i++) l[i + 1] = p[i];\n"
    "    *(local float16 *)(l + 1) += 1;\n"
    "    vstore16(*(local float16 *)(l + 1), 0, p);\n"
    "}\n"
    "kernel void halves(global float *a) {\n"
    "    HERE;\n"
    "    half h[20];\n"
    "    vstorea_half16(vload16(0, p), 0, h + 1);\n"
    "    vstore16(vloada_half16(0, h + 1) + 1, 0, p);\n"
    "}\n";

/* The sixteen floats behind the first of each item are greater by one, nothing else has changed. */
static void check_one(start s, cl_program program, const char *name) {
    static float data[ITEMS * EACH];
    const size_t items = ITEMS, one = 1;
    const bool has_local = !strcmp(name, "locals");
    cl_int error = 1;
    for (int i = 0; i < ITEMS * EACH; i++)
        data[i] = (float)(i % 1000);
    cl_mem mem = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_kernel kernel = weft_kernel(program, name);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    if (has_local)
        CHECK_EQ(clSetKernelArg(kernel, 1, 17 * sizeof(float), NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &items, has_local ? &one : NULL, 0,
                                    NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < ITEMS * EACH; i++) {
        int at = i % EACH;
        CHECK_EQ(data[i], (float)(i % 1000 + (at >= 1 && at <= 16)));
    }
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(mem), CL_SUCCESS);
}

TEST(vectors_at_places_of_their_elements) {
    start s = begin();
    cl_program program = weft_built(s.context, source, "");
    static const char *const kernels[] = {"floats", "doubles", "called",
                                          "copied", "locals",  "halves"};
    for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
        check_one(s, program, kernels[i]);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    end(s);
}

TEST_MAIN()
