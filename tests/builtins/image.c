// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The image functions of OpenCL C, through the device, against image_reference.c. */

#include "image_session.h"

#include <math.h>

static bool is_integer(cl_image_format format) {
    cl_channel_type type = format.image_channel_data_type;
    return type >= CL_SIGNED_INT8 && type <= CL_UNSIGNED_INT32;
}

static bool is_signed(cl_image_format format) {
    return format.image_channel_data_type <= CL_SIGNED_INT32;
}

/* Within `ulps` of float; NaN equals NaN. */
static bool near_to(float actual, double expected, double ulps) {
    if (isnan(expected))
        return isnan(actual);
    if (isinf(expected))
        return (double)actual == expected;
    double ulp = ldexp(1, ilogb(fmax(fabs(expected), 1.2e-38)) - 23);
    return fabs((double)actual - expected) <= ulps * ulp;
}

/* ---- every format ---------------------------------------------------------------------------- */

static const char formats_source[] =
    "kernel void read_f(read_only image2d_t i, global float4 *o) {\n"
    "    int n = get_global_id(0); o[n] = read_imagef(i, (int2)(n % 64, n / 64)); }\n"
    "kernel void read_i(read_only image2d_t i, global int4 *o) {\n"
    "    int n = get_global_id(0); o[n] = read_imagei(i, (int2)(n % 64, n / 64)); }\n"
    "kernel void read_u(read_only image2d_t i, global uint4 *o) {\n"
    "    int n = get_global_id(0); o[n] = read_imageui(i, (int2)(n % 64, n / 64)); }\n"
    "kernel void read_d(read_only image2d_depth_t i, global float4 *o) { int n = "
    "get_global_id(0);\n"
    "    o[n] = (float4)(read_imagef(i, (int2)(n % 64, n / 64)), 0, 0, 1); }\n"
    "kernel void write_f(write_only image2d_t i, global float4 *o) {\n"
    "    int n = get_global_id(0); write_imagef(i, (int2)(n % 64, n / 64), o[n]); }\n"
    "kernel void write_i(write_only image2d_t i, global int4 *o) {\n"
    "    int n = get_global_id(0); write_imagei(i, (int2)(n % 64, n / 64), o[n]); }\n"
    "kernel void write_u(write_only image2d_t i, global uint4 *o) {\n"
    "    int n = get_global_id(0); write_imageui(i, (int2)(n % 64, n / 64), o[n]); }\n"
    "kernel void write_d(write_only image2d_depth_t i, global float4 *o) {\n"
    "    int n = get_global_id(0); write_imagef(i, (int2)(n % 64, n / 64), o[n].x); }\n";

enum { SIDE = 64, PIXELS = SIDE * SIDE };
static const size_t origin[3] = {0, 0, 0}, whole[3] = {SIDE, SIDE, 1};

static const char *variant(const char *function, cl_image_format format, char *name) {
    char kind = format.image_channel_order == CL_DEPTH ? 'd'
                : !is_integer(format)                  ? 'f'
                : is_signed(format)                    ? 'i'
                                                       : 'u';
    snprintf(name, 16, "%s_%c", function, kind);
    return name;
}

static cl_uint list_formats(start s, cl_mem_flags flags, cl_image_format *formats, cl_uint room) {
    cl_uint count = 0;
    CHECK_EQ(
        clGetSupportedImageFormats(s.context, flags, CL_MEM_OBJECT_IMAGE2D, room, formats, &count),
        CL_SUCCESS);
    CHECK(count > 0 && count <= room);
    return count;
}

static void check_pixel(cl_image_format format, const double expected[4], const void *actual) {
    for (int c = 0; c < 4; c++) {
        cl_uint bits;
        float f;
        memcpy(&bits, (const char *)actual + c * 4, 4);
        memcpy(&f, &bits, 4);
        bool same = is_integer(format) ? bits == (cl_uint)(int64_t)expected[c]
                                       : near_to(f, expected[c], 1.5);
        if (!same)
            FAIL("order %x type %x component %d: %g (%08x), expected %g",
                 format.image_channel_order, format.image_channel_data_type, c, (double)f, bits,
                 expected[c]);
    }
}

