// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clEnqueueNDRangeKernel, clEnqueueTask, clEnqueueNativeKernel: ranges, local sizes, errors. */

#include "common.h"

static const char SOURCE[] =
    "#if __OPENCL_C_VERSION__ < 200\n"
    "#define get_enqueued_local_size get_local_size\n"
    "#endif\n"
    "kernel void ids(global uint *out, uint nx, uint ny) {\n"
    "    size_t x = get_global_id(0) - get_global_offset(0);\n"
    "    size_t y = get_global_id(1) - get_global_offset(1);\n"
    "    size_t z = get_global_id(2) - get_global_offset(2);\n"
    "    bool ok = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0) == x &&\n"
    "              get_group_id(1) * get_enqueued_local_size(1) + get_local_id(1) == y &&\n"
    "              get_group_id(2) * get_enqueued_local_size(2) + get_local_id(2) == z &&\n"
    "              get_local_id(0) < get_local_size(0) &&\n"
    "              get_local_size(0) <= get_enqueued_local_size(0) &&\n"
    "              get_group_id(0) < get_num_groups(0);\n"
    "    out[(z * ny + y) * nx + x] += ok ? 1u : 1000000u;\n"
    "}\n"
    "kernel void sizes(global ulong *out) {\n"
    "    out[0] = get_work_dim();\n"
    "    for (uint i = 0; i < 4; i++) {\n"
    "        out[1 + i] = get_global_size(i);\n"
    "        out[5 + i] = get_enqueued_local_size(i);\n"
    "        out[9 + i] = get_num_groups(i);\n"
    "        out[13 + i] = get_global_offset(i);\n"
    "    }\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global ulong *out) {\n"
    "    out[0] = get_local_size(0) * 100 + get_local_size(1) * 10 + get_local_size(2);\n"
    "}\n"
    "kernel void reduce(global const int *in, global int *out, local int *scratch) {\n"
    "    size_t l = get_local_id(0);\n"
    "    scratch[l] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (l == 0) {\n"
    "        int sum = 0;\n"
    "        for (size_t i = 0; i < get_local_size(0); i++) sum += scratch[i];\n"
    "        out[get_group_id(0)] = sum;\n"
    "    }\n"
    "}\n";

typedef struct fixture {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem mem;
} fixture;

enum { BYTES = 1 << 20 };

static fixture make(const char *options) {
    fixture f = {.context = weft_context(1)};
    cl_int error = 1;
    f.queue = clCreateCommandQueueWithProperties(f.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.program = weft_built(f.context, SOURCE, options);
    f.mem = clCreateBuffer(f.context, 0, BYTES, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return f;
}

static void drop(fixture *f) {
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
    clReleaseMemObject(f->mem);
    clReleaseProgram(f->program);
    clReleaseCommandQueue(f->queue);
    clReleaseContext(f->context);
}

static cl_kernel kernel_on(fixture *f, const char *name) {
    cl_kernel kernel = weft_kernel(f->program, name);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(f->mem), &f->mem), CL_SUCCESS);
    return kernel;
}

/* Every work-item once, with the right ids. */
static void check_range(fixture *f, cl_uint dimensions, const size_t *global, const size_t *offset,
                        const size_t *local) {
    cl_kernel kernel = kernel_on(f, "ids");
    size_t count = 1;
    cl_uint zero = 0, nx = (cl_uint)global[0], ny = dimensions > 1 ? (cl_uint)global[1] : 1;
    cl_uint *out = malloc(BYTES);

    for (cl_uint i = 0; i < dimensions; i++)
        count *= global[i];
    CHECK(count * sizeof(cl_uint) <= BYTES);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(nx), &nx), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof(ny), &ny), CL_SUCCESS);
    CHECK_EQ(clEnqueueFillBuffer(f->queue, f->mem, &zero, 4, 0, BYTES, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(
        clEnqueueNDRangeKernel(f->queue, kernel, dimensions, offset, global, local, 0, NULL, NULL),
        CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, 0, BYTES, out, 0, NULL, NULL),
             CL_SUCCESS);
    for (size_t i = 0; i < BYTES / sizeof(cl_uint); i++)
        if (out[i] != (i < count))
            FAIL("item %zu of %zu (%zu x ..., local %zu): %u", i, count, global[0],
                 local ? local[0] : 0, out[i]);
    free(out);
    clReleaseKernel(kernel);
}

