// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Parts of OpenCL C 2.0 that need the whole house: work-group functions, address spaces. */

#include "common.h"

#include <math.h>

enum { MOST = 1024 };

struct shape {
    cl_uint dimensions;
    size_t global[3], local[3];
};

/* Ordinary, non-uniform last groups in one and in three dimensions, one item, one large group. */
static const struct shape shapes[] = {
    {1, {64, 1, 1}, {16, 1, 1}}, {1, {61, 1, 1}, {16, 1, 1}}, {3, {7, 5, 3}, {4, 2, 2}},
    {1, {1, 1, 1}, {1, 1, 1}},   {2, {33, 9, 1}, {33, 9, 1}},
};

/** Runs kernel k(global in, global out, global group) over a shape; `out` is ITEMS * width long. */
static void run(cl_kernel kernel, const struct shape *shape, const void *in, void *out,
                size_t bytes) {
    cl_int error = 1;
    cl_context context;
    CHECK_EQ(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(context), &context, NULL),
             CL_SUCCESS);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    cl_mem from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, (void *)in, &error);
    cl_mem to = clCreateBuffer(context, 0, bytes, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(from), &from), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(to), &to), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, shape->dimensions, NULL, shape->global,
                                    shape->local, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, bytes, out, 0, NULL, NULL), CL_SUCCESS);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseCommandQueue(queue);
}

static cl_program build(cl_context context, const char *source, const char *options) {
    cl_device_id device = weft_device(0);
    cl_program program = weft_source(context, source);
    CHECK_EQ(clBuildProgram(program, 1, &device, options, NULL, NULL), CL_SUCCESS);
    return program;
}

/* ---- work-group functions -------------------------------------------------------------------- */

/* Six results per item, at a place that says which item: linear id in the group, group, and so
 * on. */
static const char scans[] =
    "kernel void k(global const T *in, global T *out) {\n"
    "    size_t i = get_global_linear_id(), n = get_global_size(0) * get_global_size(1) *\n"
    "                                           get_global_size(2);\n"
    "    T x = in[i];\n"
    "    out[i] = work_group_reduce_OP(x);\n"
    "    for (int twice = 0; twice < 2; twice++) {\n" /* at a position that is uniform */
    "        out[n + i] = work_group_scan_inclusive_OP(x);\n"
    "        out[2 * n + i] = work_group_scan_exclusive_OP(x);\n"
    "    }\n"
    "    size_t z = get_local_size(2) - 1, y = get_local_size(1) - 1, c = get_local_size(0) - 1;\n"
    "    out[3 * n + i] = get_work_dim() == 1   ? work_group_broadcast(x, c)\n"
    "                     : get_work_dim() == 2 ? work_group_broadcast(x, c, y)\n"
    "                                           : work_group_broadcast(x, c, y, z);\n"
    "    out[4 * n + i] = (work_group_all(x > 5) ? 1 : 0) + (work_group_any(x > 90) ? 2 : 0);\n"
    "    out[5 * n + i] = (T)get_local_linear_id();\n"
    "    out[6 * n + i] = (T)(get_group_id(0) + 16 * (get_group_id(1) + 16 * get_group_id(2)));\n"
    "}\n";

static double combine(char op, double a, double b) {
    return op == 'd' ? a + b : op == 'n' ? (a < b ? a : b) : (a > b ? a : b);
}

/** Checks all results of one group, whose items are `items` (by linear id) of `n`. */
static void check_group(char op, const double *r, size_t n, const size_t *items, size_t count,
                        const double *in, double identity) {
    double before = identity, all = 1, any = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = items[i];
        CHECK(r[2 * n + at] == before);
        before = combine(op, before, in[at]);
        CHECK(r[n + at] == before);
        all = all && in[at] > 5;
        any = any || in[at] > 90;
    }
    for (size_t i = 0; i < count; i++) {
        CHECK(r[items[i]] == before);
        CHECK(r[3 * n + items[i]] == in[items[count - 1]]);
        CHECK(r[4 * n + items[i]] == all + 2 * any);
    }
}

static void check_all(char op, const double *r, size_t n, const double *in, double identity) {
    for (size_t group = 0; group < 16 * 16 * 16; group++) {
        size_t items[MOST], count = 0;
        for (size_t i = 0; i < n; i++)
            if (r[6 * n + i] == (double)group) {
                items[(size_t)r[5 * n + i]] = i;
                count++;
            }
        if (count)
            check_group(op, r, n, items, count, in, identity);
    }
}

