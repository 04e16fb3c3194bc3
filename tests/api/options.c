// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Each option of clBuildProgram, clCompileProgram and clLinkProgram by what it does to results and
 * logs (how a string is cut is unit/options). Options that only permit something are tested for
 * what Weft makes of them.
 */

#include "common.h"

#include <sys/stat.h>
#include <unistd.h>

/** Builds `kernel void k(global uint *out, float x) { BODY }` behind `before`. */
static cl_program program_of(cl_context context, const char *before, const char *body) {
    char source[2048];
    snprintf(source, sizeof source, "%s\nkernel void k(global uint *out, float x) {\n    %s\n}\n",
             before, body);
    return weft_source(context, source);
}

/** out[0] of k; the program is left as it is. */
static cl_uint run(cl_program program, float x) {
    return weft_run_one(program, "k", 0xdeadbeef, &x);
}

/** out[0] of `body` built with `options`. */
static cl_uint value_of(const char *options, const char *before, const char *body, float x) {
    cl_context context = weft_context(1);
    cl_program program = program_of(context, before, body);
    cl_int error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    if (error != CL_SUCCESS)
        FAIL("%s: %d: %.600s", options, error, weft_log_of(program, weft_device(0)));
    cl_uint value = run(program, x);
    clReleaseProgram(program);
    clReleaseContext(context);
    return value;
}

/** What clBuildProgram returns; the log is left in `log`. */
static char log_text[4096];

static cl_int build_error(const char *options, const char *before, const char *body) {
    cl_context context = weft_context(1);
    cl_program program = program_of(context, before, body);
    cl_int error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    snprintf(log_text, sizeof log_text, "%s", weft_log_of(program, weft_device(0)));
    clReleaseProgram(program);
    clReleaseContext(context);
    return error;
}

static cl_int compile_error(const char *options) {
    cl_context context = weft_context(1);
    cl_program program = program_of(context, "", "");
    cl_int error = clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL);
    clReleaseProgram(program);
    clReleaseContext(context);
    return error;
}

/* ---- preprocessor ---------------------------------------------------------------------------- */

TEST(define) {
    weft_need_compiler();
    CHECK_EQ(value_of("-D X", "", "*out = X;", 0), 1);
    CHECK_EQ(value_of("-DX=7", "", "*out = X;", 0), 7);
    CHECK_EQ(value_of("-D X=3 -D Y=X+1 -U X -D X=10", "", "*out = Y;", 0), 11);
    CHECK_EQ(value_of("-D 'F(a, b)=a * b'", "", "*out = F(6, 7);", 0), 42);
    CHECK_EQ(value_of("-D X=", "", "*out = 5 X;", 0), 5);
    /* "the definition will be truncated by embedded newline characters" */
    CHECK_EQ(value_of("-D \"X=4\n+ 4\"", "", "*out = X;", 0), 4);
    /* Without it the name is not there. */
    CHECK_EQ(build_error("-D Z", "", "*out = X;"), CL_BUILD_PROGRAM_FAILURE);
    CHECK_EQ(build_error("-D X -U X", "", "*out = X;"), CL_BUILD_PROGRAM_FAILURE);
}

TEST(define_with_quotes_and_spaces) {
    weft_need_compiler();
    CHECK_EQ(value_of("-D \"X=1 + 2\"", "", "*out = X;", 0), 3);
    CHECK_EQ(value_of("\"-DX=1 + 2\"", "", "*out = X;", 0), 3);
    CHECK_EQ(value_of("-D S=\\\"text\\\"", "constant char s[] = S;", "*out = sizeof s;", 0), 5);
    CHECK_EQ(value_of("-D 'S=\"two words\"'", "constant char s[] = S;", "*out = s[3];", 0), ' ');
    CHECK_EQ(value_of("-D N=\\'\\n\\'", "", "*out = N;", 0), '\n');
}

/** A fresh folder with a blank in its name, inside the build folder; the working directory. */
static void enter_folder(void) {
    char name[4096];
    const char *root = getenv("WEFT_BUILD_ROOT");
    snprintf(name, sizeof name, "%s/options test %d", root ? root : "/tmp", (int)getpid());
    CHECK(mkdir(name, 0700) == 0 || access(name, X_OK) == 0);
    CHECK(chdir(name) == 0);
}

