// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Errors of image functions that image_errors.c leaves out: the deprecated and the newer ways to
 * make images, lists and contexts that do not fit. tests/coverage says which errors are left. */

#include "common.h"

typedef struct fixture {
    cl_context context, other;
    cl_command_queue queue;
    cl_mem image, foreign;
    char bytes[64];
} fixture;

static const cl_image_format RGBA = {CL_RGBA, CL_UNORM_INT8}, WRONG = {CL_RGBA, 0x7777};
static const cl_image_desc SQUARE = {
    .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
static const size_t ZERO[3], REGION[3] = {4, 4, 1};

static cl_mem make_image(cl_context context) {
    cl_int error = 1;
    cl_mem image = clCreateImage(context, 0, &RGBA, &SQUARE, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return image;
}

static fixture begin(void) {
    fixture f = {.context = weft_context(1), .other = weft_context(1)};
    cl_int error = 1;
    f.queue = clCreateCommandQueueWithProperties(f.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.image = make_image(f.context);
    f.foreign = make_image(f.other);
    return f;
}

static void end(fixture *f) {
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(f->image), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(f->foreign), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f->context), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f->other), CL_SUCCESS);
}

#define REFUSED(call, wanted)                                                                      \
    do {                                                                                           \
        cl_int error = 1;                                                                          \
        CHECK(!(call));                                                                            \
        CHECK_EQ(error, wanted);                                                                   \
    } while (0)

TEST(images_the_old_way) {
    fixture f = begin();
    cl_context wrong = (cl_context)f.queue;
    const cl_mem_flags bad = (cl_mem_flags)1 << 40;
    REFUSED(clCreateImage2D(wrong, 0, &RGBA, 4, 4, 0, NULL, &error), CL_INVALID_CONTEXT);
    REFUSED(clCreateImage2D(f.context, bad, &RGBA, 4, 4, 0, NULL, &error), CL_INVALID_VALUE);
    REFUSED(clCreateImage2D(f.context, 0, &WRONG, 4, 4, 0, NULL, &error),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    REFUSED(clCreateImage2D(f.context, 0, NULL, 4, 4, 0, NULL, &error),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    REFUSED(clCreateImage2D(f.context, 0, &RGBA, 4, 4, 0, f.bytes, &error), CL_INVALID_HOST_PTR);
    REFUSED(clCreateImage2D(f.context, CL_MEM_COPY_HOST_PTR, &RGBA, 4, 4, 0, NULL, &error),
            CL_INVALID_HOST_PTR);
    REFUSED(clCreateImage3D(wrong, 0, &RGBA, 4, 4, 4, 0, 0, NULL, &error), CL_INVALID_CONTEXT);
    REFUSED(clCreateImage3D(f.context, bad, &RGBA, 4, 4, 4, 0, 0, NULL, &error), CL_INVALID_VALUE);
    REFUSED(clCreateImage3D(f.context, 0, &WRONG, 4, 4, 4, 0, 0, NULL, &error),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    REFUSED(clCreateImage3D(f.context, 0, &RGBA, 4, 4, 4, 0, 0, f.bytes, &error),
            CL_INVALID_HOST_PTR);
    end(&f);
}

TEST(images_with_properties) {
    fixture f = begin();
    cl_image_desc bad_type = SQUARE, too_large = SQUARE;
    bad_type.image_type = CL_MEM_OBJECT_BUFFER;
    too_large.image_width = (size_t)1 << 40;
    REFUSED(clCreateImageWithProperties((cl_context)f.queue, NULL, 0, &RGBA, &SQUARE, NULL, &error),
            CL_INVALID_CONTEXT);
    REFUSED(clCreateImageWithProperties(f.context, NULL, (cl_mem_flags)1 << 40, &RGBA, &SQUARE,
                                        NULL, &error),
            CL_INVALID_VALUE);
    REFUSED(clCreateImageWithProperties(f.context, NULL, 0, &WRONG, &SQUARE, NULL, &error),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    REFUSED(clCreateImageWithProperties(f.context, NULL, 0, &RGBA, NULL, NULL, &error),
            CL_INVALID_IMAGE_DESCRIPTOR);
    REFUSED(clCreateImageWithProperties(f.context, NULL, 0, &RGBA, &bad_type, NULL, &error),
            CL_INVALID_IMAGE_DESCRIPTOR);
    REFUSED(clCreateImageWithProperties(f.context, NULL, 0, &RGBA, &too_large, NULL, &error),
            CL_INVALID_IMAGE_SIZE);
    REFUSED(clCreateImageWithProperties(f.context, NULL, 0, &RGBA, &SQUARE, f.bytes, &error),
            CL_INVALID_HOST_PTR);
    REFUSED(clCreateSamplerWithProperties((cl_context)f.queue, NULL, &error), CL_INVALID_CONTEXT);
    end(&f);
}

static cl_int copy(fixture *f, cl_command_queue queue, cl_mem to, const size_t *region,
                   cl_uint count, const cl_event *list) {
    return clEnqueueCopyImage(queue, f->image, to, ZERO, ZERO, region, count, list, NULL);
}

TEST(copies_of_images) {
    fixture f = begin();
    static const size_t wide[3] = {5, 4, 1}, deep[3] = {4, 4, 2};
    cl_mem to = make_image(f.context);
    CHECK_EQ(copy(&f, f.queue, to, REGION, 0, NULL), CL_SUCCESS);
    CHECK_EQ(copy(&f, (cl_command_queue)f.context, to, REGION, 0, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(copy(&f, f.queue, f.foreign, REGION, 0, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(copy(&f, f.queue, to, wide, 0, NULL), CL_INVALID_VALUE);
    CHECK_EQ(copy(&f, f.queue, to, deep, 0, NULL), CL_INVALID_VALUE);
    CHECK_EQ(copy(&f, f.queue, to, REGION, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clReleaseMemObject(to), CL_SUCCESS);
    end(&f);
}

TEST(blocking_calls_tell_failures_of_their_wait_list) {
    const cl_int wanted = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    fixture f = begin();
    size_t pitch = 0;
    cl_int error = 1;
    cl_event failed = clCreateUserEvent(f.context, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(failed, -9), CL_SUCCESS);
    CHECK_EQ(clEnqueueReadImage(f.queue, f.image, CL_TRUE, ZERO, REGION, 0, 0, f.bytes, 1, &failed,
                                NULL),
             wanted);
    CHECK_EQ(clEnqueueWriteImage(f.queue, f.image, CL_TRUE, ZERO, REGION, 0, 0, f.bytes, 1, &failed,
                                 NULL),
             wanted);
    CHECK(!clEnqueueMapImage(f.queue, f.image, CL_TRUE, CL_MAP_READ, ZERO, REGION, &pitch, NULL, 1,
                             &failed, NULL, &error));
    CHECK_EQ(error, wanted);
    CHECK_EQ(clReleaseEvent(failed), CL_SUCCESS);
    end(&f);
}

TEST(not_a_sampler) {
    fixture f = begin();
    cl_sampler wrong = (cl_sampler)f.queue;
    cl_program program =
        weft_built(f.context,
                   "kernel void k(read_only image2d_t i, sampler_t s, global float4 *out) {\n"
                   "    *out = read_imagef(i, s, (float2)(0.5f)); }",
                   NULL);
    cl_kernel kernel = weft_kernel(program, "k");
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(wrong), &wrong), CL_INVALID_SAMPLER);
    CHECK_EQ(clSetKernelArg(kernel, 1, 1, &wrong), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    end(&f);
}

TEST_MAIN()
