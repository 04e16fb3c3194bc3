// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Runs one SPIR-V module as the comments of its assembly say: run FILE.spvasm FILE.spv. The kernel
 * is named "test"; its first argument is a buffer of 64 uint, zero at first.
 *
 *   ; GLOBAL 8 LOCAL 4     sizes of the launch (default 1 and none)
 *   ; SPEC 3 4 0x7         specialisation constant 3, 4 bytes, value 7
 *   ; UINT 5               a further argument: an uint
 *   ; LOCALMEM 64          a further argument: bytes of local memory
 *   ; STRUCT 1 2 3         a further argument: a structure of uint
 *   ; OUT 1 2 3            what the buffer begins with afterwards
 *   ; IMAGE 3              a further argument: a 2D image of 2 x 2 float texels of this value; with
 *                          1D or BUFFER behind it of 2 texels, with UINT8 or INT8 of such integers
 *   ; PIPE 4               a further argument: a pipe of so many packets of an uint
 *   ; COMPILED 4 1 1       is CL_KERNEL_COMPILE_WORK_GROUP_SIZE
 *   ; SUBGROUPS 2          is CL_KERNEL_COMPILE_NUM_SUB_GROUPS
 *   ; STARTS 1 0           are CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT and _DTORS_PRESENT
 *   ; LOG text             the build fails and its log has this text
 *   ; NEEDS PIPES reason   a feature (pipes, images, subgroups, collectives) that the device may
 *                          not report yet; then the build must fail, and the test says so
 */
#include "harness.h"

#include <CL/cl.h>

enum { OUT_COUNT = 64 };

static const char *assembly_path, *module_path;
static char assembly[1 << 16];
static cl_device_id device;
static cl_context context;
static cl_program program;

static size_t read_file(const char *path, char *to, size_t room) {
    FILE *file = fopen(path, "rb");
    if (!file)
        FAIL("cannot read %s", path);
    size_t size = fread(to, 1, room - 1, file);
    fclose(file);
    to[size] = 0;
    return size;
}

/** The text behind "; word " in the n-th comment of this kind; NULL: there is none. */
static const char *comment(const char *word, unsigned n) {
    static char line[1024];
    for (const char *at = assembly; *at; at += *at == '\n') {
        size_t length = strcspn(at, "\n"), size = strlen(word);
        if (length < sizeof(line) && at[0] == ';' && strncmp(at + 2, word, size) == 0 &&
            (at[2 + size] == ' ' || at[2 + size] == '\n') && n-- == 0) {
            memcpy(line, at, length);
            line[length] = 0;
            return line + 2 + size + (line[2 + size] == ' ');
        }
        at += length;
    }
    return NULL;
}

/** The numbers of a text; how many. */
static unsigned numbers(const char *text, uint64_t *to, unsigned room) {
    unsigned count = 0;
    char *end;
    for (; text && count < room; text = end) {
        uint64_t number = strtoull(text, &end, 0);
        if (end == text)
            break;
        to[count++] = number;
    }
    return count;
}

static void set_up(void) {
    static char module[1 << 16];
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                                 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                             0};
    cl_platform_id platform;
    cl_int error;
    read_file(assembly_path, assembly, sizeof(assembly));
    size_t size = read_file(module_path, module, sizeof(module));
    CHECK_EQ(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    CHECK_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), CL_SUCCESS);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    /* What get_default_queue gives; it lives as long as the process. */
    clCreateCommandQueueWithProperties(context, device, on_device, &error);
    CHECK_EQ(error, CL_SUCCESS);
    program = clCreateProgramWithIL(context, module, size, &error);
    CHECK_EQ(error, CL_SUCCESS);
    uint64_t spec[3];
    for (unsigned n = 0; numbers(comment("SPEC", n), spec, 3) == 3; n++)
        CHECK_EQ(clSetProgramSpecializationConstant(program, (cl_uint)spec[0], spec[1], &spec[2]),
                 CL_SUCCESS);
}

/** True if the device does not report what the test needs. */
static bool is_missing(void) {
    static const struct {
        const char *name;
        cl_device_info query;
    } rows[] = {{"PIPES", CL_DEVICE_PIPE_SUPPORT},
                {"IMAGES", CL_DEVICE_IMAGE_SUPPORT},
                {"SUBGROUPS", CL_DEVICE_MAX_NUM_SUB_GROUPS},
                {"COLLECTIVES", CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT}};
    const char *need = comment("NEEDS", 0);
    for (unsigned i = 0; need && i < sizeof(rows) / sizeof(*rows); i++)
        if (strncmp(need, rows[i].name, strlen(rows[i].name)) == 0) {
            cl_uint there = 0;
            CHECK_EQ(clGetDeviceInfo(device, rows[i].query, sizeof(there), &there, NULL),
                     CL_SUCCESS);
            return !there;
        }
    return false;
}

static void build(void) {
    static char log[1 << 14];
    cl_int error = clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
    const char *wanted = comment("LOG", 0);
    if (wanted && (error != CL_BUILD_PROGRAM_FAILURE || !strstr(log, wanted)))
        FAIL("build: %d, log without \"%s\": %.600s", error, wanted, log);
    if (is_missing()) {
        printf("# known failing: the device reports no %.100s\n", comment("NEEDS", 0));
        if (error != CL_BUILD_PROGRAM_FAILURE || !*log)
            FAIL("what the device does not report must not build: %d", error);
    } else if (error && !wanted) {
        FAIL("build: %d %.800s", error, log);
    }
}