static void leave_folder(void) {
    char command[4200], here[4096];
    CHECK(getcwd(here, sizeof here));
    CHECK(chdir("/") == 0);
    snprintf(command, sizeof command, "rm -rf '%s'", here);
    CHECK(system(command) == 0);
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[256];
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file);
    CHECK(fputs(text, file) >= 0);
    CHECK(fclose(file) == 0);
}

TEST(include_folders) {
    weft_need_compiler();
    enter_folder();
    write_file("plain", "v.h", "#define V 1\n");
    write_file("with blank", "v.h", "#define V 2\n");
    write_file(".", "here.h", "#define V 3\n");
    CHECK_EQ(value_of("-I plain", "#include <v.h>", "*out = V;", 0), 1);
    CHECK_EQ(value_of("-Iplain", "#include \"v.h\"", "*out = V;", 0), 1);
    CHECK_EQ(value_of("-I \"with blank\"", "#include <v.h>", "*out = V;", 0), 2);
    CHECK_EQ(value_of("-I with\\ blank", "#include <v.h>", "*out = V;", 0), 2);
    /* The first folder that has it. */
    CHECK_EQ(value_of("-I nowhere -I 'with blank' -I plain", "#include <v.h>", "*out = V;", 0), 2);
    CHECK_EQ(value_of("-I plain -I 'with blank'", "#include <v.h>", "*out = V;", 0), 1);
    /* The application's working directory. */
    CHECK_EQ(value_of("", "#include \"here.h\"", "*out = V;", 0), 3);
    CHECK_EQ(build_error("", "#include <v.h>", "*out = V;"), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_text, "'v.h' file not found"));
    leave_folder();
}

/* A relative folder is one of the application, wherever it is now. */
TEST(include_folder_follows_chdir) {
    weft_need_compiler();
    enter_folder();
    write_file("a", "v.h", "#define V 1\n");
    write_file("b", "v.h", "#define V 2\n");
    CHECK(chdir("a") == 0);
    CHECK_EQ(value_of("-I .", "#include <v.h>", "*out = V;", 0), 1);
    CHECK(chdir("../b") == 0);
    CHECK_EQ(value_of("-I .", "#include <v.h>", "*out = V;", 0), 2);
    CHECK(chdir("..") == 0);
    leave_folder();
}

