// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Sources with the kernels that they hold, binaries of the first one, a SPIR-V module, formats. */

#include "setup.h"

#include "compiler/shared/container.c"
#include "wild_binary.h"

#include <unistd.h>

size_t base_align;
cl_uint pitch_align;
binary binaries[2];
static weft_wild_binary notes[2];
static formats all_formats[IMAGE_TYPES];

/* ---- sources --------------------------------------------------------------------------------- */

/* Kernels read what they are given only where they never come: their arguments may be anything. */
static const char many[] =
    "#define NEVER (get_global_id(0) == (size_t)-77)\n"
    "kernel void buffers(global int *a, constant int *b, local int *c, int d) {\n"
    "    if (NEVER) { c[0] = b[0]; a[0] = c[d]; }\n"
    "}\n"
    "kernel void barriers(global int *a, local int *c) {\n"
    "    if (NEVER) c[0] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (NEVER) a[0] = c[0];\n"
    "}\n"
    "kernel void images(read_only image2d_t a, write_only image2d_t b, sampler_t s) {\n"
    "    if (NEVER) write_imagef(b, (int2)(0, 0), read_imagef(a, s, (int2)(0, 0)));\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *a) {\n"
    "    if (NEVER) a[0] = 1;\n"
    "}\n"
    "kernel void pipes(read_only pipe int a, global int *b) {\n"
    "    int x;\n"
    "    if (NEVER && read_pipe(a, &x) == 0) b[0] = x;\n"
    "}\n"
    "kernel void queues(queue_t q, global int *a) {\n"
    "    if (NEVER) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ a[0] = 1; });\n"
    "}\n";
static const char few[] = "kernel void small(global int *a) { if (get_global_id(0) == (size_t)-7) "
                          "a[0] = 1; }\n"
                          "kernel void none(void) {}\n";

#define SMALL                                                                                      \
    {"small", 1, {ARG_BUFFER}, {0}}, {                                                             \
        "none", 0, {0}, {0}                                                                        \
    }

const source sources[] = {
    {many,
     "-cl-std=CL2.0",
     true,
     false,
     6,
     {{"buffers", 4, {ARG_BUFFER, ARG_CONSTANT, ARG_LOCAL, ARG_VALUE}, {0}},
      {"barriers", 2, {ARG_BUFFER, ARG_LOCAL}, {0}},
      {"images", 3, {ARG_READ_IMAGE, ARG_WRITE_IMAGE, ARG_SAMPLER}, {0}},
      {"fixed", 1, {ARG_BUFFER}, {4, 2, 1}},
      {"pipes", 2, {ARG_PIPE, ARG_BUFFER}, {0}},
      {"queues", 2, {ARG_QUEUE, ARG_BUFFER}, {0}}}},
    {few, "", true, false, 2, {SMALL}},
    {few, "-cl-kernel-arg-info -cl-std=CL1.2", true, false, 2, {SMALL}},
    {"#include \"header.h\"\n"
     "kernel void included(global int *a) { if (get_global_id(0) == (size_t)-HEADER) a[0] = 1; }\n",
     "",
     true,
     true,
     1,
     {{"included", 1, {ARG_BUFFER}, {0}}}},
    {"#define HEADER 9\nint helper(int a);\nint helper(int a) { return a + HEADER; }\n",
     "",
     true,
     false,
     0,
     {{0}}},
    {"kernel void broken(global int *a) { a[0] = }\n", "", false, false, 0, {{0}}},
};
const unsigned source_count = sizeof(sources) / sizeof(*sources);

/* kernel void il(void), and a specialisation constant, number 7, of 32 bits. */
static const uint32_t module[] = {0x07230203,
                                  0x00010000,
                                  0,
                                  10,
                                  0,
                                  2 << 16 | 17,
                                  6,
                                  2 << 16 | 17,
                                  4,
                                  3 << 16 | 14,
                                  2,
                                  2,
                                  4 << 16 | 15,
                                  6,
                                  1,
                                  0x00006c69,
                                  4 << 16 | 71,
                                  5,
                                  1,
                                  7,
                                  2 << 16 | 19,
                                  2,
                                  3 << 16 | 33,
                                  3,
                                  2,
                                  4 << 16 | 21,
                                  4,
                                  32,
                                  0,
                                  4 << 16 | 50,
                                  4,
                                  5,
                                  1,
                                  5 << 16 | 54,
                                  2,
                                  1,
                                  0,
                                  3,
                                  2 << 16 | 248,
                                  6,
                                  1 << 16 | 253,
                                  1 << 16 | 56};
const void *il_module = module;
size_t il_bytes = sizeof(module);

/* ---- formats --------------------------------------------------------------------------------- */

