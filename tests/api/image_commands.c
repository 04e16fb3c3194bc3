// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Commands on images: what they move, and every error. */

#include "image_common.h"

enum { W = 7, H = 5, D = 3 };

static const size_t origin0[3] = {0, 0, 0};

typedef struct shape {
    cl_mem_object_type type;
    size_t origin[3], region[3], whole[3];
} shape;

static const shape shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, {2, 0, 0}, {3, 1, 1}, {W, 1, 1}},
    {CL_MEM_OBJECT_IMAGE2D, {2, 1, 0}, {3, 2, 1}, {W, H, 1}},
    {CL_MEM_OBJECT_IMAGE3D, {2, 1, 1}, {3, 2, 2}, {W, H, D}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, {2, 1, 0}, {3, 2, 1}, {W, H, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, {2, 1, 1}, {3, 2, 2}, {W, H, D}},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static cl_mem make_shape(cl_context context, const shape *s) {
    return make(context, 0, RGBA8, desc_of(s->type, W, H, D), NULL);
}

static bool in_box(const shape *s, size_t x, size_t y, size_t z) {
    return x - s->origin[0] < s->region[0] && y - s->origin[1] < s->region[1] &&
           z - s->origin[2] < s->region[2];
}

static void read_all(cl_command_queue queue, cl_mem image, const shape *s, cl_uint *out) {
    CHECK_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin0, s->whole, 0, 0, out, 0, NULL, NULL),
             CL_SUCCESS);
}

static void write_all(cl_command_queue queue, cl_mem image, const shape *s, cl_uint *in) {
    for (cl_uint i = 0; i < W * H * D; i++)
        in[i] = i * 0x01030507u + 1;
    CHECK_EQ(clEnqueueWriteImage(queue, image, CL_TRUE, origin0, s->whole, 0, 0, in, 0, NULL, NULL),
             CL_SUCCESS);
}

static size_t place(const shape *s, size_t x, size_t y, size_t z) {
    return (z * s->whole[1] + y) * s->whole[0] + x;
}

/* Calls `check` for each pixel of the image: in the box or not. */
#define FOR_PIXELS(s, x, y, z)                                                                     \
    for (size_t z = 0; z < (s)->whole[2]; z++)                                                     \
        for (size_t y = 0; y < (s)->whole[1]; y++)                                                 \
            for (size_t x = 0; x < (s)->whole[0]; x++)