/* "The embedded headers are first searched before the headers in the list of directories" */
TEST(embedded_headers_come_first) {
    weft_need_compiler();
    enter_folder();
    write_file("plain", "v.h", "#define V 1\n");
    cl_context context = weft_context(1);
    cl_program program = program_of(context, "#include <v.h>\n#include <sub/w.h>", "*out = V + W;");
    cl_program headers[2] = {weft_source(context, "#define V 40\n"),
                             weft_source(context, "#define W 2\n")};
    const char *names[2] = {"v.h", "sub/w.h"};
    CHECK_EQ(clCompileProgram(program, 0, NULL, "-I plain", 2, headers, names, NULL, NULL),
             CL_SUCCESS);
    cl_int error = 1;
    cl_program linked = clLinkProgram(context, 0, NULL, NULL, 1, &program, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(run(linked, 0), 42);
    clReleaseProgram(linked);
    clReleaseProgram(headers[0]);
    clReleaseProgram(headers[1]);
    clReleaseProgram(program);
    clReleaseContext(context);
    leave_folder();
}

/* ---- language -------------------------------------------------------------------------------- */

TEST(standard) {
    weft_need_compiler();
    const char *version = "*out = __OPENCL_C_VERSION__;";
    CHECK_EQ(value_of(NULL, "", version, 0), 120); /* "the highest OpenCL C 1.x" */
    CHECK_EQ(value_of("-cl-std=CL1.1", "", version, 0), 110);
    CHECK_EQ(value_of("-cl-std=CL1.2", "", version, 0), 120);
    CHECK_EQ(value_of("-cl-std=CL2.0", "", version, 0), 200);
    CHECK_EQ(value_of("-cl-std=CL2.0 -cl-std=CL1.1", "", version, 0), 110);
    /* What the version decides: pointers to the generic address space. */
    const char *generic = "uint get(uint *p) { return *p; }";
    CHECK_EQ(value_of("-cl-std=CL2.0", generic, "*out = 9; *out = get(out) + 1;", 0), 10);
    CHECK_EQ(build_error("-cl-std=CL1.2", generic, "*out = get(out);"), CL_BUILD_PROGRAM_FAILURE);
    CHECK_EQ(build_error("-cl-std=CL1.4", "", ""), CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(build_error("-cl-std=", "", ""), CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(build_error("-cl-std", "", ""), CL_INVALID_BUILD_OPTIONS);
}

/* "The language version must not be higher than the platform version": OpenCL C 3.0 is there when
 * the device reports it (WEFT_OPENCL=3.0), else an error. */
TEST(standard_3_0) {
    weft_need_compiler();
    char version[64] = "";
    clGetDeviceInfo(weft_device(0), CL_DEVICE_VERSION, sizeof version, version, NULL);
    if (strncmp(version, "OpenCL 3.0", 10) == 0) {
        CHECK_EQ(value_of("-cl-std=CL3.0", "", "*out = __OPENCL_C_VERSION__;", 0), 300);
        CHECK_EQ(compile_error("-cl-std=CL3.0"), CL_SUCCESS);
        return;
    }
    CHECK_EQ(build_error("-cl-std=CL3.0", "", ""), CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(compile_error("-cl-std=CL3.0"), CL_INVALID_COMPILER_OPTIONS);
    /* A later one decides, as in a shell's command line. */
    CHECK_EQ(build_error("-cl-std=CL3.0 -cl-std=CL2.0", "", ""), CL_SUCCESS);
}

/* C++ for OpenCL, as Clang has it: templates, classes, lambdas; program_start.c has more. */
TEST(cxx_for_opencl) {
    weft_need_compiler();
    const char *before = "template <typename T> T add(T x, T y) { return x + y; }\n"
                         "struct Counter {\n    int n;\n    Counter(int n) : n(n) {}\n"
                         "    int next() { return ++n; }\n};\n";
    const char *body = "Counter c(40);\n    auto f = [&](int y) { return c.next() + y; };\n"
                       "    *out = add<uint>(f(1), f(-42));";
    CHECK_EQ(value_of("-cl-std=CLC++", before, body, 0), 42);
    CHECK_EQ(value_of("-cl-std=CLC++1.0", before, body, 0), 42);
    CHECK_EQ(build_error("-cl-std=CL2.0", before, body), CL_BUILD_PROGRAM_FAILURE);
    const char *object = "struct S { int n; S() : n(get_work_dim()) {} };\nglobal S s;";
    CHECK_EQ(value_of("-cl-std=CLC++", object, "*out = s.n;", 0), 1);
    CHECK_EQ(value_of("-cl-std=CLC++2021", object, "*out = s.n;", 0), 1);
}

/* ---- warnings -------------------------------------------------------------------------------- */

static const char *const doubtful = "int a = x; if (a = 2) *out = 3;";

TEST(warnings) {
    weft_need_compiler();
    CHECK_EQ(build_error("", "", doubtful), CL_SUCCESS);
    /* The user's line and column, the line itself, and a mark below it. */
    if (!strstr(log_text, "<source>:3:22: warning: "))
        FAIL("the log has another place: %.600s", log_text);
    CHECK(strstr(log_text, "    int a = x; if (a = 2) *out = 3;\n"));
    CHECK(strstr(log_text, "~~^~~"));
    CHECK_EQ(build_error("-w", "", doubtful), CL_SUCCESS);
    CHECK_STR(log_text, "");
    CHECK_EQ(build_error("-Werror", "", doubtful), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_text, "error: "));
    CHECK_EQ(build_error("-Werror", "", "*out = 1;"), CL_SUCCESS);
    CHECK_EQ(build_error("-w -Werror", "", doubtful), CL_SUCCESS);
}

TEST(log_names_the_users_place) {
    weft_need_compiler();
    CHECK_EQ(build_error("", "", "*out = nothing;"), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_text, "<source>:3:12: error: use of undeclared identifier 'nothing'"));
    CHECK(strstr(log_text, "    *out = nothing;\n"));
    CHECK(strstr(log_text, "^~~~~~~"));
    CHECK_EQ(build_error("", "#line 70 \"my.cl\"", "*out = nothing;"), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_text, "my.cl:71:12: error: "));
}

/* ---- floating point -------------------------------------------------------------------------- */

TEST(single_precision_constant) {
    weft_need_compiler();
    CHECK_EQ(value_of("", "", "*out = sizeof(1.0);", 0), 8);
    CHECK_EQ(value_of("-cl-single-precision-constant", "", "*out = sizeof(1.0);", 0), 4);
}

/* "Treat double precision floating-point constant as single precision constant": also where it is
 * made a double at once, in whatever place. */
TEST(single_precision_constant_as_double) {
    static const char before[] = "constant double c = 0.1;\n"
                                 "constant double2 v = (double2)(0.5, 0.1);\n"
                                 "constant double a[] = {1, 0.1};\n"
                                 "struct s { int i; double d; };\n"
                                 "constant struct s t = {1, 0.1};\n"
                                 "#define TENTH 0.1\n"
                                 "double same(double x) { return x; }\n"
                                 "double tenth(void) { return .1; }\n"
                                 "int differs(double x) { return x != (double)0.1f; }";
    static const char *const places[] = {
        "double d = 0.1; *out = differs(d);",
        "double d; d = 0.1; *out = differs(d);",
        "double d = x; d += 0.1; *out = differs(d);",
        "double d[2] = {0, 0.1}; *out = differs(d[1]);",
        "double d = -0.1; *out = differs(-d);",
        "double d = x == 0 ? 0.1 : 2; *out = differs(d);",
        "*out = differs(c);",
        "*out = differs(v.y);",
        "*out = differs(a[1]);",
        "*out = differs(t.d);",
        "*out = differs(same(0.1));",
        "*out = differs(tenth());",
        "*out = differs(((double4)(0, 0, 0.1, 0)).z);",
        "*out = differs((double)0.1);",
        "*out = differs(TENTH);",
        "*out = differs(1e-1);",
        "*out = differs(0x1.999999999999ap-4);",
        "*out = sizeof(0.1) != 4;",
        "enum { E = 16777217. == 16777216. }; *out = !E;",
    };
    weft_need_compiler();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (value_of("-cl-single-precision-constant", before, places[i], 0))
            FAIL("not rounded: %s", places[i]);
        CHECK_EQ(value_of("", before, places[i], 0), 1);
        CHECK_EQ(value_of("-cl-single-precision-constant -cl-std=CLC++", before, places[i], 0), 0);
    }
    /* Other numbers stay what they are. */
    CHECK_EQ(value_of("-cl-single-precision-constant", "",
                      "*out = 0x1e5 + 1u + (int)2.5f + sizeof(1l);", 0),
             0x1e5 + 1 + 2 + 8);
    CHECK_EQ(build_error("-cl-single-precision-constant", "", "*out = 0.1z;"),
             CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_text, "invalid suffix 'z'"));
    CHECK_EQ(build_error("-cl-single-precision-constant", "", "*out = 1e99 > x;"), CL_SUCCESS);
    CHECK(strstr(log_text, "too large for type 'float'"));
}