/** As "; IMAGE" says it. A buffer that it lies in goes with it. */
static cl_mem make_image(const char *line) {
    bool one = strstr(line, "1D"), buffer = strstr(line, "BUFFER"), bytes = strstr(line, "INT8");
    float value = strtof(line, NULL);
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2};
    float floats[16];
    unsigned char small[16];
    cl_int error;
    for (unsigned i = 0; i < 16; i++) {
        floats[i] = value;
        small[i] = (unsigned char)(int)value;
    }
    if (bytes)
        format.image_channel_data_type = strstr(line, "UINT8") ? CL_UNSIGNED_INT8 : CL_SIGNED_INT8;
    if (one || buffer)
        description.image_type = one ? CL_MEM_OBJECT_IMAGE1D : CL_MEM_OBJECT_IMAGE1D_BUFFER;
    else
        description.image_height = 2;
    void *texels = bytes ? (void *)small : (void *)floats;
    cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    if (buffer) {
        description.mem_object = clCreateBuffer(context, flags, bytes ? 8 : 32, texels, &error);
        CHECK_EQ(error, CL_SUCCESS);
        flags = CL_MEM_READ_WRITE;
    }
    cl_mem image =
        clCreateImage(context, flags, &format, &description, buffer ? NULL : texels, &error);
    CHECK_EQ(error, CL_SUCCESS);
    if (buffer)
        CHECK_EQ(clReleaseMemObject(description.mem_object), CL_SUCCESS);
    return image;
}

static void set_arguments(cl_kernel kernel, cl_mem buffer) {
    uint64_t list[16];
    uint32_t words[16];
    cl_uint index = 1;
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    for (unsigned n = 0; numbers(comment("UINT", n), list, 1); n++) {
        words[0] = (uint32_t)list[0];
        CHECK_EQ(clSetKernelArg(kernel, index++, sizeof(*words), words), CL_SUCCESS);
    }
    for (unsigned n = 0; numbers(comment("LOCALMEM", n), list, 1); n++)
        CHECK_EQ(clSetKernelArg(kernel, index++, list[0], NULL), CL_SUCCESS);
    for (unsigned n = 0; comment("IMAGE", n); n++) {
        cl_mem image = make_image(comment("IMAGE", n));
        CHECK_EQ(clSetKernelArg(kernel, index++, sizeof(image), &image), CL_SUCCESS);
    }
    for (unsigned n = 0; numbers(comment("PIPE", n), list, 1); n++) {
        cl_int error;
        cl_mem pipe =
            clCreatePipe(context, CL_MEM_HOST_NO_ACCESS, 4, (cl_uint)list[0], NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, index++, sizeof(pipe), &pipe), CL_SUCCESS);
    }
    unsigned count = numbers(comment("STRUCT", 0), list, 16);
    for (unsigned i = 0; i < count; i++)
        words[i] = (uint32_t)list[i];
    if (count)
        CHECK_EQ(clSetKernelArg(kernel, index, count * sizeof(*words), words), CL_SUCCESS);
}

static void check_queries(cl_kernel kernel) {
    uint64_t wanted[3];
    size_t sizes[3] = {0};
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof(sizes), sizes, NULL),
             CL_SUCCESS);
    for (unsigned d = 0; d < numbers(comment("COMPILED", 0), wanted, 3); d++)
        CHECK_EQ(sizes[d], wanted[d]);
    static const cl_program_info starts[] = {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT,
                                             CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT};
    for (unsigned i = 0; i < numbers(comment("STARTS", 0), wanted, 2); i++) {
        cl_bool there = 7;
        CHECK_EQ(clGetProgramInfo(program, starts[i], sizeof(there), &there, NULL), CL_SUCCESS);
        CHECK_EQ(there, wanted[i]);
    }
    uint64_t groups;
    size_t answer = 0;
    if (numbers(comment("SUBGROUPS", 0), &groups, 1)) {
        CHECK_EQ(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL,
                                         sizeof(answer), &answer, NULL),
                 CL_SUCCESS);
        CHECK_EQ(answer, groups);
    }
}

static void launch(cl_kernel kernel) {
    uint32_t out[OUT_COUNT] = {0};
    uint64_t wanted[OUT_COUNT], sizes[1];
    cl_int error;
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(out), out, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    set_arguments(kernel, buffer);
    size_t global = 1, local = 0;
    const char *line = comment("GLOBAL", 0);
    if (numbers(line, sizes, 1))
        global = sizes[0];
    const char *second = line ? strstr(line, "LOCAL") : NULL;
    if (second)
        local = strtoull(second + strlen("LOCAL"), NULL, 0);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL,
                                    NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL),
             CL_SUCCESS);
    unsigned count = numbers(comment("OUT", 0), wanted, OUT_COUNT);
    CHECK(count);
    for (unsigned i = 0; i < count; i++)
        if (out[i] != (uint32_t)wanted[i])
            FAIL("out[%u] is 0x%x, not 0x%x", i, out[i], (uint32_t)wanted[i]);
    clReleaseCommandQueue(queue);
    clReleaseMemObject(buffer);
}

TEST(module) {
    cl_int error;
    set_up();
    build();
    if (!comment("LOG", 0) && !is_missing()) {
        cl_kernel kernel = clCreateKernel(program, "test", &error);
        CHECK_EQ(error, CL_SUCCESS);
        check_queries(kernel);
        launch(kernel);
        CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s FILE.spvasm FILE.spv\n", argv[0]);
        return 2;
    }
    assembly_path = argv[1];
    module_path = argv[2];
    return weft_run_tests(1, argv) ? 1 : 0;
}
