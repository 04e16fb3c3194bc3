// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* cl_event: user events, waiting, queries, callbacks. The node itself is in command.c. */

#include "runtime/api.h"
#include "runtime/callback.h"
#include "runtime/check.h"
#include "runtime/command.h"
#include "runtime/info.h"
#include "runtime/queue.h"

static void finish_event(weft_object *object) {
    weft_command *command = (weft_command *)object;

    weft_free(command->more_edges);
    command->more_edges = NULL;
}

static void free_event(weft_object *object) {
    weft_command *command = (weft_command *)object;

    if (command->queue)
        weft_queue_return_node(command->queue, command);
    else
        weft_free(command);
}

const weft_class weft_event_class = {"event", CL_INVALID_EVENT, finish_event, free_event};

/* ---- user events ----------------------------------------------------------------------------- */

static cl_int create_user_event(const char *function, cl_context context, cl_event *result) {
    cl_event event;

    if (!weft_is_context(context))
        return weft_fail(NULL, function, CL_INVALID_CONTEXT, "if context is not a valid context");
    event = weft_calloc(1, sizeof(*event));
    if (!event)
        return CL_OUT_OF_HOST_MEMORY;
    weft_object_init(&event->base, &weft_event_class, &context->base);
    weft_object_retain(&event->base); /* until it has ended */
    event->context = context;
    event->type = CL_COMMAND_USER;
    atomic_init(&event->node.status, CL_SUBMITTED);
    *result = event;
    return CL_SUCCESS;
}

cl_event CL_API_CALL weft_clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
    cl_event event = NULL;
    cl_int status = create_user_event(__func__, context, &event);

    if (errcode_ret)
        *errcode_ret = status;
    return event;
}

cl_int CL_API_CALL weft_clSetUserEventStatus(cl_event event, cl_int execution_status) {
    WEFT_CHECK_EVENT(NULL, event);
    WEFT_CHECK(event->context, !event->queue, CL_INVALID_EVENT,
               "if event is not a valid user event object");
    WEFT_CHECK(event->context, execution_status <= CL_COMPLETE, CL_INVALID_VALUE,
               "if the execution_status is not CL_COMPLETE or a negative integer value");
    cl_context context = event->context;
    bool first = weft_command_end(event, execution_status, NULL);
    WEFT_CHECK(context, first, CL_INVALID_OPERATION,
               "if the execution_status for event has already been changed by a previous call to "
               "clSetUserEventStatus");
    return CL_SUCCESS;
}

/* ---- waiting --------------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clWaitForEvents(cl_uint num_events, const cl_event *event_list) {
    bool failed = false;

    WEFT_CHECK(NULL, num_events > 0 && event_list, CL_INVALID_VALUE,
               "if num_events is zero or event_list is NULL");
    for (cl_uint i = 0; i < num_events; i++)
        WEFT_CHECK_EVENT(NULL, event_list[i]);
    for (cl_uint i = 1; i < num_events; i++)
        WEFT_CHECK(event_list[0]->context, event_list[i]->context == event_list[0]->context,
                   CL_INVALID_CONTEXT,
                   "if events specified in event_list do not belong to the same context");
    /* The first queue's command may run on this thread, the others should run meanwhile. */
    for (cl_uint i = 1; i < num_events; i++)
        if (event_list[i]->queue && event_list[i]->queue != event_list[0]->queue)
            weft_queue_flush(event_list[i]->queue);
    weft_trace *trace = event_list[0]->context->platform->trace;
    uint64_t start = weft_trace_begin(trace);
    for (cl_uint i = 0; i < num_events; i++) {
        weft_command_wait(event_list[i]);
        failed = failed || atomic_load(&event_list[i]->node.status) < 0;
    }
    weft_trace_end(trace, WEFT_TRACE_WAIT, __func__ + strlen("weft_"), start, 0, 0);
    WEFT_CHECK(event_list[0]->context, !failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
               "if the execution status of any of the events in event_list is a negative integer "
               "value");
    return CL_SUCCESS;
}

/* ---- references and info --------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clRetainEvent(cl_event event) {
    WEFT_CHECK_EVENT(NULL, event);
    return weft_object_app_retain(&event->base);
}

/*
 * A user event that nobody can set any more, and that nobody waits for, goes. What waits for one
 * goes on waiting: "those commands and host threads will continue to wait [...] even after the
 * application has released the object".
 */