/* ---- what Clang once took with a warning
 * --------------------------------------------------------- */

static const struct {
    const char *before, *body;
    cl_uint value;
    const char *warning;
} old_ways[] = {
    {"", "global int *p = out; *p = 5;", 5, NULL}, /* only signs differ */
    {"", "global float *p = out; *p = 1;", 0x3f800000, "incompatible pointer types"},
    {"uint f(global float *p) { return *p; }", "*out = 0x40400000; *out = f(out);", 3,
     "incompatible pointer types"},
    {"global float *f(global uint *p) { return p; }", "*f(out) = 1;", 0x3f800000,
     "incompatible pointer types"},
    {"uint f(uint *p) { return p[3]; }", "uint a[2][2] = {{1, 2}, {3, 4}}; *out = f(a);", 4,
     "incompatible pointer types"},
    {"", "uint4 a[1]; vstore4((uint4)(1, 2, 3, 4), 0, a); *out = a[0].z;", 3,
     "incompatible pointer types"},
    {"", "global uint4 *p = out; ulong at = (ulong)p; global uint *q = at; *q = 7;", 7,
     "incompatible integer to pointer conversion"},
    {"", "uint *none = x > 9; *out = none == 0;", 1, "incompatible integer to pointer conversion"},
    {"", "ulong at = out; *out = at == (ulong)out;", 1,
     "incompatible pointer to integer conversion"},
    {"constant c = 3;", "const d = 4; *out = c + d;", 7, "type specifier missing"},
    {"f(int a) { return a + 1; }", "*out = f(1);", 2, "type specifier missing"},
    {"int f(a) { return a + 1; }", "*out = f(1);", 2, "was not declared, defaults to 'int'"},
};

