// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Program sources that are no text: each builds or fails with a log, and the next build works. */
#include "robust/guest.h"

static guest g;

static void ready(void) {
    if (!g.context) {
        CHECK_EQ(guest_platform(&g), 0);
        CHECK_EQ(guest_objects(&g), 0);
    }
}

/** Builds `bytes` of text; the log, which every failure must have, goes to `log`. */
static cl_int build(const char *text, size_t bytes, char log[4096]) {
    cl_int error = 1;
    size_t log_bytes = 0;
    ready();
    cl_program program = clCreateProgramWithSource(g.context, 1, &text, &bytes, &error);
    if (error != CL_SUCCESS)
        return error;
    error = clBuildProgram(program, 1, &g.device, "", NULL, NULL);
    CHECK_EQ(clGetProgramBuildInfo(program, g.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &log_bytes),
             CL_SUCCESS);
    char *whole = calloc(log_bytes + 1, 1);
    CHECK_EQ(clGetProgramBuildInfo(program, g.device, CL_PROGRAM_BUILD_LOG, log_bytes, whole, NULL),
             CL_SUCCESS);
    snprintf(log, 4096, "%s", whole);
    free(whole);
    if (error != CL_SUCCESS && log_bytes < 2)
        FAIL("failed with %d without a log", (int)error);
    CHECK(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE);
    cl_uint kernels = 99;
    if (error == CL_SUCCESS) {
        CHECK_EQ(clCreateKernelsInProgram(program, 0, NULL, &kernels), CL_SUCCESS);
        CHECK(kernels <= 1);
    }
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    return error;
}

static void check_builds_still(void) {
    static const char good[] = "kernel void k(global int *x) { x[0] = 1; }\n";
    static unsigned number;
    char log[4096], text[128];
    snprintf(text, sizeof text, "%s// %u\n", good, number++); /* not from the cache */
    CHECK_EQ(build(text, strlen(text), log), CL_SUCCESS);
}

