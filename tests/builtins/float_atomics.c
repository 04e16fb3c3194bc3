// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * cl_ext_float_atomics: additions, subtractions, minima and maxima of float and double in global
 * and local memory, by every form of the functions. Values are whole numbers, so sums are exact in
 * any order, and what each update found says that none was lost.
 */
#include "../api/common.h"

#include "weft/cl_newer.h"

#include <math.h>

enum { ITEMS = 4096, LOCAL = 64, GROUPS = ITEMS / LOCAL };

/* Each item updates once; `place` is one of the launch's (global) or of the group's (local). */
static const char source[] =
    "#if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp32_global_atomic_add) ||"
    " !defined(__opencl_c_ext_fp32_local_atomic_add) ||"
    " !defined(__opencl_c_ext_fp32_global_atomic_min_max) ||"
    " !defined(__opencl_c_ext_fp32_local_atomic_min_max) ||"
    " !defined(__opencl_c_ext_fp64_global_atomic_add) ||"
    " !defined(__opencl_c_ext_fp64_local_atomic_add) ||"
    " !defined(__opencl_c_ext_fp64_global_atomic_min_max) ||"
    " !defined(__opencl_c_ext_fp64_local_atomic_min_max)\n"
    "#error no macro\n"
    "#endif\n"
    "#if defined(__opencl_c_ext_fp16_global_atomic_add) ||"
    " defined(__opencl_c_ext_fp16_global_atomic_load_store)\n"
    "#error not there\n"
    "#endif\n"
    "kernel void in_global(global const T *by, global T *old, global T *out, global A *place) {\n"
    "    size_t i = get_global_id(0);\n"
    "    SPACE A *p = place;\n"
    "    old[i] = UPDATE(p, by[i]);\n"
    "}\n"
    "kernel void only(global const T *by, global T *old, global T *out, global A *place) {\n"
    "    local A shared;\n"
    "    if (get_local_id(0) == 0)\n"
    "        atomic_init(&shared, (T)START);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    SPACE A *p = place;\n"
    "    LOCAL_SPACE A *q = &shared;\n"
    "    UPDATE(p, by[get_global_id(0)]);\n"
    "    UPDATE(q, by[get_global_id(0)]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0)\n"
    "        out[get_group_id(0)] = atomic_load(&shared);\n"
    "}\n"
    "kernel void in_local(global const T *by, global T *old, global T *out, global A *place) {\n"
    "    local A shared;\n"
    "    size_t i = get_global_id(0);\n"
    "    if (get_local_id(0) == 0)\n"
    "        atomic_init(&shared, (T)START);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    LOCAL_SPACE A *p = &shared;\n"
    "    old[i] = UPDATE(p, by[i]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0)\n"
    "        out[get_group_id(0)] = atomic_load(&shared);\n"
    "}\n";

static const char *const updates[] = {"add", "sub", "min", "max"};
static const char *const forms[] = {
    "-DUPDATE(p,x)=atomic_fetch_%s(p,x)",
    "-DUPDATE(p,x)=atomic_fetch_%s_explicit(p,x,memory_order_relaxed)",
    "-DUPDATE(p,x)=atomic_fetch_%s_explicit(p,x,memory_order_relaxed,memory_scope_device)"};
enum { START = 3 };

/* By 1 for sums: what was found is then each of ITEMS numbers once. */
static double operand(unsigned update, unsigned i) {
    return update < 2 ? 1 : (double)((int)(i * 2654435761u >> 12) % 100000);
}

static double combined(unsigned update, double before, double by) {
    return update == 0   ? before + by
           : update == 1 ? before - by
           : update == 2 ? (by < before ? by : before)
                         : (by > before ? by : before);
}

static double get(bool is_double, const void *array, size_t i) {
    return is_double ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

static void put(bool is_double, void *array, size_t i, double x) {
    if (is_double)
        ((double *)array)[i] = x;
    else
        ((float *)array)[i] = (float)x;
}

/** Items first .. first + count share one place, which ends as `last`: nothing was lost. */
static void check_place(unsigned update, bool is_double, const void *old, size_t first,
                        size_t count, double last) {
    static bool seen[ITEMS];
    double wanted = START, least = START;
    memset(seen, 0, sizeof seen);
    for (size_t i = first; i < first + count; i++) {
        wanted = combined(update, wanted, operand(update, (unsigned)i));
        double found = get(is_double, old, i);
        if (update < 2) {
            double turn = update == 0 ? found - START : START - found;
            CHECK(turn >= 0 && turn < (double)count && !seen[(size_t)turn]);
            seen[turn >= 0 && turn < (double)count ? (size_t)turn : 0] = true;
        } else { /* it was there before, so the end is no worse */
            CHECK(combined(update, last, found) == last);
            least = combined(update, least, found);
        }
    }
    if (last != wanted)
        FAIL("%s: %g, not %g", updates[update], last, wanted);
    CHECK(combined(update, least, last) == last || update < 2);
}

static void run(unsigned update, bool is_double, unsigned form, bool generic,
                const char *standard) {
    static double by[ITEMS], old[ITEMS], out[GROUPS];
    size_t bytes = is_double ? 8 : 4, items = ITEMS, local = LOCAL;
    char options[512], call[128];
    double start = 0, last = 0;
    cl_int error = CL_SUCCESS;
    snprintf(call, sizeof call, forms[form], updates[update]);
    snprintf(options, sizeof options,
             "-cl-std=%s -DT=%s -DA=atomic_%s -DSTART=3 %s -DSPACE=%s -DLOCAL_SPACE=%s", standard,
             is_double ? "double" : "float", is_double ? "double" : "float", call,
             generic ? "" : "global", generic ? "" : "local");
    cl_context context = weft_context(1);
    cl_command_queue queue = clCreateCommandQueue(context, weft_device(0), 0, &error);
    cl_program program = weft_built(context, source, options);
    for (size_t i = 0; i < ITEMS; i++)
        put(is_double, by, i, operand(update, (unsigned)i));
    put(is_double, &start, 0, START);
    cl_mem buffers[] = {
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof by, by, &error),
        clCreateBuffer(context, 0, sizeof old, NULL, &error),
        clCreateBuffer(context, 0, sizeof out, NULL, &error),
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof start, &start, &error)};
    for (int in_local = 0; in_local < 2; in_local++) {
        cl_kernel kernel = weft_kernel(program, in_local ? "in_local" : "in_global");
        for (cl_uint i = 0; i < 4; i++)
            CHECK_EQ(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), CL_SUCCESS);
        CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof old, old, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(
            clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, GROUPS * bytes, out, 0, NULL, NULL),
            CL_SUCCESS);
        CHECK_EQ(clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, bytes, &last, 0, NULL, NULL),
                 CL_SUCCESS);
        for (size_t group = 0; in_local && group < GROUPS; group++)
            check_place(update, is_double, old, group * LOCAL, LOCAL, get(is_double, out, group));
        if (!in_local)
            check_place(update, is_double, old, 0, ITEMS, get(is_double, &last, 0));
        clReleaseKernel(kernel);
    }
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

