// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clCreateProgramWithIL and what belongs to it. The modules are il*.spvasm. */

#include "common.h"

#include "weft/cl_newer.h"

#ifdef WEFT_HAS_SPIRV

static _Alignas(uint32_t) unsigned char module[1 << 14];
static size_t module_bytes;

static void read_from(const char *variable) {
    const char *path = getenv(variable);
    CHECK(path);
    FILE *file = fopen(path, "rb");
    CHECK(file);
    module_bytes = fread(module, 1, sizeof(module), file);
    fclose(file);
    CHECK(module_bytes > 20);
}

static void read_module(void) {
    read_from("IL_MODULE");
}

static cl_program create_from(cl_context context, const char *variable) {
    cl_int error = 1;
    read_from(variable);
    cl_program program = clCreateProgramWithIL(context, module, module_bytes, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(program);
    return program;
}

static cl_program create(cl_context context) {
    return create_from(context, "IL_MODULE");
}

static void build(cl_program program) {
    cl_int error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    if (error)
        FAIL("clBuildProgram: %d %.600s", error, weft_log_of(program, weft_device(0)));
}

TEST(device_says_which_versions) {
    char text[256], name[256];
    cl_name_version list[16];
    size_t bytes = 0;
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_IL_VERSION, sizeof(text), text, NULL),
             CL_SUCCESS);
    CHECK(strstr(text, "SPIR-V_1.0") && strstr(text, "SPIR-V_1.2") && strstr(text, "SPIR-V_1.6"));
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_ILS_WITH_VERSION, sizeof(list), list, &bytes),
        CL_SUCCESS);
    CHECK(bytes >= 3 * sizeof(*list));
    for (size_t i = 0; i < bytes / sizeof(*list); i++) {
        snprintf(name, sizeof(name), "%s_%u.%u", list[i].name, CL_VERSION_MAJOR(list[i].version),
                 CL_VERSION_MINOR(list[i].version));
        CHECK(strstr(text, name));
    }
}

TEST(create_errors) {
    cl_context context = weft_context(1);
    cl_int error = 1;
    read_module();
    CHECK(!clCreateProgramWithIL(NULL, module, module_bytes, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateProgramWithIL(context, NULL, module_bytes, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithIL(context, module, 0, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithIL(context, "kernel void k() {}", 18, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithIL(context, "kernel void k() {} //", 20, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    for (size_t cut = 4; cut <= 16; cut += 4) /* the last instructions have 1 and 1 words */
        CHECK(!clCreateProgramWithIL(context, module, cut, &error) && error == CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithIL(context, module, module_bytes - 1, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    module[5] = 99; /* version 1.99 */
    CHECK(!clCreateProgramWithIL(context, module, module_bytes, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    clReleaseContext(context);
}

TEST(program_il_is_verbatim) {
    static unsigned char got[sizeof(module)];
    cl_context context = weft_context(1);
    cl_program program = create(context), source = weft_source(context, "kernel void k() {}");
    size_t bytes = 0;
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof(got), got, &bytes), CL_SUCCESS);
    CHECK_EQ(bytes, module_bytes);
    CHECK(memcmp(got, module, bytes) == 0);
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(got), got, &bytes), CL_SUCCESS);
    CHECK_EQ(bytes, 1);
    CHECK_EQ(clGetProgramInfo(source, CL_PROGRAM_IL, 0, NULL, &bytes), CL_SUCCESS);
    CHECK_EQ(bytes, 0);
    clReleaseProgram(source);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(build_run_and_specialise) {
    cl_context context = weft_context(1);
    cl_program program = create(context), source = weft_source(context, "kernel void k() {}");
    cl_uint value = 30;
    cl_uchar small = 1;
    build(program);
    CHECK_EQ(weft_run_one(program, "constant", 0, NULL), 3);
    CHECK_EQ(clSetProgramSpecializationConstant(NULL, 5, 4, &value), CL_INVALID_PROGRAM);
    CHECK_EQ(clSetProgramSpecializationConstant(source, 5, 4, &value), CL_INVALID_PROGRAM);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 6, 4, &value), CL_INVALID_SPEC_ID);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 5, 8, &value), CL_INVALID_VALUE);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 5, 4, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 9, 1, &small), CL_SUCCESS);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 5, 4, &value), CL_SUCCESS);
    CHECK_EQ(weft_run_one(program, "constant", 0, NULL), 3); /* used by the next build only */
    build(program);
    CHECK_EQ(weft_run_one(program, "constant", 0, NULL), 31);
    clReleaseProgram(source);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/** IL that calls a function of a source program, and the other way round. */
