// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Each overload of the library that has to do with memory, events or images, called once and
 * checked; every.py writes the kernels. The program says how many there are.
 */
#include "../api/common.h"

typedef struct weft_overloads {
    const char *source;
    const char *const *names; /* mangled, in the order of their numbers */
    int kernels, count;
} weft_overloads;

typedef struct weft_image_overload {
    const char *name, *image, *access, *texels, *verb;
} weft_image_overload;

#include "every.h"

enum { ITEMS = 64, GROUP = 32, IN_BYTES = 16384, MEMORY_BYTES = 65536, MOST = 1024 };
enum { EDGE = 4 }; /* of images, and their layers */

typedef struct session {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem bad;
} session;

static session begin(const char *source) {
    static const cl_int none[MOST];
    cl_int error = 1;
    session s;
    weft_need_compiler();
    s.context = weft_context(1);
    s.queue = clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    s.program = weft_built(s.context, source, "-cl-std=CL3.0");
    s.bad = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof none, (void *)(uintptr_t)none,
                           &error);
    CHECK_EQ(error, CL_SUCCESS);
    return s;
}

/** How many of the overloads were wrong, whose names it says. */
static unsigned end(session s, int count, const char *(*name_of)(int)) {
    static cl_int bad[MOST];
    unsigned wrong = 0;
    CHECK_EQ(clEnqueueReadBuffer(s.queue, s.bad, CL_TRUE, 0, sizeof bad, bad, 0, NULL, NULL),
             CL_SUCCESS);
    for (int i = 0; i < count; i++)
        if (bad[i]) {
            wrong++;
            printf("# wrong: %s\n", name_of(i));
        }
    clReleaseMemObject(s.bad);
    clReleaseProgram(s.program);
    clReleaseCommandQueue(s.queue);
    clReleaseContext(s.context);
    return wrong;
}

static cl_kernel kernel_of(session s, int number) {
    char name[16];
    snprintf(name, sizeof name, "test%d", number);
    return weft_kernel(s.program, name);
}

static void launch(session s, cl_kernel kernel) {
    const size_t items = ITEMS, group = GROUP;
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_mem buffer_of(session s, size_t bytes) {
    static uint32_t random[MEMORY_BYTES / 4];
    uint32_t seed = 2463534242u;
    for (size_t i = 0; i < bytes / 4; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        random[i] = seed;
    }
    cl_int error = 1;
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, bytes, random, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return buffer;
}

/* ---- memory and events ----------------------------------------------------------------------- */

static const weft_overloads *current;

static const char *name_of_current(int number) {
    return current->names[number];
}

TEST(functions_of_memory_and_events) {
    unsigned wrong = 0, all = 0;
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++) {
        current = &programs[p];
        session s = begin(current->source);
        cl_mem in = buffer_of(s, IN_BYTES), memory = buffer_of(s, MEMORY_BYTES);
        for (int k = 0; k < current->kernels; k++) {
            cl_kernel kernel = kernel_of(s, k);
            CHECK_EQ(clSetKernelArg(kernel, 0, sizeof in, &in), CL_SUCCESS);
            CHECK_EQ(clSetKernelArg(kernel, 1, sizeof memory, &memory), CL_SUCCESS);
            CHECK_EQ(clSetKernelArg(kernel, 2, sizeof s.bad, &s.bad), CL_SUCCESS);
            launch(s, kernel);
        }
        CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
        clReleaseMemObject(in);
        clReleaseMemObject(memory);
        wrong += end(s, current->count, name_of_current);
        all += (unsigned)current->count;
    }
    printf("# %u overloads of memory and events\n", all);
    CHECK_EQ(wrong, 0);
    CHECK(all > 2000);
}

/* ---- images ---------------------------------------------------------------------------------- */

static const char *name_of_image(int number) {
    return image_overloads[number].name;
}

static bool is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static cl_image_format format_of(const weft_image_overload *o) {
    cl_channel_order order = strstr(o->image, "depth") ? CL_DEPTH : CL_RGBA;
    return (cl_image_format){order, is(o->texels, "float")  ? CL_FLOAT
                                    : is(o->texels, "half") ? CL_HALF_FLOAT
                                    : is(o->texels, "int")  ? CL_SIGNED_INT32
                                                            : CL_UNSIGNED_INT32};
}

