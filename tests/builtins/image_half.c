// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * cl_khr_fp16: read_imageh gives what read_imagef does, rounded to the nearest half, and
 * write_imageh writes what write_imagef does. image.c holds these two against the specification.
 */

#include "image_session.h"

#include <math.h>

enum { READS = 512, WAYS = 3 };

/* A read by coordinates of float, by integers with a sampler, and without one. */
static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "constant sampler_t between = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
    "constant sampler_t nearest = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "#define K(name, kind, at, whole) \\\n"
    "kernel void read_##name(read_only kind i, global const float4 *c, global float4 *f, \\\n"
    "                        global half4 *h) { \\\n"
    "    size_t n = get_global_id(0); float4 p = c[n]; int4 q = convert_int4(p); \\\n"
    "    f[3 * n] = read_imagef(i, between, at); h[3 * n] = read_imageh(i, between, at); \\\n"
    "    f[3 * n + 1] = read_imagef(i, nearest, whole); \\\n"
    "    h[3 * n + 1] = read_imageh(i, nearest, whole); \\\n"
    "    f[3 * n + 2] = read_imagef(i, whole); h[3 * n + 2] = read_imageh(i, whole); } \\\n"
    "kernel void write_##name(write_only kind i, write_only kind j, global const float4 *c, \\\n"
    "                         global const half4 *h) { \\\n"
    "    size_t n = get_global_id(0); int4 q = convert_int4(c[n]); \\\n"
    "    write_imagef(i, whole, convert_float4(h[n])); write_imageh(j, whole, h[n]); }\n"
    "K(1, image1d_t, p.x, q.x) K(1a, image1d_array_t, p.xy, q.xy) K(2, image2d_t, p.xy, q.xy)\n"
    "K(2a, image2d_array_t, p, q) K(3, image3d_t, p, q)\n";

static const struct shape {
    const char *name;
    int axes;
    bool array;
    int width, height, depth, layers;
} shapes[] = {{"1", 1, false, 13, 1, 1, 1},
              {"1a", 1, true, 13, 1, 1, 5},
              {"2", 2, false, 13, 7, 1, 1},
              {"2a", 2, true, 5, 7, 1, 4},
              {"3", 3, false, 5, 7, 3, 1}};

/* Those of which the extension says what is read and written. */
static const cl_channel_type channels[] = {CL_HALF_FLOAT, CL_UNORM_INT8, CL_SNORM_INT8,
                                           CL_UNORM_INT16, CL_SNORM_INT16};

static double value_of(cl_ushort half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                        : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return half & 0x8000 ? -size : size;
}

/* To the nearest half, ties to even. */
static double rounded(double x) {
    if (x == 0 || !isfinite(x))
        return x;
    const double step = ldexp(1, (ilogb(x) < -14 ? -14 : ilogb(x)) - 10);
    const double nearest = nearbyint(x / step) * step;
    return fabs(nearest) >= 65536 ? copysign(INFINITY, x) : nearest;
}

static picture picture_of(const struct shape *shape, cl_channel_type channel) {
    picture p = {
        {CL_RGBA, channel}, shape->axes, shape->array, shape->width, shape->height, shape->depth,
        shape->layers,      0,           NULL};
    p.pixel_bytes = reference_pixel_bytes(p.format);
    return p;
}

/* Inside of the image, since reads without a sampler must be. */
static void draw_coords(const picture *p, float (*c)[4]) {
    const int sizes[3] = {p->width, p->axes > 1 ? p->height : p->layers,
                          p->axes > 2 ? p->depth : p->layers};
    for (int i = 0; i < READS; i++)
        for (int k = 0; k < 4; k++)
            c[i][k] = k < 3 ? (float)(draw() & 0xffff) / 65536.0f * (float)sizes[k] : 0;
}

static void set_mems(cl_kernel kernel, const cl_mem mems[4]) {
    for (cl_uint i = 0; i < 4; i++)
        set_mem(kernel, i, mems[i]);
}