TEST(links_with_source) {
    cl_context context = weft_context(1);
    cl_program parts[3] = {create(context), create_from(context, "IL_IMPORT"),
                           weft_source(context, "uint from_il(uint x);\n"
                                                "uint from_source(uint x) { return x * 10; }\n"
                                                "kernel void back(global uint *out) "
                                                "{ *out = from_il(4); }\n")};
    cl_int error = 1;
    for (int i = 0; i < 3; i++) {
        error = clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
        if (error)
            FAIL("clCompileProgram %d: %d %.600s", i, error, weft_log_of(parts[i], weft_device(0)));
    }
    cl_program whole = clLinkProgram(context, 0, NULL, NULL, 3, parts, NULL, NULL, &error);
    if (error)
        FAIL("clLinkProgram: %d %.600s", error, weft_log_of(whole, weft_device(0)));
    CHECK_EQ(weft_run_one(whole, "forth", 0, NULL), 70);
    CHECK_EQ(weft_run_one(whole, "back", 0, NULL), 5);
    clReleaseProgram(whole);
    for (int i = 0; i < 3; i++)
        clReleaseProgram(parts[i]);
    clReleaseContext(context);
}

/** A source program calls what IL has beside kernels of the same names. */
TEST(links_functions_beside_kernels) {
    cl_context context = weft_context(1);
    cl_program parts[2] = {create_from(context, "IL_BESIDE"),
                           weft_source(context, "void both(global uint *out);\n"
                                                "void more(global uint *out);\n"
                                                "kernel void calls(global uint *out) "
                                                "{ both(out); more(out); }\n")};
    cl_int error = 1;
    for (int i = 0; i < 2; i++) {
        error = clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
        if (error)
            FAIL("clCompileProgram %d: %d %.600s", i, error, weft_log_of(parts[i], weft_device(0)));
    }
    cl_program whole = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    if (error)
        FAIL("clLinkProgram: %d %.600s", error, weft_log_of(whole, weft_device(0)));
    CHECK_EQ(weft_run_one(whole, "both", 0, NULL), 5);
    CHECK_EQ(weft_run_one(whole, "more", 0, NULL), 14);
    CHECK_EQ(weft_run_one(whole, "calls", 0, NULL), 12);
    clReleaseProgram(whole);
    for (int i = 0; i < 2; i++)
        clReleaseProgram(parts[i]);
    clReleaseContext(context);
}

TEST(kernel_argument_information) {
    cl_context context = weft_context(1);
    cl_program program = create(context);
    char name[64];
    cl_kernel_arg_address_qualifier space = 0;
    cl_kernel_arg_type_qualifier type = 0;
    build(program);
    cl_kernel kernel = clCreateKernel(program, "constant", NULL);
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(name), name, NULL),
             CL_SUCCESS);
    CHECK_STR(name, "out");
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(name), name, NULL),
             CL_SUCCESS);
    CHECK_STR(name, "int*");
    CHECK_EQ(
        clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, NULL),
        CL_SUCCESS);
    CHECK_EQ(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(type), &type, NULL),
             CL_SUCCESS);
    CHECK_EQ(type, CL_KERNEL_ARG_TYPE_RESTRICT);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/** Modules that were stripped have the information, but for the names. */
TEST(argument_information_without_names) {
    cl_context context = weft_context(1);
    cl_int error = 1;
    char name[64] = "?";
    read_module();
    const uint32_t opName = 5;
    uint32_t *words = (uint32_t *)(void *)module, *to = words + 5;
    const uint32_t *end = words + module_bytes / 4;
    for (uint32_t *at = to, count; at < end; at += count) {
        count = *at >> 16;
        if ((*at & 0xffff) == opName)
            continue;
        memmove(to, at, count * sizeof(*at));
        to += count;
    }
    CHECK(to < end);
    cl_program program = clCreateProgramWithIL(context, module, (size_t)(to - words) * 4, &error);
    CHECK_EQ(error, CL_SUCCESS);
    build(program);
    cl_kernel kernel = clCreateKernel(program, "constant", NULL);
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(name), name, NULL),
             CL_SUCCESS);
    CHECK_STR(name, "");
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(name), name, NULL),
             CL_SUCCESS);
    CHECK_STR(name, "int*");
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static bool has_text(const char *const *list, size_t bytes, const char *wanted) {
    for (size_t i = 0; i < bytes / sizeof(*list); i++)
        if (strcmp(list[i], wanted) == 0)
            return true;
    return false;
}

