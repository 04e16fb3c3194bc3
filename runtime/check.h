// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Checks of API arguments. A function that returns cl_int states each rule as
 *
 *     WEFT_CHECK(context, size > 0, CL_INVALID_BUFFER_SIZE, "if size is 0");
 *
 * where `context` is the context whose pfn_notify hears the sentence (NULL: none is known yet), the
 * condition is what must hold and the sentence quotes the specification's reason for the error.
 * Functions that return an object do their checks in a static cl_int function of their own, named
 * check_<API function>. Must not be used while a lock is held: pfn_notify is application code.
 */
#ifndef WEFT_CHECK_H
#define WEFT_CHECK_H

#include <CL/cl.h>

/**
 * Says why a call fails: to the debug log (topic "error") and to the context's pfn_notify.
 * `context` is NULL or a valid context. Returns `error`.
 */
cl_int weft_fail(cl_context context, const char *function, cl_int error, const char *sentence);

#define WEFT_CHECK(context, condition, error, sentence)                                            \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            return weft_fail((context), __func__, (error), (sentence));                            \
    } while (0)

/** Returns a failed call's error from the calling cl_int function. */
#define WEFT_TRY(call)                                                                             \
    do {                                                                                           \
        cl_int weft_status = (call);                                                               \
        if (__builtin_expect(weft_status != CL_SUCCESS, 0))                                        \
            return weft_status;                                                                    \
    } while (0)

/* Handles. */
#define WEFT_CHECK_PLATFORM(p)                                                                     \
    WEFT_CHECK(NULL, weft_is_platform(p), CL_INVALID_PLATFORM,                                     \
               "if platform is not a valid platform")
#define WEFT_CHECK_DEVICE(p)                                                                       \
    WEFT_CHECK(NULL, weft_is_device(p), CL_INVALID_DEVICE, "if device is not a valid device")
#define WEFT_CHECK_CONTEXT(p)                                                                      \
    WEFT_CHECK(NULL, weft_is_context(p), CL_INVALID_CONTEXT, "if context is not a valid context")
#define WEFT_CHECK_QUEUE(p)                                                                        \
    WEFT_CHECK(NULL, weft_is_queue(p), CL_INVALID_COMMAND_QUEUE,                                   \
               "if command_queue is not a valid host command-queue")
#define WEFT_CHECK_ANY_QUEUE(p)                                                                    \
    WEFT_CHECK(NULL, weft_is_queue(p) || weft_is_device_queue(p), CL_INVALID_COMMAND_QUEUE,        \
               "if command_queue is not a valid command-queue")
#define WEFT_CHECK_MEM(context, p)                                                                 \
    WEFT_CHECK(context, weft_is_mem(p), CL_INVALID_MEM_OBJECT,                                     \
               "if memobj is not a valid memory object")
#define WEFT_CHECK_PROGRAM(p)                                                                      \
    WEFT_CHECK(NULL, weft_is_program(p), CL_INVALID_PROGRAM,                                       \
               "if program is not a valid program object")
#define WEFT_CHECK_KERNEL(context, p)                                                              \
    WEFT_CHECK(context, weft_is_kernel(p), CL_INVALID_KERNEL,                                      \
               "if kernel is not a valid kernel object")
#define WEFT_CHECK_EVENT(context, p)                                                               \
    WEFT_CHECK(context, weft_is_event(p), CL_INVALID_EVENT, "if event is not a valid event object")

#endif
