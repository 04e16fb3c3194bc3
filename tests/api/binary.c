// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Program binaries: round trips of each kind, and everything that can be wrong with one. */

#include "common.h"

static const char *const source = "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }";

typedef struct binary {
    size_t size;
    unsigned char *bytes;
} binary;

/** The program's binary for its first device; the caller frees it. */
static binary binary_of(cl_program program) {
    binary result = {0};
    result.bytes = weft_binary_of(program, &result.size);
    return result;
}

static cl_program load(cl_context context, binary from, cl_int wanted) {
    cl_device_id device = weft_device(0);
    const unsigned char *bytes = from.bytes;
    cl_int error = 1, status = 1;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &from.size, &bytes, &status, &error);
    CHECK_EQ(error, wanted);
    CHECK_EQ(status, wanted);
    CHECK((program != NULL) == (wanted == CL_SUCCESS));
    return program;
}

static cl_program_binary_type type_of(cl_program program) {
    cl_program_binary_type type = 77;
    clGetProgramBuildInfo(program, weft_device(0), CL_PROGRAM_BINARY_TYPE, sizeof(type), &type,
                          NULL);
    return type;
}

TEST(executable) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program first = weft_built(context, source, "-DA=1 -cl-kernel-arg-info");
    binary bytes = binary_of(first);
    CHECK(memcmp(bytes.bytes, "WeftBin\n", 8) == 0);
    cl_program program = load(context, bytes, CL_SUCCESS);
    cl_int error = 1;
    char text[64] = "x";
    CHECK_EQ(type_of(program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK(!clCreateKernel(program, "twice", &error));
    CHECK_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE); /* not built yet */
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(weft_run_one(program, "twice", 21, NULL), 42);
    /* "the program will be built as if options were the same as when the program binary was
     * originally built" */
    clGetProgramBuildInfo(program, weft_device(0), CL_PROGRAM_BUILD_OPTIONS, sizeof(text), text,
                          NULL);
    CHECK_STR(text, "-DA=1 -cl-kernel-arg-info");
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(text), text, NULL), CL_SUCCESS);
    CHECK_STR(text, "");
    /* The binary of a program made from a binary is that binary. */
    binary again = binary_of(program);
    CHECK(again.size == bytes.size && memcmp(again.bytes, bytes.bytes, bytes.size) == 0);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
             CL_INVALID_OPERATION);
    clReleaseProgram(program);
    clReleaseProgram(first);
    clReleaseContext(context);
    free(again.bytes);
    free(bytes.bytes);
}

static cl_program compiled(cl_context context) {
    cl_program program = weft_source(context, source);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    return program;
}