TEST(source_of_0_bytes) {
    char log[4096];
    static const char *const blanks[] = {"",     " ", "\n", "\t\r\n\f\v", "//",
                                         "/**/", ";", "\\", "\\\n"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (blanks[i][0])
            build(blanks[i], strlen(blanks[i]), log);
    /* A length of zero means that the string ends with a NUL. */
    CHECK_EQ(build("", 0, log), CL_SUCCESS);
    CHECK_EQ(build("kernel void k(global int *x) { x[0] = 1; }", 0, log), CL_SUCCESS);
    check_builds_still();
}

TEST(source_with_nuls) {
    char log[4096];
    static const char inside[] = "kernel void k(global int *x) \0{ x[0] = 1; }";
    static const char before[] = "\0kernel void k(global int *x) { x[0] = 1; }";
    static const char after[] = "kernel void k(global int *x) { x[0] = 1; }\0\0\0";
    static const char string[] = "constant char t[] = \"a\0b\"; kernel void k(global int *x) { }";
    static const char cut[] = "kernel void k(global int *x) { x[0] = 1; \0";
    static char all[4096];
    build(inside, sizeof inside - 1, log);
    build(before, sizeof before - 1, log);
    build(after, sizeof after - 1, log);
    build(string, sizeof string - 1, log);
    CHECK_EQ(build(cut, sizeof cut - 1, log), CL_BUILD_PROGRAM_FAILURE);
    build(all, sizeof all, log);
    check_builds_still();
}

TEST(source_of_invalid_utf8) {
    char log[4096];
    static const char *const texts[] = {
        "\xff\xfe kernel void k(global int *x) { x[0] = 1; }",
        "// \xff\xc0\x80 \xf5\nkernel void k(global int *x) { x[0] = 1; }",
        "kernel void k\xff(global int *x) { x[0] = 1; }",
        "kernel void k(global int *\xc3\xa9) { \xc3\xa9[0] = 1; }",
        "constant char t[] = \"\xff\xed\xa0\x80\"; kernel void k(global int *x) { x[0] = t[0]; }",
        "kernel void k(global int *x) { x[0] = '\xff'; }",
        "#error \xff\xfe\xfd",
        "#include \"\xff\"",
        "#pragma \xff\xff",
        "\xef\xbb\xbfkernel void k(global int *x) { x[0] = 1; }",
        "\xfe\xff\0k",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        build(texts[i], strlen(texts[i]), log);
    CHECK_EQ(build(texts[1], strlen(texts[1]), log), CL_SUCCESS);
    CHECK_EQ(build(texts[9], strlen(texts[9]), log), CL_SUCCESS);
    CHECK_EQ(build(texts[6], strlen(texts[6]), log), CL_BUILD_PROGRAM_FAILURE);
    check_builds_still();
}

TEST(source_of_random_bytes) {
    static unsigned char bytes[1 << 16];
    unsigned seed = 1;
    char log[4096];
    for (int round = 0; round < 12; round++) {
        size_t count = round < 8 ? (size_t)1 << round : sizeof bytes >> (12 - round);
        for (size_t i = 0; i < count; i++)
            bytes[i] = (unsigned char)rand_r(&seed);
        build((const char *)bytes, count, log);
    }
    check_builds_still();
}

/** Deep nesting and long tokens end in a log, not in a crash of anything but the job. */
TEST(source_that_is_too_much) {
    enum { COUNT = 200000 };
    static const char *const units[] = {"(",       "{",  "[",  "-", "if(1)",
                                        "struct{", "/*", "\"", "#", "a"};
    char log[4096];
    char *text = malloc(COUNT * 8);
    CHECK(text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t used = (size_t)sprintf(text, "kernel void k(global int *x) { x[0] = ");
        for (int k = 0; k < COUNT / 4; k++)
            used += (size_t)sprintf(text + used, "%s", units[i]);
        CHECK_EQ(build(text, used, log), CL_BUILD_PROGRAM_FAILURE);
    }
    free(text);
    check_builds_still();
}

/** What no build takes ends in a sentence that names whom and the line. */
TEST(source_that_is_refused) {
    static const struct {
        const char *text, *words[2];
    } rows[] = {
        {"\nkernel void k(global int *p) {\n  int x[1L << 34];\n"
         "  for (int i = 0; i < 100; i++) x[i * p[0]] = i;\n  p[1] = x[p[2]];\n}",
         {"<source>:3: kernel 'k' has 687194767", "'x'"}},
        {"int g(int x);\nint f(int x) { return x < 2 ? x : g(x - 1) + g(x - 2); }\n"
         "int g(int x) __attribute__((alias(\"f\")));\n"
         "kernel void k(global int *p) { *p = f(*p); }",
         {"<source>:2: function 'f'", "no recursion"}},
        {"kernel void k(global int *p) {\n"
         "  volatile char *x = __builtin_alloca(p[0] + 64); x[1] = 1;\n"
         "  barrier(1); p[2] = x[1];\n}",
         {"<source>:2:", "kernel 'k' takes private memory while it runs"}},
        {"\nvoid f(int) __asm__(\"llvm.write_register.i64\");\n"
         "kernel void k(global int *p) { f(1); }",
         {"<source>:2:6: error: 'llvm.write_register.i64'", "only the compiler may declare"}},
        {"#pragma clang module build M\nmodule M {}\n#pragma clang module contents\n"
         "#pragma clang module endbuild\nkernel void k(global int *p) { p[0] = 1; }",
         {"<source>:1:22: error:", "no modules"}},
    };
    char log[4096];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_EQ(build(rows[i].text, strlen(rows[i].text), log), CL_BUILD_PROGRAM_FAILURE);
        for (size_t word = 0; word < 2; word++)
            if (!strstr(log, rows[i].words[word]))
                FAIL("'%s' is not in the log:\n%.900s", rows[i].words[word], log);
    }
    check_builds_still();
}

/** Clang goes on in a thread where the source is deep, and a build may not start one. */
TEST(deep_nesting_thread) {
    enum { DEPTH = 2000, STARS = 1000000 };
    char log[4096], *text = malloc(STARS + 4096);
    size_t used = (size_t)sprintf(text, "kernel void k(global int *p) { p[0] = ");
    for (int i = 0; i < DEPTH; i++)
        used += (size_t)sprintf(text + used, "max(");
    used += (size_t)sprintf(text + used, "p[1]");
    for (int i = 0; i < DEPTH; i++)
        used += (size_t)sprintf(text + used, ", 2)");
    used += (size_t)sprintf(text + used, "; }");
    CHECK_EQ(build(text, used, log), CL_SUCCESS);
    used = (size_t)sprintf(text, "typedef int ");
    memset(text + used, '*', STARS);
    used += STARS;
    used += (size_t)sprintf(text + used, "deep; kernel void k(global int *p) { p[0] = 1; }");
    CHECK_EQ(build(text, used, log), CL_BUILD_PROGRAM_FAILURE);
    if (!strstr(log, "is nested too deeply"))
        FAIL("the log is: %.900s", log);
    free(text);
    check_builds_still();
}

TEST_MAIN()
