// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/shared/options.h"

#include "weft/shim.h"

#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum argument {
    ARGUMENT_NONE,      /* the whole word */
    ARGUMENT_JOINED,    /* -cl-std=CL1.2 */
    ARGUMENT_OR_NEXT,   /* -DX or -D X */
    ARGUMENT_FORBIDDEN, /* a word that we know and refuse, with a reason */
};

enum {
    CODE = WEFT_OPTIONS_BUILD | WEFT_OPTIONS_COMPILE,
    ANY = CODE | WEFT_OPTIONS_LINK,
    UNSAFE = WEFT_OPTION_UNSAFE_MATH | WEFT_OPTION_NO_SIGNED_ZEROS | WEFT_OPTION_MAD_ENABLE,
    FAST = WEFT_OPTION_FAST_RELAXED_MATH | WEFT_OPTION_FINITE_MATH_ONLY | UNSAFE,
};

struct option {
    const char *name;
    enum argument argument;
    unsigned uses;
    uint32_t flags;
    const char *reason; /* ARGUMENT_FORBIDDEN */
};

/*
 * One row per option. The linker's rows follow section 5.8.7; it spells one of them
 * "-cl-no-signed-zeroes", the compiler's section "-cl-no-signed-zeros": both are taken everywhere.
 * Options that only change how code is generated are taken by the linker as well, because Weft
 * generates code there ("these may be extended by a set of vendor- or platform-specific options").
 */
static const struct option table[] = {
    {"-D", ARGUMENT_OR_NEXT, CODE, 0, NULL},
    {"-U", ARGUMENT_OR_NEXT, CODE, 0, NULL},
    {"-I", ARGUMENT_OR_NEXT, CODE, 0, NULL},
    {"-cl-single-precision-constant", ARGUMENT_NONE, CODE, WEFT_OPTION_SINGLE_PRECISION_CONSTANT,
     NULL},
    {"-cl-denorms-are-zero", ARGUMENT_NONE, ANY, WEFT_OPTION_DENORMS_ARE_ZERO, NULL},
    {"-cl-fp32-correctly-rounded-divide-sqrt", ARGUMENT_NONE, CODE,
     WEFT_OPTION_CORRECTLY_ROUNDED_DIVIDE_SQRT, NULL},
    {"-cl-opt-disable", ARGUMENT_NONE, ANY, WEFT_OPTION_OPT_DISABLE, NULL},
    /* "Deprecated by OpenCL 1.1": types are aliased strictly anyway, so it asks for nothing. */
    {"-cl-strict-aliasing", ARGUMENT_NONE, CODE, 0, NULL},
    {"-cl-mad-enable", ARGUMENT_NONE, ANY, WEFT_OPTION_MAD_ENABLE, NULL},
    {"-cl-no-signed-zeros", ARGUMENT_NONE, ANY, WEFT_OPTION_NO_SIGNED_ZEROS, NULL},
    {"-cl-no-signed-zeroes", ARGUMENT_NONE, ANY, WEFT_OPTION_NO_SIGNED_ZEROS, NULL},
    {"-cl-unsafe-math-optimizations", ARGUMENT_NONE, ANY, UNSAFE, NULL},
    {"-cl-finite-math-only", ARGUMENT_NONE, ANY, WEFT_OPTION_FINITE_MATH_ONLY, NULL},
    {"-cl-fast-relaxed-math", ARGUMENT_NONE, ANY, FAST, NULL},
    {"-cl-uniform-work-group-size", ARGUMENT_NONE, CODE, WEFT_OPTION_UNIFORM_WORK_GROUP_SIZE, NULL},
    {"-cl-no-subgroup-ifp", ARGUMENT_NONE, ANY, WEFT_OPTION_NO_SUBGROUP_IFP, NULL},
    {"-w", ARGUMENT_NONE, ANY, WEFT_OPTION_NO_WARNINGS, NULL},
    {"-Werror", ARGUMENT_NONE, ANY, WEFT_OPTION_WARNINGS_ARE_ERRORS, NULL},
    {"-cl-std=", ARGUMENT_JOINED, CODE, 0, NULL},
    {"-cl-kernel-arg-info", ARGUMENT_NONE, ANY, WEFT_OPTION_KERNEL_ARG_INFO, NULL},
    {"-g", ARGUMENT_NONE, ANY, WEFT_OPTION_DEBUG, NULL},
    {"-create-library", ARGUMENT_NONE, WEFT_OPTIONS_LINK, WEFT_OPTION_CREATE_LIBRARY, NULL},
    {"-enable-link-options", ARGUMENT_NONE, WEFT_OPTIONS_LINK, WEFT_OPTION_ENABLE_LINK_OPTIONS,
     NULL},
    {"-x", ARGUMENT_FORBIDDEN, 0, 0, "SPIR binaries (cl_khr_spir) are not supported"},
    {"-spir-std=", ARGUMENT_FORBIDDEN, 0, 0, "SPIR binaries (cl_khr_spir) are not supported"},
};