TEST(reads_of_every_format) {
    start s = begin(formats_source);
    static unsigned char pixels[PIXELS * 16];
    static cl_uint out[PIXELS * 4];
    cl_image_format formats[256];
    cl_int error = 1;
    cl_uint count = list_formats(s, CL_MEM_READ_ONLY, formats, 256);
    cl_mem result = clCreateBuffer(s.context, 0, sizeof(out), NULL, &error);
    for (cl_uint f = 0; f < count; f++) {
        char name[16];
        picture p = {formats[f], 2, false, SIDE, SIDE, 1, 1, reference_pixel_bytes(formats[f]),
                     pixels};
        for (size_t i = 0; i < sizeof(pixels); i++)
            pixels[i] = (unsigned char)draw();
        cl_mem image = make_image(s, &p, CL_MEM_COPY_HOST_PTR);
        cl_kernel kernel = weft_kernel(s.program, variant("read", formats[f], name));
        set_mem(kernel, 0, image);
        set_mem(kernel, 1, result);
        run(s, kernel, PIXELS);
        CHECK_EQ(clEnqueueReadBuffer(s.queue, result, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
                 CL_SUCCESS);
        for (int i = 0; i < PIXELS; i++) {
            double expected[4];
            reference_decode(pixels + i * p.pixel_bytes, formats[f], expected);
            check_pixel(formats[f], expected, out + i * 4);
        }
        CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseMemObject(result), CL_SUCCESS);
    end(s);
}

/* Colours within and without of what formats hold. */
static void draw_colors(cl_image_format format, double (*colors)[4], cl_uint *bits) {
    static const float special[] = {0,  -0.0f, 1,        -1,        0.5f, 2,
                                    -2, 1e30f, INFINITY, -INFINITY, NAN,  1.5f / 255};
    for (int i = 0; i < PIXELS * 4; i++) {
        float f = i < 4 * 12 ? special[i / 4] : (float)(draw() & 0xffff) / 32768.0f - 0.5f;
        cl_uint u = draw() << (draw() % 24);
        if (is_integer(format)) {
            u = draw() & 1 ? u : 0u - u;
            colors[i / 4][i % 4] = is_signed(format) ? (double)(cl_int)u : (double)u;
            bits[i] = u;
        } else {
            colors[i / 4][i % 4] = (double)f;
            memcpy(&bits[i], &f, 4);
        }
    }
}

/* Is the channel's value half a step, and hardly more, from one of the colours? */
static bool near_a_tie(double value, const double color[4], double most) {
    for (int i = 0; i < 4; i++)
        if (fabs(value - color[i]) * most <= 0.502)
            return true;
    return false;
}

/* NaN may have any payload, and a product in float may be rounded up to a tie: "0.6" is allowed. */
static bool same_pixel(const unsigned char *a, const unsigned char *b, const double color[4],
                       cl_image_format format) {
    double x[4], y[4];
    size_t bytes = (size_t)reference_pixel_bytes(format);
    cl_channel_type type = format.image_channel_data_type;
    double most = type == CL_UNORM_INT16 ? 65535 : type == CL_SNORM_INT16 ? 32767 : 0;
    if (memcmp(a, b, bytes) == 0)
        return true;
    if (type != CL_FLOAT && type != CL_HALF_FLOAT && !most)
        return false;
    reference_decode(a, format, x);
    reference_decode(b, format, y);
    for (int i = 0; i < 4; i++)
        if (!(x[i] == y[i] || (isnan(x[i]) && isnan(y[i])) ||
              (most && near_a_tie(x[i], color, most))))
            return false;
    return true;
}

TEST(writes_of_every_format) {
    start s = begin(formats_source);
    static unsigned char pixels[PIXELS * 16], expected[16];
    static double colors[PIXELS][4];
    static cl_uint bits[PIXELS * 4];
    cl_image_format formats[256];
    cl_int error = 1;
    cl_uint count = list_formats(s, CL_MEM_WRITE_ONLY, formats, 256);
    cl_mem source = clCreateBuffer(s.context, 0, sizeof(bits), NULL, &error);
    for (cl_uint f = 0; f < count; f++) {
        char name[16];
        picture p = {formats[f], 2, false, SIDE, SIDE, 1, 1, reference_pixel_bytes(formats[f]),
                     NULL};
        draw_colors(formats[f], colors, bits);
        CHECK_EQ(
            clEnqueueWriteBuffer(s.queue, source, CL_TRUE, 0, sizeof(bits), bits, 0, NULL, NULL),
            CL_SUCCESS);
        cl_mem image = make_image(s, &p, 0);
        cl_kernel kernel = weft_kernel(s.program, variant("write", formats[f], name));
        set_mem(kernel, 0, image);
        set_mem(kernel, 1, source);
        run(s, kernel, PIXELS);
        CHECK_EQ(
            clEnqueueReadImage(s.queue, image, CL_TRUE, origin, whole, 0, 0, pixels, 0, NULL, NULL),
            CL_SUCCESS);
        for (int i = 0; i < PIXELS; i++) {
            memset(expected, 0, sizeof(expected));
            reference_encode(colors[i], formats[f], expected);
            if (!same_pixel(pixels + i * p.pixel_bytes, expected, colors[i], formats[f]))
                FAIL("order %x type %x pixel %d (%g %g %g %g): %02x %02x, expected %02x %02x",
                     formats[f].image_channel_order, formats[f].image_channel_data_type, i,
                     colors[i][0], colors[i][1], colors[i][2], colors[i][3],
                     pixels[i * p.pixel_bytes], pixels[i * p.pixel_bytes + 1], expected[0],
                     expected[1]);
        }
        CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseMemObject(source), CL_SUCCESS);
    end(s);
}

/* ---- every sampler --------------------------------------------------------------------------- */

/* One kernel per image type and sampler: the sampler as an argument and as a literal. */
static const char sampler_source[] =
    "#define K(name, type, coord) \\\n"
    "kernel void name(read_only type i, sampler_t s, global float4 *c, global float4 *o) { \\\n"
    "    size_t n = get_global_id(0); float4 p = c[n]; o[n] = read_imagef(i, s, coord); } \\\n"
    "kernel void name##_u(read_only type i, sampler_t s, global float4 *c, global uint4 *o) { \\\n"
    "    size_t n = get_global_id(0); float4 p = c[n]; o[n] = read_imageui(i, s, coord); }\n"
    "K(read_1, image1d_t, p.x) K(read_1a, image1d_array_t, p.xy) K(read_2, image2d_t, p.xy)\n"
    "K(read_2a, image2d_array_t, p) K(read_3, image3d_t, p)\n"
    "#ifdef LITERAL\n"
    "constant sampler_t global_sampler = LITERAL;\n"
    "kernel void literal(read_only image2d_t i, global float4 *c, global float4 *o) {\n"
    "    const sampler_t local_sampler = LITERAL; size_t n = get_global_id(0);\n"
    "    float4 a = read_imagef(i, global_sampler, c[n].xy);\n"
    "    float4 b = read_imagef(i, local_sampler, c[n].xy);\n"
    "    o[n] = all(as_int4(a) == as_int4(b)) ? a : (float4)(1e9f); }\n"
    "#endif\n";

enum { READS = 2048 };

static void draw_coords(const picture *p, bool normalized, float (*c)[4]) {
    static const float special[] = {
        0,   -0.0f,  1,     0.5f,     -0.5f,     2,  1e-20f,       1e10f,
        NAN, -1e10f, 3e38f, INFINITY, -INFINITY, -1, 0.999999940f, -1e-20f};
    const int size[3] = {p->width, p->axes > 1 ? p->height : p->layers,
                         p->axes > 2 ? p->depth : p->layers};
    for (int i = 0; i < READS; i++)
        for (int k = 0; k < 4; k++) {
            float x = (float)(draw() & 0xffff) / 65536.0f * 4 - 1.5f;
            bool layer = p->array && k == p->axes;
            if (k < 3 && (layer || !normalized))
                x *= (float)size[k];
            if (k < 3 && draw() % 8 == 0) /* the middle or the edge of a pixel */
                x = (floorf(x * 16) + (draw() & 1 ? 0.5f : 0.0f)) /
                    (normalized && !layer ? 16.0f : 1.0f);
            c[i][k] = draw() % 16 ? x : special[draw() % 16];
        }
}

static const picture shapes[] = {
    {{CL_RGBA, CL_FLOAT}, 1, false, 13, 1, 1, 1, 16, NULL},
    {{CL_R, CL_UNORM_INT8}, 1, true, 13, 1, 1, 5, 1, NULL},
    {{CL_RGBA, CL_UNORM_INT8}, 2, false, 13, 7, 1, 1, 4, NULL},
    {{CL_R, CL_FLOAT}, 2, false, 16, 8, 1, 1, 4, NULL},
    {{CL_BGRA, CL_UNORM_INT8}, 2, true, 5, 7, 1, 4, 4, NULL},
    {{CL_RG, CL_UNORM_INT16}, 3, false, 5, 7, 3, 1, 4, NULL},
    {{CL_RGBA, CL_UNSIGNED_INT8}, 2, false, 13, 7, 1, 1, 4, NULL},
    {{CL_R, CL_UNSIGNED_INT32}, 3, false, 4, 3, 5, 1, 4, NULL},
    {{CL_A, CL_UNSIGNED_INT16}, 1, false, 9, 1, 1, 1, 2, NULL},
};

static void fill_picture(picture *p, unsigned char *data) {
    int count = p->width * p->height * p->depth * p->layers * p->pixel_bytes;
    p->data = data;
    for (int i = 0; i < count; i++)
        data[i] = (unsigned char)draw();
    for (int i = 0; p->format.image_channel_data_type == CL_FLOAT && i < count; i += 4) {
        float f = (float)(draw() & 0xfff) / 1024 - 1;
        memcpy(data + i, &f, 4);
    }
}

static void check_reads(const picture *p, bool normalized, cl_addressing_mode mode,
                        cl_filter_mode filter, float (*c)[4], cl_uint (*out)[4]) {
    for (int i = 0; i < READS; i++) {
        double expected[4];
        reference_read(p, normalized, mode, filter, c[i], expected);
        for (int k = 0; k < 4; k++) {
            float f;
            memcpy(&f, &out[i][k], 4);
            bool same = is_integer(p->format) ? out[i][k] == (cl_uint)(int64_t)expected[k]
                        : filter == CL_FILTER_NEAREST
                            ? near_to(f, expected[k], 1.5)
                            : fabs((double)f - expected[k]) < 4e-6 || isnan(expected[k]);
            if (!same)
                FAIL("axes %d array %d normalized %d mode %x filter %x at %.9g %.9g %.9g component "
                     "%d: %g (%u), expected %g",
                     p->axes, p->array, normalized, mode, filter, (double)c[i][0], (double)c[i][1],
                     (double)c[i][2], k, (double)f, out[i][k], expected[k]);
        }
    }
}

/* Every mode that the specification defines for the coordinates, on one image. */
static void every_sampler(start s, const picture *p, cl_mem image, cl_mem coords, cl_mem result) {
    static float c[READS][4];
    static cl_uint out[READS][4];
    char name[16];
    snprintf(name, sizeof(name), "read_%d%s%s", p->axes, p->array ? "a" : "",
             is_integer(p->format) ? "_u" : "");
    cl_kernel kernel = weft_kernel(s.program, name);
    set_mem(kernel, 0, image);
    set_mem(kernel, 2, coords);
    set_mem(kernel, 3, result);
    for (cl_addressing_mode mode = CL_ADDRESS_CLAMP_TO_EDGE; mode <= CL_ADDRESS_MIRRORED_REPEAT;
         mode++)
        for (int bits = 0; bits < 4; bits++) {
            bool normalized = bits & 1;
            cl_filter_mode filter = bits & 2 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
            cl_int error = 1;
            if ((!normalized && mode >= CL_ADDRESS_REPEAT) || (bits & 2 && is_integer(p->format)))
                continue;
            cl_sampler sampler = clCreateSampler(s.context, normalized, mode, filter, &error);
            CHECK_EQ(error, CL_SUCCESS);
            CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler), CL_SUCCESS);
            CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);
            draw_coords(p, normalized, c);
            CHECK_EQ(clEnqueueWriteBuffer(s.queue, coords, CL_TRUE, 0, sizeof(c), c, 0, NULL, NULL),
                     CL_SUCCESS);
            run(s, kernel, READS);
            CHECK_EQ(
                clEnqueueReadBuffer(s.queue, result, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
                CL_SUCCESS);
            check_reads(p, normalized, mode, filter, c, out);
        }
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

