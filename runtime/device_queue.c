// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Queues on the device, and which of them is a device's default. */

#include "runtime/device_queue.h"

#include "runtime/api.h"
#include "runtime/check.h"

/* ---- the default queue ----------------------------------------------------------------------- */

static cl_command_queue *default_of(cl_context context, cl_device_id device) {
    return &context->default_queues[weft_context_slot(context, device)];
}

cl_command_queue weft_default_queue_retain(cl_context context, cl_device_id device) {
    cl_command_queue queue;

    pthread_mutex_lock(&context->lock);
    queue = *default_of(context, device);
    if (queue && !weft_object_try_retain(&queue->base))
        queue = NULL;
    pthread_mutex_unlock(&context->lock);
    return queue;
}

/* ---- class ----------------------------------------------------------------------------------- */

static void finish_device_queue(weft_object *object) {
    cl_command_queue queue = (cl_command_queue)object;
    cl_command_queue *current = default_of(queue->context, queue->device);

    pthread_mutex_lock(&queue->context->lock);
    if (*current == queue)
        *current = NULL;
    pthread_mutex_unlock(&queue->context->lock);
    if (queue->on_device)
        queue->device->ops->queue_destroy(queue->on_device);
    weft_free(queue->property_list);
    pthread_mutex_destroy(&queue->lock);
}

const weft_class weft_device_queue_class = {"device queue", CL_INVALID_COMMAND_QUEUE,
                                            finish_device_queue, NULL};

/* ---- creating -------------------------------------------------------------------------------- */

static cl_int check_wish(const char *function, cl_context context, const weft_queue_wish *wish) {
    if (wish->size == 0 || wish->size > UINT32_MAX)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if values specified in properties are not valid (CL_QUEUE_SIZE)");
    if (wish->size > WEFT_DEVICE_QUEUE_MAX)
        return weft_fail(context, function, CL_INVALID_QUEUE_PROPERTIES,
                         "CL_QUEUE_SIZE must be a value <= CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE");
    if (wish->priority || wish->throttle)
        return weft_fail(context, function, CL_INVALID_QUEUE_PROPERTIES,
                         "if CL_QUEUE_PRIORITY_KHR or CL_QUEUE_THROTTLE_KHR is specified and the "
                         "queue is a CL_QUEUE_ON_DEVICE or CL_QUEUE_ON_DEVICE_DEFAULT");
    return CL_SUCCESS;
}

static cl_int make(cl_context context, cl_device_id device, const weft_queue_wish *wish,
                   cl_command_queue *result) {
    cl_command_queue queue = NULL;

    WEFT_TRY(weft_queue_make(context, device, &weft_device_queue_class, wish, &queue));
    queue->size = (cl_uint)wish->size;
    queue->on_device = device->ops->queue_create(device->device, queue->size);
    if (!queue->on_device) {
        weft_release(&queue);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *result = queue;
    return CL_SUCCESS;
}

/*
 * "will return the default device queue that has already been created and increment its retain
 * count by 1", or makes `queue` (NULL: none) the default. One that the application has released
 * only lives for its last commands.
 */
static cl_command_queue settle_default(cl_context context, cl_device_id device,
                                       cl_command_queue queue) {
    cl_command_queue *current = default_of(context, device), there;

    pthread_mutex_lock(&context->lock);
    there = *current;
    if (there && atomic_load(&there->base.application) > 0 &&
        weft_object_try_retain(&there->base)) {
        weft_object_app_retain(&there->base);
    } else {
        there = NULL;
        if (queue)
            *current = queue;
    }
    pthread_mutex_unlock(&context->lock);
    if (there) {
        weft_object_release(&there->base);
        weft_release(&queue);
    }
    return there ? there : queue;
}

cl_int weft_device_queue_create(const char *function, cl_context context, cl_device_id device,
                                const weft_queue_wish *wish, cl_command_queue *result) {
    bool is_default = wish->properties & CL_QUEUE_ON_DEVICE_DEFAULT;

    WEFT_TRY(check_wish(function, context, wish));
    if (is_default && (*result = settle_default(context, device, NULL)))
        return CL_SUCCESS;
    WEFT_TRY(make(context, device, wish, result));
    if (is_default) /* unless another thread was first */
        *result = settle_default(context, device, *result);
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue command_queue) {
    WEFT_TRY(weft_queue_check_owner(__func__, context, device));
    WEFT_CHECK(context,
               weft_is_device_queue(command_queue) && command_queue->context == context &&
                   command_queue->device == device,
               CL_INVALID_COMMAND_QUEUE,
               "if command_queue is not a valid command-queue for device");
    pthread_mutex_lock(&context->lock);
    *default_of(context, device) = command_queue;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}