static void release(const cl_mem mems[4], cl_kernel kernel) {
    for (int i = 0; i < 4; i++)
        CHECK_EQ(clReleaseMemObject(mems[i]), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

static void read_all(start s, cl_mem buffer, size_t size, void *to) {
    CHECK_EQ(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, size, to, 0, NULL, NULL), CL_SUCCESS);
}

static void check_reads(start s, const struct shape *shape, cl_channel_type channel) {
    static unsigned char data[8192];
    static float c[READS][4], f[READS * WAYS][4];
    static cl_ushort h[READS * WAYS][4];
    char name[16];
    cl_int error = 1;
    picture p = picture_of(shape, channel);
    p.data = data;
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)draw();
    draw_coords(&p, c);
    snprintf(name, sizeof(name), "read_%s", shape->name);
    cl_kernel kernel = weft_kernel(s.program, name);
    cl_mem mems[4] = {make_image(s, &p, CL_MEM_COPY_HOST_PTR),
                      clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(c), c, &error),
                      clCreateBuffer(s.context, 0, sizeof(f), NULL, &error),
                      clCreateBuffer(s.context, 0, sizeof(h), NULL, &error)};
    set_mems(kernel, mems);
    run(s, kernel, READS);
    read_all(s, mems[2], sizeof(f), f);
    read_all(s, mems[3], sizeof(h), h);
    for (int i = 0; i < READS * WAYS * 4; i++) {
        const double expected = rounded((double)f[i / 4][i % 4]),
                     actual = value_of(h[i / 4][i % 4]);
        if (!(isnan(expected) ? isnan(actual)
                              : actual == expected && !signbit(actual) == !signbit(expected)))
            FAIL("%s type %x way %d component %d: %g, expected %g", name, channel, i / 4 % WAYS,
                 i % 4, actual, expected);
    }
    release(mems, kernel);
}

static void check_writes(start s, const struct shape *shape, cl_channel_type channel) {
    static unsigned char pixels[2][8192];
    static float c[READS][4];
    static cl_ushort h[READS][4];
    char name[16];
    cl_int error = 1;
    picture p = picture_of(shape, channel);
    const size_t origin[3] = {0, 0, 0};
    const size_t whole[3] = {(size_t)p.width, (size_t)(p.axes > 1 ? p.height : p.layers),
                             (size_t)(p.axes > 2   ? p.depth
                                      : p.axes > 1 ? p.layers
                                                   : 1)};
    const int places = p.width * p.height * p.depth * p.layers;
    memset(pixels, 0, sizeof(pixels));
    p.data = pixels[0];
    /* Each place once: two items must not write one. */
    for (int i = 0; i < places; i++) {
        const int y = i / p.width, line = p.axes > 1 ? p.height : p.layers;
        const float at[4] = {(float)(i % p.width), (float)(y % line), (float)(y / line), 0};
        memcpy(c[i], at, sizeof(at));
        for (int k = 0; k < 4; k++)
            h[i][k] = (cl_ushort)(draw() & (draw() % 4 ? 0xbfff : 0xffff));
    }
    snprintf(name, sizeof(name), "write_%s", shape->name);
    cl_kernel kernel = weft_kernel(s.program, name);
    cl_mem mems[4] = {make_image(s, &p, CL_MEM_COPY_HOST_PTR),
                      make_image(s, &p, CL_MEM_COPY_HOST_PTR),
                      clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(c), c, &error),
                      clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof(h), h, &error)};
    set_mems(kernel, mems);
    run(s, kernel, (size_t)places);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(clEnqueueReadImage(s.queue, mems[i], CL_TRUE, origin, whole, 0, 0, pixels[i], 0,
                                    NULL, NULL),
                 CL_SUCCESS);
    bool isWritten = false;
    for (int i = 0; i < places * p.pixel_bytes; i++) {
        isWritten |= pixels[1][i] != 0;
        if (pixels[0][i] != pixels[1][i])
            FAIL("%s type %x byte %d: %02x, write_imagef gave %02x", name, channel, i, pixels[1][i],
                 pixels[0][i]);
    }
    CHECK(isWritten);
    release(mems, kernel);
}

static void every_image(void (*check)(start, const struct shape *, cl_channel_type)) {
    start s = begin(source);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        for (size_t k = 0; k < sizeof(channels) / sizeof(channels[0]); k++)
            check(s, &shapes[i], channels[k]);
    end(s);
}

TEST(halves_are_read_as_floats_are_and_rounded) {
    every_image(check_reads);
}

TEST(halves_are_written_as_floats_are) {
    every_image(check_writes);
}

TEST_MAIN()
