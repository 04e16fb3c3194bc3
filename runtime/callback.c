// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/callback.h"

#include "runtime/platform.h"

/** The thread that calls, and what it has to call. Lives as long as the process. */
struct weft_callback_thread {
    uint32_t process; /* a forked child needs another */
    pthread_mutex_t lock;
    pthread_cond_t posted;
    weft_callback *first, **last;
};

/* The command in a timeline; 0: a user event, or there is no timeline. */
static uint64_t id_of(const weft_command *event) {
    return event->queue ? event->work.trace_id : 0;
}

static void *run_callbacks(void *argument) {
    struct weft_callback_thread *thread = argument;
    weft_callback *callback;

    pthread_setname_np(pthread_self(), "weft-callback");
    for (;;) {
        pthread_mutex_lock(&thread->lock);
        while (!(callback = thread->first))
            pthread_cond_wait(&thread->posted, &thread->lock);
        if (!(thread->first = callback->next))
            thread->last = &thread->first;
        pthread_mutex_unlock(&thread->lock);
        weft_trace *trace = callback->event->context->platform->trace;
        uint64_t start = weft_trace_begin(trace);
        callback->function(callback->event, callback->reported, callback->user_data);
        weft_trace_end(trace, WEFT_TRACE_CALLBACK, "event callback", start, id_of(callback->event),
                       (uint64_t)(int64_t)callback->reported);
        weft_object_release(&callback->event->base);
        weft_free(callback);
    }
    return NULL;
}

static cl_int start_thread(weft_platform *platform) {
    struct weft_callback_thread *thread = weft_calloc(1, sizeof(*thread));
    pthread_t id;

    if (!thread)
        return CL_OUT_OF_HOST_MEMORY;
    thread->process = weft_process_number();
    thread->last = &thread->first;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->posted, NULL);
    if (weft_thread_create(&id, 0, run_callbacks, thread)) {
        pthread_mutex_destroy(&thread->lock);
        pthread_cond_destroy(&thread->posted);
        weft_free(thread);
        return CL_OUT_OF_RESOURCES;
    }
    pthread_detach(id);
    atomic_store_explicit(&platform->callbacks, thread, memory_order_release);
    return CL_SUCCESS;
}

static bool is_started(weft_platform *platform) {
    const struct weft_callback_thread *thread =
        atomic_load_explicit(&platform->callbacks, memory_order_acquire);

    return thread && thread->process == weft_process_number();
}

cl_int weft_callbacks_start(weft_platform *platform) {
    cl_int status = CL_SUCCESS;

    if (is_started(platform))
        return CL_SUCCESS;
    pthread_mutex_lock(&platform->lock);
    if (!is_started(platform))
        status = start_thread(platform);
    pthread_mutex_unlock(&platform->lock);
    return status;
}

static void post(weft_platform *platform, weft_callback *callbacks) {
    struct weft_callback_thread *thread =
        atomic_load_explicit(&platform->callbacks, memory_order_acquire);

    pthread_mutex_lock(&thread->lock);
    *thread->last = callbacks;
    while (*thread->last)
        thread->last = &(*thread->last)->next;
    pthread_cond_signal(&thread->posted);
    pthread_mutex_unlock(&thread->lock);
}

static void push(weft_command *event, weft_callback *callback) {
    callback->next = atomic_load_explicit(&event->callbacks, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&event->callbacks, &callback->next, callback))
        ;
}

/*
 * The list is taken as a whole, so each callback belongs to one thread; what is not due yet goes
 * back. The status may have changed while the list was taken, and who changed it found nothing: so
 * it is looked at again.
 */
void weft_callbacks_post_due(weft_command *event) {
    weft_callback *list, *next, *due;
    weft_platform *platform = event->context->platform;
    cl_int status;
    bool kept;

    do {
        status = atomic_load(&event->node.status);
        list = atomic_exchange(&event->callbacks, NULL);
        due = NULL;
        kept = false;
        for (; list; list = next) {
            next = list->next;
            if (list->reaches < status) {
                push(event, list);
                kept = true;
                continue;
            }
            list->reported = status < 0 ? status : list->reaches;
            list->next = due; /* newest first becomes oldest first */
            due = list;
        }
        if (due)
            post(platform, due);
    } while (kept && atomic_load(&event->node.status) != status);
}

void weft_callback_add(weft_command *event, weft_callback *callback) {
    push(event, callback);
    weft_callbacks_post_due(event);
}
