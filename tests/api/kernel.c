// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Kernel objects: creation, arguments with every error, clones, information. */

#include "common.h"

#include <pthread.h>

static const char *const source =
    "typedef struct { int a; float b; } pair;\n"
    "kernel void all(global int *out, int value, float4 vector, pair both, constant int *table,\n"
    "                local int *scratch, global const float *restrict unused) {\n"
    "    size_t i = get_local_id(0);\n"
    "    scratch[i] = value + (int)vector.w + both.a;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = scratch[(i + 1) % get_local_size(0)] + (table ? table[0] : 0) +\n"
    "                            (unused ? 1000 : 0);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(global int *x) { *x = 1; }\n"
    "kernel void statics(global int *x) { local int l[100]; l[get_local_id(0)] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); *x = l[0]; }\n"
    "kernel void none(void) {}\n";

typedef struct start {
    cl_context context;
    cl_program program;
} start;

static start begin(void) {
    start s;
    s.context = weft_context(1);
    s.program = weft_built(s.context, source, "-cl-kernel-arg-info");
    return s;
}

static void end(start s) {
    CHECK_EQ(clReleaseProgram(s.program), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(s.context), CL_SUCCESS);
}

TEST(create_errors) {
    start s = begin();
    cl_program unbuilt = weft_source(s.context, source);
    cl_int error = 1;
    CHECK(!clCreateKernel(NULL, "all", &error));
    CHECK_EQ(error, CL_INVALID_PROGRAM);
    CHECK(!clCreateKernel(s.program, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateKernel(s.program, "al", &error));
    CHECK_EQ(error, CL_INVALID_KERNEL_NAME);
    CHECK(!clCreateKernel(unbuilt, "all", &error));
    CHECK_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(clCreateKernelsInProgram(unbuilt, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(clCreateKernelsInProgram(NULL, 0, NULL, NULL), CL_INVALID_PROGRAM);
    clReleaseProgram(unbuilt);
    end(s);
}

TEST(all_of_a_program) {
    start s = begin();
    cl_kernel kernels[4] = {0};
    cl_uint count = 0;
    char names[64] = "";
    CHECK_EQ(clCreateKernelsInProgram(s.program, 0, NULL, &count), CL_SUCCESS);
    CHECK_EQ(count, 4);
    CHECK_EQ(clCreateKernelsInProgram(s.program, 3, kernels, NULL), CL_INVALID_VALUE);
    CHECK(!kernels[0]);
    CHECK_EQ(clCreateKernelsInProgram(s.program, 4, kernels, &count), CL_SUCCESS);
    for (int i = 0; i < 4; i++) {
        char name[16];
        CHECK_EQ(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL),
                 CL_SUCCESS);
        strcat(names, name);
        CHECK_EQ(clReleaseKernel(kernels[i]), CL_SUCCESS);
    }
    CHECK_EQ(strlen(names), strlen("allfixedstaticsnone"));
    end(s);
}

TEST(info) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_uint count = 0;
    cl_program program = NULL;
    cl_context context = NULL;
    char text[256];
#define QUERY(name, size, value, size_ret) clGetKernelInfo(kernel, name, size, value, size_ret)
    CHECK_INFO_SIZE(QUERY, CL_KERNEL_FUNCTION_NAME, 4);
    CHECK_EQ(QUERY(CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 7);
    CHECK_EQ(QUERY(CL_KERNEL_REFERENCE_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK_EQ(QUERY(CL_KERNEL_PROGRAM, sizeof(program), &program, NULL), CL_SUCCESS);
    CHECK(program == s.program);
    CHECK_EQ(QUERY(CL_KERNEL_CONTEXT, sizeof(context), &context, NULL), CL_SUCCESS);
    CHECK(context == s.context);
    CHECK_EQ(QUERY(0x1, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clRetainKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    kernel = weft_kernel(s.program, "fixed");
    CHECK_EQ(QUERY(CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL), CL_SUCCESS);
    CHECK(strstr(text, "reqd_work_group_size(8,"));
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clRetainKernel(NULL), CL_INVALID_KERNEL);
    CHECK_EQ(clReleaseKernel((cl_kernel)s.program), CL_INVALID_KERNEL);
    end(s);
}

#define GROUP(name, size, value, size_ret)                                                         \
    clGetKernelWorkGroupInfo(kernel, weft_device(0), name, size, value, size_ret)

TEST(work_group_info) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "fixed");
    size_t size[3] = {0}, most = 0;
    cl_ulong bytes = 0;
    CHECK_EQ(GROUP(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(size), size, NULL), CL_SUCCESS);
    CHECK(size[0] == 8 && size[1] == 2 && size[2] == 1);
    CHECK_EQ(GROUP(CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, NULL), CL_SUCCESS);
    CHECK_EQ(most, 16);
    clReleaseKernel(kernel);
    kernel = weft_kernel(s.program, "statics");
    CHECK_EQ(GROUP(CL_KERNEL_LOCAL_MEM_SIZE, sizeof(bytes), &bytes, NULL), CL_SUCCESS);
    CHECK(bytes >= 400 && bytes < 1024);
    CHECK_EQ(GROUP(CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, NULL), CL_SUCCESS);
    CHECK(most >= 1 && most <= 4096);
    CHECK_EQ(GROUP(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(most), &most, NULL),
             CL_SUCCESS);
    CHECK(most >= 1);
    CHECK_INFO_SIZE(GROUP, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof(cl_ulong));
    CHECK_EQ(GROUP(CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(size), size, NULL), CL_INVALID_VALUE);
    /* One device: it need not be named. */
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most,
                                      NULL),
             CL_SUCCESS);
    CHECK_EQ(
        clGetKernelWorkGroupInfo(kernel, weft_device(1), CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL),
        CL_INVALID_DEVICE);
    CHECK_EQ(
        clGetKernelWorkGroupInfo(NULL, weft_device(0), CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL),
        CL_INVALID_KERNEL);
    clReleaseKernel(kernel);
    end(s);
}

TEST(device_must_be_named_among_several) {
    cl_context context = weft_context(2);
    cl_program program = weft_built(context, "kernel void k() {}", NULL);
    cl_kernel kernel = weft_kernel(program, "k");
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL),
             CL_INVALID_DEVICE);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(local_memory_counts_arguments) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_ulong before = 0, after = 0;
    CHECK_EQ(GROUP(CL_KERNEL_LOCAL_MEM_SIZE, sizeof(before), &before, NULL), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 5, 300, NULL), CL_SUCCESS);
    CHECK_EQ(GROUP(CL_KERNEL_LOCAL_MEM_SIZE, sizeof(after), &after, NULL), CL_SUCCESS);
    CHECK(after >= before + 300);
    clReleaseKernel(kernel);
    end(s);
}

