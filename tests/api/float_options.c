// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "5.8.4.2 Math Intrinsics Options", "5.8.4.3 Optimization Options": what each may change in a
 * result, what it must change, and that nothing of it happens unasked. */

#include "common.h"

#include <float.h>
#include <math.h>

enum { VALUES = 16 };

/** Runs kernel k(global const float *in, global float *out) with one item; `out` is VALUES long. */
static void run(const char *source, const char *options, const cl_float *in, cl_float *out) {
    weft_run(&(weft_one_run){.source = source,
                             .options = options,
                             .items = 1,
                             .in = {in},
                             .in_bytes = {VALUES * sizeof(*in)},
                             .out = out,
                             .out_bytes = VALUES * sizeof(*out)});
}

static const char *const relaxed[] = {"-cl-mad-enable", "-cl-no-signed-zeros",
                                      "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
                                      "-cl-fast-relaxed-math"};
enum { RELAXED = sizeof(relaxed) / sizeof(relaxed[0]) };

TEST(nothing_is_relaxed_unasked) {
    static const char source[] =
        "kernel void k(global const float *in, global float *out) {\n"
        "    float zero = in[0], nan = in[1], inf = in[2], big = in[3], one = in[4];\n"
        "    out[0] = -zero + 0.0f;\n"      /* -0 + 0 is 0 */
        "    out[1] = nan - nan;\n"         /* not 0 */
        "    out[2] = inf * zero;\n"        /* not 0 */
        "    out[3] = (big + one) - big;\n" /* 0: not reassociated */
        "    out[4] = isnan(nan) + 2 * isinf(inf) + 4 * (nan != nan);\n"
        "    out[5] = in[5] / in[6];\n" /* correctly rounded, not by a reciprocal */
        "    out[6] = sqrt(in[7]);\n"
        "    out[7] = 0.0f - zero;\n"
        "}\n";
    static const cl_float in[VALUES] = {0, NAN, INFINITY, 0x1p30f, 1, 5, 3, 3};
    cl_float out[VALUES];
    weft_need_compiler();
    run(source, "", in, out);
    CHECK(out[0] == 0 && !signbit(out[0]));
    CHECK(isnan(out[1]));
    CHECK(isnan(out[2]));
    CHECK(out[3] == 0);
    CHECK(out[4] == 7);
    CHECK(out[5] == 5.0f / 3.0f);
    CHECK(out[6] == sqrtf(3.0f));
    CHECK(out[7] == 0 && !signbit(out[7]));
}

/** "These options may violate IEEE 754", but not by more than each says, for ordinary values. */
TEST(relaxed_options_stay_near) {
    static const char source[] = "kernel void k(global const float *in, global float *out) {\n"
                                 "    out[0] = in[0] * in[1] + in[2];\n"
                                 "    out[1] = in[0] / in[1];\n"
                                 "    out[2] = sqrt(in[0]);\n"
                                 "    out[3] = (in[0] + in[1]) + in[2];\n"
                                 "    out[4] = exp(in[1]);\n"
                                 "    out[5] = in[1] > 0 ? 1.0f : 2.0f;\n"
                                 "}\n";
    static const cl_float in[VALUES] = {7.25f, 1.7f, 0.3f};
    const float near[] = {7.25f * 1.7f + 0.3f, 7.25f / 1.7f,     sqrtf(7.25f),
                          7.25f + 1.7f + 0.3f, (float)exp(1.7f), 1};
    weft_need_compiler();
    for (size_t i = 0; i < RELAXED; i++) {
        cl_float out[VALUES];
        run(source, relaxed[i], in, out);
        for (size_t j = 0; j < sizeof(near) / sizeof(near[0]); j++)
            if (!(fabsf(out[j] - near[j]) <= 4 * FLT_EPSILON * near[j]))
                FAIL("%s: result %zu is %a, not about %a", relaxed[i], j, out[j], near[j]);
    }
}

TEST(denorms_are_zero) {
    static const char source[] = "kernel void k(global const float *in, global float *out) {\n"
                                 "    out[0] = in[0] * 0.5f;\n"
                                 "    out[1] = in[1] + in[1];\n"
                                 "}\n";
    static const cl_float in[VALUES] = {FLT_MIN, 0x1p-140f};
    cl_float out[VALUES];
    weft_need_compiler();
    run(source, "", in, out);
    CHECK(out[0] == FLT_MIN / 2);
    CHECK(out[1] == 0x1p-139f);
    run(source, "-cl-denorms-are-zero", in, out);
    CHECK(out[0] == 0);
    CHECK(out[1] == 0);
    run(source, "", in, out); /* not a state that stays */
    CHECK(out[0] == FLT_MIN / 2);
}

/** A quarter of the last place of a subnormal half; all floats of the next test are normal. */
#define QUARTER 0x1p-26f

static cl_ushort half_of(unsigned quarters, bool up, bool negative) {
    return (cl_ushort)(quarters / 4 + up + (negative ? 0x8000 : 0));
}

/** The option is about single and double precision. The functions that convert on processors
 *  without F16C made subnormal floats on the way, which counted as zero. */
