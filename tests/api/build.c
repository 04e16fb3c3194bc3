// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clBuildProgram, clCompileProgram, clLinkProgram: results, states, callbacks, errors. */

#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static const char *const good = "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }\n"
                                "kernel void next(global int *x) { x[get_global_id(0)] += 1; }\n";

static cl_build_status status_of(cl_program program, cl_uint device) {
    cl_build_status status = 77;
    CHECK_EQ(clGetProgramBuildInfo(program, weft_device(device), CL_PROGRAM_BUILD_STATUS,
                                   sizeof(status), &status, NULL),
             CL_SUCCESS);
    return status;
}

static cl_program_binary_type type_of(cl_program program, cl_uint device) {
    cl_program_binary_type type = 77;
    CHECK_EQ(clGetProgramBuildInfo(program, weft_device(device), CL_PROGRAM_BINARY_TYPE,
                                   sizeof(type), &type, NULL),
             CL_SUCCESS);
    return type;
}

static const char *options_of(cl_program program) {
    static char options[256];
    CHECK_EQ(clGetProgramBuildInfo(program, weft_device(0), CL_PROGRAM_BUILD_OPTIONS,
                                   sizeof(options), options, NULL),
             CL_SUCCESS);
    return options;
}

/** Runs a one-argument kernel over four integers that are 1 2 3 4 and compares. */
static void check_run(cl_program program, const char *name, cl_uint device, const int *wanted) {
    cl_context context = NULL;
    cl_int error = 1, values[4] = {1, 2, 3, 4};
    size_t global = 4;
    clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context), &context, NULL);
    cl_kernel kernel = weft_kernel(program, name);
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &error);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(device), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL),
             CL_SUCCESS);
    clReleaseCommandQueue(queue);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(values[i], wanted[i]);
}

static const int doubled[] = {2, 4, 6, 8};