static cl_image_desc desc_of(const char *image) {
    static const struct {
        const char *name;
        cl_mem_object_type type;
        size_t height, depth, layers;
    } kinds[] = {{"image1d", CL_MEM_OBJECT_IMAGE1D, 0, 0, 0},
                 {"image1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, 0, 0},
                 {"image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, EDGE},
                 {"image2d", CL_MEM_OBJECT_IMAGE2D, EDGE, 0, 0},
                 {"image2d_depth", CL_MEM_OBJECT_IMAGE2D, EDGE, 0, 0},
                 {"image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, EDGE, 0, EDGE},
                 {"image2d_array_depth", CL_MEM_OBJECT_IMAGE2D_ARRAY, EDGE, 0, EDGE},
                 {"image3d", CL_MEM_OBJECT_IMAGE3D, EDGE, EDGE, 0}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is(image, kinds[i].name))
            return (cl_image_desc){.image_type = kinds[i].type,
                                   .image_width = EDGE,
                                   .image_height = kinds[i].height,
                                   .image_depth = kinds[i].depth,
                                   .image_array_size = kinds[i].layers};
    FAIL("no kind of image: %s", image);
}

/** An image for the overload, every texel (base, base + 1, base + 2, base + 3). */
static cl_mem image_of(session s, const weft_image_overload *o, cl_int base) {
    cl_int error = 1;
    cl_image_format format = format_of(o);
    cl_image_desc desc = desc_of(o->image);
    if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.buffer = buffer_of(s, (size_t)EDGE * 16);
    cl_mem image = clCreateImage(s.context, 0, &format, &desc, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    if (desc.buffer)
        clReleaseMemObject(desc.buffer);
    union {
        cl_int i[4];
        cl_float f[4];
    } texel;
    for (int c = 0; c < 4; c++)
        if (is(o->texels, "float") || is(o->texels, "half"))
            texel.f[c] = (float)(base + c);
        else
            texel.i[c] = base + c;
    const size_t origin[3] = {0};
    const size_t region[3] = {
        EDGE,
        desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? EDGE
        : desc.image_height                            ? EDGE
                                                       : 1,
        desc.image_height && (desc.image_depth || desc.image_array_size) ? EDGE : 1};
    CHECK_EQ(clEnqueueFillImage(s.queue, image, &texel, origin, region, 0, NULL, NULL), CL_SUCCESS);
    return image;
}

/** What functions that ask an image answer, in the order of every.py's FACTS. */
static cl_mem facts_of(session s, const weft_image_overload *o) {
    cl_image_desc desc = desc_of(o->image);
    cl_image_format format = format_of(o);
    cl_int facts[6] = {EDGE,
                       (cl_int)desc.image_height,
                       (cl_int)desc.image_depth,
                       (cl_int)desc.image_array_size,
                       (cl_int)format.image_channel_order,
                       (cl_int)format.image_channel_data_type};
    cl_int error = 1;
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, sizeof facts, facts, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return buffer;
}

static void launch_on_image(session s, int number, cl_mem image, cl_sampler sampler, cl_int base,
                            cl_mem facts) {
    cl_kernel kernel = kernel_of(s, number);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof image, &image), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(cl_sampler), &sampler), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof base, &base), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 3, sizeof facts, &facts), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 4, sizeof s.bad, &s.bad), CL_SUCCESS);
    launch(s, kernel);
}

/** The first kernel that reads what `writer` writes. */
static int reader_of(const weft_image_overload *writer, int count) {
    for (int i = 0; i < count; i++)
        if (is(image_overloads[i].verb, "read") && is(image_overloads[i].image, writer->image) &&
            is(image_overloads[i].texels, writer->texels))
            return i;
    FAIL("nothing reads what %s writes", writer->name);
}

TEST(functions_of_images) {
    const int count = (int)(sizeof image_overloads / sizeof image_overloads[0]);
    session s = begin(image_source);
    cl_int error = 1;
    cl_sampler sampler =
        clCreateSampler(s.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    CHECK_EQ(error, CL_SUCCESS);
    for (int i = 0; i < count; i++) {
        const weft_image_overload *o = &image_overloads[i];
        cl_mem image = image_of(s, o, 3 + i), facts = facts_of(s, o);
        bool writes = is(o->verb, "write");
        launch_on_image(s, i, image, sampler, writes ? 5 + i : 3 + i, facts);
        if (writes)
            launch_on_image(s, reader_of(o, count), image, sampler, 5 + i, facts);
        CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
        clReleaseMemObject(facts);
        clReleaseMemObject(image);
    }
    clReleaseSampler(sampler);
    printf("# %d overloads of images\n", count);
    CHECK_EQ(end(s, count, name_of_image), 0);
    CHECK(count > 200);
}

TEST_MAIN()
