// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Callbacks of events: collected when a status is reached, called on a thread of their own (started
 * with the first callback of the platform), never under a lock.
 */
#ifndef WEFT_CALLBACK_H
#define WEFT_CALLBACK_H

#include "runtime/command.h"

struct weft_callback {
    weft_callback *next;
    weft_command *event; /* strong */
    cl_int reaches;      /* CL_SUBMITTED, CL_RUNNING, CL_COMPLETE */
    cl_int reported;     /* what it is called with */
    void(CL_CALLBACK *function)(cl_event event, cl_int status, void *user_data);
    void *user_data;
};

/** Makes sure that callbacks can be called at all. CL_SUCCESS, CL_OUT_OF_RESOURCES (no thread) or
 *  CL_OUT_OF_HOST_MEMORY. */
cl_int weft_callbacks_start(weft_platform *platform);
/** Adds a callback to an event; it is called at once if the event is there already. Takes over the
 *  callback and its reference. */
void weft_callback_add(weft_command *event, weft_callback *callback);
/** Posts the callbacks that the event's status has reached. */
void weft_callbacks_post_due(weft_command *event);

#endif