TEST(build_and_run_on_each_device) {
    weft_need_compiler();
    cl_context context = weft_context(2);
    cl_program program = weft_built(context, good, "-DX=1");
    size_t count = 0;
    char names[64];
    for (cl_uint i = 0; i < 2; i++) {
        CHECK_EQ(status_of(program, i), CL_BUILD_SUCCESS);
        CHECK_EQ(type_of(program, i), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        check_run(program, "twice", i, doubled);
    }
    CHECK_STR(options_of(program), "-DX=1");
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
             CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
             CL_SUCCESS);
    CHECK(strcmp(names, "twice;next") == 0 || strcmp(names, "next;twice") == 0);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(one_of_two_devices) {
    weft_need_compiler();
    cl_context context = weft_context(2);
    cl_program program = weft_source(context, good);
    cl_device_id second = weft_device(1);
    CHECK_EQ(clBuildProgram(program, 1, &second, NULL, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(status_of(program, 0), CL_BUILD_NONE);
    CHECK_EQ(status_of(program, 1), CL_BUILD_SUCCESS);
    check_run(program, "twice", 1, doubled);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(remarks_only_if_wanted) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    const char *const options[] = {"", "-g"};
    for (int wanted = 0; wanted < 2; wanted++) {
        cl_program program = weft_built(context, good, options[wanted]);
        const char *log = weft_log_of(program, weft_device(0));
        CHECK_EQ(strstr(log, "remark: kernel 'twice': runs ") != NULL, wanted);
        CHECK_EQ(*log != 0, wanted);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

TEST(failure_has_a_log) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program = weft_source(context, "kernel void k() { undeclared = 1; }");
    cl_int error = 1;
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK_EQ(status_of(program, 0), CL_BUILD_ERROR);
    CHECK_EQ(type_of(program, 0), CL_PROGRAM_BINARY_TYPE_NONE);
    CHECK(strstr(weft_log_of(program, weft_device(0)), "undeclared"));
    CHECK(!clCreateKernel(program, "k", &error));
    CHECK_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(rebuild) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program =
        weft_source(context, "kernel void k(global int *x) { x[get_global_id(0)] = V; }");
    CHECK_EQ(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    for (int v = 1; v <= 2; v++) {
        char options[16];
        const int wanted[4] = {v, v, v, v};
        snprintf(options, sizeof(options), "-D V=%d", v);
        CHECK_EQ(clBuildProgram(program, 0, NULL, options, NULL, NULL), CL_SUCCESS);
        CHECK_STR(options_of(program), options);
        check_run(program, "k", 0, wanted);
    }
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(no_rebuild_with_kernels) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program = weft_built(context, good, NULL);
    cl_kernel kernel = weft_kernel(program, "twice");
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void CL_CALLBACK built(cl_program program, void *user) {
    (void)program;
    atomic_fetch_add((_Atomic int *)user, 1);
}

static bool wait_for(_Atomic int *flag) {
    for (int i = 0; i < 20000 && !atomic_load(flag); i++)
        usleep(1000);
    return atomic_load(flag) != 0;
}

TEST(callback) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program = weft_source(context, good);
    _Atomic int done = 0;
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, built, &done), CL_SUCCESS);
    CHECK(wait_for(&done));
    CHECK_EQ(done, 1);
    CHECK_EQ(status_of(program, 0), CL_BUILD_SUCCESS);
    check_run(program, "twice", 0, doubled);
    clReleaseProgram(program);
    /* A failure is told as well, and nobody needs to keep the program. */
    program = weft_source(context, "#error no");
    done = 0;
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, built, &done), CL_SUCCESS);
    clReleaseProgram(program);
    CHECK(wait_for(&done));
    clReleaseContext(context);
}

/** A program whose build takes a while: the caller frees the text. */
static char *slow_source(void) {
    enum { LINES = 100 };
    char *text = malloc(LINES * 80 + 200);
    size_t at = (size_t)sprintf(text, "kernel void twice(global int *x) {\n"
                                      "    int i = get_global_id(0), y = x[i];\n");
    for (int i = 0; i < LINES; i++)
        at += (size_t)sprintf(text + at, "    y = y * 3 + %d + (x[y & 3] ^ y);\n", i);
    sprintf(text + at, "    x[i] = y == 12345 ? 0 : x[i] * 2;\n}\n");
    return text;
}

/* "Build status visible from other threads", and what is an error meanwhile. */
TEST(busy) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    char *text = slow_source();
    cl_program program = weft_source(context, text);
    _Atomic int done = 0;
    cl_int error = 1;
    CHECK_EQ(status_of(program, 0), CL_BUILD_NONE);
    CHECK_EQ(clBuildProgram(program, 0, NULL, "-DBUSY", built, &done), CL_SUCCESS);
    cl_build_status status = status_of(program, 0);
    cl_int again = clBuildProgram(program, 0, NULL, "-DBUSY", NULL, NULL);
    cl_int compile = clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    CHECK(!clCreateKernel(program, "twice", &error));
    cl_int link = 1;
    cl_program linked = clLinkProgram(context, 0, NULL, NULL, 1, &program, NULL, NULL, &link);
    CHECK_EQ(atomic_load(&done), 0); /* all of it happened while the build ran */
    CHECK_EQ(status, CL_BUILD_IN_PROGRESS);
    CHECK_EQ(again, CL_INVALID_OPERATION);
    CHECK_EQ(compile, CL_INVALID_OPERATION);
    CHECK_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK(!linked);
    CHECK_EQ(link, CL_INVALID_OPERATION);
    CHECK(wait_for(&done));
    CHECK_EQ(status_of(program, 0), CL_BUILD_SUCCESS);
    CHECK_STR(options_of(program), "-DBUSY");
    check_run(program, "twice", 0, doubled);
    clReleaseProgram(program);
    clReleaseContext(context);
    free(text);
}

/* Builds with callbacks run side by side: all are in progress at once, each is told once. */
TEST(several_at_once) {
    enum { PROGRAMS = 6 };
    weft_need_compiler();
    cl_context context = weft_context(1);
    char *text = slow_source();
    cl_program programs[PROGRAMS];
    _Atomic int done[PROGRAMS] = {0};
    int running = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        char options[32];
        snprintf(options, sizeof options, "-DNUMBER=%d", i);
        programs[i] = weft_source(context, text);
        CHECK_EQ(clBuildProgram(programs[i], 0, NULL, options, built, &done[i]), CL_SUCCESS);
    }
    for (int i = 0; i < PROGRAMS; i++)
        running += status_of(programs[i], 0) == CL_BUILD_IN_PROGRESS;
    CHECK(running > 1);
    for (int i = 0; i < PROGRAMS; i++) {
        CHECK(wait_for(&done[i]));
        CHECK_EQ(status_of(programs[i], 0), CL_BUILD_SUCCESS);
        CHECK_EQ(done[i], 1);
        clReleaseProgram(programs[i]);
    }
    clReleaseContext(context);
    free(text);
}

