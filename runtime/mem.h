// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** cl_mem: buffers, sub-buffers and images. All our devices share the host's memory: one address
 * each. */
#ifndef WEFT_MEM_H
#define WEFT_MEM_H

#include "runtime/context.h"

/** One live mapping, made by clEnqueueMapX and ended by clEnqueueUnmapMemObject: a box, in bytes of
 *  a row, rows and slices. A buffer is one row of one slice. */
typedef struct weft_mapping {
    struct weft_mapping *next;
    void *pointer;
    size_t origin[3], region[3];
    cl_map_flags flags;
} weft_mapping;

struct _cl_mem {
    weft_object base;
    cl_context context;
    cl_mem_object_type type;
    cl_mem_flags flags; /* complete: access flag set, sub-buffers inherit */
    size_t size;
    void *host_ptr;      /* CL_MEM_USE_HOST_PTR: the application's; else NULL */
    unsigned char *data; /* where the bytes are, for kernels, transfers and mappings alike */
    bool owns_data;
    bool uses_svm;          /* buffers: made over memory that clSVMAlloc gave */
    weft_image_desc *image; /* images: what kernels see of them; else NULL */

    cl_mem parent; /* sub-buffer: its buffer, image: its mem_object (strong, through base.parent);
                      else NULL */
    size_t origin; /* sub-buffer: in parent */

    cl_mem_properties *properties; /* clCreateBufferWithProperties, with the 0; NULL: none */
    size_t property_bytes;

    pthread_mutex_t lock; /* guards the members below */
    weft_mapping *mappings;
    cl_uint map_count;
    weft_destructor *destructors;
};

/** A memory object without type and storage; `parent` NULL: it has none. NULL: out of memory. */
cl_mem weft_mem_create(cl_context context, cl_mem parent);
/** CL_INVALID_VALUE unless flags are valid for buffers and images. */
cl_int weft_mem_check_flags(cl_context context, cl_mem_flags flags);

/** Maps a box whose first byte is mapping->pointer: makes the command `type`, adds the mapping to
 *  the object, which takes it over (a heap block; freed here where the call fails). Errors: those
 * of clEnqueueMapX from its third part on. */
cl_int weft_mem_map(const char *function, cl_command_queue queue, cl_command_type type, cl_mem mem,
                    weft_mapping *mapping, cl_bool blocking, cl_uint count, const cl_event *list,
                    cl_event *event);

/** Is `device` one whose CL_DEVICE_MEM_BASE_ADDR_ALIGN the sub-buffer's origin keeps? */
static inline bool weft_mem_aligned_for(cl_mem mem, cl_device_id device) {
    (void)device;
    return !mem->parent || mem->origin % WEFT_BASE_ALIGN == 0;
}

/** Do [a_at, a_at + bytes) of a and [b_at, ..) of b share a byte (sub-buffers considered)? */
bool weft_mem_overlaps(cl_mem a, size_t a_at, cl_mem b, size_t b_at, size_t bytes);

#endif