const formats *formats_of(cl_mem_object_type type) {
    return &all_formats[type - CL_MEM_OBJECT_IMAGE2D];
}

static unsigned channels_of(cl_channel_order order) {
    switch (order) {
    case CL_RG:
    case CL_RA:
        return 2;
    case CL_RGB:
    case CL_sRGB:
        return 3;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
    case CL_sRGBA:
    case CL_sBGRA:
    case CL_sRGBx:
        return 4;
    default:
        return 1;
    }
}

size_t element_bytes(cl_image_format format) {
    switch (format.image_channel_data_type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return channels_of(format.image_channel_order);
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
        return 2;
    case CL_UNORM_INT_101010:
    case CL_UNORM_INT_101010_2:
        return 4;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4 * channels_of(format.image_channel_order);
    default:
        return 2 * channels_of(format.image_channel_order);
    }
}

/* ---- binaries -------------------------------------------------------------------------------- */

static _Noreturn void give_up(const char *what, cl_int status) {
    fprintf(stderr, "%s: %d\n", what, status);
    _exit(2);
}

/* Where a word of the note is: of its head, a kernel, an argument, or a size that kernels require.
 */
static size_t draw_word(world *w, const weft_wild_binary *b) {
    const weft_image_info *info = &b->info;
    size_t kernel = info->kernels + draw(w, info->kernel_count) * sizeof(weft_kernel_info), at;
    switch (draw(w, 8)) {
    case 0:
        at = draw(w, sizeof(*info) / 4) * 4;
        break;
    case 1:
    case 2:
        at = info->args + draw(w, info->arg_count * sizeof(weft_arg_info) / 4) * 4;
        break;
    case 3:
        at = kernel + offsetof(weft_kernel_info, reqd_local_size) + draw(w, 3) * 8;
        break;
    default:
        at = kernel + draw(w, sizeof(weft_kernel_info) / 4) * 4;
    }
    return b->table + at;
}

unsigned char *draw_wild_binary(world *w, unsigned device) {
    const weft_wild_binary *of = &notes[device % 2];
    unsigned char *bytes = malloc(of->size);
    uint32_t before, values[WEFT_WILD_VALUES];
    if (!bytes)
        wrong(w, "the fuzzer is out of memory");
    memcpy(bytes, of->bytes, of->size);
    for (unsigned i = 1 + (unsigned)draw(w, 2); i; i--) {
        size_t at = draw_word(w, of);
        memcpy(&before, bytes + at, 4);
        weft_wild_values(before, values);
        const uint32_t now = values[draw(w, WEFT_WILD_VALUES)];
        memcpy(bytes + at, &now, 4);
        if (w->trace)
            fprintf(stderr, "/* the note's byte %zu: %#x becomes %#x */ ", at - of->table, before,
                    now);
    }
    weft_wild_mend(bytes, of->size);
    return bytes;
}

static void take_binaries(cl_context context) {
    const char *text = sources[0].text;
    unsigned char *parts[2] = {0};
    size_t sizes[2] = {0};
    cl_int status = 1;
    cl_program program = cl.clCreateProgramWithSource(context, 1, &text, NULL, &status);
    if (status || (status = cl.clBuildProgram(program, 0, NULL, sources[0].options, NULL, NULL)))
        give_up("the first source does not build", status);
    cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL);
    for (int i = 0; i < 2; i++)
        binaries[i] = (binary){parts[i] = malloc(sizes[i]), sizes[i]};
    status = cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(parts), parts, NULL);
    cl.clReleaseProgram(program);
    if (status)
        give_up("no binaries", status);
    for (int i = 0; i < 2; i++)
        if (!weft_wild_open(binaries[i].bytes, binaries[i].size, &notes[i]))
            give_up("a binary has no note", i);
}

static void ask_formats(cl_context context) {
    for (unsigned i = 0; i < IMAGE_TYPES; i++) {
        formats *f = &all_formats[i];
        cl_int status =
            cl.clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D + i,
                                          MOST_FORMATS, f->list, &f->count);
        if (status || !f->count || f->count > MOST_FORMATS)
            give_up("image formats", status ? status : (cl_int)f->count);
    }
}

void setup_programs(cl_platform_id platform) {
    cl_device_id devices[2];
    cl_int status = cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL);
    cl_context context = status ? NULL : cl.clCreateContext(NULL, 2, devices, NULL, NULL, &status);
    cl_uint bits = 0;
    if (status)
        give_up("no context of two devices", status);
    cl.clGetDeviceInfo(devices[0], CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits), &bits, NULL);
    base_align = bits / 8;
    cl.clGetDeviceInfo(devices[0], CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof(pitch_align),
                       &pitch_align, NULL);
    ask_formats(context);
    take_binaries(context);
    cl.clReleaseContext(context);
}
