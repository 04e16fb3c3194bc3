// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The build options of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL 2.2, sections
 * 5.8.6 and 5.8.7), parsed once, by one table, for the runtime and for the compiler process.
 *
 * How a string is cut: white space separates options. Double and single quotes keep white space in
 * an option ("dir can optionally be enclosed in double quotes") and are removed. A backslash before
 * white space, a quote or a backslash takes that character as it is (within single quotes it means
 * nothing); before anything else it stays, so that -DNL='\n' and -I C:\dir mean what they say.
 */
#ifndef WEFT_OPTIONS_H
#define WEFT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which call the options were given to: a bit, so that a table row can name several. */
typedef enum weft_options_use {
    WEFT_OPTIONS_BUILD = 1,
    WEFT_OPTIONS_COMPILE = 2,
    WEFT_OPTIONS_LINK = 4
} weft_options_use;

/* weft_options.flags. An option that includes others has their bits set too. */
enum {
    WEFT_OPTION_SINGLE_PRECISION_CONSTANT = 1u << 0,
    WEFT_OPTION_DENORMS_ARE_ZERO = 1u << 1,
    WEFT_OPTION_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1u << 2,
    WEFT_OPTION_OPT_DISABLE = 1u << 3,
    WEFT_OPTION_MAD_ENABLE = 1u << 4,
    WEFT_OPTION_NO_SIGNED_ZEROS = 1u << 5,
    WEFT_OPTION_UNSAFE_MATH = 1u << 6,
    WEFT_OPTION_FINITE_MATH_ONLY = 1u << 7,
    WEFT_OPTION_FAST_RELAXED_MATH = 1u << 8,
    WEFT_OPTION_UNIFORM_WORK_GROUP_SIZE = 1u << 9,
    WEFT_OPTION_NO_SUBGROUP_IFP = 1u << 10,
    WEFT_OPTION_NO_WARNINGS = 1u << 11,
    WEFT_OPTION_WARNINGS_ARE_ERRORS = 1u << 12,
    WEFT_OPTION_KERNEL_ARG_INFO = 1u << 13,
    WEFT_OPTION_DEBUG = 1u << 14,
    WEFT_OPTION_CREATE_LIBRARY = 1u << 15,
    WEFT_OPTION_ENABLE_LINK_OPTIONS = 1u << 16
};

/** -D, -U and -I in the order given: their order among each other counts. */
typedef struct weft_preprocessor_option {
    char kind;        /* 'D', 'U' or 'I' */
    const char *text; /* "name", "name=definition" or the folder; belongs to the weft_options */
} weft_preprocessor_option;

typedef struct weft_options {
    uint32_t flags; /* WEFT_OPTION_* */
    uint32_t std;   /* 110, 120, 200, 300 or WEFT_OPTIONS_STD_CXX from -cl-std; 0: not given, which
                       means 120 */
    const weft_preprocessor_option *preprocessor;
    size_t preprocessor_count;
    void *storage; /* owned; weft_options_finish */
} weft_options;

/** weft_options.std of -cl-std=CLC++: C++ for OpenCL 1.0, which is OpenCL C 2.0 and C++17; and of
 *  C++ for OpenCL 2021, which is OpenCL C 3.0 and C++17. */
#define WEFT_OPTIONS_STD_CXX      1000u
#define WEFT_OPTIONS_STD_CXX_2021 1001u

/** Room for any sentence that weft_options_parse writes. */
#define WEFT_OPTIONS_ERROR_BYTES 256

/**
 * Parses `text` (NULL: no options) as options of `use`. Returns CL_SUCCESS; or
 * CL_OUT_OF_HOST_MEMORY; or CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS,
 * CL_INVALID_LINKER_OPTIONS (by `use`) with a sentence in `error` that names the offending option.
 * `options` is valid in every case and is to be given to weft_options_finish. Thread-safe; reads no
 * global state.
 */
int32_t weft_options_parse(weft_options_use use, const char *text, weft_options *options,
                           char error[WEFT_OPTIONS_ERROR_BYTES]);

/** Frees what the options own and clears them. Accepts cleared options. */
void weft_options_finish(weft_options *options);

#ifdef __cplusplus
}
#endif

#endif
