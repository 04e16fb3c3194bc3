// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Program binaries whose checksum is right and whose numbers are not. Their code is replaced by a
 * return, so that what is left to go wrong is the runtime's: it loads, asks, sets arguments and
 * enqueues. Fails on e8e9dd5, where a required size of {8, 0, 0} ended the process by SIGFPE.
 */

#include "common.h"

#include "compiler/shared/container.c"
#include "wild_binary.h"

static const char *const source =
    "kernel void all(global int *g, constant float *c, local int *l, float4 v, read_only image2d_t "
    "i, sampler_t s) { size_t at = get_global_id(0); l[get_local_id(0)] = g[at]; "
    "barrier(CLK_LOCAL_MEM_FENCE); g[at] = l[0] + (int)(c[0] + v.x + read_imagef(i, s, (int2)(0, "
    "0)).x); }\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(global int *g) { "
    "g[get_global_id(0)] = 1; }";

enum { ARGUMENTS = 6 };

/* A context and what the arguments of `all` are. */
typedef struct fixture {
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer, image;
    cl_sampler sampler;
    weft_wild_binary binary;
    unsigned char *table; /* weft_image_info in there */
    unsigned loaded, refused;
} fixture;

/* ---- the binary ------------------------------------------------------------------------------ */

static void take_binary(fixture *f) {
    cl_program program = weft_built(f->context, source, NULL);
    size_t size;
    unsigned char *bytes = weft_binary_of(program, &size);
    clReleaseProgram(program);
    CHECK(weft_wild_open(bytes, size, &f->binary));
    f->table = bytes + f->binary.table;
}

static void make(fixture *f) {
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int error = 1;
    weft_need_compiler();
    *f = (fixture){.context = weft_context(1)};
    f->queue = clCreateCommandQueueWithProperties(f->context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f->buffer = clCreateBuffer(f->context, 0, 4096, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f->image = clCreateImage(f->context, 0, &format, &desc, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f->sampler = clCreateSamplerWithProperties(f->context, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    take_binary(f);
}

static void drop(fixture *f) {
    clReleaseSampler(f->sampler);
    clReleaseMemObject(f->image);
    clReleaseMemObject(f->buffer);
    CHECK_EQ(clReleaseCommandQueue(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f->context), CL_SUCCESS);
    free(f->binary.bytes);
}

/* ---- using it -------------------------------------------------------------------------------- */

static void ask(cl_kernel kernel) {
    const cl_device_id device = weft_device(0);
    const size_t local[3] = {8, 2, 1};
    char value[1024];
    for (cl_kernel_info name = CL_KERNEL_FUNCTION_NAME; name <= CL_KERNEL_ATTRIBUTES; name++)
        clGetKernelInfo(kernel, name, sizeof(value), value, NULL);
    for (cl_kernel_work_group_info name = CL_KERNEL_WORK_GROUP_SIZE;
         name <= CL_KERNEL_GLOBAL_WORK_SIZE; name++)
        clGetKernelWorkGroupInfo(kernel, device, name, sizeof(value), value, NULL);
    for (cl_uint i = 0; i < ARGUMENTS; i++)
        for (cl_kernel_arg_info name = CL_KERNEL_ARG_ADDRESS_QUALIFIER; name <= CL_KERNEL_ARG_NAME;
             name++)
            clGetKernelArgInfo(kernel, i, name, sizeof(value), value, NULL);
    clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof(local),
                            local, sizeof(value), value, NULL);
    clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof(local),
                            local, sizeof(value), value, NULL);
    const size_t count = 3;
    clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof(count),
                            &count, sizeof(value), value, NULL);
    clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof(value),
                            value, NULL);
}

/* Whatever kinds its arguments have now: each is given everything that one may be. */
static void set_arguments(const fixture *f, cl_kernel kernel) {
    const cl_float4 vector = {{1, 2, 3, 4}};
    char large[1024] = {0};
    for (cl_uint i = 0; i < ARGUMENTS; i++) {
        clSetKernelArg(kernel, i, sizeof(vector), &vector);
        clSetKernelArg(kernel, i, 4, large);
        clSetKernelArg(kernel, i, sizeof(large), large);
        clSetKernelArg(kernel, i, 64, NULL);
        clSetKernelArg(kernel, i, sizeof(f->sampler), &f->sampler);
        clSetKernelArg(kernel, i, sizeof(f->image), &f->image);
        clSetKernelArg(kernel, i, sizeof(f->buffer), &f->buffer);
    }
}

