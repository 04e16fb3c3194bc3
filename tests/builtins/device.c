// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Built-ins that need a device: address spaces, work-groups, several work-items. What the others
 * compute is in builtins.c and ../maths.
 */
#include "one_kernel.h"

#include <math.h>

enum { ITEMS = 256 };

/* Each function with a second result writes it through every address space; each item counts the
 * disagreements with the private one. */
static const char out_pointers[] =
    "#define TRY(R, S, f, x) { S p; R r0 = f(x, &p); R r1 = f(x, (global S *)g); R r2 = f(x, "
    "(local S *)l);"
    " bad += r0 != r1 || r0 != r2 || p != *(global S *)g || p != *(local S *)l; }\n"
    "#define TRY2(R, x, y) { int p; R r0 = remquo(x, y, &p); R r1 = remquo(x, y, (global int *)g);"
    " R r2 = remquo(x, y, (local int *)l);"
    " bad += r0 != r1 || r0 != r2 || p != *(global int *)g || p != *(local int *)l; }\n"
    "kernel void test(global int *result) {\n"
    "    local double shared[64];\n"
    "    global int *g = result + 256 + 2 * get_global_id(0);\n"
    "    local double *l = shared + get_local_id(0);\n"
    "    int bad = 0;\n"
    "    float x = (float)get_global_id(0) * 0.37f - 30.1f, whole;\n"
    "    double d = x * 1.7;\n"
    "    TRY(float, float, fract, x) TRY(double, double, fract, d)\n"
    "    TRY(float, float, modf, x) TRY(double, double, modf, d)\n"
    "    TRY(float, float, sincos, x) TRY(double, double, sincos, d)\n"
    "    TRY(float, int, frexp, x) TRY(double, int, frexp, d)\n"
    "    TRY(float, int, lgamma_r, fabs(x)) TRY(double, int, lgamma_r, fabs(d))\n"
    "    TRY2(float, x, 2.9f) TRY2(double, d, 2.9)\n"
    "    float part = modf(x, &whole);\n"
    "    bad += whole != trunc(x) || part != x - trunc(x);\n"
    "    result[get_global_id(0)] = bad;\n"
    "}\n";

static void check_out_pointers(const char *options) {
    static cl_int data[ITEMS * 4];
    memset(data, 0xff, sizeof data);
    run(out_pointers, options, ITEMS, data, sizeof data);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(data[i], 0);
}

TEST(results_through_pointers_in_opencl_c_1_2) {
    check_out_pointers("-cl-std=CL1.2");
}

TEST(results_through_generic_pointers) {
    check_out_pointers("-cl-std=CL2.0");
}

/* Loads and stores of vectors in every address space, at element alignment. */
static const char vector_memory[] =
    "constant ushort table[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}; "
    "\n"
    "kernel void test(global int *result) {\n"
    "    local ushort shared[64 * 17];\n"
    "    ushort own[40];\n"
    "    size_t g = get_global_id(0), i = get_local_id(0);\n"
    "    local ushort *mine = shared + i * 17 + 1 - (i == 63);\n"
    "    ushort16 v = vload16(0, table + 1) + (ushort)g;\n"
    "    for (int k = 0; k < 40; k++) own[k] = 7;\n"
    "    vstore16(v, 0, mine);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    vstore3(vload3(1, mine), 2, own + 1);\n"
    "    ushort8 w = vload8(0, own + 3);\n"
    "    ushort2 c = vload2(3, table + 1);\n"
    "    global ushort *out = (global ushort *)(result + 256) + g * 3;\n"
    "    vstore3((ushort3)(w.s4, w.s5, w.s6), 0, out);\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    ushort3 back = vload3(g, (global ushort *)(result + 256));\n"
    "    int bad = back.x != (ushort)(4 + g) || back.y != (ushort)(5 + g) || back.z != (ushort)(6 "
    "+ g);\n"
    "    bad |= w.s3 != 7 || w.s7 != 7 || c.x != 7 || c.y != 8;\n"
    "    result[g] = bad;\n"
    "}                                                                                          \n";

