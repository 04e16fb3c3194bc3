// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Contexts: properties, callbacks, references, information. */

#include "common.h"

typedef struct heard {
    int count;
    char text[512];
} heard;

static void CL_CALLBACK listen(const char *text, const void *info, size_t bytes, void *user) {
    heard *to = user;
    (void)info;
    (void)bytes;
    to->count++;
    snprintf(to->text, sizeof(to->text), "%s", text);
}

#define QUERY(name, size, value, size_ret) clGetContextInfo(context, name, size, value, size_ret)

TEST(info) {
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)weft_platform(), 0};
    cl_device_id device = weft_device(0), got = NULL;
    cl_context_properties back[3] = {0};
    cl_int error = 1;
    cl_uint count = 0;
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_INFO_SIZE(QUERY, CL_CONTEXT_REFERENCE_COUNT, sizeof(cl_uint));
    CHECK_INFO_SIZE(QUERY, CL_CONTEXT_NUM_DEVICES, sizeof(cl_uint));
    CHECK_INFO_SIZE(QUERY, CL_CONTEXT_DEVICES, sizeof(cl_device_id));
    CHECK_INFO_SIZE(QUERY, CL_CONTEXT_PROPERTIES, sizeof(properties));
    CHECK_EQ(QUERY(CL_CONTEXT_DEVICES, sizeof(got), &got, NULL), CL_SUCCESS);
    CHECK(got == device);
    CHECK_EQ(QUERY(CL_CONTEXT_PROPERTIES, sizeof(back), back, NULL), CL_SUCCESS);
    CHECK(memcmp(back, properties, sizeof(back)) == 0);
    CHECK_EQ(QUERY(CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK_EQ(clRetainContext(context), CL_SUCCESS);
    CHECK_EQ(QUERY(CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(QUERY(0x1111, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(several_devices) {
    cl_device_id twice[] = {weft_device(0), weft_device(1), weft_device(0)}, got[3] = {0};
    cl_int error = 1;
    cl_uint count = 0;
    cl_context context = clCreateContext(NULL, 3, twice, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    /* "Duplicate devices specified in devices are ignored." */
    CHECK_EQ(QUERY(CL_CONTEXT_NUM_DEVICES, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(QUERY(CL_CONTEXT_DEVICES, sizeof(got), got, NULL), CL_SUCCESS);
    CHECK(got[0] == twice[0] && got[1] == twice[1]);
    clReleaseContext(context);
}

TEST(from_type) {
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)weft_platform(), 0};
    cl_int error = 1;
    cl_context context =
        clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_INFO_SIZE(QUERY, CL_CONTEXT_DEVICES, 3 * sizeof(cl_device_id));
    clReleaseContext(context);
    CHECK(!clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &error));
    CHECK_EQ(error, CL_DEVICE_NOT_FOUND);
    CHECK(!clCreateContextFromType(properties, 1u << 20, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_DEVICE_TYPE);
    CHECK(!clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, NULL, &error, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
}

static cl_int error_of(const cl_context_properties *properties, cl_uint count,
                       const cl_device_id *devices, void *user) {
    cl_int error = 1;
    cl_context context = clCreateContext(properties, count, devices, NULL, user, &error);
    CHECK(!context);
    return error;
}

TEST(create_errors) {
    cl_platform_id platform = weft_platform();
    cl_device_id device = weft_device(0), bad = (cl_device_id)platform;
    cl_context_properties p = (cl_context_properties)platform;
    cl_context_properties unknown[] = {0x4242, 1, 0};
    cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, p, CL_CONTEXT_PLATFORM, p, 0};
    cl_context_properties sync[] = {CL_CONTEXT_INTEROP_USER_SYNC, 7, 0};
    cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device, 0};
    CHECK_EQ(error_of(unknown, 1, &device, NULL), CL_INVALID_PROPERTY);
    CHECK_EQ(error_of(twice, 1, &device, NULL), CL_INVALID_PROPERTY);
    CHECK_EQ(error_of(sync, 1, &device, NULL), CL_INVALID_PROPERTY);
    CHECK_EQ(error_of(wrong, 1, &device, NULL), CL_INVALID_PLATFORM);
    CHECK_EQ(error_of(NULL, 1, &device, &device), CL_INVALID_VALUE);
    CHECK_EQ(error_of(NULL, 0, &device, NULL), CL_INVALID_VALUE);
    CHECK_EQ(error_of(NULL, 1, &bad, NULL), CL_INVALID_DEVICE);
}

TEST(notify_tells_the_rule) {
    cl_device_id device = weft_device(0);
    heard heard = {0};
    cl_int error = 1;
    cl_context context = clCreateContext(NULL, 1, &device, listen, &heard, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(!clCreateBuffer(context, 0, 0, NULL, &error));
    CHECK_EQ(error, CL_INVALID_BUFFER_SIZE);
    CHECK_EQ(heard.count, 1);
    CHECK(strstr(heard.text, "clCreateBuffer") && strstr(heard.text, "if size is 0"));
    clReleaseContext(context);
}

static int order[4], order_count;

static void CL_CALLBACK note(cl_context context, void *user) {
    (void)context;
    order[order_count++] = (int)(intptr_t)user;
}

TEST(destructor_callbacks_in_reverse) {
    cl_context context = weft_context(1);
    cl_int error = 1;
    cl_mem mem = clCreateBuffer(context, 0, 16, NULL, &error);
    CHECK_EQ(clSetContextDestructorCallback(context, note, (void *)1), CL_SUCCESS);
    CHECK_EQ(clSetContextDestructorCallback(context, note, (void *)2), CL_SUCCESS);
    CHECK_EQ(clSetContextDestructorCallback(context, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
    /* "After the context reference count becomes zero and all the objects attached to context are
     * released, the context is deleted." */
    CHECK_EQ(order_count, 0);
    CHECK_EQ(clReleaseMemObject(mem), CL_SUCCESS);
    CHECK_EQ(order_count, 2);
    CHECK(order[0] == 2 && order[1] == 1);
}

TEST(invalid_handles) {
    cl_uint count;
    CHECK_EQ(clRetainContext(NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(clReleaseContext((cl_context)weft_device(0)), CL_INVALID_CONTEXT);
    CHECK_EQ(clGetContextInfo((cl_context)weft_platform(), CL_CONTEXT_NUM_DEVICES, sizeof(count),
                              &count, NULL),
             CL_INVALID_CONTEXT);
}

/* A reference that the application does not own cannot be given back, as long as others hold it. */
TEST(release_too_often) {
    cl_context context = weft_context(1);
    cl_int error = 1;
    cl_mem mem = clCreateBuffer(context, 0, 16, NULL, &error);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(context), CL_INVALID_CONTEXT);
    CHECK_EQ(clReleaseMemObject(mem), CL_SUCCESS);
}

TEST_MAIN()