TEST(read_and_write_with_pitches) {
    start s = begin();
    for (int i = 0; i < SHAPES; i++) {
        const shape *sh = &shapes[i];
        bool line_array = sh->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        bool slices = line_array || sh->whole[2] > 1;
        cl_uint in[W * H * D], out[W * H * D], box[4 * 8 * 8];
        cl_mem image = make_shape(s.context, sh);
        /* pixels of a row 5 apart; rows, or a 1D array's images, 5; slices 20 */
        size_t row = 20, slice = !slices ? 0 : line_array ? 20 : 80;
        write_all(s.queue, image, sh, in);
        memset(box, 0xab, sizeof(box));
        CHECK_EQ(clEnqueueReadImage(s.queue, image, CL_TRUE, sh->origin, sh->region, row, slice,
                                    box, 0, NULL, NULL),
                 CL_SUCCESS);
        FOR_PIXELS(sh, x, y, z) {
            size_t at = (z - sh->origin[2]) * 20 + (y - sh->origin[1]) * 5 + x - sh->origin[0];
            if (in_box(sh, x, y, z)) {
                CHECK_EQ(box[at], in[place(sh, x, y, z)]);
                box[at] = ~box[at];
            }
        }
        CHECK_EQ(box[3], 0xabababab);
        CHECK_EQ(clEnqueueWriteImage(s.queue, image, CL_TRUE, sh->origin, sh->region, row, slice,
                                     box, 0, NULL, NULL),
                 CL_SUCCESS);
        read_all(s.queue, image, sh, out);
        FOR_PIXELS(sh, x, y, z) {
            cl_uint before = in[place(sh, x, y, z)];
            CHECK_EQ(out[place(sh, x, y, z)], in_box(sh, x, y, z) ? ~before : before);
        }
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    end(s);
}

TEST(fill) {
    start s = begin();
    const cl_float color[4] = {1, 0.5f, -3, 0.25f};
    for (int i = 0; i < SHAPES; i++) {
        const shape *sh = &shapes[i];
        cl_uint in[W * H * D], out[W * H * D];
        cl_mem image = make_shape(s.context, sh);
        write_all(s.queue, image, sh, in);
        CHECK_EQ(clEnqueueFillImage(s.queue, image, color, sh->origin, sh->region, 0, NULL, NULL),
                 CL_SUCCESS);
        read_all(s.queue, image, sh, out);
        FOR_PIXELS(sh, x, y, z)
        CHECK_EQ(out[place(sh, x, y, z)],
                 in_box(sh, x, y, z) ? 0x400080ffu : in[place(sh, x, y, z)]);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    end(s);
}

static void filled(start s, cl_channel_order order, cl_channel_type type, const void *color,
                   const void *expected, size_t bytes) {
    cl_image_format format = {order, type};
    cl_mem image = make(s.context, 0, format, desc_of(CL_MEM_OBJECT_IMAGE2D, 3, 2, 0), NULL);
    const size_t last[3] = {2, 1, 0}, one[3] = {1, 1, 1}, all[3] = {3, 2, 1};
    unsigned char out[16];
    CHECK_EQ(size_info(image, CL_IMAGE_ELEMENT_SIZE), bytes);
    CHECK_EQ(clEnqueueFillImage(s.queue, image, color, origin0, all, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueReadImage(s.queue, image, CL_TRUE, last, one, 0, 0, out, 0, NULL, NULL),
             CL_SUCCESS);
    if (memcmp(out, expected, bytes) != 0)
        FAIL("order %x type %x: %02x %02x %02x %02x", order, type, out[0], out[1], out[2], out[3]);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
}

/* One colour in formats of each kind. */
TEST(fill_formats) {
    start s = begin();
    const cl_float f[4] = {0.2f, 1.5f, -0.5f, 0.75f};
    const cl_int i[4] = {-200, 100000, 5, -70000};
    const cl_uint u[4] = {200, 100000, 5, 70000};
    filled(s, CL_RGBA, CL_UNORM_INT8, f, (cl_uchar[]){51, 255, 0, 191}, 4);
    filled(s, CL_BGRA, CL_UNORM_INT8, f, (cl_uchar[]){0, 255, 51, 191}, 4);
    filled(s, CL_ARGB, CL_UNORM_INT8, f, (cl_uchar[]){191, 51, 255, 0}, 4);
    filled(s, CL_ABGR, CL_UNORM_INT8, f, (cl_uchar[]){191, 0, 255, 51}, 4);
    filled(s, CL_RGBA, CL_SNORM_INT8, f, (cl_char[]){25, 127, -64, 95}, 4);
    filled(s, CL_RGBA, CL_UNORM_INT16, f, (cl_ushort[]){13107, 65535, 0, 49151}, 8);
    filled(s, CL_RGBA, CL_SNORM_INT16, f, (cl_short[]){6553, 32767, -16384, 24575}, 8);
    filled(s, CL_RG, CL_HALF_FLOAT, f, (cl_ushort[]){0x3266, 0x3e00}, 4);
    filled(s, CL_R, CL_FLOAT, f, f, 4);
    filled(s, CL_A, CL_FLOAT, f, f + 3, 4);
    filled(s, CL_RA, CL_UNORM_INT8, f, (cl_uchar[]){51, 191}, 2);
    filled(s, CL_DEPTH, CL_UNORM_INT16, f, (cl_ushort[]){13107}, 2);
    filled(s, CL_sRGBA, CL_UNORM_INT8, f, (cl_uchar[]){124, 255, 0, 191}, 4);
    filled(s, CL_RGB, CL_UNORM_SHORT_565, f, (cl_ushort[]){6 << 11 | 63 << 5}, 2);
    filled(s, CL_RGB, CL_UNORM_SHORT_555, f, (cl_ushort[]){6 << 10 | 31 << 5}, 2);
    filled(s, CL_RGB, CL_UNORM_INT_101010, f, (cl_uint[]){205u << 20 | 1023 << 10}, 4);
    filled(s, CL_RGBA, CL_SIGNED_INT8, i, (cl_char[]){-128, 127, 5, -128}, 4);
    filled(s, CL_RGBA, CL_SIGNED_INT16, i, (cl_short[]){-200, 32767, 5, -32768}, 8);
    filled(s, CL_RGBA, CL_SIGNED_INT32, i, i, 16);
    filled(s, CL_RGBA, CL_UNSIGNED_INT8, u, (cl_uchar[]){200, 255, 5, 255}, 4);
    filled(s, CL_RGBA, CL_UNSIGNED_INT16, u, (cl_ushort[]){200, 65535, 5, 65535}, 8);
    filled(s, CL_RGBA, CL_UNSIGNED_INT32, u, u, 16);
    end(s);
}

TEST(copy) {
    start s = begin();
    for (int i = 0; i < SHAPES; i++) {
        const shape *sh = &shapes[i];
        cl_uint in[W * H * D], out[W * H * D];
        cl_int error = 1;
        cl_mem from = make_shape(s.context, sh), to = make_shape(s.context, sh);
        cl_mem buffer = clCreateBuffer(s.context, 0, 1024, NULL, &error);
        write_all(s.queue, from, sh, in);
        CHECK_EQ(clEnqueueCopyImage(s.queue, from, to, sh->origin, sh->origin, sh->region, 0, NULL,
                                    NULL),
                 CL_SUCCESS);
        read_all(s.queue, to, sh, out);
        FOR_PIXELS(sh, x, y, z)
        CHECK_EQ(out[place(sh, x, y, z)], in_box(sh, x, y, z) ? in[place(sh, x, y, z)] : 0);
        /* and through a buffer: the box to another place */
        CHECK_EQ(clEnqueueCopyImageToBuffer(s.queue, from, buffer, sh->origin, sh->region, 40, 0,
                                            NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(
            clEnqueueCopyBufferToImage(s.queue, buffer, to, 40, origin0, sh->region, 0, NULL, NULL),
            CL_SUCCESS);
        read_all(s.queue, to, sh, out);
        CHECK_EQ(out[0], in[place(sh, sh->origin[0], sh->origin[1], sh->origin[2])]);
        CHECK_EQ(out[place(sh, 2, sh->region[1] - 1, sh->region[2] - 1)],
                 in[place(sh, sh->origin[0] + 2, sh->origin[1] + sh->region[1] - 1,
                          sh->origin[2] + sh->region[2] - 1)]);
        clReleaseMemObject(buffer);
        clReleaseMemObject(from);
        clReleaseMemObject(to);
    }
    end(s);
}

/* region[1] counts images on one side and rows on the other */
TEST(copy_between_types) {
    start s = begin();
    const shape *plane = &shapes[1], *lines = &shapes[3];
    cl_uint in[W * H * D], out[W * H * D];
    cl_mem a = make_shape(s.context, plane), b = make_shape(s.context, lines);
    write_all(s.queue, a, plane, in);
    CHECK_EQ(clEnqueueCopyImage(s.queue, a, b, origin0, origin0, plane->whole, 0, NULL, NULL),
             CL_SUCCESS);
    read_all(s.queue, b, lines, out);
    CHECK(memcmp(in, out, W * H * 4) == 0);
    cl_mem c = make_shape(s.context, plane);
    CHECK_EQ(clEnqueueCopyImage(s.queue, b, c, origin0, origin0, plane->whole, 0, NULL, NULL),
             CL_SUCCESS);
    memset(out, 0, sizeof(out));
    read_all(s.queue, c, plane, out);
    CHECK(memcmp(in, out, W * H * 4) == 0);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseMemObject(c);
    end(s);
}

TEST(map) {
    start s = begin();
    for (int i = 0; i < SHAPES; i++) {
        const shape *sh = &shapes[i];
        cl_uint in[W * H * D], out[W * H * D], maps = 0;
        size_t row = 0, slice = 77;
        cl_int error = 1;
        cl_mem image = make_shape(s.context, sh);
        write_all(s.queue, image, sh, in);
        cl_uint *p = clEnqueueMapImage(s.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                       sh->origin, sh->region, &row, &slice, 0, NULL, NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(row, W * 4);
        CHECK_EQ(slice, i < 2 ? 0 : sh->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? W * 4 : W * H * 4);
        CHECK_EQ(*p, in[place(sh, sh->origin[0], sh->origin[1], sh->origin[2])]);
        *p = 99;
        CHECK_EQ(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof(maps), &maps, NULL),
                 CL_SUCCESS);
        CHECK_EQ(maps, 1);
        /* overlapping for writing is an error, beside it is none */
        CHECK(!clEnqueueMapImage(s.queue, image, CL_TRUE, CL_MAP_WRITE, sh->origin, sh->region,
                                 &row, &slice, 0, NULL, NULL, &error));
        CHECK_EQ(error, CL_INVALID_OPERATION);
        size_t left[3] = {0, sh->origin[1], sh->origin[2]}, width[3] = {2, 1, 1};
        cl_uint *q = clEnqueueMapImage(s.queue, image, CL_TRUE, CL_MAP_WRITE, left, width, &row,
                                       &slice, 0, NULL, NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(clEnqueueUnmapMemObject(s.queue, image, q, 0, NULL, NULL), CL_SUCCESS);
        CHECK_EQ(clEnqueueUnmapMemObject(s.queue, image, p, 0, NULL, NULL), CL_SUCCESS);
        CHECK_EQ(clEnqueueUnmapMemObject(s.queue, image, p, 0, NULL, NULL), CL_INVALID_VALUE);
        read_all(s.queue, image, sh, out);
        CHECK_EQ(out[place(sh, sh->origin[0], sh->origin[1], sh->origin[2])], 99);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    end(s);
}

/* The pointer of a mapping lies in host_ptr. */
TEST(map_host_memory) {
    start s = begin();
    static cl_uint memory[64];
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 5, 8, 0);
    const size_t at[3] = {1, 2, 0}, one[3] = {1, 1, 1};
    size_t row = 0;
    cl_int error = 1;
    desc.image_row_pitch = 32;
    cl_mem image = make(s.context, CL_MEM_USE_HOST_PTR, RGBA8, desc, memory);
    void *p = clEnqueueMapImage(s.queue, image, CL_TRUE, CL_MAP_READ, at, one, &row, NULL, 0, NULL,
                                NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(p == &memory[2 * 8 + 1]);
    CHECK_EQ(row, 32);
    CHECK_EQ(clEnqueueUnmapMemObject(s.queue, image, p, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    end(s);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* The functions with one image, in one form. */
typedef cl_int image_call(cl_command_queue queue, cl_mem image, const size_t *origin,
                          const size_t *region, cl_uint count, const cl_event *list);
static cl_uint scratch[W * H * D * 4];
static cl_mem scratch_buffer;

static cl_int call_read(cl_command_queue queue, cl_mem image, const size_t *origin,
                        const size_t *region, cl_uint count, const cl_event *list) {
    return clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, scratch, count, list,
                              NULL);
}
static cl_int call_write(cl_command_queue queue, cl_mem image, const size_t *origin,
                         const size_t *region, cl_uint count, const cl_event *list) {
    return clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, scratch, count, list,
                               NULL);
}
static cl_int call_fill(cl_command_queue queue, cl_mem image, const size_t *origin,
                        const size_t *region, cl_uint count, const cl_event *list) {
    return clEnqueueFillImage(queue, image, scratch, origin, region, count, list, NULL);
}
static cl_int call_to_buffer(cl_command_queue queue, cl_mem image, const size_t *origin,
                             const size_t *region, cl_uint count, const cl_event *list) {
    return clEnqueueCopyImageToBuffer(queue, image, scratch_buffer, origin, region, 0, count, list,
                                      NULL);
}
static cl_int call_from_buffer(cl_command_queue queue, cl_mem image, const size_t *origin,
                               const size_t *region, cl_uint count, const cl_event *list) {
    return clEnqueueCopyBufferToImage(queue, scratch_buffer, image, 0, origin, region, count, list,
                                      NULL);
}
static cl_int call_map(cl_command_queue queue, cl_mem image, const size_t *origin,
                       const size_t *region, cl_uint count, const cl_event *list) {
    size_t row, slice;
    cl_int error = 1;
    void *p = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row, &slice,
                                count, list, NULL, &error);
    CHECK_EQ(p != NULL, error == CL_SUCCESS);
    if (p)
        CHECK_EQ(clEnqueueUnmapMemObject(queue, image, p, 0, NULL, NULL), CL_SUCCESS);
    return error;
}

TEST(errors_of_all) {
    static image_call *const calls[] = {call_read,      call_write,       call_fill,
                                        call_to_buffer, call_from_buffer, call_map};
    start s = begin();
    cl_context other = weft_context(1);
    cl_int error = 1;
    const size_t one[3] = {1, 1, 1}, none[3] = {1, 0, 1}, far[3] = {W, 0, 0}, all[3] = {W, H, 1},
                 wide[3] = {SIZE_MAX, 1, 1}, deep[3] = {1, 1, 2}, z1[3] = {0, 0, 1};
    cl_mem image = make_shape(s.context, &shapes[1]), foreign = make_shape(other, &shapes[1]);
    cl_mem lines = make_shape(s.context, &shapes[3]);
    scratch_buffer = clCreateBuffer(s.context, 0, sizeof(scratch), NULL, &error);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        image_call *call = calls[i];
        cl_event bad = (cl_event)s.context;
        CHECK_EQ(call(s.queue, image, origin0, all, 0, NULL), CL_SUCCESS);
        CHECK_EQ(call((cl_command_queue)image, image, origin0, one, 0, NULL),
                 CL_INVALID_COMMAND_QUEUE);
        CHECK_EQ(call(s.queue, NULL, origin0, one, 0, NULL), CL_INVALID_MEM_OBJECT);
        CHECK_EQ(call(s.queue, scratch_buffer, origin0, one, 0, NULL), CL_INVALID_MEM_OBJECT);
        CHECK_EQ(call(s.queue, foreign, origin0, one, 0, NULL), CL_INVALID_CONTEXT);
        CHECK_EQ(call(s.queue, image, NULL, one, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, image, origin0, NULL, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, image, origin0, none, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, image, far, one, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, image, origin0, wide, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, image, origin0, deep, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, image, z1, one, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, lines, z1, one, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, lines, origin0, deep, 0, NULL), CL_INVALID_VALUE);
        CHECK_EQ(call(s.queue, image, origin0, one, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);
        CHECK_EQ(call(s.queue, image, origin0, one, 1, &bad), CL_INVALID_EVENT_WAIT_LIST);
    }
    clReleaseMemObject(scratch_buffer);
    clReleaseMemObject(lines);
    clReleaseMemObject(image);
    clReleaseMemObject(foreign);
    clReleaseContext(other);
    end(s);
}

TEST(errors_of_host_access) {
    start s = begin();
    static const cl_mem_flags flags[] = {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY,
                                         CL_MEM_HOST_WRITE_ONLY};
    const size_t one[3] = {1, 1, 1};
    size_t row;
    for (int i = 0; i < 3; i++) {
        cl_mem image =
            make(s.context, flags[i], RGBA8, desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0), NULL);
        cl_int error = 1;
        CHECK_EQ(call_read(s.queue, image, origin0, one, 0, NULL),
                 i == 1 ? CL_SUCCESS : CL_INVALID_OPERATION);
        CHECK_EQ(call_write(s.queue, image, origin0, one, 0, NULL),
                 i == 2 ? CL_SUCCESS : CL_INVALID_OPERATION);
        CHECK_EQ(call_map(s.queue, image, origin0, one, 0, NULL),
                 i == 1 ? CL_SUCCESS : CL_INVALID_OPERATION);
        void *p = clEnqueueMapImage(s.queue, image, CL_TRUE, CL_MAP_WRITE, origin0, one, &row, NULL,
                                    0, NULL, NULL, &error);
        CHECK_EQ(error, i == 2 ? CL_SUCCESS : CL_INVALID_OPERATION);
        if (p)
            CHECK_EQ(clEnqueueUnmapMemObject(s.queue, image, p, 0, NULL, NULL), CL_SUCCESS);
        CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    end(s);
}

TEST(errors_of_pitches_and_pointers) {
    start s = begin();
    const size_t box[3] = {2, 2, 1}, cube[3] = {2, 2, 2};
    cl_mem plane = make_shape(s.context, &shapes[1]), volume = make_shape(s.context, &shapes[2]);
    size_t row, slice;
    cl_int error = 1;
    CHECK_EQ(
        clEnqueueReadImage(s.queue, plane, CL_TRUE, origin0, box, 7, 0, scratch, 0, NULL, NULL),
        CL_INVALID_VALUE);
    CHECK_EQ(
        clEnqueueReadImage(s.queue, plane, CL_TRUE, origin0, box, 8, 16, scratch, 0, NULL, NULL),
        CL_INVALID_VALUE);
    CHECK_EQ(
        clEnqueueReadImage(s.queue, volume, CL_TRUE, origin0, cube, 8, 15, scratch, 0, NULL, NULL),
        CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadImage(s.queue, volume, CL_TRUE, origin0, cube, SIZE_MAX, 0, scratch, 0,
                                NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadImage(s.queue, plane, CL_TRUE, origin0, box, 0, 0, NULL, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueWriteImage(s.queue, plane, CL_TRUE, origin0, box, 0, 0, NULL, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueFillImage(s.queue, plane, NULL, origin0, box, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK(!clEnqueueMapImage(s.queue, plane, CL_TRUE, CL_MAP_READ, origin0, box, NULL, NULL, 0,
                             NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clEnqueueMapImage(s.queue, volume, CL_TRUE, CL_MAP_READ, origin0, box, &row, NULL, 0,
                             NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clEnqueueMapImage(s.queue, volume, CL_TRUE, 64, origin0, box, &row, &slice, 0, NULL,
                             NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    clReleaseMemObject(plane);
    clReleaseMemObject(volume);
    end(s);
}

TEST(errors_of_copies) {
    start s = begin();
    const size_t box[3] = {2, 2, 1}, next[3] = {1, 1, 0}, beside[3] = {2, 0, 0};
    cl_int error = 1;
    cl_image_format other_format = {CL_RGBA, CL_SNORM_INT8};
    cl_mem plane = make_shape(s.context, &shapes[1]);
    cl_mem other = make(s.context, 0, other_format, desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0), NULL);
    cl_mem buffer = clCreateBuffer(s.context, 0, 64, NULL, &error);
    CHECK_EQ(clEnqueueCopyImage(s.queue, plane, other, origin0, origin0, box, 0, NULL, NULL),
             CL_IMAGE_FORMAT_MISMATCH);
    CHECK_EQ(clEnqueueCopyImage(s.queue, plane, buffer, origin0, origin0, box, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyImage(s.queue, plane, plane, origin0, next, box, 0, NULL, NULL),
             CL_MEM_COPY_OVERLAP);
    CHECK_EQ(clEnqueueCopyImage(s.queue, plane, plane, origin0, beside, box, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueCopyImageToBuffer(s.queue, plane, buffer, origin0, box, 49, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(
        clEnqueueCopyImageToBuffer(s.queue, plane, buffer, origin0, box, SIZE_MAX, 0, NULL, NULL),
        CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueCopyImageToBuffer(s.queue, plane, plane, origin0, box, 0, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16};
    const size_t row[3] = {2, 1, 1};
    line.mem_object = buffer;
    cl_mem view = make(s.context, 0, RGBA8, line, NULL);
    CHECK_EQ(clEnqueueCopyImageToBuffer(s.queue, view, buffer, origin0, row, 32, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    clReleaseMemObject(view);
    clReleaseMemObject(buffer);
    clReleaseMemObject(other);
    clReleaseMemObject(plane);
    end(s);
}

TEST(errors_of_wait_lists) {
    static image_call *const blocking[] = {call_read, call_write, call_map};
    start s = begin();
    const size_t one[3] = {1, 1, 1};
    cl_context other = weft_context(1);
    cl_int error = 1;
    cl_mem plane = make_shape(s.context, &shapes[1]);
    cl_event failed = clCreateUserEvent(s.context, &error), foreign;
    CHECK_EQ(clSetUserEventStatus(failed, -5), CL_SUCCESS);
    foreign = clCreateUserEvent(other, &error);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(blocking[i](s.queue, plane, origin0, one, 1, &failed),
                 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(blocking[i](s.queue, plane, origin0, one, 1, &foreign), CL_INVALID_CONTEXT);
    }
    CHECK_EQ(clEnqueueCopyImage(s.queue, plane, plane, origin0, origin0, one, 1, NULL, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueCopyImage(s.queue, plane, plane, origin0, origin0, one, 1, &foreign, NULL),
             CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueCopyImage((cl_command_queue)plane, plane, plane, origin0, origin0, one, 0,
                                NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueCopyImage(s.queue, plane, plane, origin0, NULL, one, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clReleaseEvent(failed), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(foreign, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(foreign), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(plane), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(other), CL_SUCCESS);
    end(s);
}

TEST_MAIN()