TEST(subnormal_halves_stay) {
    enum { ITEMS = 8192, HALVES = 4 * ITEMS };
    static const char source[] =
        "kernel void k(global const float *in, global half *stored, global float *loaded) {\n"
        "    size_t i = get_global_id(0), first = i * 4;\n"
        "    vstore_half_rte(in[i], first, stored);\n"
        "    vstore_half_rtz(in[i], first + 1, stored);\n"
        "    vstore_half_rtp(in[i], first + 2, stored);\n"
        "    vstore_half_rtn(in[i], first + 3, stored);\n"
        "    for (size_t j = first; j < first + 4; j++)\n"
        "        loaded[j] = vload_half(j, stored);\n"
        "}\n";
    static cl_float in[ITEMS], loaded[HALVES];
    static cl_ushort stored[HALVES];
    cl_int error = 1;
    size_t items = ITEMS;
    weft_need_compiler();
    for (unsigned i = 0; i < ITEMS; i++) /* by quarters up to the least normal half, with signs */
        in[i] = copysignf((float)(i / 2) * QUARTER, i & 1 ? -1.0f : 1.0f);
    cl_context context = weft_context(1);
    cl_device_id device = weft_device(0);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    cl_program program = weft_source(context, source);
    CHECK_EQ(clBuildProgram(program, 1, &device, "-cl-denorms-are-zero", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem buffers[3] = {
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(in), in, &error),
        clCreateBuffer(context, 0, sizeof(stored), NULL, &error),
        clCreateBuffer(context, 0, sizeof(loaded), NULL, &error),
    };
    for (cl_uint i = 0; i < 3; i++)
        CHECK_EQ(clSetKernelArg(kernel, i, sizeof(buffers[i]), &buffers[i]), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(
        clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof(stored), stored, 0, NULL, NULL),
        CL_SUCCESS);
    CHECK_EQ(
        clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof(loaded), loaded, 0, NULL, NULL),
        CL_SUCCESS);
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned quarters = i / 2, rest = quarters & 3;
        bool negative = i & 1, odd = quarters & 4;
        cl_ushort wanted[4] = {
            half_of(quarters, rest > 2 || (rest == 2 && odd), negative),
            half_of(quarters, false, negative),
            half_of(quarters, rest && !negative, negative),
            half_of(quarters, rest && negative, negative),
        };
        for (unsigned j = 0; j < 4; j++) {
            unsigned at = i * 4 + j;
            float value = copysignf((float)(stored[at] & 0x7fff) * 4 * QUARTER, in[i]);
            if (stored[at] != wanted[j])
                FAIL("%a stored (%u): %#x, not %#x", in[i], j, stored[at], wanted[j]);
            if (loaded[at] != value || signbit(loaded[at]) != signbit(value))
                FAIL("%#x loaded: %a, not %a", stored[at], loaded[at], value);
        }
    }
    for (unsigned i = 0; i < 3; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

/** A constant alone keeps its double value in Clang 22 where it is converted straight back; its
 * type and what is computed with it are float. */
TEST(single_precision_constant) {
    static const char source[] = "kernel void k(global const float *in, global float *out) {\n"
                                 "    out[0] = in[0] * 0.1 == in[0] * 0.1f;\n"
                                 "    out[1] = sizeof(0.1);\n"
                                 "}\n";
    static const cl_float in[VALUES] = {3};
    cl_float out[VALUES];
    weft_need_compiler();
    run(source, "", in, out);
    CHECK(out[0] == 0);
    CHECK(out[1] == 8);
    run(source, "-cl-single-precision-constant", in, out);
    CHECK(out[0] == 1);
    CHECK(out[1] == 4);
}

/** "__FAST_RELAXED_MATH__ ... is defined when -cl-fast-relaxed-math is specified", and only
 *  then. */
TEST(macros) {
    static const char source[] = "kernel void k(global const float *in, global float *out) {\n"
                                 "#ifdef __FAST_RELAXED_MATH__\n"
                                 "    out[0] = 1;\n"
                                 "#else\n"
                                 "    out[0] = 2;\n"
                                 "#endif\n"
                                 "}\n";
    static const cl_float in[VALUES];
    cl_float out[VALUES];
    weft_need_compiler();
    run(source, "", in, out);
    CHECK(out[0] == 2);
    run(source, "-cl-unsafe-math-optimizations", in, out);
    CHECK(out[0] == 2);
    run(source, "-cl-fast-relaxed-math", in, out);
    CHECK(out[0] == 1);
}

/** The device reports CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, so the option must be taken and hold. */
TEST(correctly_rounded_divide_sqrt) {
    static const char source[] = "kernel void k(global const float *in, global float *out) {\n"
                                 "    for (int i = 0; i < 8; i++) {\n"
                                 "        out[i] = in[i] / in[i + 8];\n"
                                 "        out[i + 8] = sqrt(in[i]);\n"
                                 "    }\n"
                                 "}\n";
    static const cl_float in[VALUES] = {1, 2, 3, 5, 7,  0x1.fffffep0f, 0x1p-130f, 1e30f,
                                        3, 3, 7, 9, 11, 0x1.000002p0f, 3,         7e-9f};
    cl_float out[VALUES];
    weft_need_compiler();
    run(source, "-cl-fp32-correctly-rounded-divide-sqrt", in, out);
    for (int i = 0; i < 8; i++) {
        volatile float quotient = in[i] / in[i + 8];
        CHECK(out[i] == quotient);
        CHECK(out[i + 8] == sqrtf(in[i]));
    }
}

TEST_MAIN()
