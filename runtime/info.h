// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Information queries as constant tables: a row says which parameter, how large, and where the
 * value is. One function does the size rules that all clGetXInfo functions share.
 */
#ifndef WEFT_INFO_H
#define WEFT_INFO_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where a getter puts its answer. */
typedef struct weft_info_out {
    size_t room;          /* param_value_size, or 0 if only the size is asked for */
    unsigned char *value; /* param_value or NULL */
    size_t bytes;         /* size of the answer so far */
} weft_info_out;

/** Appends to the answer; what does not fit is counted but not written. */
void weft_info_put(weft_info_out *out, const void *data, size_t bytes);
/** Appends text with its NUL; NULL is "". */
void weft_info_put_text(weft_info_out *out, const char *text);

/** Answers from the object; an error of the query (CL_SUCCESS mostly). */
typedef cl_int weft_info_getter(const void *object, weft_info_out *out);

typedef enum weft_info_kind {
    WEFT_INFO_IS_FIELD,    /* `size` bytes at object + `at` */
    WEFT_INFO_IS_STRING,   /* the const char * at object + `at`; NULL: "" */
    WEFT_INFO_IS_CONSTANT, /* the low `size` bytes of `constant` */
    WEFT_INFO_IS_TEXT,     /* `text` */
    WEFT_INFO_IS_GETTER    /* `getter` */
} weft_info_kind;

typedef struct weft_info_row {
    cl_uint name;
    weft_info_kind kind;
    size_t size;
    union {
        size_t at;
        uint64_t constant;
        const char *text;
        weft_info_getter *getter;
    };
} weft_info_row;

/** The getter of CL_..._REFERENCE_COUNT: other threads may retain and release meanwhile. */
weft_info_getter weft_info_references;

#define WEFT_INFO_FIELD(param, type, member)                                                       \
    {.name = (param),                                                                              \
     .kind = WEFT_INFO_IS_FIELD,                                                                   \
     .size = sizeof(((type *)0)->member),                                                          \
     .at = offsetof(type, member)}
#define WEFT_INFO_STRING(param, type, member)                                                      \
    {.name = (param), .kind = WEFT_INFO_IS_STRING, .at = offsetof(type, member)}
/** An integer of C type `ctype`. */
#define WEFT_INFO_CONSTANT(param, ctype, value)                                                    \
    {.name = (param),                                                                              \
     .kind = WEFT_INFO_IS_CONSTANT,                                                                \
     .size = sizeof(ctype),                                                                        \
     .constant = (uint64_t)(value)}
#define WEFT_INFO_TEXT(param, string) {.name = (param), .kind = WEFT_INFO_IS_TEXT, .text = (string)}
#define WEFT_INFO_GETTER(param, function)                                                          \
    {.name = (param), .kind = WEFT_INFO_IS_GETTER, .getter = (function)}

/**
 * Answers one query. CL_INVALID_VALUE if the parameter is not in the table, or "if size in bytes
 * specified by param_value_size is < size of return type and param_value is not NULL". `context`
 * hears about errors (may be NULL).
 */
cl_int weft_info_get(cl_context context, const weft_info_row *rows, size_t row_count,
                     const void *object, cl_uint name, size_t size, void *value, size_t *size_ret);

#define WEFT_INFO_GET(context, rows, object, name, size, value, size_ret)                          \
    weft_info_get((context), (rows), sizeof(rows) / sizeof((rows)[0]), (object), (name), (size),   \
                  (value), (size_ret))

#endif