static void enqueue(const fixture *f, cl_kernel kernel) {
    const size_t global[3] = {64, 4, 1}, local[3] = {8, 2, 1};
    clEnqueueNDRangeKernel(f->queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL);
    clEnqueueNDRangeKernel(f->queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
    clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, global, NULL, 0, NULL, NULL);
    clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, global, local, 0, NULL, NULL);
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
}

static cl_int use(fixture *f) {
    const cl_device_id device = weft_device(0);
    const unsigned char *bytes = f->binary.bytes;
    cl_int error = 1, status = 1;
    weft_wild_mend(f->binary.bytes, f->binary.size);
    cl_program program =
        clCreateProgramWithBinary(f->context, 1, &device, &f->binary.size, &bytes, &status, &error);
    CHECK((program != NULL) == (error == CL_SUCCESS));
    f->loaded += error == CL_SUCCESS;
    f->refused += error == CL_INVALID_BINARY;
    if (!program)
        return error;
    if (clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS) {
        cl_kernel kernels[8];
        cl_uint count = 0;
        if (clCreateKernelsInProgram(program, 8, kernels, &count) != CL_SUCCESS)
            count = 0;
        for (cl_uint i = 0; i < count; i++) {
            ask(kernels[i]);
            set_arguments(f, kernels[i]);
            enqueue(f, kernels[i]);
            clReleaseKernel(kernels[i]);
        }
    }
    clReleaseProgram(program);
    return error;
}

/* Each word of [from, from + bytes) is everything that is likely to hurt, one after the other. */
static void change_words(fixture *f, unsigned char *from, size_t bytes) {
    for (size_t at = 0; at + 4 <= bytes; at += 4) {
        uint32_t before;
        memcpy(&before, from + at, 4);
        uint32_t values[WEFT_WILD_VALUES];
        weft_wild_values(before, values);
        for (size_t i = 0; i < WEFT_WILD_VALUES; i++) {
            memcpy(from + at, &values[i], 4);
            use(f);
        }
        memcpy(from + at, &before, 4);
    }
}

TEST(every_number_of_a_kernel) {
    fixture f;
    make(&f);
    CHECK_EQ(use(&f), CL_SUCCESS);
    const weft_image_info info = f.binary.info;
    for (uint32_t i = 0; i < info.kernel_count; i++)
        change_words(&f, f.table + info.kernels + i * sizeof(weft_kernel_info),
                     sizeof(weft_kernel_info));
    CHECK(f.loaded > 300 && f.refused > 300);
    CHECK_EQ(use(&f), CL_SUCCESS);
    drop(&f);
}

TEST(every_number_of_an_argument) {
    fixture f;
    make(&f);
    const weft_image_info info = f.binary.info;
    CHECK_EQ(info.arg_count, ARGUMENTS + 1);
    change_words(&f, f.table + info.args, info.arg_count * sizeof(weft_arg_info));
    CHECK(f.loaded > 300 && f.refused > 100);
    CHECK_EQ(use(&f), CL_SUCCESS);
    drop(&f);
}

TEST(every_number_of_the_table) {
    fixture f;
    make(&f);
    change_words(&f, f.table, sizeof(weft_image_info));
    CHECK_EQ(use(&f), CL_SUCCESS);
    drop(&f);
}

TEST(a_required_size_of_eight_and_nothing) {
    fixture f;
    make(&f);
    const weft_image_info info = f.binary.info;
    const uint64_t sizes[3] = {8, 0, 0}, huge[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    unsigned char *size = f.table + info.kernels + offsetof(weft_kernel_info, reqd_local_size);
    memcpy(size, sizes, sizeof(sizes));
    CHECK_EQ(use(&f), CL_INVALID_BINARY);
    memcpy(size, huge, sizeof(huge));
    use(&f);
    drop(&f);
}

TEST_MAIN()