TEST(every_sampler_on_every_type) {
    start s = begin(sampler_source);
    cl_int error = 1;
    cl_mem coords = clCreateBuffer(s.context, 0, READS * 16, NULL, &error);
    cl_mem result = clCreateBuffer(s.context, 0, READS * 16, NULL, &error);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        static unsigned char data[8192];
        picture p = shapes[i];
        fill_picture(&p, data);
        cl_mem image = make_image(s, &p, CL_MEM_COPY_HOST_PTR);
        every_sampler(s, &p, image, coords, result);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseMemObject(coords), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(result), CL_SUCCESS);
    end(s);
}

TEST(literal_samplers) {
    static const struct {
        const char *text;
        bool normalized;
        cl_addressing_mode mode;
        cl_filter_mode filter;
    } rows[] = {
        {"CLK_NORMALIZED_COORDS_FALSE|CLK_ADDRESS_CLAMP|CLK_FILTER_NEAREST", false,
         CL_ADDRESS_CLAMP, CL_FILTER_NEAREST},
        {"CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_REPEAT|CLK_FILTER_LINEAR", true, CL_ADDRESS_REPEAT,
         CL_FILTER_LINEAR},
        {"CLK_NORMALIZED_COORDS_TRUE|CLK_ADDRESS_MIRRORED_REPEAT|CLK_FILTER_NEAREST", true,
         CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST},
        {"CLK_NORMALIZED_COORDS_FALSE|CLK_ADDRESS_CLAMP_TO_EDGE|CLK_FILTER_LINEAR", false,
         CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        static char text[4096];
        static unsigned char data[1024];
        static float c[READS][4];
        static cl_uint out[READS][4];
        cl_int error = 1;
        picture p = shapes[2];
        snprintf(text, sizeof(text), "#define LITERAL %s\n%s", rows[i].text, sampler_source);
        start s = begin(text);
        fill_picture(&p, data);
        draw_coords(&p, rows[i].normalized, c);
        cl_mem image = make_image(s, &p, CL_MEM_COPY_HOST_PTR);
        cl_mem coords = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(c), c, &error);
        cl_mem result = clCreateBuffer(s.context, 0, sizeof(out), NULL, &error);
        cl_kernel kernel = weft_kernel(s.program, "literal");
        set_mem(kernel, 0, image);
        set_mem(kernel, 1, coords);
        set_mem(kernel, 2, result);
        run(s, kernel, READS);
        CHECK_EQ(clEnqueueReadBuffer(s.queue, result, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
                 CL_SUCCESS);
        check_reads(&p, rows[i].normalized, rows[i].mode, rows[i].filter, c, out);
        CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(coords), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(result), CL_SUCCESS);
        end(s);
    }
}

