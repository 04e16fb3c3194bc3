// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Markers, barriers, migration, timers: commands that only order, or none at all. */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/command.h"
#include "runtime/queue.h"

/* `all`: waits for every command before it; else for its list (which may be empty). */
static cl_int enqueue_order(cl_command_queue queue, cl_command_type type, bool all, bool barrier,
                            cl_uint count, const cl_event *list, cl_event *event) {
    weft_command *command = weft_command_create(queue, type, count, list);

    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    command->needs_head = all;
    command->is_barrier = barrier;
    return weft_command_enqueue(command, CL_FALSE, event);
}

cl_int CL_API_CALL weft_clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                                    cl_uint num_events_in_wait_list,
                                                    const cl_event *event_wait_list,
                                                    cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    WEFT_CHECK_WAIT_LIST(command_queue->context, num_events_in_wait_list, event_wait_list);
    return enqueue_order(command_queue, CL_COMMAND_MARKER, !event_wait_list, false,
                         num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                     cl_uint num_events_in_wait_list,
                                                     const cl_event *event_wait_list,
                                                     cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    WEFT_CHECK_WAIT_LIST(command_queue->context, num_events_in_wait_list, event_wait_list);
    return enqueue_order(command_queue, CL_COMMAND_BARRIER, !event_wait_list, true,
                         num_events_in_wait_list, event_wait_list, event);
}

/* ---- OpenCL 1.1 ------------------------------------------------------------------------------ */

cl_int CL_API_CALL weft_clEnqueueMarker(cl_command_queue command_queue, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    WEFT_CHECK(command_queue->context, event, CL_INVALID_VALUE, "if event is a NULL value");
    return enqueue_order(command_queue, CL_COMMAND_MARKER, true, false, 0, NULL, event);
}

cl_int CL_API_CALL weft_clEnqueueBarrier(cl_command_queue command_queue) {
    WEFT_CHECK_QUEUE(command_queue);
    return enqueue_order(command_queue, CL_COMMAND_BARRIER, true, true, 0, NULL, NULL);
}

static cl_int check_events(const char *function, cl_context context, cl_uint count,
                           const cl_event *list) {
    if (count == 0 || !list)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if num_events is zero or event_list is NULL");
    for (cl_uint i = 0; i < count; i++) {
        if (!weft_is_event(list[i]))
            return weft_fail(context, function, CL_INVALID_EVENT,
                             "if event objects specified in event_list are not valid events");
        if (list[i]->context != context)
            return weft_fail(context, function, CL_INVALID_CONTEXT,
                             "if the context associated with command_queue and events in "
                             "event_list are not the same");
    }
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                               const cl_event *event_list) {
    WEFT_CHECK_QUEUE(command_queue);
    WEFT_TRY(check_events(__func__, command_queue->context, num_events, event_list));
    /* "a wait for a specific event or a list of events to complete before any future commands
     * queued in the command-queue are executed" */
    return enqueue_order(command_queue, CL_COMMAND_BARRIER, false, true, num_events, event_list,
                         NULL);
}

/* ---- migration ------------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clEnqueueMigrateMemObjects(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_mem_migration_flags flags, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
    cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_CHECK(context, num_mem_objects > 0 && mem_objects, CL_INVALID_VALUE,
               "if num_mem_objects is zero or if mem_objects is NULL");
    WEFT_CHECK(context,
               !(flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                                   CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)),
               CL_INVALID_VALUE,
               "if flags is not 0 or is not any of the values described in the table above");
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        WEFT_CHECK_MEM(context, mem_objects[i]);
        WEFT_CHECK(context, mem_objects[i]->context == context, CL_INVALID_CONTEXT,
                   "if the context associated with command_queue and memory objects in "
                   "mem_objects are not the same");
    }
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);
    /* Host and all our devices share their memory: every object is where it should be. */
    return enqueue_order(command_queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, false, false,
                         num_events_in_wait_list, event_wait_list, event);
}

/* ---- timers ---------------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                                cl_ulong *host_timestamp) {
    WEFT_CHECK_DEVICE(device);
    WEFT_CHECK(NULL, device_timestamp && host_timestamp, CL_INVALID_VALUE,
               "if host_timestamp or device_timestamp is NULL");
    /* Both are the host's monotonic clock. */
    *device_timestamp = device->ops->time_ns(device->device);
    *host_timestamp = *device_timestamp;
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
    WEFT_CHECK_DEVICE(device);
    WEFT_CHECK(NULL, host_timestamp, CL_INVALID_VALUE, "if host_timestamp is NULL");
    *host_timestamp = device->ops->time_ns(device->device);
    return CL_SUCCESS;
}
