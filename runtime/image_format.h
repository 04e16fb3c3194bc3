// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Image formats: which exist, what they may be used for, how a pixel is stored. */
#ifndef WEFT_IMAGE_FORMAT_H
#define WEFT_IMAGE_FORMAT_H

#include "weft/abi.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    WEFT_FORMAT_READ = 1,  /* read_only arguments */
    WEFT_FORMAT_WRITE = 2, /* write_only arguments */
    WEFT_FORMAT_BOTH = 4   /* read_write arguments */
};

typedef struct weft_format {
    cl_image_format cl;
    uint32_t channels;
    uint32_t element_bytes;
    uint32_t texel;     /* WEFT_TEXEL_*, see abi.h */
    uint32_t read_map;  /* likewise */
    uint32_t write_map; /* likewise */
    uint32_t uses;      /* WEFT_FORMAT_* */
} weft_format;

/** Is this a combination that the tables of section 5.3.1.1 allow, supported or not? */
bool weft_format_is_valid(const cl_image_format *format);

/** Describes a format for images of one type; false: such images cannot have it. */
bool weft_format_find(const cl_image_format *format, cl_mem_object_type type, weft_format *result);

/**
 * The formats of images of one type that have all of `uses`, in a fixed order: writes at most
 * `room` of them and returns how many there are.
 */
cl_uint weft_format_list(cl_mem_object_type type, uint32_t uses, cl_uint room,
                         cl_image_format *list);

/**
 * clEnqueueFillImage's colour (four floats, ints or uints as the format wants; for CL_DEPTH one
 * float) as the bytes of one pixel. Computes in integers: the calling thread's floating-point
 * environment is the application's. Returns the pixel's size.
 */
uint32_t weft_format_pack(const weft_image_desc *desc, const void *color, unsigned char pixel[16]);

#endif
