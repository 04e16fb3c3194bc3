// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Checks that the enqueue functions for memory objects share. `function` is __func__. */
#ifndef WEFT_ENQUEUE_COMMON_H
#define WEFT_ENQUEUE_COMMON_H

#include "runtime/check.h"
#include "runtime/command.h"
#include "runtime/queue.h"

/** A buffer of the queue's context. */
static inline cl_int weft_check_buffer(const char *function, cl_command_queue queue,
                                       cl_mem buffer) {
    if (!weft_is_mem(buffer))
        return weft_fail(queue->context, function, CL_INVALID_MEM_OBJECT,
                         "if buffer is not a valid buffer object");
    if (buffer->context != queue->context)
        return weft_fail(queue->context, function, CL_INVALID_CONTEXT,
                         "if the context associated with command_queue and buffer are not the "
                         "same");
    if (buffer->type != CL_MEM_OBJECT_BUFFER)
        return weft_fail(queue->context, function, CL_INVALID_MEM_OBJECT,
                         "if buffer is not a valid buffer object");
    return CL_SUCCESS;
}

static inline cl_int weft_check_aligned(const char *function, cl_command_queue queue,
                                        cl_mem buffer) {
    if (weft_mem_aligned_for(buffer, queue->device))
        return CL_SUCCESS;
    return weft_fail(queue->context, function, CL_MISALIGNED_SUB_BUFFER_OFFSET,
                     "if buffer is a sub-buffer object and offset specified when the sub-buffer "
                     "object is created is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN value for "
                     "device associated with queue");
}

/** May the host read, or write, the buffer? */
static inline cl_int weft_check_host_access(const char *function, cl_mem buffer, bool read) {
    cl_mem_flags forbidden =
        CL_MEM_HOST_NO_ACCESS | (read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY);

    if (!(buffer->flags & forbidden))
        return CL_SUCCESS;
    return weft_fail(buffer->context, function, CL_INVALID_OPERATION,
                     read ? "if buffer has been created with CL_MEM_HOST_WRITE_ONLY or "
                            "CL_MEM_HOST_NO_ACCESS"
                          : "if buffer has been created with CL_MEM_HOST_READ_ONLY or "
                            "CL_MEM_HOST_NO_ACCESS");
}

static inline cl_int weft_check_map_flags(const char *function, cl_context context,
                                          cl_map_flags flags) {
    const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

    if (flags & ~known ||
        (flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE)))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if values specified in map_flags are not valid");
    return CL_SUCCESS;
}

/** May the host map the object for this? */
static inline cl_int weft_check_map_access(const char *function, cl_mem mem, cl_map_flags flags) {
    if (flags & CL_MAP_READ)
        WEFT_TRY(weft_check_host_access(function, mem, true));
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        WEFT_TRY(weft_check_host_access(function, mem, false));
    return CL_SUCCESS;
}

#endif
