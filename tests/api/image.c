// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Images as objects: all types, where their pixels come from, what they answer. */

#include "image_common.h"

static void check_sizes(cl_mem image, const size_t expected[4]) {
    CHECK_EQ(size_info(image, CL_IMAGE_WIDTH), expected[0]);
    CHECK_EQ(size_info(image, CL_IMAGE_HEIGHT), expected[1]);
    CHECK_EQ(size_info(image, CL_IMAGE_DEPTH), expected[2]);
    CHECK_EQ(size_info(image, CL_IMAGE_ARRAY_SIZE), expected[3]);
}

TEST(every_type) {
    start s = begin();
    static const struct {
        cl_mem_object_type type;
        size_t expected[4], slice_pitch, bytes;
    } rows[] = {
        {CL_MEM_OBJECT_IMAGE1D, {5, 0, 0, 0}, 0, 20},
        {CL_MEM_OBJECT_IMAGE2D, {5, 3, 0, 0}, 0, 60},
        {CL_MEM_OBJECT_IMAGE3D, {5, 3, 2, 0}, 60, 120},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, {5, 0, 0, 3}, 20, 60},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, {5, 3, 0, 2}, 60, 120},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cl_mem image = make(s.context, 0, RGBA8, desc_of(rows[i].type, 5, 3, 2), NULL);
        cl_image_format format;
        cl_mem_object_type type;
        size_t bytes;
        cl_uint none;
        check_sizes(image, rows[i].expected);
        CHECK_EQ(size_info(image, CL_IMAGE_ELEMENT_SIZE), 4);
        CHECK_EQ(size_info(image, CL_IMAGE_ROW_PITCH), 20);
        CHECK_EQ(size_info(image, CL_IMAGE_SLICE_PITCH), rows[i].slice_pitch);
        CHECK_EQ(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof(format), &format, NULL), CL_SUCCESS);
        CHECK_EQ(format.image_channel_order, CL_RGBA);
        CHECK_EQ(format.image_channel_data_type, CL_UNORM_INT8);
        CHECK_EQ(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof(none), &none, NULL),
                 CL_SUCCESS);
        CHECK_EQ(none, 0);
        CHECK_EQ(clGetImageInfo(image, CL_IMAGE_NUM_SAMPLES, sizeof(none), &none, NULL),
                 CL_SUCCESS);
        CHECK_EQ(none, 0);
        CHECK_EQ(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
        CHECK_EQ(type, rows[i].type);
        CHECK_EQ(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL), CL_SUCCESS);
        CHECK_EQ(bytes, rows[i].bytes);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    end(s);
}

TEST(host_memory_with_pitches) {
    start s = begin();
    static unsigned char memory[4 * 256];
    const size_t origin[3] = {0}, region[3] = {5, 3, 2};
    unsigned char out[120];
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE3D, 5, 3, 2);
    desc.image_row_pitch = 32;
    desc.image_slice_pitch = 256;
    for (size_t i = 0; i < sizeof(memory); i++)
        memory[i] = (unsigned char)(i * 7);
    for (int use = 0; use < 2; use++) {
        cl_mem image =
            make(s.context, use ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR, RGBA8, desc, memory);
        void *host_ptr = NULL;
        CHECK_EQ(size_info(image, CL_IMAGE_ROW_PITCH), use ? 32 : 20);
        CHECK_EQ(size_info(image, CL_IMAGE_SLICE_PITCH), use ? 256 : 60);
        CHECK_EQ(clGetMemObjectInfo(image, CL_MEM_HOST_PTR, sizeof(host_ptr), &host_ptr, NULL),
                 CL_SUCCESS);
        CHECK(host_ptr == (use ? memory : NULL));
        memset(out, 0, sizeof(out));
        CHECK_EQ(
            clEnqueueReadImage(s.queue, image, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL),
            CL_SUCCESS);
        for (int z = 0; z < 2; z++)
            for (int y = 0; y < 3; y++)
                CHECK(memcmp(out + z * 60 + y * 20, memory + z * 256 + y * 32, 20) == 0);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    end(s);
}