/* ---- the rest -------------------------------------------------------------------------------- */

static const char rest_source[] =
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "kernel void sizes(read_only image1d_t a, write_only image1d_array_t b, read_write image2d_t c,"
    " read_only image2d_array_t d, read_only image3d_t e, global int *o) {\n"
    "    o[0] = get_image_width(a); o[1] = get_image_width(b);\n"
    "    o[2] = (int)get_image_array_size(b);\n"
    "    int2 cd = get_image_dim(c); o[3] = cd.x; o[4] = cd.y;\n"
    "    o[5] = get_image_height(d); o[6] = (int)get_image_array_size(d);\n"
    "    int4 ed = get_image_dim(e); o[7] = ed.x; o[8] = ed.y; o[9] = ed.z; o[10] = ed.w;\n"
    "    o[11] = get_image_depth(e);\n"
    "    o[12] = get_image_channel_order(c) == CLK_RGBA;\n"
    "    o[13] = get_image_channel_data_type(c) == CLK_UNORM_INT8 && CLK_UNORM_INT_101010_2; }\n"
    "kernel void bump(read_write image2d_t i) {\n"
    "    int2 at = (int2)(get_global_id(0) % 4, get_global_id(0) / 4);\n"
    "    uint4 p = read_imageui(i, at); write_imageui(i, at, p + 1); }\n"
    "kernel void outside(write_only image2d_t a, write_only image3d_t b,"
    " write_only image2d_array_t c) {\n"
    "    int n = (int)get_global_id(0) - 8;\n"
    "    write_imagef(a, (int2)(n, 1), (float4)(1)); write_imagef(a, (int2)(1, n), (float4)(1));\n"
    "    write_imagef(b, (int4)(1, 1, n, 0), (float4)(1));\n"
    "    write_imagef(c, (int4)(1, 1, n, 0), (float4)(1)); }\n"
    "kernel void far(read_only image2d_t i, global float4 *o) {\n"
    "    o[get_global_id(0)] = read_imagef(i, (int2)((int)get_global_id(0) * 0x8000000, 1 << 30)); "
    "}\n"
    "kernel void some(read_only image2d_t i, write_only image2d_t o) {\n"
    "    int n = get_global_id(0); int2 at = (int2)(n % 8, n / 8);\n"
    "    if (n % 3 == 0) write_imagef(o, at, read_imagef(i, at));\n"
    "    else if (n % 5 == 0) write_imagef(o, at, (float4)(1)); }\n"
    "kernel void line(read_only image1d_buffer_t i, write_only image1d_buffer_t o) {\n"
    "    int n = get_global_id(0); write_imageui(o, n, read_imageui(i, n) * 2); }\n";