TEST(compiled_object) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program first = compiled(context);
    binary bytes = binary_of(first);
    cl_program part = load(context, bytes, CL_SUCCESS);
    cl_int error = 1;
    CHECK_EQ(type_of(part), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 1, &part, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(weft_run_one(program, "twice", 21, NULL), 42);
    clReleaseProgram(program);
    /* clBuildProgram makes an executable of it as well. */
    CHECK_EQ(clBuildProgram(part, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(type_of(part), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_EQ(weft_run_one(part, "twice", 21, NULL), 42);
    clReleaseProgram(part);
    clReleaseProgram(first);
    clReleaseContext(context);
    free(bytes.bytes);
}

TEST(library) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program first = compiled(context);
    cl_int error = 1;
    cl_program library =
        clLinkProgram(context, 0, NULL, "-create-library", 1, &first, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    binary bytes = binary_of(library);
    cl_program part = load(context, bytes, CL_SUCCESS);
    CHECK_EQ(type_of(part), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 1, &part, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(weft_run_one(program, "twice", 21, NULL), 42);
    clReleaseProgram(program);
    clReleaseProgram(part);
    clReleaseProgram(library);
    clReleaseProgram(first);
    clReleaseContext(context);
    free(bytes.bytes);
}

/* "anything damaged = CL_INVALID_BINARY": every byte changed, every length, and nonsense. */
TEST(damage) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program first = weft_built(context, source, NULL);
    binary bytes = binary_of(first), part = bytes;
    for (size_t i = 0; i < bytes.size; i += i < 128 ? 1 : 97) {
        bytes.bytes[i] ^= 0x10;
        load(context, bytes, CL_INVALID_BINARY);
        bytes.bytes[i] ^= 0x10;
    }
    for (part.size = 1; part.size < bytes.size; part.size += part.size < 128 ? 1 : 211)
        load(context, part, CL_INVALID_BINARY);
    unsigned char longer[8] = {0};
    binary nonsense = {sizeof(longer), longer};
    load(context, nonsense, CL_INVALID_BINARY);
    load(context, (binary){5, (unsigned char *)"\177ELF\2"}, CL_INVALID_BINARY);
    clReleaseProgram(load(context, bytes, CL_SUCCESS));
    clReleaseProgram(first);
    clReleaseContext(context);
    free(bytes.bytes);
}

TEST(errors) {
    cl_context context = weft_context(1);
    cl_device_id device = weft_device(0), other = weft_device(1);
    const unsigned char bytes[] = "nothing", *binaries = bytes, *none = NULL;
    size_t size = sizeof(bytes), zero = 0;
    cl_int error = 1, status = 1;
#define CREATE(context, count, list, sizes, data)                                                  \
    (clCreateProgramWithBinary(context, count, list, sizes, data, &status, &error), error)
    CHECK_EQ(CREATE(NULL, 1, &device, &size, &binaries), CL_INVALID_CONTEXT);
    CHECK_EQ(CREATE(context, 0, &device, &size, &binaries), CL_INVALID_VALUE);
    CHECK_EQ(CREATE(context, 1, NULL, &size, &binaries), CL_INVALID_VALUE);
    CHECK_EQ(CREATE(context, 1, &other, &size, &binaries), CL_INVALID_DEVICE);
    CHECK_EQ(CREATE(context, 1, &device, NULL, &binaries), CL_INVALID_VALUE);
    CHECK_EQ(CREATE(context, 1, &device, &size, NULL), CL_INVALID_VALUE);
    CHECK_EQ(CREATE(context, 1, &device, &zero, &binaries), CL_INVALID_VALUE);
    CHECK_EQ(status, CL_INVALID_VALUE);
    CHECK_EQ(CREATE(context, 1, &device, &size, &none), CL_INVALID_VALUE);
    CHECK_EQ(status, CL_INVALID_VALUE);
    CHECK_EQ(CREATE(context, 1, &device, &size, &binaries), CL_INVALID_BINARY);
    CHECK_EQ(status, CL_INVALID_BINARY);
    clReleaseContext(context);
}

TEST(each_device_its_binary) {
    weft_need_compiler();
    cl_context context = weft_context(2);
    cl_program first = weft_built(context, source, NULL);
    cl_device_id devices[2] = {weft_device(0), weft_device(1)};
    size_t sizes[2] = {0};
    CHECK_EQ(clGetProgramInfo(first, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
             CL_SUCCESS);
    unsigned char *list[2] = {malloc(sizes[0]), malloc(sizes[1])};
    CHECK_EQ(clGetProgramInfo(first, CL_PROGRAM_BINARIES, sizeof(list), list, NULL), CL_SUCCESS);
    cl_int error = 1, status[2] = {1, 1};
    const unsigned char *bytes[2] = {list[0], list[1]};
    cl_program program =
        clCreateProgramWithBinary(context, 2, devices, sizes, bytes, status, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(status[0] == CL_SUCCESS && status[1] == CL_SUCCESS);
    clReleaseProgram(program);
    /* One of them is damaged: no program, and it is said which. */
    list[1][sizes[1] - 1] ^= 1;
    CHECK(!clCreateProgramWithBinary(context, 2, devices, sizes, bytes, status, &error));
    CHECK_EQ(error, CL_INVALID_BINARY);
    CHECK(status[0] == CL_SUCCESS && status[1] == CL_INVALID_BINARY);
    clReleaseProgram(first);
    clReleaseContext(context);
    free(list[0]);
    free(list[1]);
}

TEST_MAIN()
