// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Images: memory objects with a weft_image_desc (mem->image). */
#ifndef WEFT_IMAGE_H
#define WEFT_IMAGE_H

#include "runtime/image_format.h"
#include "runtime/mem.h"

/* Limits, for all devices: the full profile's minimums or more. */
#define WEFT_IMAGE_WIDTH        16384u
#define WEFT_IMAGE_3D           2048u
#define WEFT_IMAGE_ARRAY        2048u
#define WEFT_IMAGE_BUFFER       (1u << 27)
#define WEFT_IMAGE_READ_ARGS    128u
#define WEFT_IMAGE_WRITE_ARGS   64u
#define WEFT_IMAGE_SAMPLERS     16u
#define WEFT_IMAGE_PITCH_PIXELS 1u

/** Is this a live image? */
static inline bool weft_is_image(const void *handle) {
    return weft_is_mem(handle) && ((cl_mem)handle)->image;
}

static inline bool weft_image_is_array(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

/** Has it rows (2D, 2D array, 3D)? */
static inline bool weft_image_has_height(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE3D ||
           type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

/** Has it slices, of an array or of a volume? */
static inline bool weft_image_has_slices(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE3D || weft_image_is_array(type);
}

/**
 * Checks an image that is to be made, its pixels' place included; on success *desc is complete but
 * for data. `mem_object` is desc's. Errors: clCreateImage's, all but the context's, told to it.
 */
cl_int weft_image_check(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                        const cl_image_desc *wanted, const void *host_ptr, weft_image_desc *desc);

/** Bytes from the first pixel to behind the last row; UINT64_MAX: not in the address space. */
uint64_t weft_image_bytes(const weft_image_desc *desc);

#endif