/* ---- information about arguments ------------------------------------------------------------- */

static const char *arg_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    static char text[64];
    CHECK_EQ(clGetKernelArgInfo(kernel, index, name, sizeof(text), text, NULL), CL_SUCCESS);
    return text;
}

static cl_ulong arg_number(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    cl_ulong value = 0;
    CHECK_EQ(clGetKernelArgInfo(kernel, index, name, sizeof(value), &value, NULL), CL_SUCCESS);
    return value;
}

TEST(arg_info) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    CHECK_STR(arg_text(kernel, 0, CL_KERNEL_ARG_NAME), "out");
    CHECK_STR(arg_text(kernel, 0, CL_KERNEL_ARG_TYPE_NAME), "int*");
    CHECK_STR(arg_text(kernel, 2, CL_KERNEL_ARG_TYPE_NAME), "float4");
    CHECK_STR(arg_text(kernel, 3, CL_KERNEL_ARG_TYPE_NAME), "pair");
    static const cl_ulong spaces[] = {CL_KERNEL_ARG_ADDRESS_GLOBAL,   CL_KERNEL_ARG_ADDRESS_PRIVATE,
                                      CL_KERNEL_ARG_ADDRESS_PRIVATE,  CL_KERNEL_ARG_ADDRESS_PRIVATE,
                                      CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL,
                                      CL_KERNEL_ARG_ADDRESS_GLOBAL};
    for (cl_uint i = 0; i < 7; i++) {
        CHECK_EQ(arg_number(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER), spaces[i]);
        CHECK_EQ(arg_number(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER), CL_KERNEL_ARG_ACCESS_NONE);
    }
    CHECK_EQ(arg_number(kernel, 1, CL_KERNEL_ARG_TYPE_QUALIFIER), CL_KERNEL_ARG_TYPE_NONE);
    CHECK(arg_number(kernel, 4, CL_KERNEL_ARG_TYPE_QUALIFIER) & CL_KERNEL_ARG_TYPE_CONST);
    CHECK_EQ(arg_number(kernel, 6, CL_KERNEL_ARG_TYPE_QUALIFIER),
             CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
    CHECK_EQ(clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, 0, NULL, NULL),
             CL_INVALID_ARG_INDEX);
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, 0x1, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetKernelArgInfo(NULL, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL), CL_INVALID_KERNEL);
    clReleaseKernel(kernel);
    end(s);
}

