// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Binaries that another machine or an older Weft made. Runs with WEFT_ISA=v2: what `weft compile`
 * made for x86-64-v1 runs as it is, what it made for v4 is compiled from its IR. api/binary_bare
 * runs two of the tests where there is no compiler (WEFT_COMPILER names none).
 */
#include "common.h"

#include "weft/abi.h"

#include <unistd.h>

typedef struct binary {
    size_t size;
    unsigned char bytes[65536];
} binary;

static const char *const source = "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }";

static void read_file(const char *path, binary *into) {
    FILE *file = fopen(path, "rb");
    if (!file)
        FAIL("cannot read %s", path);
    into->size = fread(into->bytes, 1, sizeof into->bytes, file);
    fclose(file);
    CHECK(into->size > 0 && into->size < sizeof into->bytes);
}

/** What `weft compile` makes with these arguments. */
static void compile(const char *arguments, binary *into) {
    char cl[256], out[256], command[2048];
    const char *root = getenv("WEFT_BUILD_ROOT");
    CHECK(root);
    snprintf(cl, sizeof cl, "/tmp/weft-isa-%d.cl", (int)getpid());
    snprintf(out, sizeof out, "/tmp/weft-isa-%d.bin", (int)getpid());
    FILE *file = fopen(cl, "w");
    CHECK(file && fputs(source, file) >= 0 && fclose(file) == 0);
    snprintf(command, sizeof command,
             "env -u WEFT_COMPILER '%s/runtime/tool/weft' compile %s -o %s %s", root, arguments,
             out, cl);
    int status = system(command);
    if (status == 0)
        read_file(out, into);
    unlink(cl);
    unlink(out);
    CHECK_EQ(status, 0);
}

static cl_program load(cl_context context, const binary *from, cl_int wanted) {
    cl_device_id device = weft_device(0);
    const unsigned char *bytes = from->bytes;
    cl_int error = 1;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &from->size, &bytes, NULL, &error);
    CHECK_EQ(error, wanted);
    return program;
}

/** True if the program's binary was made for a feature set that starts so. */
static bool is_for(cl_program program, const char *isa) {
    static unsigned char bytes[65536], *list[1] = {bytes};
    size_t size = 0;
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL),
             CL_SUCCESS);
    CHECK(size && size <= sizeof bytes);
    CHECK_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof list, list, NULL), CL_SUCCESS);
    for (size_t i = 0; i + strlen(isa) <= size; i++)
        if (memcmp(bytes + i, isa, strlen(isa)) == 0)
            return true;
    return false;
}

/** Builds, runs, and looks at what clGetKernelArgInfo knows. */
static void build_and_run(cl_program program) {
    char name[8] = "";
    cl_int error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    if (error != CL_SUCCESS)
        FAIL("clBuildProgram: %d: %.400s", error, weft_log_of(program, weft_device(0)));
    CHECK_EQ(weft_run_one(program, "twice", 21, NULL), 42);
    cl_kernel kernel = weft_kernel(program, "twice");
    CHECK_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL),
             CL_SUCCESS);
    CHECK_STR(name, "x");
    clReleaseKernel(kernel);
}

static binary made;

/* For a lower feature set: the image is used, with or without a compiler. */
TEST(lower_isa_runs_as_it_is) {
    cl_context context = weft_context(1);
    compile("--isa x86-64-v1 --emit binary -cl-kernel-arg-info", &made);
    cl_program program = load(context, &made, CL_SUCCESS);
    build_and_run(program);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(higher_isa_is_compiled_from_ir) {
    cl_context context = weft_context(1);
    compile("--isa x86-64-v4 --emit binary -cl-kernel-arg-info", &made);
    cl_program program = load(context, &made, CL_SUCCESS), again;
    cl_int error = 1;
    CHECK(!clCreateKernel(program, "twice", &error));
    CHECK_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE); /* not built yet */
    CHECK(!is_for(program, "x86-64-v2"));
    build_and_run(program);
    CHECK(is_for(program, "x86-64-v2"));
    /* And what it is now is a binary for this machine. */
    size_t size = 0;
    unsigned char *list[1] = {made.bytes};
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    CHECK(size <= sizeof made.bytes);
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof list, list, NULL);
    made.size = size;
    again = load(context, &made, CL_SUCCESS);
    build_and_run(again);
    clReleaseProgram(again);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST(higher_isa_needs_the_compiler) {
    cl_context context = weft_context(1);
    compile("--isa x86-64-v4 --emit binary", &made);
    cl_program program = load(context, &made, CL_SUCCESS);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_COMPILER_NOT_AVAILABLE);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* What the offline compiler writes is what the API takes. */
TEST(offline_objects_and_libraries) {
    cl_context context = weft_context(1);
    static const char *const kinds[] = {"--emit compiled -cl-kernel-arg-info",
                                        "--emit library -cl-kernel-arg-info"};
    for (int i = 0; i < 2; i++) {
        cl_int error = 1;
        compile(kinds[i], &made);
        cl_program part = load(context, &made, CL_SUCCESS);
        cl_program program = clLinkProgram(context, 0, NULL, NULL, 1, &part, NULL, NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(weft_run_one(program, "twice", 21, NULL), 42);
        clReleaseProgram(program);
        clReleaseProgram(part);
    }
    clReleaseContext(context);
}

/* "Old versions stay readable": binaries as earlier versions wrote them, kept in golden/. Those of
 * version 1 have no IR, so an executable of theirs is good as long as the ABI is. */
TEST(golden_binaries) {
    static const struct {
        const char *name;
        bool executable, has_ir;
    } files[] = {{"v1-executable", true, false}, {"v1-object", false, true},
                 {"v1-library", false, true},    {"v2-executable", true, true},
                 {"v2-object", false, true},     {"v2-library", false, true}};
    cl_context context = weft_context(1);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[4096];
        cl_int error = 1;
        snprintf(path, sizeof path, "%s/tests/api/golden/%s.bin", getenv("WEFT_SOURCE_ROOT"),
                 files[i].name);
        read_file(path, &made);
        uint32_t abi;
        memcpy(&abi, made.bytes + 12, sizeof abi);
        bool good = files[i].has_ir || abi == WEFT_ABI_VERSION;
        cl_program program = load(context, &made, good ? CL_SUCCESS : CL_INVALID_BINARY);
        if (good && files[i].executable) {
            build_and_run(program);
        } else if (good) {
            cl_program linked =
                clLinkProgram(context, 0, NULL, NULL, 1, &program, NULL, NULL, &error);
            CHECK_EQ(error, CL_SUCCESS);
            CHECK_EQ(weft_run_one(linked, "twice", 21, NULL), 42);
            clReleaseProgram(linked);
        }
        if (program)
            clReleaseProgram(program);
    }
    clReleaseContext(context);
}

TEST_MAIN()