TEST(views_of_buffers) {
    start s = begin();
    cl_int error = 1;
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_READ_ONLY, 1024, NULL, &error), of = NULL;
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 10, 8, 0);
    cl_mem_flags flags = 0;
    cl_uint references = 0;
    desc.mem_object = buffer;
    desc.image_row_pitch = 128;
    CHECK_EQ(error, CL_SUCCESS);
    cl_mem image = make(s.context, 0, RGBA8, desc, NULL);
    CHECK_EQ(size_info(image, CL_IMAGE_ROW_PITCH), 128);
    CHECK_EQ(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(of), &of, NULL),
             CL_SUCCESS);
    CHECK(of == buffer);
    CHECK_EQ(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof(of), &of, NULL), CL_SUCCESS);
    CHECK(of == buffer);
    CHECK_EQ(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof(flags), &flags, NULL), CL_SUCCESS);
    CHECK_EQ(flags, CL_MEM_READ_ONLY);
    CHECK_EQ(
        clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof(references), &references, NULL),
        CL_SUCCESS);
    CHECK_EQ(references, 1);

    cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256};
    line.mem_object = buffer;
    cl_mem flat = make(s.context, 0, RGBA8, line, NULL);
    CHECK_EQ(clReleaseMemObject(buffer), CL_SUCCESS); /* the images keep it */

    const size_t at[3] = {2, 1, 0}, one[3] = {1, 1, 1}, same[3] = {34, 0, 0};
    const unsigned char pixel[4] = {1, 2, 3, 4};
    unsigned char out[4] = {0};
    CHECK_EQ(clEnqueueWriteImage(s.queue, image, CL_TRUE, at, one, 0, 0, pixel, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadImage(s.queue, flat, CL_TRUE, same, one, 0, 0, out, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK(memcmp(pixel, out, 4) == 0);
    CHECK_EQ(clReleaseMemObject(flat), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    end(s);
}

TEST(views_of_images) {
    start s = begin();
    static const struct {
        cl_channel_order as, of;
        cl_channel_type type;
        cl_int error;
    } rows[] = {
        {CL_sRGBA, CL_RGBA, CL_UNORM_INT8, CL_SUCCESS},
        {CL_RGBA, CL_sRGBA, CL_UNORM_INT8, CL_SUCCESS},
        {CL_sBGRA, CL_BGRA, CL_UNORM_INT8, CL_SUCCESS},
        {CL_DEPTH, CL_R, CL_FLOAT, CL_SUCCESS},
        {CL_BGRA, CL_RGBA, CL_UNORM_INT8, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {CL_RG, CL_RGBA, CL_UNORM_INT8, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cl_image_format format = {rows[i].of, rows[i].type};
        cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0);
        cl_mem image = make(s.context, 0, format, desc, NULL);
        desc.mem_object = image;
        format.image_channel_order = rows[i].as;
        CHECK_EQ(error_of(s.context, 0, format, desc, NULL), rows[i].error);
        desc.image_width = 3;
        CHECK_EQ(error_of(s.context, 0, format, desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    end(s);
}

static bool listed(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                   cl_channel_order order, cl_channel_type channel) {
    cl_image_format formats[512];
    cl_uint count = 0;
    CHECK_EQ(clGetSupportedImageFormats(context, flags, type, 512, formats, &count), CL_SUCCESS);
    CHECK(count <= 512);
    for (cl_uint i = 0; i < count; i++)
        if (formats[i].image_channel_order == order &&
            formats[i].image_channel_data_type == channel)
            return true;
    return false;
}

/* "Minimum List of Supported Image Formats", tables 13 and 14 */
TEST(required_formats) {
    start s = begin();
    static const cl_channel_type all[] = {CL_UNORM_INT8,     CL_UNORM_INT16,   CL_SNORM_INT8,
                                          CL_SNORM_INT16,    CL_SIGNED_INT8,   CL_SIGNED_INT16,
                                          CL_SIGNED_INT32,   CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
                                          CL_UNSIGNED_INT32, CL_HALF_FLOAT,    CL_FLOAT};
    static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA};
    static const cl_mem_flags uses[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
                                        CL_MEM_KERNEL_READ_AND_WRITE};
    for (cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
         type++) {
        bool plane = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
        for (int u = 0; u < 4; u++) {
            for (int o = 0; o < 3; o++)
                for (size_t t = 0; t < sizeof(all) / sizeof(all[0]); t++)
                    CHECK(listed(s.context, uses[u], type, orders[o], all[t]));
            CHECK(listed(s.context, uses[u], type, CL_BGRA, CL_UNORM_INT8));
            CHECK_EQ(listed(s.context, uses[u], type, CL_DEPTH, CL_UNORM_INT16), plane);
            CHECK_EQ(listed(s.context, uses[u], type, CL_DEPTH, CL_FLOAT), plane);
            CHECK_EQ(listed(s.context, uses[u], type, CL_sRGBA, CL_UNORM_INT8),
                     uses[u] == CL_MEM_READ_ONLY && type != CL_MEM_OBJECT_IMAGE1D_BUFFER);
            CHECK(!listed(s.context, uses[u], type, CL_RGB, CL_UNORM_INT8));
        }
    }
    end(s);
}

/* Whatever is listed can be made, and what is not cannot. */
TEST(listed_formats_exist) {
    start s = begin();
    cl_image_format formats[512];
    cl_uint count = 0;
    CHECK_EQ(clGetSupportedImageFormats(s.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 512,
                                        formats, &count),
             CL_SUCCESS);
    CHECK(count > 60);
    for (cl_uint i = 0; i < count; i++) {
        cl_mem image =
            make(s.context, 0, formats[i], desc_of(CL_MEM_OBJECT_IMAGE2D, 3, 3, 0), NULL);
        CHECK_EQ(size_info(image, CL_IMAGE_ROW_PITCH), 3 * size_info(image, CL_IMAGE_ELEMENT_SIZE));
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    cl_image_format depth = {CL_DEPTH, CL_FLOAT}, srgb = {CL_sRGB, CL_UNORM_INT8};
    cl_image_format x = {CL_RGx, CL_FLOAT};
    CHECK_EQ(error_of(s.context, 0, x, desc_of(CL_MEM_OBJECT_IMAGE2D, 3, 3, 0), NULL),
             CL_IMAGE_FORMAT_NOT_SUPPORTED);
    CHECK_EQ(error_of(s.context, 0, depth, desc_of(CL_MEM_OBJECT_IMAGE3D, 3, 3, 3), NULL),
             CL_IMAGE_FORMAT_NOT_SUPPORTED);
    CHECK_EQ(error_of(s.context, 0, srgb, desc_of(CL_MEM_OBJECT_IMAGE2D, 3, 3, 0), NULL),
             CL_IMAGE_FORMAT_NOT_SUPPORTED);
    cl_uint fewer = 0;
    CHECK_EQ(clGetSupportedImageFormats(s.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 1,
                                        formats, &fewer),
             CL_SUCCESS);
    CHECK_EQ(fewer, count);
    end(s);
}

static int order_of_calls[2], calls;

static void CL_CALLBACK destroyed(cl_mem image, void *user) {
    (void)image;
    order_of_calls[calls++] = (int)(intptr_t)user;
}

TEST(old_functions_and_callbacks) {
    start s = begin();
    cl_int error = 1;
    cl_mem image = clCreateImage2D(s.context, 0, &RGBA8, 4, 2, 0, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetMemObjectDestructorCallback(image, destroyed, (void *)1), CL_SUCCESS);
    CHECK_EQ(clSetMemObjectDestructorCallback(image, destroyed, (void *)2), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    CHECK_EQ(calls, 2);
    CHECK_EQ(order_of_calls[0], 2);
    image = clCreateImage3D(s.context, 0, &RGBA8, 4, 2, 3, 0, 0, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(size_info(image, CL_IMAGE_DEPTH), 3);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    CHECK(!clCreateImage2D(s.context, 0, &RGBA8, 0, 2, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_IMAGE_SIZE);
    CHECK(!clCreateImage3D(s.context, 0, &RGBA8, 4, 2, 0, 0, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_IMAGE_SIZE);
    end(s);
}

TEST_MAIN()