TEST(queries) {
    start s = begin(rest_source);
    cl_int out[14], error = 1;
    const cl_int expected[14] = {7, 6, 5, 4, 3, 9, 8, 2, 3, 4, 0, 4, 1, 1};
    const picture p[5] = {{{CL_RGBA, CL_UNORM_INT8}, 1, false, 7, 1, 1, 1, 4, NULL},
                          {{CL_RGBA, CL_UNORM_INT8}, 1, true, 6, 1, 1, 5, 4, NULL},
                          {{CL_RGBA, CL_UNORM_INT8}, 2, false, 4, 3, 1, 1, 4, NULL},
                          {{CL_RGBA, CL_UNORM_INT8}, 2, true, 5, 9, 1, 8, 4, NULL},
                          {{CL_RGBA, CL_UNORM_INT8}, 3, false, 2, 3, 4, 1, 4, NULL}};
    cl_mem images[5], result = clCreateBuffer(s.context, 0, sizeof(out), NULL, &error);
    cl_kernel kernel = weft_kernel(s.program, "sizes");
    for (cl_uint i = 0; i < 5; i++)
        set_mem(kernel, i, images[i] = make_image(s, &p[i], 0));
    set_mem(kernel, 5, result);
    run(s, kernel, 1);
    CHECK_EQ(clEnqueueReadBuffer(s.queue, result, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < 14; i++)
        CHECK_EQ(out[i], expected[i]);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(clReleaseMemObject(images[i]), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(result), CL_SUCCESS);
    end(s);
}

TEST(read_and_write_the_same_image) {
    start s = begin(rest_source);
    cl_uchar pixels[64], out[64];
    const size_t region[3] = {4, 4, 1};
    picture p = {{CL_RGBA, CL_UNSIGNED_INT8}, 2, false, 4, 4, 1, 1, 4, pixels};
    for (int i = 0; i < 64; i++)
        pixels[i] = (cl_uchar)(i * 5);
    cl_mem image = make_image(s, &p, CL_MEM_COPY_HOST_PTR);
    cl_kernel kernel = weft_kernel(s.program, "bump");
    set_mem(kernel, 0, image);
    run(s, kernel, 16);
    CHECK_EQ(clEnqueueReadImage(s.queue, image, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(out[i], pixels[i] < 255 ? pixels[i] + 1 : 255);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(image), CL_SUCCESS);
    end(s);
}

/* Undefined by the specification; here writes outside do nothing and reads give the edge. */
TEST(outside_of_the_image) {
    start s = begin(rest_source);
    static unsigned char around[3][1024];
    /* the last one goes the way of the rare formats */
    const picture p[3] = {{{CL_RGBA, CL_UNORM_INT8}, 2, false, 4, 4, 1, 1, 4, NULL},
                          {{CL_RGBA, CL_UNORM_INT8}, 3, false, 4, 4, 4, 1, 4, NULL},
                          {{CL_RG, CL_UNORM_INT16}, 2, true, 4, 4, 1, 4, 4, NULL}};
    cl_kernel kernel = weft_kernel(s.program, "outside"), far = weft_kernel(s.program, "far");
    cl_mem images[3];
    cl_int error = 1;
    for (int i = 0; i < 3; i++) {
        picture inner = p[i];
        cl_image_desc desc = {.image_width = 4, .image_height = 4};
        desc.image_type = i == 0   ? CL_MEM_OBJECT_IMAGE2D
                          : i == 1 ? CL_MEM_OBJECT_IMAGE3D
                                   : CL_MEM_OBJECT_IMAGE2D_ARRAY;
        desc.image_depth = desc.image_array_size = 4;
        images[i] = clCreateImage(s.context, CL_MEM_USE_HOST_PTR, &inner.format, &desc,
                                  around[i] + 256, &error);
        CHECK_EQ(error, CL_SUCCESS);
        set_mem(kernel, (cl_uint)i, images[i]);
    }
    run(s, kernel, 32);
    for (int i = 0; i < 3; i++) {
        int set = 0;
        for (int b = 0; b < 256; b++)
            CHECK_EQ(around[i][b], 0);
        for (int b = 256; b < 512; b++)
            set += around[i][b] != 0;
        CHECK_EQ(set, i == 0 ? 28 : 16);
        for (int b = 512; b < 1024; b++)
            CHECK_EQ(around[i][b], 0);
    }
    cl_mem result = clCreateBuffer(s.context, 0, 32 * 16, NULL, &error);
    set_mem(far, 0, images[0]);
    set_mem(far, 1, result);
    run(s, far, 32);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(far), CL_SUCCESS);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(clReleaseMemObject(images[i]), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(result), CL_SUCCESS);
    end(s);
}

/* Work-items of one vector that part before they read and write, in a quick and in a rare
 * format. */
TEST(under_a_condition) {
    static const cl_image_format formats[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_ARGB, CL_UNORM_INT8}};
    start s = begin(rest_source);
    const size_t region[3] = {8, 16, 1};
    cl_uint in[128], out[128];
    for (int f = 0; f < 2; f++) {
        picture p = {formats[f], 2, false, 8, 16, 1, 1, 4, (unsigned char *)in};
        for (int i = 0; i < 128; i++)
            in[i] = draw() | 1;
        cl_mem from = make_image(s, &p, CL_MEM_COPY_HOST_PTR), to = make_image(s, &p, 0);
        cl_kernel kernel = weft_kernel(s.program, "some");
        set_mem(kernel, 0, from);
        set_mem(kernel, 1, to);
        run(s, kernel, 128);
        CHECK_EQ(clEnqueueReadImage(s.queue, to, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL),
                 CL_SUCCESS);
        for (int i = 0; i < 128; i++)
            CHECK_EQ(out[i], i % 3 == 0 ? in[i] : i % 5 == 0 ? 0xffffffff : 0);
        CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(from), CL_SUCCESS);
        CHECK_EQ(clReleaseMemObject(to), CL_SUCCESS);
    }
    end(s);
}