static double as_number(const char *type, const void *values, size_t i) {
    switch (type[0] == 'u' ? type[1] - 32 : type[0]) {
    case 'i':
        return ((const cl_int *)values)[i];
    case 'I':
        return ((const cl_uint *)values)[i];
    case 'l':
        return (double)((const cl_long *)values)[i];
    case 'L':
        return (double)((const cl_ulong *)values)[i];
    case 'f':
        return ((const cl_float *)values)[i];
    default:
        return ((const cl_double *)values)[i];
    }
}

static void set_number(const char *type, void *values, size_t i, double value) {
    switch (type[0] == 'u' ? type[1] - 32 : type[0]) {
    case 'i':
        ((cl_int *)values)[i] = (cl_int)value;
        break;
    case 'I':
        ((cl_uint *)values)[i] = (cl_uint)value;
        break;
    case 'l':
        ((cl_long *)values)[i] = (cl_long)value;
        break;
    case 'L':
        ((cl_ulong *)values)[i] = (cl_ulong)value;
        break;
    case 'f':
        ((cl_float *)values)[i] = (cl_float)value;
        break;
    default:
        ((cl_double *)values)[i] = value;
    }
}

static void check_type(cl_context context, const char *type, const char *op, double identity,
                       const char *more) {
    static cl_ulong in[7 * MOST], out[7 * MOST];
    static double numbers[7 * MOST], inputs[MOST];
    char options[256];
    cl_int error = 1;
    size_t bytes = strstr(type, "long") || strcmp(type, "double") == 0 ? 8 : 4;

    snprintf(options, sizeof(options),
             "-cl-std=CL2.0 -DT=%s -Dwork_group_reduce_OP=work_group_reduce_%s"
             " -Dwork_group_scan_inclusive_OP=work_group_scan_inclusive_%s %s",
             type, op, op, more);
    char source[sizeof(scans) + 128];
    snprintf(source, sizeof(source),
             "#define work_group_scan_exclusive_OP work_group_scan_exclusive_%s\n%s", op, scans);
    cl_program program = build(context, source, options);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    CHECK_EQ(error, CL_SUCCESS);
    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        size_t n = shapes[s].global[0] * shapes[s].global[1] * shapes[s].global[2];
        for (size_t i = 0; i < n; i++) {
            inputs[i] = (double)(i * 37 % 97);
            set_number(type, in, i, inputs[i]);
        }
        run(kernel, &shapes[s], in, out, 7 * n * bytes);
        for (size_t i = 0; i < 7 * n; i++)
            numbers[i] = as_number(type, out, i);
        check_all(op[2], numbers, n, inputs, identity);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

TEST(work_group_functions) {
    static const struct {
        const char *type;
        double least, most;
    } types[] = {{"int", -0x1p31, 0x1p31 - 1},   {"uint", 0, 0x1p32 - 1},
                 {"long", -0x1p63, 0x1p63},      {"ulong", 0, 0x1p64},
                 {"float", -HUGE_VAL, HUGE_VAL}, {"double", -HUGE_VAL, HUGE_VAL}};
    weft_need_compiler();
    cl_context context = weft_context(1);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        check_type(context, types[i].type, "add", 0, "");
        check_type(context, types[i].type, "min", types[i].most, "");
        check_type(context, types[i].type, "max", types[i].least, "");
    }
    check_type(context, "int", "add", 0, "-cl-opt-disable");
    clReleaseContext(context);
}

/* ---- atomics --------------------------------------------------------------------------------- */

/** Items that are not there, or not in the branch, take no part in an atomic, whatever is done with
 *  what it gives: InstCombine folds that into the code that is run lane by lane. */
