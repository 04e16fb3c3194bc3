// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What tests of image functions begin and end with. */
#ifndef WEFT_TESTS_IMAGE_SESSION_H
#define WEFT_TESTS_IMAGE_SESSION_H

#include "image_reference.h"

#include "../api/common.h"

typedef struct start {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} start;

static inline start begin(const char *source) {
    start s;
    cl_int error = 1;
    weft_need_compiler();
    s.context = weft_context(1);
    s.queue = clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    s.program = weft_built(s.context, source, "-cl-std=CL2.0");
    return s;
}

static inline void end(start s) {
    CHECK_EQ(clReleaseProgram(s.program), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(s.queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(s.context), CL_SUCCESS);
}

static uint32_t seed = 12345;

static inline uint32_t draw(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static inline cl_mem make_image(start s, const picture *p, cl_mem_flags flags) {
    static const cl_mem_object_type types[2][3] = {
        {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, 0}};
    cl_image_desc desc = {.image_type = types[p->array][p->axes - 1],
                          .image_width = (size_t)p->width,
                          .image_height = (size_t)p->height,
                          .image_depth = (size_t)p->depth,
                          .image_array_size = (size_t)p->layers};
    cl_int error = 1;
    cl_mem image = clCreateImage(s.context, flags, &p->format, &desc,
                                 flags & CL_MEM_COPY_HOST_PTR ? p->data : NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return image;
}

static inline void run(start s, cl_kernel kernel, size_t items) {
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
}

static inline void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem) {
    CHECK_EQ(clSetKernelArg(kernel, index, sizeof(mem), &mem), CL_SUCCESS);
}

#endif