TEST(arg_info_must_be_asked_for) {
    cl_context context = weft_context(1);
    cl_program program = weft_built(context, "kernel void k(int x) {}", NULL);
    cl_kernel kernel = weft_kernel(program, "k");
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL),
             CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- clSetKernelArg -------------------------------------------------------------------------- */

TEST(set_arg_errors) {
    start s = begin();
    cl_context other = weft_context(1);
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_int value = 1, error = 1;
    cl_mem foreign = clCreateBuffer(other, 0, 16, NULL, &error);
    cl_mem wrong = (cl_mem)s.context;
    CHECK_EQ(clSetKernelArg(NULL, 0, 4, &value), CL_INVALID_KERNEL);
    CHECK_EQ(clSetKernelArg(kernel, 7, 4, &value), CL_INVALID_ARG_INDEX);
    CHECK_EQ(clSetKernelArg(kernel, 1, 8, &value), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(kernel, 1, 4, NULL), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, 4, &foreign), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &foreign), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &wrong), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 4, sizeof(cl_mem), &wrong), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 5, 0, NULL), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(kernel, 5, 4, &value), CL_INVALID_ARG_VALUE);
    clReleaseMemObject(foreign);
    clReleaseKernel(kernel);
    clReleaseContext(other);
    end(s);
}

typedef struct pair {
    cl_int a;
    cl_float b;
} pair;

static cl_mem set_all(start s, cl_kernel kernel, cl_int value, cl_mem table) {
    cl_int error = 1;
    cl_float4 vector = {{0, 0, 0, 20}};
    pair both = {300, 0};
    cl_mem out = clCreateBuffer(s.context, 0, 8 * sizeof(cl_int), NULL, &error);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(value), &value), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof(vector), &vector), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 3, sizeof(both), &both), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 4, sizeof(table), &table), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 5, 4 * sizeof(cl_int), NULL), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 6, sizeof(cl_mem), NULL), CL_SUCCESS);
    return out;
}

static cl_int run(start s, cl_kernel kernel, cl_mem out, cl_int *result) {
    cl_int error = 1, values[8] = {0};
    size_t global = 8, local = 4;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    if (error == CL_SUCCESS)
        error = clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL);
    clReleaseCommandQueue(queue);
    *result = values[3];
    return error;
}

TEST(arguments_arrive) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_int number = 4000, error = 1, result = 0;
    cl_mem table = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, 4, &number, &error);
    cl_mem out = set_all(s, kernel, 1, table);
    CHECK_EQ(run(s, kernel, out, &result), CL_SUCCESS);
    CHECK_EQ(result, 4321);
    /* A NULL buffer arrives as a null pointer. */
    CHECK_EQ(clSetKernelArg(kernel, 4, sizeof(cl_mem), NULL), CL_SUCCESS);
    CHECK_EQ(run(s, kernel, out, &result), CL_SUCCESS);
    CHECK_EQ(result, 321);
    clReleaseMemObject(out);
    clReleaseMemObject(table);
    clReleaseKernel(kernel);
    end(s);
}

TEST(all_arguments_must_be_set) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_int value = 1, result;
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(value), &value), CL_SUCCESS);
    CHECK_EQ(run(s, kernel, NULL, &result), CL_INVALID_KERNEL_ARGS);
    clReleaseKernel(kernel);
    end(s);
}

TEST(too_much_local_memory) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_int result;
    cl_mem out = set_all(s, kernel, 1, NULL);
    CHECK_EQ(clSetKernelArg(kernel, 5, 1 << 20, NULL), CL_SUCCESS);
    CHECK_EQ(run(s, kernel, out, &result), CL_OUT_OF_RESOURCES);
    CHECK_EQ(clSetKernelArg(kernel, 5, SIZE_MAX - 64, NULL), CL_SUCCESS);
    CHECK_EQ(run(s, kernel, out, &result), CL_OUT_OF_RESOURCES);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    end(s);
}

