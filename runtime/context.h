// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** cl_context. Immutable but for its destructor callbacks. */
#ifndef WEFT_CONTEXT_H
#define WEFT_CONTEXT_H

#include "runtime/device_object.h"
#include "runtime/object.h"
#include "runtime/svm.h"

/** clSetContextDestructorCallback, clSetMemObjectDestructorCallback: newest first. */
typedef struct weft_destructor {
    struct weft_destructor *next;
    void(CL_CALLBACK *function)(void *object, void *user_data);
    void *user_data;
} weft_destructor;

struct _cl_context {
    weft_object base;
    weft_platform *platform;
    cl_uint device_count;
    cl_device_id *devices; /* strong; a device's slot number is its index here */
    /* Per device, its default device queue: set and cleared under the lock, which no longer holds
     * it; NULL: none (device_queue.c). Behind `devices` in the same memory. */
    cl_command_queue *default_queues;
    cl_context_properties *properties; /* as given, with the 0; NULL: none */
    size_t property_bytes;
    bool untrusted_source; /* by its property or by setting */
    void(CL_CALLBACK *notify)(const char *message, const void *data, size_t bytes, void *user_data);
    void *notify_user;
    pthread_mutex_t lock; /* guards destructors, default queues and the list of queues */
    weft_destructor *destructors;
    cl_command_queue queues; /* those of the host that are not finished yet, newest first */
    weft_svm_table svm;
};

/** The slot of a device, -1: not associated with the context. */
int weft_context_slot(cl_context context, cl_device_id device);

/** Which device's memory buffers are made of: the only one's; where there are several, the
 * machine's, whose pages come from whoever touches them first. The same for a context's whole life.
 */
cl_device_id weft_context_memory_device(cl_context context);

/** Adds a destructor callback; false: out of memory. */
bool weft_destructor_push(pthread_mutex_t *lock, weft_destructor **list,
                          void(CL_CALLBACK *function)(void *, void *), void *user_data);
/** Calls and frees them all, newest first: "in the reverse order in which they were registered". */
void weft_destructor_run(weft_destructor **list, void *object);

#endif