static cl_int release_user_event(cl_event event) {
    cl_int status;

    weft_object_retain(&event->base);
    status = weft_object_app_release(&event->base);
    if (atomic_load(&event->base.application) == 0 &&
        atomic_load(&event->node.status) > CL_COMPLETE && !atomic_load(&event->node.successors) &&
        !atomic_load(&event->callbacks) && !atomic_load(&event->waiters))
        weft_command_end(event, CL_INVALID_EVENT, NULL);
    weft_object_release(&event->base);
    return status;
}

cl_int CL_API_CALL weft_clReleaseEvent(cl_event event) {
    WEFT_CHECK_EVENT(NULL, event);
    if (!event->queue)
        return release_user_event(event);
    return weft_object_app_release(&event->base);
}

static cl_int get_status(const void *object, weft_info_out *out) {
    const struct _cl_event *event = object;
    cl_int status = atomic_load_explicit(&event->node.status, memory_order_acquire);

    weft_info_put(out, &status, sizeof(status));
    return CL_SUCCESS;
}

static const weft_info_row EVENT_INFO[] = {
    WEFT_INFO_FIELD(CL_EVENT_COMMAND_QUEUE, struct _cl_event, queue),
    WEFT_INFO_FIELD(CL_EVENT_CONTEXT, struct _cl_event, context),
    WEFT_INFO_FIELD(CL_EVENT_COMMAND_TYPE, struct _cl_event, type),
    WEFT_INFO_GETTER(CL_EVENT_COMMAND_EXECUTION_STATUS, get_status),
    WEFT_INFO_GETTER(CL_EVENT_REFERENCE_COUNT, weft_info_references),
};

cl_int CL_API_CALL weft_clGetEventInfo(cl_event event, cl_event_info param_name,
                                       size_t param_value_size, void *param_value,
                                       size_t *param_value_size_ret) {
    WEFT_CHECK_EVENT(NULL, event);
    /* Programs poll without flushing: let what was asked for come. */
    if (param_name == CL_EVENT_COMMAND_EXECUTION_STATUS && event->queue &&
        atomic_load_explicit(&event->node.status, memory_order_relaxed) > CL_RUNNING)
        weft_queue_flush(event->queue);
    return WEFT_INFO_GET(event->context, EVENT_INFO, event, param_name, param_value_size,
                         param_value, param_value_size_ret);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                           void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *),
                                           void *user_data) {
    weft_callback *callback;

    WEFT_CHECK_EVENT(NULL, event);
    WEFT_CHECK(event->context,
               pfn_notify && command_exec_callback_type >= CL_COMPLETE &&
                   command_exec_callback_type <= CL_SUBMITTED,
               CL_INVALID_VALUE,
               "if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, "
               "CL_RUNNING or CL_COMPLETE");
    WEFT_TRY(weft_callbacks_start(event->context->platform));
    callback = weft_calloc(1, sizeof(*callback));
    if (!callback)
        return CL_OUT_OF_HOST_MEMORY;
    callback->event = event;
    callback->reaches = command_exec_callback_type;
    callback->function = pfn_notify;
    callback->user_data = user_data;
    weft_object_retain(&event->base);
    if (event->queue)
        weft_queue_flush(event->queue); /* who waits by a callback makes no other call */
    weft_callback_add(event, callback);
    return CL_SUCCESS;
}

/* ---- profiling ------------------------------------------------------------------------------- */

static const weft_info_row PROFILING_INFO[] = {
    WEFT_INFO_FIELD(CL_PROFILING_COMMAND_QUEUED, struct _cl_event, profile.queued),
    WEFT_INFO_FIELD(CL_PROFILING_COMMAND_SUBMIT, struct _cl_event, profile.submitted),
    WEFT_INFO_FIELD(CL_PROFILING_COMMAND_START, struct _cl_event, profile.started),
    WEFT_INFO_FIELD(CL_PROFILING_COMMAND_END, struct _cl_event, profile.ended),
    WEFT_INFO_FIELD(CL_PROFILING_COMMAND_COMPLETE, struct _cl_event, profile.completed),
};

cl_int CL_API_CALL weft_clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                                size_t param_value_size, void *param_value,
                                                size_t *param_value_size_ret) {
    WEFT_CHECK_EVENT(NULL, event);
    WEFT_CHECK(event->context,
               event->queue && event->queue->profiles && event->type != CL_COMMAND_SVM_FREE &&
                   atomic_load_explicit(&event->node.status, memory_order_acquire) == CL_COMPLETE,
               CL_PROFILING_INFO_NOT_AVAILABLE,
               "if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue, if the "
               "execution status of the command identified by event is not CL_COMPLETE or if event "
               "is a user event object");
    return WEFT_INFO_GET(event->context, PROFILING_INFO, event, param_name, param_value_size,
                         param_value, param_value_size_ret);
}