static const struct {
    const char *name;
    uint32_t std;
} standards[] = {{"CL1.1", 110},
                 {"CL1.2", 120},
                 {"CL2.0", 200},
                 {"CL3.0", 300},
                 {"CLC++", WEFT_OPTIONS_STD_CXX},
                 {"CLC++1.0", WEFT_OPTIONS_STD_CXX},
                 {"CLC++2021", WEFT_OPTIONS_STD_CXX_2021}};

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/**
 * Copies the next word of *text to *to, NUL-terminated, and moves both on. Returns the word; NULL
 * at the end of the text; sets *open to the quote that was never closed.
 */
static char *next_word(const char **text, char **to, char *open) {
    const char *at = *text;
    while (is_space(*at))
        at++;
    *text = at;
    if (!*at)
        return NULL;
    char *word = *to, *end = word, quote = 0;
    for (; *at && (quote || !is_space(*at)); at++) {
        if (*at == '\\' && quote != '\'' && (is_space(at[1]) || (at[1] && strchr("\"'\\", at[1]))))
            *end++ = *++at;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        else
            *end++ = *at;
    }
    *end++ = '\0';
    *text = at;
    *to = end;
    *open = quote;
    return word;
}

/* ---- meanings -------------------------------------------------------------------------------- */

static int32_t invalid(weft_options_use use) {
    switch (use) {
    case WEFT_OPTIONS_COMPILE:
        return CL_INVALID_COMPILER_OPTIONS;
    case WEFT_OPTIONS_LINK:
        return CL_INVALID_LINKER_OPTIONS;
    default:
        return CL_INVALID_BUILD_OPTIONS;
    }
}

/** Writes "option '<word>' <why>" and returns the error of this use. */
static int32_t refuse(weft_options_use use, char *error, const char *word, const char *why) {
    snprintf(error, WEFT_OPTIONS_ERROR_BYTES, "option '%.150s' %s", word, why);
    return invalid(use);
}

static const struct option *find(const char *word) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t length = strlen(table[i].name);
        bool prefix = table[i].argument == ARGUMENT_JOINED ||
                      table[i].argument == ARGUMENT_OR_NEXT || table[i].name[length - 1] == '=';
        if (prefix ? strncmp(word, table[i].name, length) == 0 : strcmp(word, table[i].name) == 0)
            return &table[i];
    }
    return NULL;
}

static const char *set_std(weft_options *options, const char *value) {
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        if (strcmp(value, standards[i].name) == 0) {
            options->std = standards[i].std;
            return NULL;
        }
    return *value ? "names no version of OpenCL C: CL1.1, CL1.2, CL2.0, CL3.0, CLC++ and CLC++2021 "
                    "are known"
                  : "lacks its value: CL1.1, CL1.2, CL2.0 or CL3.0";
}

static bool is_name(const char *text, size_t bytes) {
    if (bytes == 0 || (*text >= '0' && *text <= '9'))
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (!(text[i] == '_' || text[i] == '$' || (text[i] >= '0' && text[i] <= '9') ||
              (text[i] >= 'A' && text[i] <= 'Z') || (text[i] >= 'a' && text[i] <= 'z') ||
              (unsigned char)text[i] >= 0x80))
            return false;
    return true;
}

