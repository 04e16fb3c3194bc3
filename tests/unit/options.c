// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The parser of build options: each option, each error, each rule of quoting. */
#include "compiler/shared/options.h"

#include "harness.h"

#include <CL/cl.h>

static char error_text[WEFT_OPTIONS_ERROR_BYTES];

static int32_t parse(weft_options_use use, const char *text, weft_options *options) {
    return weft_options_parse(use, text, options, error_text);
}

/** The status alone. */
static int32_t status_of(weft_options_use use, const char *text) {
    weft_options options;
    int32_t status = parse(use, text, &options);
    weft_options_finish(&options);
    return status;
}

static uint32_t flags_of(weft_options_use use, const char *text) {
    weft_options options;
    int32_t status = parse(use, text, &options);
    uint32_t flags = options.flags;
    weft_options_finish(&options);
    return status == CL_SUCCESS ? flags : UINT32_MAX;
}

static uint32_t std_of(const char *text) {
    weft_options options;
    int32_t status = parse(WEFT_OPTIONS_BUILD, text, &options);
    uint32_t std = options.std;
    weft_options_finish(&options);
    return status == CL_SUCCESS ? std : UINT32_MAX;
}

/** "D:X=1 I:dir " and so on: the preprocessor's options in order. */
static const char *preprocessor_of(const char *text) {
    static char all[512];
    weft_options options;
    size_t used = 0;

    all[0] = '\0';
    if (parse(WEFT_OPTIONS_COMPILE, text, &options) != CL_SUCCESS)
        snprintf(all, sizeof all, "error: %s", error_text);
    else
        for (size_t i = 0; i < options.preprocessor_count; i++)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%c:%s", i ? "|" : "",
                                     options.preprocessor[i].kind, options.preprocessor[i].text);
    weft_options_finish(&options);
    return all;
}

TEST(nothing) {
    CHECK_EQ(flags_of(WEFT_OPTIONS_BUILD, NULL), 0);
    CHECK_EQ(flags_of(WEFT_OPTIONS_COMPILE, ""), 0);
    CHECK_EQ(flags_of(WEFT_OPTIONS_LINK, " \t\n\v\f\r "), 0);
    CHECK_EQ(std_of(""), 0);
}

TEST(each_flag) {
    enum {
        UNSAFE = WEFT_OPTION_UNSAFE_MATH | WEFT_OPTION_NO_SIGNED_ZEROS | WEFT_OPTION_MAD_ENABLE,
        FAST = UNSAFE | WEFT_OPTION_FINITE_MATH_ONLY | WEFT_OPTION_FAST_RELAXED_MATH,
    };
    static const struct {
        const char *text;
        uint32_t flags;
        bool linker;
    } rows[] = {
        {"-cl-single-precision-constant", WEFT_OPTION_SINGLE_PRECISION_CONSTANT, false},
        {"-cl-denorms-are-zero", WEFT_OPTION_DENORMS_ARE_ZERO, true},
        {"-cl-fp32-correctly-rounded-divide-sqrt", WEFT_OPTION_CORRECTLY_ROUNDED_DIVIDE_SQRT,
         false},
        {"-cl-opt-disable", WEFT_OPTION_OPT_DISABLE, true},
        {"-cl-strict-aliasing", 0, false},
        {"-cl-mad-enable", WEFT_OPTION_MAD_ENABLE, true},
        {"-cl-no-signed-zeros", WEFT_OPTION_NO_SIGNED_ZEROS, true},
        {"-cl-no-signed-zeroes", WEFT_OPTION_NO_SIGNED_ZEROS, true},
        {"-cl-unsafe-math-optimizations", UNSAFE, true},
        {"-cl-finite-math-only", WEFT_OPTION_FINITE_MATH_ONLY, true},
        {"-cl-fast-relaxed-math", FAST, true},
        {"-cl-uniform-work-group-size", WEFT_OPTION_UNIFORM_WORK_GROUP_SIZE, false},
        {"-cl-no-subgroup-ifp", WEFT_OPTION_NO_SUBGROUP_IFP, true},
        {"-w", WEFT_OPTION_NO_WARNINGS, true},
        {"-Werror", WEFT_OPTION_WARNINGS_ARE_ERRORS, true},
        {"-cl-kernel-arg-info", WEFT_OPTION_KERNEL_ARG_INFO, true},
        {"-g", WEFT_OPTION_DEBUG, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char twice[200];
        CHECK_EQ(flags_of(WEFT_OPTIONS_BUILD, rows[i].text), rows[i].flags);
        CHECK_EQ(flags_of(WEFT_OPTIONS_COMPILE, rows[i].text), rows[i].flags);
        CHECK_EQ(status_of(WEFT_OPTIONS_LINK, rows[i].text),
                 rows[i].linker ? CL_SUCCESS : CL_INVALID_LINKER_OPTIONS);
        snprintf(twice, sizeof twice, "  %s\t%s ", rows[i].text, rows[i].text);
        CHECK_EQ(flags_of(WEFT_OPTIONS_BUILD, twice), rows[i].flags);
        snprintf(twice, sizeof twice, "%sx", rows[i].text);
        CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, twice), CL_INVALID_BUILD_OPTIONS);
    }
}

