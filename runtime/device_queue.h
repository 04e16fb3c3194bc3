// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Queues on the device: what kernels enqueue to. The queue itself is the device's. */
#ifndef WEFT_DEVICE_QUEUE_H
#define WEFT_DEVICE_QUEUE_H

#include "runtime/queue.h"

/* Bytes. A command takes some 800 and its block's captures; memory is taken command by command, so
 * that a large queue costs nothing. */
#define WEFT_DEVICE_QUEUE_PREFERRED (1u << 20)
#define WEFT_DEVICE_QUEUE_MAX       (64u << 20)

/** What a property list of a queue says; zeroed where it says nothing. */
typedef struct weft_queue_wish {
    cl_command_queue_properties properties;
    cl_queue_properties size, priority, throttle;
    const cl_queue_properties *list;
    size_t list_bytes;
} weft_queue_wish;

/** CL_INVALID_CONTEXT, CL_INVALID_DEVICE. */
cl_int weft_queue_check_owner(const char *function, cl_context context, cl_device_id device);
/** A queue of that class; everything was checked. CL_OUT_OF_HOST_MEMORY. */
cl_int weft_queue_make(cl_context context, cl_device_id device, const weft_class *type,
                       const weft_queue_wish *wish, cl_command_queue *result);

/** Checks what is special to queues on the device; makes one, or retains the default queue that
 *  there is. CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES, CL_OUT_OF_HOST_MEMORY. */
cl_int weft_device_queue_create(const char *function, cl_context context, cl_device_id device,
                                const weft_queue_wish *wish, cl_command_queue *result);

/** The default queue of a device of the context, with a strong reference; NULL: none. */
cl_command_queue weft_default_queue_retain(cl_context context, cl_device_id device);

#endif