TEST(yesterdays_c) {
    weft_need_compiler();
    for (size_t i = 0; i < sizeof old_ways / sizeof *old_ways; i++) {
        const char *before = old_ways[i].before, *body = old_ways[i].body;
        CHECK_EQ(value_of("", before, body, 0), old_ways[i].value);
        CHECK_EQ(value_of("-cl-std=CL2.0 -cl-opt-disable", before, body, 0), old_ways[i].value);
        CHECK_EQ(build_error("", before, body), CL_SUCCESS);
        const char *warning = strstr(log_text, "warning: ");
        if (old_ways[i].warning)
            CHECK(warning && strstr(warning, old_ways[i].warning));
        CHECK_EQ(build_error("-w", before, body), CL_SUCCESS);
        CHECK_STR(log_text, "");
        CHECK_EQ(build_error("-w -Werror", before, body), CL_SUCCESS);
        CHECK_EQ(build_error("-Werror", before, body),
                 warning ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS);
    }
}

/* What was an error then is one still. */
TEST(yesterdays_errors) {
    static const char *const bodies[] = {
        "local float *p = out; *p = 1;",           /* the address space */
        "local uint *p = out; *p = 1;",            /* it alone */
        "uint *p = out; *p = 1;",                  /* the same without a name */
        "global uint *p = x;",                     /* from a float */
        "*out = undeclared(1);",                   /* no version of OpenCL C has these */
        "struct { int i; } s = {1}; float f = s;", /* */
        "return 1;",
    };
    weft_need_compiler();
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        CHECK_EQ(build_error("-w", "", bodies[i]), CL_BUILD_PROGRAM_FAILURE);
        CHECK(strstr(log_text, "error: "));
    }
    /* C++ never had these conversions. */
    CHECK_EQ(build_error("-cl-std=CLC++", "", "global float *p = out; *p = 1;"),
             CL_BUILD_PROGRAM_FAILURE);
}

TEST(denorms_are_zero) {
    weft_need_compiler();
    const char *body = "*out = as_uint(x * 0.5f);";
    CHECK_EQ(value_of("", "", body, 0x1p-126f), 0x00400000);
    CHECK_EQ(value_of("-cl-denorms-are-zero", "", body, 0x1p-126f), 0);
}

