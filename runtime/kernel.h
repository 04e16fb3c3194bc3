// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** cl_kernel, its arguments and their snapshots. */
#ifndef WEFT_KERNEL_H
#define WEFT_KERNEL_H

#include "runtime/mem.h"
#include "runtime/program.h"

/** One argument's present value beside its bytes in the block. */
typedef struct weft_kernel_arg {
    bool set;
    weft_object *object; /* cl_mem or device queue, weak reference; NULL: none or a NULL buffer */
    size_t local_bytes;  /* WEFT_ARG_LOCAL */
} weft_kernel_arg;

/** The kernel for one device of its context; code is NULL where the program was not built. */
typedef struct weft_kernel_slot {
    const weft_kernel_code *code;
    weft_image *image; /* retained through the device's ops */
    void *data;        /* the program's program-scope variables on the device; NULL: none */
    struct weft_program_start *start; /* constructors to run before it; NULL: none */
} weft_kernel_slot;

struct _cl_kernel {
    weft_object base;
    cl_program program; /* strong, through base.parent */
    cl_context context;
    const char *name;
    const weft_image_info *image_info; /* of the same slot as info: its strings */
    const weft_kernel_info *info; /* of the first slot with code; alike for all in what counts */
    const weft_arg_info *arg_info;
    weft_kernel_slot *slots; /* one per device of the context */

    pthread_mutex_t lock; /* guards the arguments */
    cl_uint args_unset;
    weft_kernel_arg *args;
    unsigned char *block; /* info->args_bytes; slots of buffers hold addresses */
};

/** A string of an image's table. */
static inline const char *weft_image_string(const weft_image_info *info, uint32_t offset) {
    return offset ? (const char *)info + offset : "";
}

/** CL_KERNEL_WORK_GROUP_SIZE: the most work-items that a group of this kernel can have. */
size_t weft_kernel_group_limit(const weft_kernel_info *info, cl_device_id device);

/**
 * Resolves the device that a query names (NULL: the kernel's only one) and finds the kernel's code
 * there. CL_INVALID_KERNEL, CL_INVALID_DEVICE; the sentence has then been told to the context.
 */
cl_int weft_kernel_on_device(cl_kernel kernel, cl_device_id *device, const weft_kernel_info **info);

#define WEFT_ARGS_ROOM    192
#define WEFT_ARGS_OBJECTS 8

/**
 * A snapshot of a kernel's arguments, embedded in the command that runs it: later clSetKernelArg
 * calls do not touch it. Must not be moved (block may point into it).
 */
typedef struct weft_args {
    void *block;           /* WEFT_BLOCK_ALIGN aligned: weft_launch.args */
    uint64_t local_bytes;  /* weft_launch.local_bytes: static part and arguments' blocks */
    weft_object **objects; /* memory objects and device queues: strong references */
    uint32_t object_count;
    void *heap;                       /* when the room below is too small */
    weft_device_queue *default_queue; /* of kernels that enqueue; held among the objects */
    bool apart;                       /* weft_launch.apart */
    weft_object *object_room[WEFT_ARGS_OBJECTS];
    unsigned char room[WEFT_ARGS_ROOM + WEFT_BLOCK_ALIGN];
} weft_args;

/**
 * Takes a snapshot for the device in `slot` (weft_context_slot). Thread-safe. Errors (the caller
 * has nothing to undo): CL_INVALID_PROGRAM_EXECUTABLE: no code for the device;
 * CL_INVALID_KERNEL_ARGS: arguments not set, or a queue was deleted; CL_INVALID_MEM_OBJECT: a
 * buffer was deleted; CL_MISALIGNED_SUB_BUFFER_OFFSET; CL_OUT_OF_RESOURCES: more local memory than
 * there is; CL_OUT_OF_HOST_MEMORY. The sentence has then been told to the context.
 */
cl_int weft_args_snapshot(cl_kernel kernel, cl_uint slot, weft_args *args);
/** Sets an argument whose slot holds an address: that of `object`'s contents, or one without an
 *  object (NULL). Checked by the caller; thread-safe. */
void weft_args_set_address(cl_kernel kernel, cl_uint index, weft_object *object, uint64_t address);
/** CL_KERNEL_LOCAL_MEM_SIZE: static local memory and the blocks of local arguments, as laid out by
 * a snapshot. The kernel's lock is held. */
uint64_t weft_args_local_bytes(cl_kernel kernel);
/** Drops the references, frees. Accepts a zeroed struct. */
void weft_args_finish(weft_args *args);

#endif