TEST(vectors_in_every_address_space) {
    static cl_int data[ITEMS * 4];
    for (int version = 0; version < 2; version++) {
        memset(data, 0xff, sizeof data);
        run(vector_memory, version ? "-cl-std=CL2.0" : "-cl-std=CL1.2", ITEMS, data, sizeof data);
        for (int i = 0; i < ITEMS; i++)
            CHECK_EQ(data[i], 0);
    }
}

/* To local and back, plain and strided, for a vector of three; a second wait is harmless. */
static const char async_copies[] =
    "kernel void test(global int *data) {\n"
    "    local int one[100]; local int3 three[64];\n"
    "    size_t group = get_group_id(0);\n"
    "    global int *mine = data + group * 1024;\n"
    "    event_t e[2];\n"
    "    e[0] = async_work_group_copy(one, mine, 100, 0);\n"
    "    e[1] = async_work_group_copy(three, (global int3 *)(mine + 128), 50, 0);\n"
    "    wait_group_events(2, e);\n"
    "    int next = one[(get_local_id(0) + 1) % 64];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    one[get_local_id(0)] = next;\n"
    "    if (get_local_id(0) < 50) three[get_local_id(0)].y += 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    event_t f = async_work_group_strided_copy(mine + 512, one, 64, 3, 0);\n"
    "    f = async_work_group_copy((global int3 *)(mine + 128), three, 50, f);\n"
    "    prefetch(mine, 16);\n"
    "    wait_group_events(1, &f);\n"
    "    wait_group_events(1, &f);\n"
    "}                                                                                          \n";

TEST(asynchronous_copies) {
    static cl_int data[4 * 1024], before[4 * 1024];
    for (int i = 0; i < 4 * 1024; i++)
        data[i] = before[i] = i * 7;
    run(async_copies, "", ITEMS, data, sizeof data);
    for (int group = 0; group < 4; group++) {
        cl_int *now = data + group * 1024, *was = before + group * 1024;
        for (int i = 0; i < 64; i++) {
            CHECK_EQ(now[512 + 3 * i], was[(i + 1) % 64]);
            CHECK_EQ(now[512 + 3 * i + 1], was[512 + 3 * i + 1]);
        }
        for (int i = 0; i < 50; i++) {
            CHECK_EQ(now[128 + 4 * i], was[128 + 4 * i]);
            CHECK_EQ(now[128 + 4 * i + 1], was[128 + 4 * i + 1] + 1);
        }
    }
}

static const char atomics_of_1_2[] =
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "kernel void test(global int *r) {\n"
    "    local int sum; local uint bits; local long wide;\n"
    "    int g = (int)get_global_id(0);\n"
    "    if (get_local_id(0) == 0) { sum = 0; bits = 0; wide = 0; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    atomic_add(&sum, g); atomic_or(&bits, 1u << (g & 31)); atom_sub(&wide, (long)g << 33);\n"
    "    atomic_inc(&r[0]); atomic_dec(&r[1]); atomic_max(&r[2], g); atomic_min(&r[3], -g);\n"
    "    atomic_xor((global uint *)&r[4], 1u << (g & 31)); atomic_sub(&r[5], 2);\n"
    "    int old = r[6];\n"
    "    for (int seen; (seen = atomic_cmpxchg(&r[6], old, old + 3)) != old; old = seen);\n"
    "    atom_max((global long *)&r[8], (long)g << 40);\n"
    "    atomic_xchg((global float *)&r[7], 2.5f);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) {\n"
    "        atomic_add(&r[10], sum); atomic_and((global uint *)&r[11], bits);\n"
    "        atom_add((global ulong *)&r[12], (ulong)wide);\n"
    "    }\n"
    "}                                                                                          \n";

TEST(atomics_of_opencl_c_1_2) {
    cl_int r[16] = {0};
    int64_t wide;
    float f;
    r[11] = -1;
    run(atomics_of_1_2, "-cl-std=CL1.2", ITEMS, r, sizeof r);
    CHECK_EQ(r[0], ITEMS);
    CHECK_EQ(r[1], -ITEMS);
    CHECK_EQ(r[2], ITEMS - 1);
    CHECK_EQ(r[3], 1 - ITEMS);
    CHECK_EQ(r[4], 0);
    CHECK_EQ(r[5], -2 * ITEMS);
    CHECK_EQ(r[6], 3 * ITEMS);
    memcpy(&f, &r[7], 4);
    CHECK(f == 2.5f);
    memcpy(&wide, &r[8], 8);
    CHECK_EQ(wide, (int64_t)(ITEMS - 1) << 40);
    CHECK_EQ(r[10], ITEMS * (ITEMS - 1) / 2);
    CHECK_EQ(r[11], -1);
    memcpy(&wide, &r[12], 8);
    CHECK_EQ(wide, -((int64_t)ITEMS * (ITEMS - 1) / 2 << 33));
}