TEST(atomics_of_some_items) {
    static const char source[] =
        "kernel void k(global int *in, global int *out) {\n"
        "    int x = in[get_global_id(0)];\n"
        "    if (x > 3)\n"
        "        out[atomic_inc(&out[0]) + 5] = x;\n"
        "    out[64 + get_global_id(0)] = min(atomic_add(&out[1], 1), 1000);\n"
        "    out[2 + (x & 1)] = 7;\n"
        "    atomic_add(&out[4], in[atomic_add(&in[63], 0)] * 0 + 1);\n"
        "}\n";
    static const struct shape shape = {1, {29, 1, 1}, {29, 1, 1}};
    cl_int error = 1, in[128] = {0}, out[128], seen = 0;
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program = build(context, source, "");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    CHECK_EQ(error, CL_SUCCESS);
    for (int i = 0; i < 29; i++)
        in[i] = i % 7;
    run(kernel, &shape, in, out, sizeof(out));
    for (int i = 0; i < 29; i++)
        seen += i % 7 > 3;
    CHECK_EQ(out[0], seen);
    CHECK_EQ(out[1], 29);
    CHECK_EQ(out[4], 29);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- address spaces -------------------------------------------------------------------------- */

TEST(generic_pointers_know_their_space) {
    static const char source[] =
        "global int g_var;\n"
        "int of(int *p) {\n" /* generic */
        "    return (to_global(p) == p ? 1 : 0) | (to_local(p) == p ? 2 : 0) |\n"
        "           (to_private(p) == p ? 4 : 0) | (get_fence(p) == CLK_LOCAL_MEM_FENCE ? 8 : 0) "
        "|\n"
        "           (get_fence(p) == CLK_GLOBAL_MEM_FENCE ? 16 : 0);\n"
        "}\n"
        "kernel void k(global int *in, global int *out) {\n"
        "    local int shared[64];\n"
        "    int own[8], big[2048], across = 1;\n"
        "    size_t l = get_local_id(0), i = get_global_id(0) * 7;\n"
        "    for (int j = 0; j < 2048; j++)\n"
        "        big[j] = in[i] + j;\n"
        "    own[in[i] & 7] = 1;\n"
        "    shared[l] = 1;\n"
        "    int *kept = &across;\n" /* outlives a barrier: in the arena */
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[i] = of(&in[i]);\n"
        "    out[i + 1] = of(&shared[l]);\n"
        "    out[i + 2] = of(&own[in[i] & 7]);\n"
        "    out[i + 3] = of(&big[in[i] & 2047]);\n"
        "    out[i + 4] = of(kept);\n"
        "    out[i + 5] = of(&g_var);\n"
        "    out[i + 6] = to_global((int *)0) == 0 && to_local((int *)0) == 0 &&\n"
        "                 to_private((int *)0) == 0;\n"
        "}\n";
    static const int wanted[] = {1 | 16, 2 | 8, 4, 4, 4, 1 | 16, 1};
    static const struct shape shape = {1, {64, 1, 1}, {16, 1, 1}};
    static const char *const options[] = {"-cl-std=CL2.0", "-cl-std=CL2.0 -cl-opt-disable"};
    cl_int error = 1, in[7 * 64] = {0}, out[7 * 64];
    weft_need_compiler();
    cl_context context = weft_context(1);
    for (int way = 0; way < 2; way++) {
        cl_program program = build(context, source, options[way]);
        cl_kernel kernel = clCreateKernel(program, "k", &error);
        CHECK_EQ(error, CL_SUCCESS);
        run(kernel, &shape, in, out, sizeof(out));
        for (size_t i = 0; i < 7 * 64; i++)
            CHECK_EQ(out[i] & (wanted[i % 7] == 4 ? 15 : 31), wanted[i % 7]);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

/** A buffer on the stack of the thread that waits, and so runs the kernel: it is global. */
TEST(a_buffer_on_the_stack_is_global) {
    static const char source[] =
        "int of(int *p) { return to_global(p) == p && !to_private(p) && !to_local(p); }\n"
        "kernel void k(global int *p) { int x[4]; x[p[0] & 3] = 2; p[1] = of(p); p[2] = of(x); "
        "p[3] = x[0]; }\n";
    _Alignas(128) cl_int values[32] = {0};
    cl_int error = 1;
    size_t one = 1;
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program = build(context, source, "-cl-std=CL2.0");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(values), values, &error);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(values[1], 1);
    CHECK_EQ(values[2], 0);
    clReleaseCommandQueue(queue);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/** Arrays that count from 1, and pointers far behind: numbers until somebody follows them. */
TEST(pointers_outside_of_program_scope_data) {
    static const char source[] =
        "global uint a[4] = {10, 20, 30, 40};\n"
        "global uint *before = a - 1, *behind = a + 1000;\n"
        "kernel void k(global uint *p) { p[0] = before[p[0]] + *(behind - 998); }\n";
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program = build(context, source, "-cl-std=CL2.0");
    CHECK_EQ(weft_run_one(program, "k", 2, NULL), 20 + 30);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST_MAIN()