static void check(unsigned update) {
    for (int is_double = 0; is_double < 2; is_double++)
        for (unsigned form = 0; form < 3; form++)
            for (int generic = 0; generic < 2; generic++)
                run(update, is_double, form, generic, generic ? "CL2.0" : "CL3.0");
}

TEST(additions) {
    check(0);
}
TEST(subtractions) {
    check(1);
}
TEST(minima) {
    check(2);
}
TEST(maxima) {
    check(3);
}

/* "min(x, qNaN) = min(qNaN, x) = x", "max ..." and what is only updated, where items may be
 * combined before. */
static void check_only(unsigned update, bool is_double, bool nans) {
    static double by[ITEMS], out[GROUPS];
    size_t bytes = is_double ? 8 : 4, items = ITEMS, local = LOCAL;
    char options[512], call[128];
    double start = 0, last = 0;
    cl_int error = CL_SUCCESS;
    snprintf(call, sizeof call, forms[1], updates[update]);
    snprintf(options, sizeof options,
             "-cl-std=CL2.0 -DT=%s -DA=atomic_%s -DSTART=%s %s -DSPACE=global -DLOCAL_SPACE=local",
             is_double ? "double" : "float", is_double ? "double" : "float", nans ? "NAN" : "3",
             call);
    cl_context context = weft_context(1);
    cl_command_queue queue = clCreateCommandQueue(context, weft_device(0), 0, &error);
    cl_program program = weft_built(context, source, options);
    cl_kernel kernel = weft_kernel(program, "only");
    for (unsigned i = 0; i < ITEMS; i++)
        put(is_double, by, i, nans && i % 3 != 1 ? (double)NAN : operand(update, i));
    put(is_double, &start, 0, nans ? (double)NAN : START);
    cl_mem buffers[] = {
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof by, by, &error),
        clCreateBuffer(context, 0, 8, NULL, &error),
        clCreateBuffer(context, 0, sizeof out, NULL, &error),
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof start, &start, &error)};
    for (cl_uint i = 0; i < 4; i++)
        CHECK_EQ(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, GROUPS * bytes, out, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, bytes, &last, 0, NULL, NULL),
             CL_SUCCESS);
    double all = nans ? (double)NAN : START;
    for (size_t group = 0; group < GROUPS; group++) {
        double wanted = nans ? (double)NAN : START;
        for (size_t i = group * LOCAL; i < (group + 1) * LOCAL; i++) {
            double x = get(is_double, by, i);
            if (isnan(x))
                continue;
            wanted = isnan(wanted) ? x : combined(update, wanted, x);
            all = isnan(all) ? x : combined(update, all, x);
        }
        if (get(is_double, out, group) != wanted)
            FAIL("group %zu: %g, not %g", group, get(is_double, out, group), wanted);
    }
    if (get(is_double, &last, 0) != all)
        FAIL("all: %g, not %g", get(is_double, &last, 0), all);
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(only_updated) {
    for (unsigned update = 0; update < 4; update++)
        for (int is_double = 0; is_double < 2; is_double++)
            check_only(update, is_double, false);
}
TEST(minima_of_nans) {
    check_only(2, false, true);
    check_only(2, true, true);
}
TEST(maxima_of_nans) {
    check_only(3, false, true);
    check_only(3, true, true);
}

TEST(queries) {
    cl_device_fp_atomic_capabilities_ext wanted =
        CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |
        CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
        CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;
    static const cl_device_info names[] = {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT,
                                           CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT,
                                           CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT};
    for (unsigned i = 0; i < 3; i++) {
        cl_device_fp_atomic_capabilities_ext got = 1u << 30;
        size_t size = 0;
        CHECK_EQ(clGetDeviceInfo(weft_device(0), names[i], sizeof got, &got, &size), CL_SUCCESS);
        CHECK_EQ(size, sizeof got);
        CHECK_EQ(got, i < 2 ? wanted : 0);
    }
}

/* "uses the OpenCL C 2.0 atomic syntax and hence requires OpenCL 2.0 or newer" */
TEST(not_in_opencl_c_1_2) {
    cl_context context = weft_context(1);
    clReleaseProgram(weft_built(context,
                                "#ifdef __opencl_c_ext_fp32_global_atomic_add\n"
                                "#error not in 1.2\n"
                                "#endif\n"
                                "kernel void k(global int *p) { *p = 1; }\n",
                                ""));
    clReleaseContext(context);
}

TEST_MAIN()