TEST(correctly_rounded) {
    weft_need_compiler();
    union {
        float value;
        cl_uint bits;
    } third = {1.0f / 3.0f};
    cl_device_fp_config config = 0;
    clGetDeviceInfo(weft_device(0), CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
    CHECK(config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT); /* or the option were an error */
    const char *option = "-cl-fp32-correctly-rounded-divide-sqrt";
    CHECK_EQ(value_of(option, "", "*out = as_uint(1.0f / x);", 3), third.bits);
    CHECK_EQ(compile_error(option), CL_SUCCESS);
}

TEST(signed_zeros) {
    weft_need_compiler();
    const char *body = "*out = as_uint(x + 0.0f);";
    CHECK_EQ(value_of("", "", body, -0.0f), 0);
    CHECK_EQ(value_of("-cl-no-signed-zeros", "", body, -0.0f), 0x80000000);
    CHECK_EQ(value_of("-cl-no-signed-zeroes", "", body, -0.0f), 0x80000000);
    CHECK_EQ(value_of("-cl-unsafe-math-optimizations", "", body, -0.0f), 0x80000000);
    CHECK_EQ(value_of("-cl-fast-relaxed-math", "", body, -0.0f), 0x80000000);
}

TEST(finite_math) {
    weft_need_compiler();
    const char *body = "*out = x != x;";
    float nan = __builtin_nanf("");
    CHECK_EQ(value_of("", "", body, nan), 1);
    CHECK_EQ(value_of("-cl-finite-math-only", "", body, nan), 0);
    CHECK_EQ(value_of("-cl-fast-relaxed-math", "", body, nan), 0);
    CHECK_EQ(value_of("-cl-unsafe-math-optimizations -cl-mad-enable", "", body, nan), 1);
}

/* "x / y: <= 2.5 ulp for x in the domain of 2^-62 to 2^62 and y ..." (table of relaxed maths). */
TEST(relaxed_division_within_bound) {
    weft_need_compiler();
    union {
        float value;
        cl_uint bits;
    } exact = {-0x1.18ab7p+30f / 0x1.31efd6p-48f};
    const char *body = "*out = as_uint(-0x1.18ab7p+30f / x);";
    cl_uint bits = value_of("-cl-fast-relaxed-math", "", body, 0x1.31efd6p-48f);
    CHECK(bits - exact.bits + 2 <= 4);
}

TEST(fast_relaxed_macro) {
    weft_need_compiler();
    const char *body = "\n#ifdef __FAST_RELAXED_MATH__\n*out = 1;\n#else\n*out = 0;\n#endif\n";
    CHECK_EQ(value_of("-cl-fast-relaxed-math", "", body, 0), 1);
    CHECK_EQ(value_of("-cl-finite-math-only -cl-unsafe-math-optimizations", "", body, 0), 0);
}

TEST(optimisation_and_what_asks_for_nothing) {
    weft_need_compiler();
    const char *body = "uint s = 0; for (uint i = 0; i < 10; i++) s += i; *out = s;";
    CHECK_EQ(value_of("-cl-opt-disable", "", body, 0), 45);
    CHECK_EQ(value_of("-cl-strict-aliasing -cl-no-subgroup-ifp -cl-mad-enable", "", body, 0), 45);
}

/* ---- work-groups, arguments, SPIR ------------------------------------------------------------ */

/** What an ND-range of 5 items in groups of 4 comes to. */
static cl_int odd_range(const char *options) {
    cl_context context = weft_context(1);
    cl_program program = weft_built(context, "kernel void k() {}", options);
    cl_kernel kernel = weft_kernel(program, "k");
    size_t global = 5, local = 4;
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
    return error;
}

TEST(uniform_work_group_size) {
    weft_need_compiler();
    CHECK_EQ(odd_range("-cl-std=CL2.0"), CL_SUCCESS);
    CHECK_EQ(odd_range("-cl-std=CL2.0 -cl-uniform-work-group-size"), CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(odd_range("-cl-std=CL1.2"), CL_INVALID_WORK_GROUP_SIZE);
}

static cl_int arg_name(cl_program program, char *name, size_t room) {
    cl_kernel kernel = weft_kernel(program, "k");
    cl_int error = clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, room, name, NULL);
    clReleaseKernel(kernel);
    return error;
}

TEST(kernel_arg_info) {
    weft_need_compiler();
    char name[16] = "";
    cl_context context = weft_context(1);
    cl_program program = program_of(context, "", "");
    CHECK_EQ(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    CHECK_EQ(arg_name(program, name, sizeof name), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    CHECK_EQ(clBuildProgram(program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL), CL_SUCCESS);
    CHECK_EQ(arg_name(program, name, sizeof name), CL_SUCCESS);
    CHECK_STR(name, "x");
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* The sentence reaches the context's pfn_notify. */
static char notified[512];

static void CL_CALLBACK notify(const char *text, const void *data, size_t bytes, void *user) {
    (void)data, (void)bytes, (void)user;
    snprintf(notified, sizeof notified, "%s", text);
}

TEST(spir_is_refused_with_a_sentence) {
    cl_device_id device = weft_device(0);
    cl_int error = 1;
    cl_context context = clCreateContext(NULL, 1, &device, notify, NULL, &error);
    cl_program program = program_of(context, "", "");
    static const char *const wrong[] = {"-x spir", "-x spir -spir-std=1.2", "-spir-std=1.2"};
    for (int i = 0; i < 3; i++) {
        notified[0] = 0;
        CHECK_EQ(clBuildProgram(program, 0, NULL, wrong[i], NULL, NULL), CL_INVALID_BUILD_OPTIONS);
        CHECK(strstr(notified, "cl_khr_spir"));
        CHECK_EQ(clCompileProgram(program, 0, NULL, wrong[i], 0, NULL, NULL, NULL, NULL),
                 CL_INVALID_COMPILER_OPTIONS);
    }
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- the linker ------------------------------------------------------------------------------ */

/** What `x + 0.0f` of -0.0f is in a function that comes from a library made with `library` (NULL:
 *  from a compiled object), in a program linked with `link`. */
static cl_uint linked_zero(const char *library, const char *link) {
    cl_context context = weft_context(1);
    cl_int error = 1;
    cl_program parts[2] = {weft_source(context, "float f(float x) { return x + 0.0f; }"),
                           program_of(context, "float f(float x);", "*out = as_uint(f(x));")};
    for (int i = 0; i < 2; i++)
        CHECK_EQ(clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    if (library) {
        cl_program object = parts[0];
        parts[0] = clLinkProgram(context, 0, NULL, library, 1, &object, NULL, NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        clReleaseProgram(object);
    }
    cl_program program = clLinkProgram(context, 0, NULL, link, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    cl_uint value = run(program, -0.0f);
    clReleaseProgram(program);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    clReleaseContext(context);
    return value;
}

/* "The linker may apply these options only to libraries which were created with the
 * -enable-link-options." */
TEST(link_options_and_libraries) {
    weft_need_compiler();
    static const char *const zero[] = {"-cl-no-signed-zeroes", "-cl-unsafe-math-optimizations",
                                       "-cl-fast-relaxed-math"};
    CHECK_EQ(linked_zero(NULL, NULL), 0);
    CHECK_EQ(linked_zero("-create-library", NULL), 0);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(linked_zero(NULL, zero[i]), 0x80000000);
        CHECK_EQ(linked_zero("-create-library", zero[i]), 0);
        CHECK_EQ(linked_zero("-create-library -enable-link-options", zero[i]), 0x80000000);
    }
    CHECK_EQ(linked_zero(NULL, "-cl-finite-math-only -cl-no-subgroup-ifp"), 0);
}

TEST(link_denorms_and_libraries) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_int error = 1;
    static const struct {
        const char *library;
        cl_uint wanted;
    } rows[] = {
        {NULL, 0}, {"-create-library", 0x00400000}, {"-create-library -enable-link-options", 0}};
    for (int i = 0; i < 3; i++) {
        cl_program part = program_of(context, "", "*out = as_uint(x * 0.5f);");
        CHECK_EQ(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
        cl_program library = part;
        if (rows[i].library)
            library =
                clLinkProgram(context, 0, NULL, rows[i].library, 1, &part, NULL, NULL, &error);
        cl_program program = clLinkProgram(context, 0, NULL, "-cl-denorms-are-zero", 1, &library,
                                           NULL, NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(run(program, 0x1p-126f), rows[i].wanted);
        clReleaseProgram(program);
        if (library != part)
            clReleaseProgram(library);
        clReleaseProgram(part);
    }
    clReleaseContext(context);
}

TEST(linker_options_that_are_errors) {
    weft_need_compiler();
    cl_context context = weft_context(1);
    cl_program part = program_of(context, "", ""), made;
    CHECK_EQ(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    static const char *const wrong[] = {"-enable-link-options",
                                        "-D X",
                                        "-I .",
                                        "-U X",
                                        "-cl-std=CL1.2",
                                        "-cl-uniform-work-group-size",
                                        "-cl-single-precision-constant",
                                        "-what",
                                        "-x spir",
                                        "-create-library -create"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cl_int error = 1;
        made = clLinkProgram(context, 0, NULL, wrong[i], 1, &part, NULL, NULL, &error);
        if (made || error != CL_INVALID_LINKER_OPTIONS)
            FAIL("clLinkProgram with '%s': %d", wrong[i], error);
    }
    /* And the linker's own are errors elsewhere. */
    CHECK_EQ(build_error("-create-library", "", ""), CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(build_error("-enable-link-options", "", ""), CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(compile_error("-create-library"), CL_INVALID_COMPILER_OPTIONS);
    clReleaseProgram(part);
    clReleaseContext(context);
}

TEST_MAIN()