TEST(ranges_with_chosen_local_sizes) {
    static const size_t globals[][3] = {{1, 1, 1},    {2, 3, 5},      {17, 1, 1},   {64, 64, 1},
                                        {997, 1, 1},  {100003, 1, 1}, {31, 37, 41}, {1, 1, 4099},
                                        {3, 5000, 1}, {1, 4099, 2},   {256, 256, 4}};
    fixture f = make("-cl-std=CL2.0"), old = make("");
    for (size_t i = 0; i < sizeof(globals) / sizeof(globals[0]); i++) {
        check_range(&f, 3, globals[i], NULL, NULL);
        check_range(&old, 3, globals[i], NULL, NULL);
    }
    check_range(&f, 1, globals[5], NULL, NULL);
    check_range(&f, 2, globals[8], NULL, NULL);
    drop(&f);
    drop(&old);
}

TEST(ranges_with_given_local_sizes_and_offsets) {
    static const size_t global[3] = {96, 20, 6}, offset[3] = {1000, 7, 1};
    static const size_t locals[][3] = {{1, 1, 1}, {96, 1, 1}, {16, 4, 2}, {3, 5, 6}, {32, 20, 1}};
    fixture f = make("");
    for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++) {
        check_range(&f, 3, global, NULL, locals[i]);
        check_range(&f, 3, global, offset, locals[i]);
        check_range(&f, 2, global, offset, locals[i]);
        check_range(&f, 1, global, offset, locals[i]);
    }
    drop(&f);
}

TEST(non_uniform_groups) {
    static const size_t global[3] = {101, 13, 7};
    static const size_t locals[][3] = {{16, 4, 2}, {100, 1, 1}, {102, 1, 1}, {7, 13, 3}};
    fixture f = make("-cl-std=CL2.0"), uniform = make("-cl-std=CL2.0 -cl-uniform-work-group-size"),
            old = make("");
    cl_kernel k = kernel_on(&uniform, "sizes"), l = kernel_on(&old, "sizes");
    for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++) {
        check_range(&f, 3, global, NULL, locals[i]);
        CHECK_EQ(
            clEnqueueNDRangeKernel(uniform.queue, k, 3, NULL, global, locals[i], 0, NULL, NULL),
            CL_INVALID_WORK_GROUP_SIZE);
        CHECK_EQ(clEnqueueNDRangeKernel(old.queue, l, 3, NULL, global, locals[i], 0, NULL, NULL),
                 CL_INVALID_WORK_GROUP_SIZE);
    }
    clReleaseKernel(k);
    clReleaseKernel(l);
    drop(&f);
    drop(&uniform);
    drop(&old);
}

TEST(what_kernels_see_of_the_range) {
    fixture f = make("-cl-std=CL2.0");
    cl_kernel kernel = kernel_on(&f, "sizes");
    size_t global[2] = {10, 3}, local[2] = {4, 2}, offset[2] = {100, 5};
    static const cl_ulong wanted[17] = {2, 10, 3, 1, 1, 4, 2, 1, 1, 3, 2, 1, 1, 100, 5, 0, 0};
    cl_ulong out[17];
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 2, offset, global, local, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f.queue, f.mem, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < 17; i++)
        CHECK_EQ(out[i], wanted[i]);
    clReleaseKernel(kernel);
    drop(&f);
}

