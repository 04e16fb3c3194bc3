// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Features that no device has yet: their functions exist and return what the specification says for
 * devices without them. Whoever builds a feature moves its lines into a test of the feature.
 */

#include "common.h"

typedef struct start {
    cl_context context;
    cl_command_queue queue;
    cl_mem mem;
} start;

static start begin(void) {
    start s;
    cl_int error = 1;
    s.context = weft_context(1);
    s.queue = clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    s.mem = clCreateBuffer(s.context, 0, 1024, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return s;
}

static void end(start s) {
    CHECK_EQ(clReleaseMemObject(s.mem), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(s.queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(s.context), CL_SUCCESS);
}

TEST(create_image) {
    start s = begin();
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    cl_int error = 1;
    CHECK(!clCreateImage(s.context, 0, &format, &desc, NULL, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreateImageWithProperties(s.context, NULL, 0, &format, &desc, NULL, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreateImage2D(s.context, 0, &format, 8, 8, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreateImage3D(s.context, 0, &format, 8, 8, 8, 0, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreateImage((cl_context)s.mem, 0, &format, &desc, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    end(s);
}

TEST(image_queries) {
    start s = begin();
    cl_image_format format;
    cl_uint count = 77;
    size_t size;
    CHECK_EQ(clGetSupportedImageFormats(s.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 1,
                                        &format, &count),
             CL_SUCCESS);
    CHECK_EQ(count, 0);
    CHECK_EQ(clGetSupportedImageFormats(s.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, NULL,
                                        &count),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetSupportedImageFormats(s.context, 0, CL_MEM_OBJECT_IMAGE3D, 0, &format, &count),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetImageInfo(s.mem, CL_IMAGE_WIDTH, sizeof(size), &size, NULL),
             CL_INVALID_MEM_OBJECT);
    end(s);
}

TEST(enqueue_image) {
    start s = begin();
    const size_t origin[3] = {0}, region[3] = {1, 1, 1};
    size_t pitch;
    float colour[4] = {0};
    cl_int error = 1;
    cl_mem m = s.mem;
    cl_command_queue q = s.queue;
    CHECK_EQ(clEnqueueReadImage(q, m, CL_TRUE, origin, region, 0, 0, colour, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueWriteImage(q, m, CL_TRUE, origin, region, 0, 0, colour, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueFillImage(q, m, colour, origin, region, 0, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyImage(q, m, m, origin, origin, region, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyImageToBuffer(q, m, m, origin, region, 0, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueCopyBufferToImage(q, m, m, 0, origin, region, 0, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK(!clEnqueueMapImage(q, m, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL,
                             NULL, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueReadImage((cl_command_queue)m, m, CL_TRUE, origin, region, 0, 0, colour, 0,
                                NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    end(s);
}

TEST(samplers) {
    start s = begin();
    cl_sampler_properties good[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, 0};
    cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                     CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_sampler_properties wrong[] = {CL_SAMPLER_FILTER_MODE, 5, 0}, unknown[] = {5, 5, 0};
    cl_int error = 1;
    CHECK(!clCreateSampler(s.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreateSampler(s.context, CL_TRUE, 1, CL_FILTER_NEAREST, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSamplerWithProperties(s.context, good, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreateSamplerWithProperties(s.context, twice, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSamplerWithProperties(s.context, wrong, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSamplerWithProperties(s.context, unknown, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK_EQ(clRetainSampler((cl_sampler)s.mem), CL_INVALID_SAMPLER);
    CHECK_EQ(clReleaseSampler((cl_sampler)s.mem), CL_INVALID_SAMPLER);
    CHECK_EQ(clGetSamplerInfo((cl_sampler)s.mem, CL_SAMPLER_FILTER_MODE, 0, NULL, NULL),
             CL_INVALID_SAMPLER);
    end(s);
}

TEST(pipes) {
    start s = begin();
    cl_int error = 1;
    CHECK(!clCreatePipe(s.context, 0, 4, 16, NULL, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreatePipe(s.context, CL_MEM_READ_ONLY, 4, 16, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK_EQ(clGetPipeInfo(s.mem, CL_PIPE_PACKET_SIZE, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    end(s);
}

TEST(intermediate_language_and_built_in_kernels) {
    start s = begin();
    cl_device_id device = weft_device(0);
    const unsigned magic = 0x07230203;
    cl_int error = 1;
    CHECK(!clCreateProgramWithIL(s.context, &magic, sizeof(magic), &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!clCreateProgramWithIL(s.context, NULL, 4, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithBuiltInKernels(s.context, 1, &device, "none", &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithBuiltInKernels(s.context, 1, &device, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    cl_program program = weft_source(s.context, "kernel void k() {}");
    CHECK_EQ(clSetProgramSpecializationConstant(program, 0, 4, &magic), CL_INVALID_OPERATION);
    CHECK_EQ(clSetProgramSpecializationConstant(NULL, 0, 4, &magic), CL_INVALID_PROGRAM);
    clReleaseProgram(program);
    end(s);
}

TEST(device_queues) {
    start s = begin();
    cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int error = 1;
    CHECK(!clCreateCommandQueueWithProperties(s.context, weft_device(0), on_device, &error));
    CHECK_EQ(error, CL_INVALID_QUEUE_PROPERTIES);
    CHECK(clSetDefaultDeviceCommandQueue(s.context, weft_device(0), s.queue) != CL_SUCCESS);
    end(s);
}

TEST_MAIN()