static const char atomics_of_2_0[] =
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "kernel void test(global int *r) {\n"
    "    local atomic_int sum; local atomic_long wide;\n"
    "    global atomic_int *g = (global atomic_int *)r;\n"
    "    int id = (int)get_global_id(0);\n"
    "    if (get_local_id(0) == 0) { atomic_init(&sum, 0); atomic_init(&wide, 0); }\n"
    "    work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    atomic_fetch_add(&sum, id);\n"
    "    atomic_fetch_add_explicit(&wide, (long)id << 20, memory_order_relaxed,\n"
    "                              memory_scope_work_group);\n"
    "    atomic_fetch_max(&g[0], id); atomic_fetch_min(&g[1], -id);\n"
    "    atomic_fetch_xor(&g[2], 1 << (id & 31));\n"
    "    int expected = atomic_load_explicit(&g[3], memory_order_relaxed);\n"
    "    while (!atomic_compare_exchange_strong(&g[3], &expected, expected + 2));\n"
    "    atomic_fetch_or((global atomic_uint *)&g[4], 1u << (id & 31));\n"
    "    atomic_store_explicit(&g[5], 77, memory_order_release);\n"
    "    int old = atomic_exchange(&g[16 + id], id);\n"
    "    if (atomic_flag_test_and_set((global atomic_flag *)&g[6]) == 0) atomic_fetch_add(&g[7], "
    "1);\n"
    "    global atomic_float *f = (global atomic_float *)&g[8];\n"
    "    float before = atomic_load(f);\n"
    "    while (!atomic_compare_exchange_weak(f, &before, before + 0.5f));\n"
    "    work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) {\n"
    "        atomic_fetch_add(&g[9], atomic_load(&sum));\n"
    "        atomic_fetch_sub((global atomic_long *)&g[10], atomic_load(&wide));\n"
    "    }\n"
    "    if (old != -5) atomic_fetch_add(&g[12], 1);\n"
    "}                                                                                          \n";

TEST(atomics_of_opencl_c_2_0) {
    static cl_int r[16 + ITEMS];
    int64_t wide;
    float f;
    memset(r, 0, sizeof r);
    for (int i = 0; i < ITEMS; i++)
        r[16 + i] = -5;
    run(atomics_of_2_0, "-cl-std=CL2.0", ITEMS, r, sizeof r);
    CHECK_EQ(r[0], ITEMS - 1);
    CHECK_EQ(r[1], 1 - ITEMS);
    CHECK_EQ(r[2], 0);
    CHECK_EQ(r[3], 2 * ITEMS);
    CHECK_EQ(r[4], -1);
    CHECK_EQ(r[5], 77);
    CHECK(r[6] != 0);
    CHECK_EQ(r[7], 1);
    memcpy(&f, &r[8], 4);
    CHECK(f == ITEMS / 2.0f);
    CHECK_EQ(r[9], ITEMS * (ITEMS - 1) / 2);
    memcpy(&wide, &r[10], 8);
    CHECK_EQ(wide, -((int64_t)ITEMS * (ITEMS - 1) / 2 << 20));
    CHECK_EQ(r[12], 0);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(r[16 + i], i);
}

TEST(an_undefined_function_is_named) {
    cl_context context = weft_context(1);
    cl_program program = weft_source(
        context, "float4 __attribute__((overloadable)) smoothen(float4 x, global int *p);\n"
                 "kernel void test(global float4 *r, global int *p) { *r = smoothen(*r, p); }\n");
    CHECK(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    const char *log = weft_log_of(program, weft_device(0));
    if (!strstr(log, "smoothen(float4, "))
        FAIL("the log says: %.300s", log);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST_MAIN()