TEST(required_local_sizes) {
    fixture f = make(""), two = make("-cl-std=CL2.0");
    cl_kernel kernel = kernel_on(&f, "fixed"), second = kernel_on(&two, "fixed");
    size_t global[3] = {8, 4, 3}, right[3] = {4, 2, 1}, wrong[3] = {2, 4, 1}, odd[3] = {9, 4, 3};
    cl_ulong out = 0;
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 3, NULL, global, right, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f.queue, f.mem, CL_TRUE, 0, 8, &out, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(out, 421);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 3, NULL, global, wrong, 0, NULL, NULL),
             CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 3, NULL, odd, NULL, 0, NULL, NULL),
             CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(clEnqueueNDRangeKernel(two.queue, second, 3, NULL, odd, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueTask(f.queue, kernel, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    clReleaseKernel(kernel);
    clReleaseKernel(second);
    drop(&f);
    drop(&two);
}

TEST(range_errors) {
    fixture f = make("");
    cl_context other = weft_context(1);
    cl_int error;
    cl_kernel kernel = kernel_on(&f, "sizes"), unset = weft_kernel(f.program, "sizes");
    cl_command_queue foreign =
        clCreateCommandQueueWithProperties(other, weft_device(0), NULL, &error);
    size_t one[3] = {1, 1, 1}, zero[3] = {1, 0, 1}, huge[3] = {SIZE_MAX, 1, 1};
    size_t big[3] = {1 << 20, 1, 1}, wide[3] = {4096, 2, 1};
    cl_event wrong = NULL;

#define ENQUEUE(q, k, dim, off, glo, loc)                                                          \
    clEnqueueNDRangeKernel(q, k, dim, off, glo, loc, 0, NULL, NULL)
    CHECK_EQ(ENQUEUE(NULL, kernel, 1, NULL, one, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(ENQUEUE(f.queue, NULL, 1, NULL, one, NULL), CL_INVALID_KERNEL);
    CHECK_EQ(ENQUEUE(foreign, kernel, 1, NULL, one, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(ENQUEUE(f.queue, unset, 1, NULL, one, NULL), CL_INVALID_KERNEL_ARGS);
    CHECK_EQ(ENQUEUE(f.queue, kernel, 0, NULL, one, NULL), CL_INVALID_WORK_DIMENSION);
    CHECK_EQ(ENQUEUE(f.queue, kernel, 4, NULL, one, NULL), CL_INVALID_WORK_DIMENSION);
    CHECK_EQ(ENQUEUE(f.queue, kernel, 1, huge, big, NULL), CL_INVALID_GLOBAL_OFFSET);
    CHECK_EQ(ENQUEUE(f.queue, kernel, 2, NULL, one, zero), CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(ENQUEUE(f.queue, kernel, 1, NULL, big, big), CL_INVALID_WORK_ITEM_SIZE);
    CHECK_EQ(ENQUEUE(f.queue, kernel, 2, NULL, wide, wide), CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, one, NULL, 1, &wrong, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, one, NULL, 1, NULL, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueTask(f.queue, NULL, 0, NULL, NULL), CL_INVALID_KERNEL);
    clReleaseKernel(kernel);
    clReleaseKernel(unset);
    clReleaseCommandQueue(foreign);
    clReleaseContext(other);
    drop(&f);
}

TEST(empty_ranges_succeed_trivially) {
    fixture f = make("");
    cl_kernel kernel = kernel_on(&f, "sizes");
    size_t zero[3] = {4, 0, 4};
    cl_event event, user = clCreateUserEvent(f.context, NULL);
    cl_command_type type = 0;
    cl_int status = 0;
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 3, NULL, zero, NULL, 1, &user, &event),
             CL_SUCCESS);
    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
    CHECK_EQ(type, CL_COMMAND_NDRANGE_KERNEL);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
    CHECK(status > CL_COMPLETE);
    clSetUserEventStatus(user, CL_COMPLETE);
    CHECK_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
    clReleaseEvent(user);
    clReleaseKernel(kernel);
    drop(&f);
}

TEST(local_memory_and_barriers) {
    enum { GROUPS = 64, ITEMS = 128 };
    fixture f = make("");
    cl_int error, in[GROUPS * ITEMS], out[GROUPS];
    cl_kernel kernel = weft_kernel(f.program, "reduce");
    size_t global = GROUPS * ITEMS, local = ITEMS;
    cl_mem source;

    for (int i = 0; i < GROUPS * ITEMS; i++)
        in[i] = i % 1000;
    source = clCreateBuffer(f.context, CL_MEM_COPY_HOST_PTR, sizeof(in), in, &error);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(source), &source), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(f.mem), &f.mem), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 2, 1 << 30, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
             CL_OUT_OF_RESOURCES);
    CHECK_EQ(clSetKernelArg(kernel, 2, ITEMS * sizeof(cl_int), NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f.queue, f.mem, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
             CL_SUCCESS);
    for (int g = 0; g < GROUPS; g++) {
        cl_int sum = 0;
        for (int i = 0; i < ITEMS; i++)
            sum += in[g * ITEMS + i];
        CHECK_EQ(out[g], sum);
    }
    clReleaseMemObject(source);
    clReleaseKernel(kernel);
    drop(&f);
}

TEST(arguments_are_taken_when_enqueued) {
    fixture f = make("");
    cl_kernel kernel = weft_kernel(f.program, "sizes");
    cl_int error;
    cl_event user = clCreateUserEvent(f.context, &error), done;
    cl_mem first = clCreateBuffer(f.context, 0, 256, NULL, &error);
    size_t one = 1;
    cl_ulong value = 77;

    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(first), &first), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &one, NULL, 1, &user, NULL),
             CL_SUCCESS);
    /* The kernel keeps no reference, the command does. */
    CHECK_EQ(clEnqueueReadBuffer(f.queue, first, CL_FALSE, 0, 8, &value, 0, NULL, &done),
             CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(f.mem), &f.mem), CL_SUCCESS);
    clReleaseKernel(kernel);
    clSetUserEventStatus(user, CL_COMPLETE);
    CHECK_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    CHECK_EQ(value, 1);
    clReleaseEvent(done);
    clReleaseEvent(user);
    clReleaseMemObject(first);
    drop(&f);
}

