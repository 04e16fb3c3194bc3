// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Buffers and sub-buffers: flags, storage, references, callbacks, information. */

#include "common.h"

#define QUERY(name, size, value, size_ret) clGetMemObjectInfo(mem, name, size, value, size_ret)

static cl_mem buffer(cl_context context, cl_mem_flags flags, size_t size, void *host) {
    cl_int error = 1;
    cl_mem mem = clCreateBuffer(context, flags, size, host, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(mem);
    return mem;
}

static cl_ulong flags_of(cl_mem mem) {
    cl_mem_flags flags = 0;
    CHECK_EQ(QUERY(CL_MEM_FLAGS, sizeof(flags), &flags, NULL), CL_SUCCESS);
    return flags;
}

static void *host_ptr_of(cl_mem mem) {
    void *pointer = &pointer;
    CHECK_EQ(QUERY(CL_MEM_HOST_PTR, sizeof(pointer), &pointer, NULL), CL_SUCCESS);
    return pointer;
}

TEST(info) {
    cl_context context = weft_context(1), got = NULL;
    cl_mem mem = buffer(context, 0, 100, NULL), parent = mem;
    size_t size = 0;
    cl_uint count = 77;
    CHECK_EQ(flags_of(mem), CL_MEM_READ_WRITE);
    CHECK_EQ(QUERY(CL_MEM_SIZE, sizeof(size), &size, NULL), CL_SUCCESS);
    CHECK_EQ(size, 100);
    CHECK(!host_ptr_of(mem));
    CHECK_EQ(QUERY(CL_MEM_MAP_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 0);
    CHECK_EQ(QUERY(CL_MEM_CONTEXT, sizeof(got), &got, NULL), CL_SUCCESS);
    CHECK(got == context);
    CHECK_EQ(QUERY(CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent, NULL), CL_SUCCESS);
    CHECK(!parent);
    CHECK_INFO_SIZE(QUERY, CL_MEM_TYPE, sizeof(cl_mem_object_type));
    CHECK_INFO_SIZE(QUERY, CL_MEM_OFFSET, sizeof(size_t));
    CHECK_INFO_SIZE(QUERY, CL_MEM_REFERENCE_COUNT, sizeof(cl_uint));
    CHECK_INFO_SIZE(QUERY, CL_MEM_USES_SVM_POINTER, sizeof(cl_bool));
    CHECK_INFO_SIZE(QUERY, CL_MEM_PROPERTIES, 0);
    CHECK_EQ(QUERY(0x1, 0, NULL, NULL), CL_INVALID_VALUE);
    clReleaseMemObject(mem);
    clReleaseContext(context);
}

TEST(with_properties) {
    cl_context context = weft_context(1);
    cl_mem_properties none[] = {0}, unknown[] = {0x99, 1, 0};
    cl_int error = 1;
    cl_mem mem = clCreateBufferWithProperties(context, none, 0, 16, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_INFO_SIZE(QUERY, CL_MEM_PROPERTIES, sizeof(cl_mem_properties));
    clReleaseMemObject(mem);
    CHECK(!clCreateBufferWithProperties(context, unknown, 0, 16, NULL, &error));
    CHECK_EQ(error, CL_INVALID_PROPERTY);
    clReleaseContext(context);
}

TEST(use_host_ptr) {
    cl_context context = weft_context(1);
    unsigned char bytes[256];
    cl_mem mem = buffer(context, CL_MEM_USE_HOST_PTR, sizeof(bytes), bytes);
    CHECK(host_ptr_of(mem) == bytes);
    cl_buffer_region region = {128, 64};
    cl_int error = 1;
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(host_ptr_of(sub) == bytes + 128);
    CHECK_EQ(flags_of(sub), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
    clReleaseMemObject(sub);
    clReleaseMemObject(mem);
    clReleaseContext(context);
}

static cl_int create_error(cl_context context, cl_mem_flags flags, size_t size, void *host) {
    cl_int error = 1;
    CHECK(!clCreateBuffer(context, flags, size, host, &error));
    return error;
}

TEST(create_errors) {
    cl_context context = weft_context(1);
    char host[64];
    cl_ulong most = 0;
    clGetDeviceInfo(weft_device(0), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, NULL);
    CHECK_EQ(create_error(NULL, 0, 16, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(create_error((cl_context)weft_device(0), 0, 16, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(create_error(context, 0, 0, NULL), CL_INVALID_BUFFER_SIZE);
    CHECK_EQ(create_error(context, 0, (size_t)most + 1, NULL), CL_INVALID_BUFFER_SIZE);
    CHECK_EQ(create_error(context, 1u << 30, 16, NULL), CL_INVALID_VALUE);
    static const cl_mem_flags exclusive[] = {
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY,
    };
    for (size_t i = 0; i < sizeof(exclusive) / sizeof(exclusive[0]); i++)
        CHECK_EQ(create_error(context, exclusive[i], 16, NULL), CL_INVALID_VALUE);
    CHECK_EQ(create_error(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host),
             CL_INVALID_VALUE);
    CHECK_EQ(create_error(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, host),
             CL_INVALID_VALUE);
    CHECK_EQ(create_error(context, CL_MEM_USE_HOST_PTR, 16, NULL), CL_INVALID_HOST_PTR);
    CHECK_EQ(create_error(context, CL_MEM_COPY_HOST_PTR, 16, NULL), CL_INVALID_HOST_PTR);
    CHECK_EQ(create_error(context, 0, 16, host), CL_INVALID_HOST_PTR);
    clReleaseContext(context);
}

static cl_int sub_error(cl_mem mem, cl_mem_flags flags, cl_buffer_create_type type,
                        const void *info) {
    cl_int error = 1;
    CHECK(!clCreateSubBuffer(mem, flags, type, info, &error));
    return error;
}

TEST(sub_buffer_errors) {
    cl_context context = weft_context(1);
    cl_mem mem = buffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024, NULL);
    cl_mem secret = buffer(context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS, 1024, NULL);
    const cl_buffer_create_type region_type = CL_BUFFER_CREATE_TYPE_REGION;
    cl_buffer_region good = {128, 128}, outside = {128, 1024}, far = {2048, 1}, empty = {0, 0},
                     odd = {4, 4}, wraps = {128, SIZE_MAX};
    CHECK_EQ(sub_error(NULL, 0, region_type, &good), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(sub_error(mem, 0, 0x777, &good), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, 0, region_type, NULL), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, 0, region_type, &outside), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, 0, region_type, &far), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, 0, region_type, &wraps), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, 0, region_type, &empty), CL_INVALID_BUFFER_SIZE);
    CHECK_EQ(sub_error(mem, 0, region_type, &odd), CL_MISALIGNED_SUB_BUFFER_OFFSET);
    CHECK_EQ(sub_error(mem, CL_MEM_READ_WRITE, region_type, &good), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, CL_MEM_WRITE_ONLY, region_type, &good), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, CL_MEM_HOST_WRITE_ONLY, region_type, &good), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(mem, CL_MEM_ALLOC_HOST_PTR, region_type, &good), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(secret, CL_MEM_READ_ONLY, region_type, &good), CL_INVALID_VALUE);
    CHECK_EQ(sub_error(secret, CL_MEM_HOST_READ_ONLY, region_type, &good), CL_INVALID_VALUE);
    cl_int error = 1;
    cl_mem sub = clCreateSubBuffer(mem, 0, region_type, &good, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(flags_of(sub), CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
    CHECK_EQ(sub_error(sub, 0, region_type, &good), CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(sub);
    clReleaseMemObject(secret);
    clReleaseMemObject(mem);
    clReleaseContext(context);
}

static int calls[8], call_count;

static void CL_CALLBACK note(cl_mem mem, void *user) {
    (void)mem;
    calls[call_count++] = (int)(intptr_t)user;
}

TEST(destructor_callbacks_in_reverse) {
    cl_context context = weft_context(1);
    cl_mem mem = buffer(context, 0, 1024, NULL);
    cl_buffer_region region = {0, 128};
    cl_int error = 1;
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    call_count = 0;
    for (intptr_t i = 1; i <= 3; i++)
        CHECK_EQ(clSetMemObjectDestructorCallback(mem, note, (void *)i), CL_SUCCESS);
    CHECK_EQ(clSetMemObjectDestructorCallback(mem, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetMemObjectDestructorCallback(NULL, note, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clReleaseMemObject(mem), CL_SUCCESS);
    /* "memobj cannot be deleted until all sub-buffer objects associated with memobj are deleted" */
    CHECK_EQ(call_count, 0);
    CHECK_EQ(clReleaseMemObject(sub), CL_SUCCESS);
    CHECK_EQ(call_count, 3);
    CHECK(calls[0] == 3 && calls[1] == 2 && calls[2] == 1);
    clReleaseContext(context);
}

/* Each buffer's destructor releases the next one. */
static cl_mem *chain;
static int chain_ended;

static void CL_CALLBACK release_next(cl_mem mem, void *user) {
    (void)mem;
    intptr_t next = (intptr_t)user + 1;
    chain_ended++;
    if (chain[next])
        clReleaseMemObject(chain[next]);
}

/* Overflowed the stack on e8e9dd5. */
TEST(destructors_that_release_the_next) {
    enum { COUNT = 100000 };
    cl_context context = weft_context(1);
    chain = calloc(COUNT + 1, sizeof(*chain));
    chain_ended = 0;
    for (intptr_t i = 0; i < COUNT; i++) {
        chain[i] = buffer(context, 0, 4, NULL);
        CHECK_EQ(clSetMemObjectDestructorCallback(chain[i], release_next, (void *)i), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseMemObject(chain[0]), CL_SUCCESS);
    CHECK_EQ(chain_ended, COUNT);
    free(chain);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(references) {
    cl_context context = weft_context(1);
    cl_mem mem = buffer(context, 0, 16, NULL);
    cl_uint count = 0;
    CHECK_EQ(clRetainMemObject(mem), CL_SUCCESS);
    CHECK_EQ(QUERY(CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(clReleaseMemObject(mem), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(mem), CL_SUCCESS);
    CHECK_EQ(clRetainMemObject(NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clReleaseMemObject((cl_mem)context), CL_INVALID_MEM_OBJECT);
    clReleaseContext(context);
}

TEST(errcode_ret_may_be_null) {
    cl_context context = weft_context(1);
    cl_mem mem = clCreateBuffer(context, 0, 16, NULL, NULL);
    CHECK(mem);
    CHECK(!clCreateBuffer(context, 0, 0, NULL, NULL));
    CHECK(!clCreateSubBuffer(mem, 0, 0, NULL, NULL));
    clReleaseMemObject(mem);
    clReleaseContext(context);
}

TEST_MAIN()