TEST(image_of_a_buffer) {
    start s = begin(rest_source);
    enum { COUNT = 70000 };
    static cl_ushort in[COUNT], out[COUNT];
    cl_image_format format = {CL_R, CL_UNSIGNED_INT16};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = COUNT};
    cl_int error = 1;
    for (int i = 0; i < COUNT; i++)
        in[i] = (cl_ushort)(i * 31);
    cl_mem a = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(in), in, &error);
    cl_mem b = clCreateBuffer(s.context, 0, sizeof(out), NULL, &error);
    cl_kernel kernel = weft_kernel(s.program, "line");
    desc.mem_object = a;
    cl_mem from = clCreateImage(s.context, 0, &format, &desc, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    desc.mem_object = b;
    cl_mem to = clCreateImage(s.context, 0, &format, &desc, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    set_mem(kernel, 0, from);
    set_mem(kernel, 1, to);
    run(s, kernel, COUNT);
    CHECK_EQ(clEnqueueReadBuffer(s.queue, b, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(out[i], in[i] < 32768 ? in[i] * 2 : 65535);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(from), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(to), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(a), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(b), CL_SUCCESS);
    end(s);
}

TEST(arguments) {
    start s = begin(rest_source);
    const picture plane = {{CL_RGBA, CL_UNORM_INT8}, 2, false, 4, 4, 1, 1, 4, NULL};
    const picture volume = {{CL_RGBA, CL_UNORM_INT8}, 3, false, 4, 4, 4, 1, 4, NULL};
    cl_int error = 1;
    cl_kernel far = weft_kernel(s.program, "far"), bump = weft_kernel(s.program, "bump"),
              outside = weft_kernel(s.program, "outside");
    cl_mem ro = make_image(s, &plane, CL_MEM_READ_ONLY),
           wo = make_image(s, &plane, CL_MEM_WRITE_ONLY), rw = make_image(s, &plane, 0),
           other = make_image(s, &volume, 0), none = NULL;
    cl_mem buffer = clCreateBuffer(s.context, 0, 64, NULL, &error);
    CHECK_EQ(clSetKernelArg(far, 0, sizeof(ro), &ro), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(far, 0, sizeof(rw), &rw), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(far, 0, sizeof(wo), &wo), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(outside, 0, sizeof(wo), &wo), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(outside, 0, sizeof(ro), &ro), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(bump, 0, sizeof(rw), &rw), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(bump, 0, sizeof(ro), &ro), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(bump, 0, sizeof(wo), &wo), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(far, 0, sizeof(other), &other), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(far, 0, sizeof(buffer), &buffer), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(far, 1, sizeof(ro), &ro), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(far, 0, sizeof(none), &none), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(far, 0, sizeof(none), NULL), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(far, 0, 4, &ro), CL_INVALID_ARG_SIZE);
    start t = begin(sampler_source);
    cl_kernel sampled = weft_kernel(t.program, "read_2");
    cl_sampler sampler =
        clCreateSampler(t.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    cl_sampler foreign =
        clCreateSampler(s.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    CHECK_EQ(clSetKernelArg(sampled, 1, sizeof(sampler), &sampler), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(sampled, 1, sizeof(foreign), &foreign), CL_INVALID_SAMPLER);
    CHECK_EQ(clSetKernelArg(sampled, 1, sizeof(buffer), &buffer), CL_INVALID_SAMPLER);
    CHECK_EQ(clSetKernelArg(sampled, 1, 4, &sampler), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(sampled, 1, sizeof(sampler), NULL), CL_INVALID_SAMPLER);
    CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    CHECK_EQ(clReleaseSampler(foreign), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(sampled), CL_SUCCESS);
    end(t);
    cl_mem mems[] = {ro, wo, rw, other, buffer};
    for (int i = 0; i < 5; i++)
        CHECK_EQ(clReleaseMemObject(mems[i]), CL_SUCCESS);
    cl_kernel kernels[] = {far, bump, outside};
    for (int i = 0; i < 3; i++)
        CHECK_EQ(clReleaseKernel(kernels[i]), CL_SUCCESS);
    end(s);
}

TEST_MAIN()
