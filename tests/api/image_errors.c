// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Every error of the functions that make images and answer questions about them. */

#include "image_common.h"

TEST(formats_and_flags) {
    start s = begin();
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 8, 8, 0);
    static const cl_image_format bad[] = {
        {0, CL_UNORM_INT8},          {CL_RGBA, 0},
        {CL_RGB, CL_UNORM_INT8},     {CL_RGBA, CL_UNORM_SHORT_565},
        {CL_BGRA, CL_FLOAT},         {CL_INTENSITY, CL_SIGNED_INT8},
        {CL_DEPTH, CL_UNORM_INT8},   {CL_sRGBA, CL_SNORM_INT8},
        {CL_R, CL_UNORM_INT_101010}, {CL_RGBA, CL_UNORM_INT24}};
    cl_int error = 1;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_EQ(error_of(s.context, 0, bad[i], desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(!clCreateImage(s.context, 0, NULL, &desc, NULL, &error));
    CHECK_EQ(error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(!clCreateImage(s.context, 0, &RGBA8, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK(!clCreateImage(s.context, 0, &RGBA8, NULL, NULL, NULL));
    CHECK(!clCreateImage((cl_context)s.queue, 0, &RGBA8, &desc, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK_EQ(error_of(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, RGBA8, desc, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(error_of(s.context, (cl_mem_flags)1 << 40, RGBA8, desc, NULL), CL_INVALID_VALUE);
    cl_mem_properties none[] = {0}, some[] = {1, 1, 0};
    cl_mem image = clCreateImageWithProperties(s.context, none, 0, &RGBA8, &desc, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    CHECK(!clCreateImageWithProperties(s.context, some, 0, &RGBA8, &desc, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PROPERTY);
    end(s);
}

TEST(sizes) {
    start s = begin();
    static const struct {
        cl_mem_object_type type;
        size_t width, height, depth;
        cl_int error;
    } rows[] = {
        {CL_MEM_OBJECT_IMAGE2D, 0, 1, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {CL_MEM_OBJECT_IMAGE2D, 1, 0, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {CL_MEM_OBJECT_IMAGE3D, 1, 1, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 0, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {CL_MEM_OBJECT_IMAGE2D, 1 << 20, 1, 0, CL_INVALID_IMAGE_SIZE},
        {CL_MEM_OBJECT_IMAGE2D, 1, 1 << 20, 0, CL_INVALID_IMAGE_SIZE},
        {CL_MEM_OBJECT_IMAGE1D, (size_t)1 << 40, 0, 0, CL_INVALID_IMAGE_SIZE},
        {CL_MEM_OBJECT_IMAGE3D, 1, 1, 1 << 20, CL_INVALID_IMAGE_SIZE},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 1 << 20, 0, CL_INVALID_IMAGE_SIZE},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, SIZE_MAX, CL_INVALID_IMAGE_SIZE},
        {CL_MEM_OBJECT_BUFFER, 1, 1, 1, CL_INVALID_IMAGE_DESCRIPTOR},
        {CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, 0, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {CL_MEM_OBJECT_IMAGE3D, 2048, 2048, 2048, CL_MEM_OBJECT_ALLOCATION_FAILURE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CHECK_EQ(error_of(s.context, 0, RGBA8,
                          desc_of(rows[i].type, rows[i].width, rows[i].height, rows[i].depth),
                          NULL),
                 rows[i].error);
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 8, 8, 0);
    desc.num_mip_levels = 1;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 0;
    desc.num_samples = 1;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    end(s);
}

TEST(pitches_and_host_memory) {
    start s = begin();
    static unsigned char memory[4096];
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE3D, 8, 4, 2);
    CHECK_EQ(error_of(s.context, CL_MEM_USE_HOST_PTR, RGBA8, desc, NULL), CL_INVALID_HOST_PTR);
    CHECK_EQ(error_of(s.context, CL_MEM_COPY_HOST_PTR, RGBA8, desc, NULL), CL_INVALID_HOST_PTR);
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, memory), CL_INVALID_HOST_PTR);
    static const struct {
        size_t row, slice;
        cl_int error;
    } rows[] = {{32, 128, CL_SUCCESS},
                {31, 0, CL_INVALID_IMAGE_DESCRIPTOR},
                {34, 0, CL_INVALID_IMAGE_DESCRIPTOR},
                {(size_t)1 << 40, 0, CL_INVALID_IMAGE_DESCRIPTOR},
                {0, 127, CL_INVALID_IMAGE_DESCRIPTOR},
                {64, 128, CL_INVALID_IMAGE_DESCRIPTOR},
                {32, 144, CL_INVALID_IMAGE_DESCRIPTOR},
                {64, SIZE_MAX & ~(size_t)63, CL_INVALID_IMAGE_DESCRIPTOR}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        desc.image_row_pitch = rows[i].row;
        desc.image_slice_pitch = rows[i].slice;
        CHECK_EQ(error_of(s.context, CL_MEM_USE_HOST_PTR, RGBA8, desc, memory), rows[i].error);
    }
    desc.image_row_pitch = 64;
    desc.image_slice_pitch = 0;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = 0;
    desc.image_slice_pitch = 256;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    end(s);
}

TEST(mem_objects) {
    start s = begin();
    cl_int error = 1;
    cl_context other = weft_context(1);
    cl_mem buffer =
        clCreateBuffer(s.context, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024, NULL, &error);
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 8, 8, 0);
    desc.mem_object = buffer;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_SUCCESS);
    CHECK_EQ(error_of(other, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_EQ(error_of(s.context, CL_MEM_WRITE_ONLY, RGBA8, desc, NULL), CL_INVALID_VALUE);
    CHECK_EQ(error_of(s.context, CL_MEM_READ_WRITE, RGBA8, desc, NULL), CL_INVALID_VALUE);
    CHECK_EQ(error_of(s.context, CL_MEM_HOST_WRITE_ONLY, RGBA8, desc, NULL), CL_INVALID_VALUE);
    CHECK_EQ(error_of(s.context, CL_MEM_ALLOC_HOST_PTR, RGBA8, desc, NULL), CL_INVALID_VALUE);
    desc.image_row_pitch = 256;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = 0;
    desc.image_type = CL_MEM_OBJECT_IMAGE1D;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    desc.image_width = 256;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_SUCCESS);
    desc.image_width = 257;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_width = ((size_t)1 << 27) + 1;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_SIZE);
    desc.image_width = 8;
    desc.mem_object = (cl_mem)s.queue;
    CHECK_EQ(error_of(s.context, 0, RGBA8, desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(other), CL_SUCCESS);
    end(s);
}

TEST(queries) {
    start s = begin();
    cl_image_format format;
    cl_uint count = 0;
    size_t size;
    cl_int error = 1;
    CHECK_EQ(clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
             CL_INVALID_CONTEXT);
    CHECK_EQ(clGetSupportedImageFormats(s.context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetSupportedImageFormats(s.context, 0, CL_MEM_OBJECT_IMAGE3D, 0, &format, &count),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetSupportedImageFormats(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                        CL_MEM_OBJECT_IMAGE3D, 0, NULL, &count),
             CL_INVALID_VALUE);
    cl_mem buffer = clCreateBuffer(s.context, 0, 64, NULL, &error);
    CHECK_EQ(clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof(size), &size, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clGetImageInfo(NULL, CL_IMAGE_WIDTH, sizeof(size), &size, NULL),
             CL_INVALID_MEM_OBJECT);
    cl_mem image = make(s.context, 0, RGBA8, desc_of(CL_MEM_OBJECT_IMAGE2D, 8, 8, 0), NULL);
    CHECK_EQ(clGetImageInfo(image, 5, sizeof(size), &size, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetImageInfo(image, CL_IMAGE_WIDTH, 7, &size, NULL), CL_INVALID_VALUE);
    cl_buffer_region region = {0, 32};
    CHECK(!clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    CHECK_EQ(error, CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    end(s);
}

TEST(old_functions) {
    start s = begin();
    static unsigned char memory[256];
    const cl_image_format bad = {CL_RGB, CL_UNORM_INT8};
    const cl_mem_flags both = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    cl_int error = 1;
    CHECK(!clCreateImage2D((cl_context)s.queue, 0, &RGBA8, 4, 4, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateImage2D(s.context, both, &RGBA8, 4, 4, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateImage2D(s.context, 0, &bad, 4, 4, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(!clCreateImage2D(s.context, 0, &RGBA8, 4, 4, 0, memory, &error));
    CHECK_EQ(error, CL_INVALID_HOST_PTR);
    CHECK(!clCreateImage2D(s.context, CL_MEM_USE_HOST_PTR, &RGBA8, 4, 4, 15, memory, &error));
    CHECK_EQ(error, CL_INVALID_IMAGE_SIZE);
    CHECK(!clCreateImage3D((cl_context)s.queue, 0, &RGBA8, 4, 4, 4, 0, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateImage3D(s.context, both, &RGBA8, 4, 4, 4, 0, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateImage3D(s.context, 0, &bad, 4, 4, 4, 0, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK(!clCreateImage3D(s.context, 0, &RGBA8, 4, 4, 4, 0, 0, memory, &error));
    CHECK_EQ(error, CL_INVALID_HOST_PTR);
    end(s);
}

TEST(with_properties) {
    start s = begin();
    const cl_image_format bad = {CL_RGB, CL_UNORM_INT8}, none = {CL_sRGB, CL_UNORM_INT8};
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 8, 8, 0), wide = desc;
    cl_int error = 1;
    wide.image_width = 1 << 20;
#define MADE(context, flags, format, desc, memory)                                                 \
    (clCreateImageWithProperties(context, NULL, flags, format, desc, memory, &error) ? CL_SUCCESS  \
                                                                                     : error)
    CHECK_EQ(MADE((cl_context)s.queue, 0, &RGBA8, &desc, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(MADE(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &RGBA8, &desc, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(MADE(s.context, 0, &bad, &desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK_EQ(MADE(s.context, 0, &none, &desc, NULL), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    CHECK_EQ(MADE(s.context, 0, &RGBA8, NULL, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_EQ(MADE(s.context, 0, &RGBA8, &wide, NULL), CL_INVALID_IMAGE_SIZE);
    CHECK_EQ(MADE(s.context, 0, &RGBA8, &desc, &desc), CL_INVALID_HOST_PTR);
    end(s);
}

TEST(kernel_arguments) {
    start s = begin();
    weft_need_compiler();
    cl_program program = weft_built(s.context,
                                    "kernel void k(read_only image2d_t i, sampler_t s,"
                                    " write_only image3d_t o) {}",
                                    "-cl-std=CL2.0");
    cl_kernel kernel = weft_kernel(program, "k");
    cl_mem plane =
        make(s.context, CL_MEM_READ_ONLY, RGBA8, desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0), NULL);
    cl_mem volume =
        make(s.context, CL_MEM_READ_ONLY, RGBA8, desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4), NULL);
    cl_sampler none = NULL;
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(plane), &plane), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(volume), &volume), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof(volume), &volume), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, 4, &plane), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(plane), &plane), CL_INVALID_SAMPLER);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(none), &none), CL_INVALID_SAMPLER);
    CHECK_EQ(clSetKernelArg(kernel, 1, 4, &none), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(plane), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(volume), CL_SUCCESS);
    end(s);
}

TEST_MAIN()