TEST(program_scope_variables) {
    static const char source[] =
        "global int counter = 40; global int zeros[4]; global int *global pointer = &counter;\n"
        "kernel void step(global int *out) { out[0] = ++*pointer; out[1] = zeros[3]++; }\n"
        "kernel void look(global int *out) { out[0] = counter; out[1] = zeros[3]; }\n";
    fixture f = make("");
    cl_program first = weft_built(f.context, source, "-cl-std=CL2.0");
    cl_program second = weft_built(f.context, source, "-cl-std=CL2.0");
    cl_kernel steps[2] = {weft_kernel(first, "step"), weft_kernel(second, "step")};
    cl_kernel look = weft_kernel(first, "look");
    size_t one = 1;
    cl_int out[2];

    for (int i = 0; i < 3; i++) {
        CHECK_EQ(clSetKernelArg(steps[i / 2], 0, sizeof(f.mem), &f.mem), CL_SUCCESS);
        CHECK_EQ(clEnqueueNDRangeKernel(f.queue, steps[i / 2], 1, NULL, &one, NULL, 0, NULL, NULL),
                 CL_SUCCESS);
    }
    CHECK_EQ(clEnqueueReadBuffer(f.queue, f.mem, CL_TRUE, 0, 8, out, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(out[0], 41); /* each program has its own */
    CHECK_EQ(clSetKernelArg(look, 0, sizeof(f.mem), &f.mem), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, look, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f.queue, f.mem, CL_TRUE, 0, 8, out, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(out[0], 42); /* its kernels share them */
    CHECK_EQ(out[1], 2);
    clReleaseKernel(steps[0]);
    clReleaseKernel(steps[1]);
    clReleaseKernel(look);
    clReleaseProgram(first);
    clReleaseProgram(second);
    drop(&f);
}

/* ---- native kernels -------------------------------------------------------------------------- */

typedef struct native_args {
    cl_int number;
    void *mem, *none;
} native_args;

static void CL_CALLBACK native(void *args) {
    native_args *a = args;
    *(cl_int *)a->mem = a->none ? -1 : a->number;
}

TEST(native_kernels) {
    cl_context context = weft_context(1);
    cl_int error, value = 0;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    cl_mem mem = clCreateBuffer(context, 0, 64, NULL, &error), mems[2] = {mem, NULL};
    native_args args = {1234, mem, NULL};
    const void *places[2] = {&args.mem, &args.none}, *outside[1] = {&value};
    cl_device_exec_capabilities capabilities = 0;

    clGetDeviceInfo(weft_device(0), CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(capabilities),
                    &capabilities, NULL);
    CHECK(capabilities & CL_EXEC_NATIVE_KERNEL);
#define NATIVE(f, a, n, c, m, p) clEnqueueNativeKernel(queue, f, a, n, c, m, p, 0, NULL, NULL)
    CHECK_EQ(NATIVE(native, &args, sizeof(args), 2, mems, places), CL_SUCCESS);
    args.number = 0; /* copied at once */
    CHECK_EQ(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(value, 1234);
    CHECK_EQ(NATIVE(NULL, &args, sizeof(args), 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(NATIVE(native, NULL, sizeof(args), 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(NATIVE(native, &args, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(NATIVE(native, &args, sizeof(args), 1, NULL, places), CL_INVALID_VALUE);
    CHECK_EQ(NATIVE(native, &args, sizeof(args), 1, mems, NULL), CL_INVALID_VALUE);
    CHECK_EQ(NATIVE(native, &args, sizeof(args), 0, mems, NULL), CL_INVALID_VALUE);
    CHECK_EQ(NATIVE(native, &args, sizeof(args), 1, mems, outside), CL_INVALID_VALUE);
    mems[0] = (cl_mem)queue;
    CHECK_EQ(NATIVE(native, &args, sizeof(args), 1, mems, places), CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST_MAIN()