static bool has_number(const cl_uint *list, size_t bytes, cl_uint wanted) {
    for (size_t i = 0; i < bytes / sizeof(*list); i++)
        if (list[i] == wanted)
            return true;
    return false;
}

/** cl_khr_spirv_queries: that what is listed is read, and what is refused is not listed, is what
 *  tests/spirv shows with modules. */
TEST(what_of_spirv_there_is) {
    cl_device_id device = weft_device(0);
    const char *texts[256];
    cl_uint numbers[256];
    size_t bytes = 0;
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, sizeof(texts),
                             texts, &bytes),
             CL_SUCCESS);
    CHECK(has_text(texts, bytes, "OpenCL.std"));
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_SPIRV_EXTENSIONS_KHR, sizeof(texts), texts, &bytes),
             CL_SUCCESS);
    CHECK(has_text(texts, bytes, "SPV_INTEL_memory_access_aliasing"));
    CHECK(has_text(texts, bytes, "SPV_KHR_linkonce_odr"));
    CHECK(!has_text(texts, bytes, "SPV_INTEL_function_pointers"));
    CHECK_EQ(
        clGetDeviceInfo(device, CL_DEVICE_SPIRV_CAPABILITIES_KHR, sizeof(numbers), numbers, &bytes),
        CL_SUCCESS);
    CHECK(has_number(numbers, bytes, 6 /* Kernel */));
    CHECK(has_number(numbers, bytes, 5910 /* MemoryAccessAliasingINTEL */));
    CHECK(!has_number(numbers, bytes, 1 /* Shader */));
    CHECK(has_number(numbers, bytes, 9 /* Float16 */));
    CHECK(!has_number(numbers, bytes, 5603 /* FunctionPointersINTEL */));
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_SPIRV_CAPABILITIES_KHR, 4, numbers, NULL),
             CL_INVALID_VALUE);
}

/** "The build log names the instruction." */
TEST(invalid_module_is_a_build_failure) {
    cl_context context = weft_context(1);
    cl_int error = 1;
    read_module();
    /* The first instruction, OpCapability Addresses, becomes one of a capability of graphics. */
    module[24] = 1;
    cl_program program = clCreateProgramWithIL(context, module, module_bytes, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    const char *log = weft_log_of(program, weft_device(0));
    if (!strstr(log, "OpCapability") && !strstr(log, "instruction"))
        FAIL("the log names no instruction: %.600s", log);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
             CL_COMPILE_PROGRAM_FAILURE);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(binary_of_a_module_runs) {
    cl_context context = weft_context(1);
    cl_program program = create(context);
    cl_device_id device = weft_device(0);
    unsigned char binary[1 << 16], *to = binary;
    const unsigned char *from = binary;
    size_t bytes = 0;
    cl_int error = 1;
    build(program);
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL),
             CL_SUCCESS);
    CHECK(bytes && bytes <= sizeof(binary));
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(to), &to, NULL), CL_SUCCESS);
    cl_program again = clCreateProgramWithBinary(context, 1, &device, &bytes, &from, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    build(again);
    CHECK_EQ(weft_run_one(again, "constant", 0, NULL), 3);
    clReleaseProgram(again);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(extension_function) {
    typedef cl_program(CL_API_CALL * create_function)(cl_context, const void *, size_t, cl_int *);
    char extensions[4096];
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL),
        CL_SUCCESS);
    CHECK(strstr(extensions, "cl_khr_il_program"));
    void *found =
        clGetExtensionFunctionAddressForPlatform(weft_platform(), "clCreateProgramWithILKHR");
    CHECK(found);
    create_function function;
    memcpy(&function, &found, sizeof(function));
    cl_context context = weft_context(1);
    cl_int error = 1;
    read_module();
    cl_program program = function(context, module, module_bytes, &error);
    CHECK_EQ(error, CL_SUCCESS);
    build(program);
    clReleaseProgram(program);
    clReleaseContext(context);
}

#endif

TEST_MAIN()
