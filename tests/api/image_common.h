// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the tests of images share. */
#ifndef WEFT_TEST_IMAGE_COMMON_H
#define WEFT_TEST_IMAGE_COMMON_H

#include "start.h"

static const cl_image_format RGBA8 = {CL_RGBA, CL_UNORM_INT8};

static inline cl_image_desc desc_of(cl_mem_object_type type, size_t width, size_t height,
                                    size_t depth) {
    cl_image_desc desc = {.image_type = type, .image_width = width};
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
        desc.image_array_size = height;
        return desc;
    }
    desc.image_height = height;
    if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        desc.image_array_size = depth;
    else
        desc.image_depth = depth;
    return desc;
}

/** An image of `format`; fails the test where that is an error. */
static inline cl_mem make(cl_context context, cl_mem_flags flags, cl_image_format format,
                          cl_image_desc desc, void *host_ptr) {
    cl_int error = 1;
    cl_mem image = clCreateImage(context, flags, &format, &desc, host_ptr, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(image);
    return image;
}

/** The error of an image that cannot be. */
static inline cl_int error_of(cl_context context, cl_mem_flags flags, cl_image_format format,
                              cl_image_desc desc, void *host_ptr) {
    cl_int error = 1;
    cl_mem image = clCreateImage(context, flags, &format, &desc, host_ptr, &error);
    if (image)
        clReleaseMemObject(image);
    CHECK_EQ(image == NULL, error != CL_SUCCESS);
    return error;
}

static inline size_t size_info(cl_mem image, cl_image_info name) {
    size_t value = 77, size = 0;
    CHECK_EQ(clGetImageInfo(image, name, sizeof(value), &value, &size), CL_SUCCESS);
    CHECK_EQ(size, sizeof(value));
    return value;
}

#endif