TEST(standards) {
    CHECK_EQ(std_of("-cl-std=CL1.1"), 110);
    CHECK_EQ(std_of("-cl-std=CL1.2"), 120);
    CHECK_EQ(std_of("-cl-std=CL2.0"), 200);
    CHECK_EQ(std_of("-cl-std=CL3.0"), 300);
    CHECK_EQ(std_of("-cl-std=CLC++"), WEFT_OPTIONS_STD_CXX);
    CHECK_EQ(std_of("-cl-std=CLC++1.0"), WEFT_OPTIONS_STD_CXX);
    CHECK_EQ(std_of("-cl-std=CLC++2021"), WEFT_OPTIONS_STD_CXX_2021);
    CHECK_EQ(std_of("-cl-std=CL1.1 -cl-std=CL2.0"), 200);
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, "-cl-std="), CL_INVALID_BUILD_OPTIONS);
    CHECK(strstr(error_text, "lacks its value"));
    CHECK_EQ(status_of(WEFT_OPTIONS_COMPILE, "-cl-std=CL1.3"), CL_INVALID_COMPILER_OPTIONS);
    CHECK(strstr(error_text, "'-cl-std=CL1.3'"));
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, "-cl-std"), CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(status_of(WEFT_OPTIONS_LINK, "-cl-std=CL1.2"), CL_INVALID_LINKER_OPTIONS);
}

TEST(macros_and_folders) {
    CHECK_STR(preprocessor_of("-D X"), "D:X");
    CHECK_STR(preprocessor_of("-DX=1"), "D:X=1");
    CHECK_STR(preprocessor_of("-D X=1 -U X -D X=2"), "D:X=1|U:X|D:X=2");
    CHECK_STR(preprocessor_of("-I dir -Iother -D Y"), "I:dir|I:other|D:Y");
    CHECK_STR(preprocessor_of("-D 'F(a, b)=a + b'"), "D:F(a, b)=a + b");
    CHECK_STR(preprocessor_of("-D X="), "D:X=");
    CHECK_STR(preprocessor_of("-D _a$1=x=y"), "D:_a$1=x=y");
    /* "The definition will be truncated by embedded newline characters." */
    CHECK_STR(preprocessor_of("-D \"X=1\n2\" -D Y"), "D:X=1|D:Y");
}

TEST(quotes) {
    CHECK_STR(preprocessor_of("-I \"with blank\""), "I:with blank");
    CHECK_STR(preprocessor_of("-I\"with blank\"/sub -Ix"), "I:with blank/sub|I:x");
    CHECK_STR(preprocessor_of("-I 'single \"x\"'"), "I:single \"x\"");
    CHECK_STR(preprocessor_of("-DS=\\\"text\\\""), "D:S=\"text\"");
    CHECK_STR(preprocessor_of("\"-DS=\\\"two words\\\"\""), "D:S=\"two words\"");
    CHECK_STR(preprocessor_of("-I with\\ blank"), "I:with blank");
    CHECK_STR(preprocessor_of("-DN='\\n' -I C:\\dir"), "D:N=\\n|I:C:\\dir");
    CHECK_STR(preprocessor_of("-DB=\\\\"), "D:B=\\");
    CHECK_STR(preprocessor_of("-DEND=x\\"), "D:END=x\\");
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, "-I \"open"), CL_INVALID_BUILD_OPTIONS);
    CHECK(strstr(error_text, "unclosed quote"));
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, "-w 'open"), CL_INVALID_BUILD_OPTIONS);
    CHECK(strstr(error_text, "unclosed quote"));
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, "\"\""), CL_INVALID_BUILD_OPTIONS);
}