/** True for what may follow -D (name, name=definition, name(parameters)=definition) or -U. */
static bool is_macro(char kind, const char *text) {
    size_t name = strcspn(text, kind == 'D' ? "=(" : "");
    return is_name(text, name);
}

/** "The definition will be truncated by embedded newline characters." */
static void cut_at_newline(char *text) {
    text[strcspn(text, "\r\n")] = '\0';
}

struct parse {
    weft_options_use use;
    weft_options *options;
    weft_preprocessor_option *items;
    const char *text;
    char *words;
    char *error;
};

static int32_t add_preprocessor(struct parse *parse, char kind, char *argument) {
    if (kind != 'I') {
        cut_at_newline(argument);
        if (!is_macro(kind, argument))
            return refuse(parse->use, parse->error, kind == 'D' ? "-D" : "-U",
                          "is not followed by the name of a macro");
    }
    parse->items[parse->options->preprocessor_count++] =
        (weft_preprocessor_option){.kind = kind, .text = argument};
    return CL_SUCCESS;
}

static int32_t add_word(struct parse *parse, char *word) {
    const struct option *option = find(word);
    if (!option)
        return refuse(parse->use, parse->error, word, "is unknown");
    if (option->argument == ARGUMENT_FORBIDDEN)
        return refuse(parse->use, parse->error, word, option->reason);
    if (!(option->uses & parse->use))
        return refuse(parse->use, parse->error, word,
                      parse->use == WEFT_OPTIONS_LINK ? "is not an option of the linker"
                                                      : "is an option of the linker only");
    parse->options->flags |= option->flags;
    char *argument = word + strlen(option->name), open = 0;
    if (option->argument == ARGUMENT_JOINED) {
        const char *why = set_std(parse->options, argument);
        return why ? refuse(parse->use, parse->error, word, why) : CL_SUCCESS;
    }
    if (option->argument == ARGUMENT_NONE)
        return CL_SUCCESS;
    if (!*argument)
        argument = next_word(&parse->text, &parse->words, &open);
    if (open)
        return refuse(parse->use, parse->error, word, "is followed by an unclosed quote");
    if (!argument || !*argument)
        return refuse(parse->use, parse->error, word, "lacks its argument");
    return add_preprocessor(parse, word[1], argument);
}

int32_t weft_options_parse(weft_options_use use, const char *text, weft_options *options,
                           char error[WEFT_OPTIONS_ERROR_BYTES]) {
    memset(options, 0, sizeof *options);
    *error = '\0';
    size_t bytes = text ? strlen(text) : 0;
    if (bytes == 0)
        return CL_SUCCESS;
    /* A word needs at least its own character and one that separates or ends it, as does a copy. */
    size_t most = bytes / 2 + 1;
    if (bytes > SIZE_MAX / 32)
        return CL_OUT_OF_HOST_MEMORY;
    options->storage = weft_malloc(most * sizeof *options->preprocessor + bytes + 2);
    if (!options->storage)
        return CL_OUT_OF_HOST_MEMORY;
    struct parse parse = {use, options, options->storage, text, NULL, error};
    parse.words = (char *)(parse.items + most);
    options->preprocessor = parse.items;

    int32_t status = CL_SUCCESS;
    char open = 0, *word;
    while (status == CL_SUCCESS && (word = next_word(&parse.text, &parse.words, &open)))
        status = open ? refuse(use, error, word, "has an unclosed quote") : add_word(&parse, word);
    if (status == CL_SUCCESS && (options->flags & WEFT_OPTION_ENABLE_LINK_OPTIONS) &&
        !(options->flags & WEFT_OPTION_CREATE_LIBRARY))
        status = refuse(use, error, "-enable-link-options", "must be given with -create-library");
    return status;
}

void weft_options_finish(weft_options *options) {
    weft_free(options->storage);
    memset(options, 0, sizeof *options);
}
