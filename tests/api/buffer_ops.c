// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Transfers and mappings of buffers: what moves, and every error. */

#include "common.h"

enum { SIZE = 65536 };

typedef struct fixture {
    cl_context context;
    cl_command_queue queue;
    cl_mem mem;
    unsigned char data[SIZE], back[SIZE];
} fixture;

static cl_mem buffer(fixture *f, cl_mem_flags flags, size_t size, void *host) {
    cl_int error = 1;
    cl_mem mem = clCreateBuffer(f->context, flags, size, host, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return mem;
}

static fixture *make(void) {
    fixture *f = calloc(1, sizeof(*f));
    cl_int error = 1;
    f->context = weft_context(1);
    f->queue = clCreateCommandQueueWithProperties(f->context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    for (size_t i = 0; i < SIZE; i++)
        f->data[i] = (unsigned char)(i * 13 + i / 256);
    f->mem = buffer(f, CL_MEM_COPY_HOST_PTR, SIZE, f->data);
    return f;
}

static void drop(fixture *f) {
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
    clReleaseMemObject(f->mem);
    clReleaseCommandQueue(f->queue);
    clReleaseContext(f->context);
    free(f);
}

static cl_mem sub_buffer(cl_mem mem, size_t origin, size_t size) {
    cl_buffer_region region = {origin, size};
    cl_int error = 1;
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return sub;
}

static void read_back(fixture *f, cl_mem mem, size_t size) {
    CHECK_EQ(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, size, f->back, 0, NULL, NULL),
             CL_SUCCESS);
}

/* ---- linear ---------------------------------------------------------------------------------- */

TEST(write_and_read) {
    fixture *f = make();
    unsigned char bytes[100], got[100];
    memset(bytes, 0xab, sizeof(bytes));
    CHECK_EQ(clEnqueueWriteBuffer(f->queue, f->mem, CL_TRUE, 777, 100, bytes, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, 777, 100, got, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK(memcmp(bytes, got, 100) == 0);
    CHECK_EQ(clEnqueueWriteBuffer(f->queue, f->mem, CL_FALSE, 0, SIZE, f->data, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_FALSE, 0, SIZE, f->back, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
    CHECK(memcmp(f->data, f->back, SIZE) == 0);
    /* "copy operations with zero sizes" */
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, SIZE, 0, got, 0, NULL, NULL),
             CL_SUCCESS);
    drop(f);
}

TEST(read_and_write_errors) {
    fixture *f = make();
    cl_context other = weft_context(1);
    cl_int error;
    cl_mem foreign = clCreateBuffer(other, 0, 64, NULL, &error);
    cl_mem no_read = buffer(f, CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    cl_mem no_write = buffer(f, CL_MEM_HOST_READ_ONLY, 64, NULL);
    cl_mem nothing = buffer(f, CL_MEM_HOST_NO_ACCESS, 64, NULL);
    unsigned char b[64] = {0};
    cl_event wrong = NULL;

#define READ(m, at, n, p)  clEnqueueReadBuffer(f->queue, m, CL_TRUE, at, n, p, 0, NULL, NULL)
#define WRITE(m, at, n, p) clEnqueueWriteBuffer(f->queue, m, CL_TRUE, at, n, p, 0, NULL, NULL)
    CHECK_EQ(clEnqueueReadBuffer(NULL, f->mem, CL_TRUE, 0, 1, b, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(READ(foreign, 0, 1, b), CL_INVALID_CONTEXT);
    CHECK_EQ(READ(NULL, 0, 1, b), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(READ((cl_mem)f->queue, 0, 1, b), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(READ(f->mem, 0, SIZE + 1, b), CL_INVALID_VALUE);
    CHECK_EQ(READ(f->mem, SIZE, 1, b), CL_INVALID_VALUE);
    CHECK_EQ(READ(f->mem, SIZE_MAX, 2, b), CL_INVALID_VALUE);
    CHECK_EQ(READ(f->mem, 2, SIZE_MAX, b), CL_INVALID_VALUE);
    CHECK_EQ(READ(f->mem, 0, 1, NULL), CL_INVALID_VALUE);
    CHECK_EQ(WRITE(f->mem, 0, SIZE + 1, b), CL_INVALID_VALUE);
    CHECK_EQ(WRITE(f->mem, 0, 1, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, 0, 1, b, 1, NULL, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, 0, 1, b, 1, &wrong, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(READ(no_read, 0, 1, b), CL_INVALID_OPERATION);
    CHECK_EQ(READ(nothing, 0, 1, b), CL_INVALID_OPERATION);
    CHECK_EQ(READ(no_write, 0, 1, b), CL_SUCCESS);
    CHECK_EQ(WRITE(no_write, 0, 1, b), CL_INVALID_OPERATION);
    CHECK_EQ(WRITE(nothing, 0, 1, b), CL_INVALID_OPERATION);
    CHECK_EQ(WRITE(no_read, 0, 1, b), CL_SUCCESS);
    clReleaseMemObject(foreign);
    clReleaseMemObject(no_read);
    clReleaseMemObject(no_write);
    clReleaseMemObject(nothing);
    clReleaseContext(other);
    drop(f);
}

TEST(a_blocking_write_is_complete_for_every_queue) {
    fixture *f = make();
    cl_int error;
    cl_command_queue second =
        clCreateCommandQueueWithProperties(f->context, weft_device(0), NULL, &error);
    for (cl_int i = 0; i < 2000; i++) {
        cl_int got = -1;
        CHECK_EQ(clEnqueueWriteBuffer(f->queue, f->mem, CL_TRUE, 0, 4, &i, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(clEnqueueReadBuffer(second, f->mem, CL_TRUE, 0, 4, &got, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(got, i);
    }
    clReleaseCommandQueue(second);
    drop(f);
}

TEST(copies_and_overlap) {
    fixture *f = make();
    cl_mem to = buffer(f, 0, SIZE, NULL), a = sub_buffer(f->mem, 1024, 4096),
           b = sub_buffer(f->mem, 2048, 4096);

#define COPY(s, d, sa, da, n) clEnqueueCopyBuffer(f->queue, s, d, sa, da, n, 0, NULL, NULL)
    CHECK_EQ(COPY(f->mem, to, 100, 300, 5000), CL_SUCCESS);
    read_back(f, to, SIZE);
    CHECK(memcmp(f->back + 300, f->data + 100, 5000) == 0);
    CHECK_EQ(f->back[299], 0);
    CHECK_EQ(f->back[5300], 0);
    CHECK_EQ(COPY(f->mem, f->mem, 0, 1000, 1000), CL_SUCCESS);
    CHECK_EQ(COPY(f->mem, f->mem, 0, 999, 1000), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(COPY(f->mem, f->mem, 999, 0, 1000), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(COPY(f->mem, f->mem, 5, 5, 1), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(COPY(a, b, 0, 0, 1025), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(COPY(a, b, 0, 0, 1024), CL_SUCCESS);
    CHECK_EQ(COPY(a, b, 1024, 0, 8), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(COPY(f->mem, to, SIZE - 1, 0, 2), CL_INVALID_VALUE);
    CHECK_EQ(COPY(f->mem, to, 0, SIZE - 1, 2), CL_INVALID_VALUE);
    CHECK_EQ(COPY(f->mem, to, SIZE_MAX, 0, 2), CL_INVALID_VALUE);
    CHECK_EQ(COPY(NULL, to, 0, 0, 2), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(COPY(to, (cl_mem)f->context, 0, 0, 2), CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseMemObject(to);
    drop(f);
}

TEST(fills) {
    fixture *f = make();
    unsigned char pattern[128];
    for (size_t i = 0; i < 128; i++)
        pattern[i] = (unsigned char)(200 - i);
#define FILL(p, n, at, size) clEnqueueFillBuffer(f->queue, f->mem, p, n, at, size, 0, NULL, NULL)
    for (size_t n = 1; n <= 128; n *= 2) {
        CHECK_EQ(FILL(pattern, n, 1024, 2048), CL_SUCCESS);
        read_back(f, f->mem, SIZE);
        for (size_t i = 0; i < 2048; i++)
            CHECK_EQ(f->back[1024 + i], pattern[i % n]);
        CHECK_EQ(f->back[1023], f->data[1023]);
        CHECK_EQ(f->back[3072], f->data[3072]);
    }
    CHECK_EQ(FILL(NULL, 4, 0, 4), CL_INVALID_VALUE);
    CHECK_EQ(FILL(pattern, 0, 0, 4), CL_INVALID_VALUE);
    CHECK_EQ(FILL(pattern, 3, 0, 3), CL_INVALID_VALUE);
    CHECK_EQ(FILL(pattern, 256, 0, 256), CL_INVALID_VALUE);
    CHECK_EQ(FILL(pattern, 4, 2, 4), CL_INVALID_VALUE);
    CHECK_EQ(FILL(pattern, 4, 4, 6), CL_INVALID_VALUE);
    CHECK_EQ(FILL(pattern, 4, SIZE, 4), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueFillBuffer(f->queue, NULL, pattern, 4, 0, 4, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    drop(f);
}

/* ---- rectangles ------------------------------------------------------------------------------ */

TEST(rectangles) {
    fixture *f = make();
    const size_t buffer_origin[3] = {5, 3, 1}, host_origin[3] = {2, 1, 0}, region[3] = {20, 7, 3};
    const size_t row = 64, slice = 64 * 16, host_row = 32, host_slice = 32 * 9;
    unsigned char host[3000];

    memset(host, 0x55, sizeof(host));
    CHECK_EQ(clEnqueueReadBufferRect(f->queue, f->mem, CL_TRUE, buffer_origin, host_origin, region,
                                     row, slice, host_row, host_slice, host, 0, NULL, NULL),
             CL_SUCCESS);
    for (size_t z = 0; z < 3; z++)
        for (size_t y = 0; y < 7; y++)
            CHECK(memcmp(host + z * host_slice + (y + 1) * host_row + 2,
                         f->data + (z + 1) * slice + (y + 3) * row + 5, 20) == 0);
    CHECK_EQ(host[0], 0x55);
    CHECK_EQ(host[host_row + 22], 0x55);
    memset(host, 0x77, sizeof(host));
    CHECK_EQ(clEnqueueWriteBufferRect(f->queue, f->mem, CL_TRUE, buffer_origin, host_origin, region,
                                      row, slice, host_row, host_slice, host, 0, NULL, NULL),
             CL_SUCCESS);
    read_back(f, f->mem, SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        size_t x = i % row, y = i % slice / row, z = i / slice;
        bool in = x >= 5 && x < 25 && y >= 3 && y < 10 && z >= 1 && z < 4;
        CHECK_EQ(f->back[i], in ? 0x77 : f->data[i]);
    }
    drop(f);
}

TEST(rectangle_errors) {
    fixture *f = make();
    const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, flat[3] = {0, 1, 1};
    const size_t region[3] = {16, 4, 2}, large[3] = {SIZE, 2, 1}, far[3] = {SIZE_MAX, 1, 0};
    cl_mem sealed = buffer(f, CL_MEM_HOST_NO_ACCESS, 4096, NULL);
    unsigned char *h = f->back;

#define RECT(m, bo, ho, r, brp, bsp, hrp, hsp, p)                                                  \
    clEnqueueReadBufferRect(f->queue, m, CL_TRUE, bo, ho, r, brp, bsp, hrp, hsp, p, 0, NULL, NULL)
    CHECK_EQ(RECT(f->mem, zero, zero, region, 0, 0, 0, 0, h), CL_SUCCESS);
    CHECK_EQ(RECT(f->mem, zero, zero, flat, 0, 0, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, zero, zero, NULL, 0, 0, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, NULL, zero, region, 0, 0, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, zero, zero, region, 15, 0, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, zero, zero, region, 0, 0, 15, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, zero, zero, region, 16, 63, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, zero, zero, region, 16, 65, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, zero, zero, region, 0, 0, 0, 0, NULL), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, zero, zero, large, 0, 0, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, far, zero, one, 0, 0, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(f->mem, far, zero, one, SIZE_MAX, 0, 0, 0, h), CL_INVALID_VALUE);
    CHECK_EQ(RECT(sealed, zero, zero, one, 0, 0, 0, 0, h), CL_INVALID_OPERATION);
    CHECK_EQ(RECT(NULL, zero, zero, one, 0, 0, 0, 0, h), CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(sealed);
    drop(f);
}

TEST(rectangle_copies_and_overlap) {
    fixture *f = make();
    cl_mem to = buffer(f, 0, SIZE, NULL);
    const size_t zero[3] = {0, 0, 0}, right[3] = {32, 0, 0}, near[3] = {31, 0, 0},
                 below[3] = {0, 8, 0}, region[3] = {32, 8, 2};

#define RCOPY(s, d, so, dof, r, rp, sp, rp2, sp2)                                                  \
    clEnqueueCopyBufferRect(f->queue, s, d, so, dof, r, rp, sp, rp2, sp2, 0, NULL, NULL)
    CHECK_EQ(RCOPY(f->mem, to, zero, right, region, 64, 1024, 128, 2048), CL_SUCCESS);
    read_back(f, to, SIZE);
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 8; y++)
            CHECK(memcmp(f->back + z * 2048 + y * 128 + 32, f->data + z * 1024 + y * 64, 32) == 0);
    CHECK_EQ(f->back[31], 0);
    CHECK_EQ(f->back[64], 0);
    CHECK_EQ(RCOPY(f->mem, f->mem, zero, right, region, 64, 1024, 64, 1024), CL_SUCCESS);
    CHECK_EQ(RCOPY(f->mem, f->mem, zero, below, region, 64, 1024, 64, 1024), CL_SUCCESS);
    CHECK_EQ(RCOPY(f->mem, f->mem, zero, near, region, 64, 1024, 64, 1024), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(RCOPY(f->mem, f->mem, zero, zero, region, 64, 1024, 64, 1024), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(RCOPY(f->mem, f->mem, zero, right, region, 64, 1024, 128, 2048), CL_INVALID_VALUE);
    CHECK_EQ(RCOPY(f->mem, to, zero, zero, region, 16, 0, 0, 0), CL_INVALID_VALUE);
    CHECK_EQ(RCOPY(f->mem, NULL, zero, zero, region, 0, 0, 0, 0), CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(to);
    drop(f);
}

/* ---- mapping --------------------------------------------------------------------------------- */

static cl_uint map_count(cl_mem mem) {
    cl_uint count = 99;
    CHECK_EQ(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL), CL_SUCCESS);
    return count;
}

TEST(maps) {
    fixture *f = make();
    cl_int error = 1;
    unsigned char *a = clEnqueueMapBuffer(f->queue, f->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                          100, 1000, 0, NULL, NULL, &error);
    unsigned char *b;
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(memcmp(a, f->data + 100, 1000) == 0);
    CHECK_EQ(map_count(f->mem), 1);
    a[3] = 0xee;
    b = clEnqueueMapBuffer(f->queue, f->mem, CL_TRUE, CL_MAP_READ, 0, 200, 0, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(b);
    CHECK_EQ(map_count(f->mem), 2);
    CHECK(!clEnqueueMapBuffer(f->queue, f->mem, CL_TRUE, CL_MAP_WRITE, 1099, 1, 0, NULL, NULL,
                              &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK_EQ(clEnqueueUnmapMemObject(f->queue, f->mem, a, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueUnmapMemObject(f->queue, f->mem, b, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueUnmapMemObject(f->queue, f->mem, b, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
    CHECK_EQ(map_count(f->mem), 0);
    read_back(f, f->mem, SIZE);
    CHECK_EQ(f->back[103], 0xee);
    drop(f);
}

TEST(a_map_of_host_memory_is_that_memory) {
    fixture *f = make();
    cl_int error = 1;
    cl_mem mem = buffer(f, CL_MEM_USE_HOST_PTR, SIZE, f->data);
    unsigned char *a =
        clEnqueueMapBuffer(f->queue, mem, CL_TRUE, CL_MAP_WRITE, 128, 64, 0, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(a == f->data + 128);
    CHECK_EQ(clEnqueueUnmapMemObject(f->queue, mem, a, 0, NULL, NULL), CL_SUCCESS);
    clReleaseMemObject(mem);
    drop(f);
}

TEST(map_errors) {
    fixture *f = make();
    cl_mem no_read = buffer(f, CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    cl_mem no_write = buffer(f, CL_MEM_HOST_READ_ONLY, 64, NULL);
    cl_int error = 1;
    void *p;

#define MAP(m, flags, at, n)                                                                       \
    clEnqueueMapBuffer(f->queue, m, CL_TRUE, flags, at, n, 0, NULL, NULL, &error)
    CHECK(!MAP(f->mem, CL_MAP_READ, 0, 0));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!MAP(f->mem, CL_MAP_READ, SIZE, 1));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!MAP(f->mem, 1 << 7, 0, 1));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!MAP(f->mem, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!MAP(no_read, CL_MAP_READ, 0, 1));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!MAP(no_write, CL_MAP_WRITE_INVALIDATE_REGION, 0, 1));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!MAP(NULL, CL_MAP_READ, 0, 1));
    CHECK_EQ(error, CL_INVALID_MEM_OBJECT);
    p = MAP(no_read, CL_MAP_WRITE, 0, 64);
    CHECK(p);
    CHECK_EQ(clEnqueueUnmapMemObject(f->queue, no_write, p, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueUnmapMemObject(f->queue, NULL, p, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueUnmapMemObject(NULL, no_read, p, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueUnmapMemObject(f->queue, no_read, p, 0, NULL, NULL), CL_SUCCESS);
    clReleaseMemObject(no_read);
    clReleaseMemObject(no_write);
    drop(f);
}

TEST(migration) {
    fixture *f = make();
    cl_event event;
    cl_mem wrong = NULL;
    CHECK_EQ(clEnqueueMigrateMemObjects(f->queue, 1, &f->mem, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                        &event),
             CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
    CHECK_EQ(clEnqueueMigrateMemObjects(f->queue, 0, &f->mem, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueMigrateMemObjects(f->queue, 1, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueMigrateMemObjects(f->queue, 1, &f->mem, 1 << 5, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueMigrateMemObjects(f->queue, 1, &wrong, 0, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    drop(f);
}

/* A host pointer whose whole buffer is read from and written to itself. */
TEST(transfers_between_a_buffer_and_its_own_host_memory) {
    fixture *f = make();
    cl_mem mem = buffer(f, CL_MEM_USE_HOST_PTR, SIZE, f->data);
    unsigned char first = f->data[1000];
    CHECK_EQ(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, SIZE, f->data, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueWriteBuffer(f->queue, mem, CL_TRUE, 64, 1000, f->data + 64, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(f->data[1000], first);
    clReleaseMemObject(mem);
    drop(f);
}

TEST_MAIN()