TEST(library) {
    CHECK_EQ(flags_of(WEFT_OPTIONS_LINK, "-create-library"), WEFT_OPTION_CREATE_LIBRARY);
    CHECK_EQ(flags_of(WEFT_OPTIONS_LINK, "-enable-link-options -create-library"),
             WEFT_OPTION_CREATE_LIBRARY | WEFT_OPTION_ENABLE_LINK_OPTIONS);
    /* "This option must be specified with the -create-library option." */
    CHECK_EQ(status_of(WEFT_OPTIONS_LINK, "-enable-link-options"), CL_INVALID_LINKER_OPTIONS);
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, "-create-library"), CL_INVALID_BUILD_OPTIONS);
    CHECK_EQ(status_of(WEFT_OPTIONS_COMPILE, "-create-library"), CL_INVALID_COMPILER_OPTIONS);
    CHECK_EQ(status_of(WEFT_OPTIONS_LINK, "-D X"), CL_INVALID_LINKER_OPTIONS);
    CHECK(strstr(error_text, "not an option of the linker"));
}

TEST(refused) {
    static const char *const wrong[] = {
        "-x spir",
        "-x",
        "-spir-std=1.2",
        "-D",
        "-I",
        "-U",
        "-D 1x",
        "-D =1",
        "-D \"\"",
        "-U X=1",
        "--help",
        "-cl-what",
        "-O2x",
        "-cl-",
        "-",
        "kernel.cl",
        "=",
        "-W",
        "-Wno",
        "-gx",
        "-ww",
        "-cl-std=cl1.2",
        "-cl-std= CL1.2",
        "-cl-std=CLC++3",
        "-DX Y",
        "\x80",
        "-D X -create-library",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (status_of(WEFT_OPTIONS_BUILD, wrong[i]) != CL_INVALID_BUILD_OPTIONS)
            FAIL("'%s' is taken", wrong[i]);
        CHECK(*error_text);
        CHECK_EQ(status_of(WEFT_OPTIONS_COMPILE, wrong[i]), CL_INVALID_COMPILER_OPTIONS);
        CHECK_EQ(status_of(WEFT_OPTIONS_LINK, wrong[i]), CL_INVALID_LINKER_OPTIONS);
    }
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, "-D A -cl-nonsense -w"), CL_INVALID_BUILD_OPTIONS);
    CHECK_STR(error_text, "option '-cl-nonsense' is unknown");
}

TEST(long_and_many) {
    enum { COUNT = 20000 };
    char *text = malloc(COUNT * 4 + 64), *end = text;
    weft_options options;

    CHECK(text);
    for (int i = 0; i < COUNT; i++)
        end += sprintf(end, "-Dx ");
    CHECK_EQ(parse(WEFT_OPTIONS_BUILD, text, &options), CL_SUCCESS);
    CHECK_EQ(options.preprocessor_count, COUNT);
    CHECK_STR(options.preprocessor[COUNT - 1].text, "x");
    weft_options_finish(&options);
    memset(text, 'y', COUNT * 4);
    text[COUNT * 4] = '\0';
    CHECK_EQ(status_of(WEFT_OPTIONS_BUILD, text), CL_INVALID_BUILD_OPTIONS);
    CHECK(strlen(error_text) < WEFT_OPTIONS_ERROR_BYTES);
    free(text);
}

TEST(finish_clears) {
    weft_options options;

    CHECK_EQ(parse(WEFT_OPTIONS_BUILD, "-D X -w", &options), CL_SUCCESS);
    weft_options_finish(&options);
    CHECK(!options.storage && !options.preprocessor && !options.flags);
    weft_options_finish(&options);
}

TEST_MAIN()