/* "Implementations shall not allow cl_kernel objects to hold reference counts to cl_kernel
 * arguments": the buffer goes when the application releases it; using the kernel is then an error,
 * not a crash. */
static void CL_CALLBACK gone(cl_mem mem, void *user) {
    (void)mem;
    ++*(int *)user;
}

TEST(kernels_do_not_hold_buffers) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_int error = 1, result;
    int calls = 0;
    cl_mem table = clCreateBuffer(s.context, 0, 16, NULL, &error);
    cl_mem out = set_all(s, kernel, 1, table);
    CHECK_EQ(clSetMemObjectDestructorCallback(table, gone, &calls), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(table), CL_SUCCESS);
    CHECK_EQ(calls, 1);
    CHECK_EQ(run(s, kernel, out, &result), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 4, sizeof(cl_mem), NULL), CL_SUCCESS);
    CHECK_EQ(run(s, kernel, out, &result), CL_SUCCESS);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    end(s);
}

TEST(clone) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    cl_int error = 1, result = 0, value = 2;
    cl_mem out = set_all(s, kernel, 1, NULL);
    cl_kernel clone = clCloneKernel(kernel, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(clone, 1, sizeof(value), &value), CL_SUCCESS);
    CHECK_EQ(run(s, kernel, out, &result), CL_SUCCESS);
    CHECK_EQ(result, 321);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(run(s, clone, out, &result), CL_SUCCESS);
    CHECK_EQ(result, 322);
    /* The clone keeps the program from being rebuilt as its source did. */
    CHECK_EQ(clBuildProgram(s.program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    CHECK(!clCloneKernel(NULL, &error));
    CHECK_EQ(error, CL_INVALID_KERNEL);
    clReleaseKernel(clone);
    clReleaseMemObject(out);
    end(s);
}

/* More buffers and a larger block than a command has room for. */
TEST(many_arguments) {
    char text[4096] = "kernel void k(", part[64];
    for (int i = 0; i < 60; i++) {
        snprintf(part, sizeof(part), "global int *a%d, double b%d, ", i, i);
        strcat(text, part);
    }
    strcat(text, "int last) { a59[0] = last + (int)b59; a0[0] = (int)b0; }");
    cl_context context = weft_context(1);
    start s = {context, weft_built(context, text, NULL)};
    cl_kernel kernel = weft_kernel(s.program, "k");
    cl_int error = 1, result = 0, last = 7;
    cl_mem mems[60];
    for (cl_uint i = 0; i < 60; i++) {
        double value = i;
        mems[i] = clCreateBuffer(context, 0, 64, NULL, &error);
        CHECK_EQ(clSetKernelArg(kernel, 2 * i, sizeof(cl_mem), &mems[i]), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, 2 * i + 1, sizeof(value), &value), CL_SUCCESS);
    }
    CHECK_EQ(clSetKernelArg(kernel, 120, sizeof(last), &last), CL_SUCCESS);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    size_t one = 1;
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    /* Arguments and buffers belong to the command now. */
    last = 1000;
    CHECK_EQ(clSetKernelArg(kernel, 120, sizeof(last), &last), CL_SUCCESS);
    CHECK_EQ(
        clEnqueueReadBuffer(queue, mems[59], CL_TRUE, 0, sizeof(result), &result, 0, NULL, NULL),
        CL_SUCCESS);
    CHECK_EQ(result, 66);
    for (int i = 0; i < 60; i++)
        CHECK_EQ(clReleaseMemObject(mems[i]), CL_SUCCESS);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    end(s);
}

static void *set_often(void *argument) {
    for (int i = 0; i < 20000; i++)
        if (clSetKernelArg(argument, 1, sizeof(i), &i) != CL_SUCCESS)
            return argument;
    return NULL;
}

/* clSetKernelArg need not be thread-safe on one kernel; we make it so. */
TEST(set_arg_from_threads) {
    start s = begin();
    cl_kernel kernel = weft_kernel(s.program, "all");
    pthread_t threads[2];
    void *failed[2];
    for (int i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, set_often, kernel), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &failed[i]);
    CHECK(!failed[0] && !failed[1]);
    clReleaseKernel(kernel);
    end(s);
}

TEST_MAIN()