TEST(build_errors) {
    cl_context context = weft_context(1);
    cl_program program = weft_source(context, good);
    cl_device_id device = weft_device(0), other = weft_device(1);
    int user;
    CHECK_EQ(clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    CHECK_EQ(clBuildProgram(program, 0, &device, NULL, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clBuildProgram(program, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, &user), CL_INVALID_VALUE);
    CHECK_EQ(clBuildProgram(program, 1, &other, NULL, NULL, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(clBuildProgram(program, 0, NULL, "-what-is-this", NULL, NULL),
             CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(status_of(program, 0), CL_BUILD_NONE);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static cl_program compiled(cl_context context, const char *source) {
    cl_program program = weft_source(context, source);
    cl_int error = clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    if (error != CL_SUCCESS)
        FAIL("clCompileProgram: %d: %s", error, weft_log_of(program, weft_device(0)));
    CHECK_EQ(type_of(program, 0), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    return program;
}

TEST(compile_and_link) {
    weft_need_compiler();
    cl_context context = weft_context(2);
    cl_program parts[2] = {compiled(context, "int twice_of(int x) { return 2 * x; }"),
                           compiled(context,
                                    "int twice_of(int x);\nkernel void twice(global int *x) {"
                                    " x[get_global_id(0)] = twice_of(x[get_global_id(0)]); }")};
    cl_int error = 1;
    CHECK(!clCreateKernel(parts[1], "twice", &error));
    CHECK_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(type_of(program, 0), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    check_run(program, "twice", 0, doubled);
    check_run(program, "twice", 1, doubled);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    clReleaseProgram(program);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    clReleaseContext(context);
}

TEST(library) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program function = compiled(context, "int twice_of(int x) { return 2 * x; }");
    cl_program kernel =
        compiled(context, "int twice_of(int x);\nkernel void twice(global int *x) {"
                          " x[get_global_id(0)] = twice_of(x[get_global_id(0)]); }");
    cl_int error = 1;
    cl_program library =
        clLinkProgram(context, 0, NULL, "-create-library", 1, &function, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(type_of(library, 0), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program parts[2] = {kernel, library};
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    check_run(program, "twice", 0, doubled);
    clReleaseProgram(program);
    clReleaseProgram(library);
    clReleaseProgram(kernel);
    clReleaseProgram(function);
    clReleaseContext(context);
}

TEST(link_failure_keeps_the_log) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program part = compiled(context, "int missing(int x);\nkernel void k(global int *x) {"
                                        " x[0] = missing(x[0]); }");
    cl_int error = 1;
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 1, &part, NULL, NULL, &error);
    CHECK_EQ(error, CL_LINK_PROGRAM_FAILURE);
    CHECK(program);
    CHECK_EQ(status_of(program, 0), CL_BUILD_ERROR);
    CHECK(strstr(weft_log_of(program, weft_device(0)), "missing"));
    clReleaseProgram(program);
    clReleaseProgram(part);
    clReleaseContext(context);
}

/** The log of a link that fails. */
static const char *failed_link(cl_context context, cl_uint count, const cl_program *parts) {
    cl_int error = 1;
    cl_program program = clLinkProgram(context, 0, NULL, NULL, count, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_LINK_PROGRAM_FAILURE);
    const char *log = weft_log_of(program, weft_device(0));
    clReleaseProgram(program);
    return log;
}

TEST(link_names_duplicate_and_missing_symbols) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program parts[3] = {
        compiled(context, "int helper(int x) { return x; }\nkernel void k(global int *x) {}"),
        compiled(context, "int helper(int x) { return -x; }\nconstant int table[2] = {1, 2};"),
        compiled(context, "kernel void k(global int *x) {}\nconstant int table[2] = {3, 4};")};
    const char *log = failed_link(context, 3, parts);
    CHECK(strstr(log, "'helper' is defined by input 1 and by input 2"));
    CHECK(strstr(log, "'k' is defined by input 1 and by input 3"));
    CHECK(strstr(log, "'table' is defined by input 2 and by input 3"));
    CHECK(!strstr(log, "__clang"));
    cl_program lacking[2] = {
        compiled(context, "int nowhere(int x); extern constant int lost[];\n"
                          "kernel void k(global int *x) { x[0] = nowhere(lost[1]); }"),
        compiled(context, "float elsewhere(float4 v);\n"
                          "kernel void l(global float *x) { x[0] = elsewhere(x[1]); }")};
    log = failed_link(context, 1, lacking);
    CHECK(strstr(log, "lost"));
    log = failed_link(context, 1, lacking + 1);
    CHECK(strstr(log, "elsewhere"));
    for (int i = 0; i < 3; i++)
        clReleaseProgram(parts[i]);
    for (int i = 0; i < 2; i++)
        clReleaseProgram(lacking[i]);
    clReleaseContext(context);
}

/* Objects and libraries of libraries, in any order. */
TEST(several_libraries) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_int error = 1;
    cl_program one = compiled(context, "int one(int x) { return x; }");
    cl_program two =
        compiled(context, "int one(int x);\nint two(int x) { return one(x) + one(x); }");
    cl_program kernel = compiled(context, "int two(int x);\nkernel void twice(global int *x) {"
                                          " x[get_global_id(0)] = two(x[get_global_id(0)]); }");
    cl_program first =
        clLinkProgram(context, 0, NULL, "-create-library", 1, &one, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_program both[2] = {two, first};
    cl_program second =
        clLinkProgram(context, 0, NULL, "-create-library", 2, both, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_program parts[2] = {kernel, second};
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    check_run(program, "twice", 0, doubled);
    cl_program all[] = {one, two, kernel, first, second, program};
    for (int i = 0; i < 6; i++)
        clReleaseProgram(all[i]);
    clReleaseContext(context);
}

TEST(link_callback) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program part = compiled(context, good);
    _Atomic int done = 0;
    cl_int error = 1;
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 1, &part, built, &done, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK(program);
    CHECK(wait_for(&done));
    check_run(program, "twice", 0, doubled);
    clReleaseProgram(program);
    clReleaseProgram(part);
    clReleaseContext(context);
}

/** Was not found unless another header's name had no "..". */
TEST(header_named_with_dots) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program source = weft_source(
        context, "#include \"../value.h\"\nkernel void k(global int *x) { *x = VALUE; }");
    cl_program header = weft_source(context, "#define VALUE 1\n");
    const char *name = "../value.h";
    cl_int error = clCompileProgram(source, 0, NULL, NULL, 1, &header, &name, NULL, NULL);
    if (error != CL_SUCCESS)
        FAIL("%d %s", error, weft_log_of(source, weft_device(0)));
    clReleaseProgram(header);
    clReleaseProgram(source);
    clReleaseContext(context);
}

TEST(headers) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program source = weft_source(context, "#include <a/value.h>\n#include \"other.h\"\n"
                                             "kernel void k(global int *x) {"
                                             " x[get_global_id(0)] = VALUE + OTHER; }");
    cl_program headers[3] = {weft_source(context, "#define VALUE 40\n"),
                             weft_source(context, "#define OTHER 2\n"),
                             weft_source(context, "#define OTHER 1000\n")};
    /* "If multiple entries refer to the same header name, the first one encountered will be
     * used" */
    const char *names[3] = {"a/value.h", "other.h", "other.h"};
    cl_int error = clCompileProgram(source, 0, NULL, NULL, 3, headers, names, NULL, NULL);
    if (error != CL_SUCCESS)
        FAIL("%d %s", error, weft_log_of(source, weft_device(0)));
    cl_program program = clLinkProgram(context, 0, NULL, NULL, 1, &source, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    const int wanted[4] = {42, 42, 42, 42};
    check_run(program, "k", 0, wanted);
    clReleaseProgram(program);
    for (int i = 0; i < 3; i++)
        clReleaseProgram(headers[i]);
    clReleaseProgram(source);
    clReleaseContext(context);
}

TEST(compile_errors) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program program = weft_source(context, good), header = weft_source(context, "");
    const char *name = "h.h";
    cl_device_id device = weft_device(0), other = weft_device(1);
    int user;
#define COMPILE(program, count, list, options, headers, header_list, names, user)                  \
    clCompileProgram(program, count, list, options, headers, header_list, names, NULL, user)
    CHECK_EQ(COMPILE(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    CHECK_EQ(COMPILE(program, 0, &device, NULL, 0, NULL, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(COMPILE(program, 1, NULL, NULL, 0, NULL, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(COMPILE(program, 1, &other, NULL, 0, NULL, NULL, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(COMPILE(program, 0, NULL, NULL, 0, NULL, NULL, &user), CL_INVALID_VALUE);
    CHECK_EQ(COMPILE(program, 0, NULL, NULL, 0, &header, &name, NULL), CL_INVALID_VALUE);
    CHECK_EQ(COMPILE(program, 0, NULL, NULL, 1, NULL, &name, NULL), CL_INVALID_VALUE);
    CHECK_EQ(COMPILE(program, 0, NULL, NULL, 1, &header, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(COMPILE(program, 0, NULL, "-nonsense", 0, NULL, NULL, NULL),
             CL_INVALID_COMPILER_OPTIONS);
    cl_program bad = weft_source(context, "kernel void k() { nonsense; }");
    CHECK_EQ(COMPILE(bad, 0, NULL, NULL, 0, NULL, NULL, NULL), CL_COMPILE_PROGRAM_FAILURE);
    CHECK_EQ(status_of(bad, 0), CL_BUILD_ERROR);
    clReleaseProgram(bad);
    clReleaseProgram(header);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static cl_int link_error(cl_context context, cl_uint devices, const cl_device_id *list,
                         const char *options, cl_uint count, const cl_program *programs,
                         void *user) {
    cl_int error = 1;
    CHECK(!clLinkProgram(context, devices, list, options, count, programs, NULL, user, &error));
    return error;
}

TEST(link_errors) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program part = compiled(context, good), source = weft_source(context, good);
    cl_program mixed[2] = {part, source}, nothing = NULL;
    cl_device_id device = weft_device(0), other = weft_device(1);
    int user;
    CHECK_EQ(link_error(NULL, 0, NULL, NULL, 1, &part, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(link_error(context, 0, &device, NULL, 1, &part, NULL), CL_INVALID_VALUE);
    CHECK_EQ(link_error(context, 1, NULL, NULL, 1, &part, NULL), CL_INVALID_VALUE);
    CHECK_EQ(link_error(context, 0, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(link_error(context, 0, NULL, NULL, 0, &part, NULL), CL_INVALID_VALUE);
    CHECK_EQ(link_error(context, 0, NULL, NULL, 1, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(link_error(context, 0, NULL, NULL, 1, &part, &user), CL_INVALID_VALUE);
    CHECK_EQ(link_error(context, 1, &other, NULL, 1, &part, NULL), CL_INVALID_DEVICE);
    CHECK_EQ(link_error(context, 0, NULL, NULL, 1, &nothing, NULL), CL_INVALID_PROGRAM);
    CHECK_EQ(link_error(context, 0, NULL, "-DNO=1", 1, &part, NULL), CL_INVALID_LINKER_OPTIONS);
    CHECK_EQ(link_error(context, 0, NULL, NULL, 2, mixed, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(link_error(context, 0, NULL, NULL, 1, &source, NULL), CL_INVALID_OPERATION);
    clReleaseProgram(part);
    clReleaseProgram(source);
    clReleaseContext(context);
}

static void *build_many(void *argument) {
    cl_context context = argument;
    for (int i = 0; i < 5; i++) {
        char source[128];
        const char *strings = source;
        cl_int error = 1;
        snprintf(source, sizeof(source), "kernel void k(global int *x) { x[0] = %d; }", i);
        cl_program program = clCreateProgramWithSource(context, 1, &strings, NULL, &error);
        if (error == CL_SUCCESS)
            error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
        if (error != CL_SUCCESS)
            return (void *)(intptr_t)error;
        clReleaseProgram(program);
    }
    return NULL;
}

TEST(several_threads) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, build_many, context), 0);
    void *failed = NULL;
    for (int i = 0; i < 4; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        failed = result ? result : failed;
    }
    CHECK_EQ((intptr_t)failed, 0);
    clReleaseContext(context);
}

TEST(unload_between_builds) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    for (int i = 0; i < 2; i++) {
        cl_program program = weft_built(context, good, i ? "-DSECOND" : "-DFIRST");
        CHECK_EQ(clUnloadPlatformCompiler(weft_platform()), CL_SUCCESS);
        check_run(program, "twice", 0, doubled);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

TEST_MAIN()
