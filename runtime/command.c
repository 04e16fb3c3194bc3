// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The life of a command: made, put in its queue, ready, run, ended. */

#include "runtime/command.h"

#include "runtime/callback.h"
#include "runtime/check.h"
#include "runtime/log.h"
#include "runtime/queue.h"
#include "runtime/ran.h"

#include "weft/futex.h"

static weft_device *device_of(const weft_command *command) {
    return command->queue->device->device;
}

static const weft_device_ops *ops_of(const weft_command *command) {
    return command->queue->device->ops;
}

static cl_ulong time_of(const weft_command *command) {
    return ops_of(command)->time_ns(device_of(command));
}

/* ---- making ---------------------------------------------------------------------------------- */

cl_int weft_check_wait_list(const char *function, cl_context context, cl_uint count,
                            const cl_event *list) {
    if (__builtin_expect(!list && count == 0, 1))
        return CL_SUCCESS;
    if (!list || count == 0)
        return weft_fail(context, function, CL_INVALID_EVENT_WAIT_LIST,
                         "if event_wait_list is NULL and num_events_in_wait_list > 0, or "
                         "event_wait_list is not NULL and num_events_in_wait_list is 0");
    for (cl_uint i = 0; i < count; i++) {
        if (!weft_is_event(list[i]))
            return weft_fail(context, function, CL_INVALID_EVENT_WAIT_LIST,
                             "if event objects in event_wait_list are not valid events");
        if (list[i]->context != context)
            return weft_fail(context, function, CL_INVALID_CONTEXT,
                             "if the context associated with command_queue and events in "
                             "event_wait_list are not the same");
    }
    return CL_SUCCESS;
}

static void on_begin(weft_work *work), on_joined(weft_work *work);
static void on_ended(weft_work *work);
static void on_done(weft_work *work, int32_t status, weft_runner *runner);

weft_command *weft_command_create(cl_command_queue queue, cl_command_type type, cl_uint count,
                                  const cl_event *list) {
    weft_edge *more = NULL;
    weft_command *command;

    /* One edge for the barrier before it. */
    if (count + (uint64_t)1 > WEFT_COMMAND_EDGES) {
        more = weft_malloc(((size_t)count + 1) * sizeof(*more));
        if (!more)
            return NULL;
    }
    command = weft_queue_take_node(queue);
    if (!command) {
        weft_free(more);
        return NULL;
    }
    memset(command, 0, offsetof(weft_command, work));
    weft_object_init(&command->base, &weft_event_class, &queue->base);
    atomic_store_explicit(&command->base.application, 0, memory_order_relaxed);
    command->context = queue->context;
    command->queue = queue;
    command->type = type;
    atomic_init(&command->node.status, CL_QUEUED);
    command->timed = queue->timed;
    command->wait_count = count;
    command->wait_list = list;
    command->more_edges = more;
    command->work.priority = queue->priority;
    command->work.frugal = queue->frugal;
    command->work.begin = on_begin;
    command->work.joined = queue->timed ? on_joined : NULL;
    command->work.ended = on_ended;
    command->work.done = on_done;
    atomic_init(&command->work.device.open, 0);
    return command;
}

weft_transfer *weft_command_transfer(weft_command *command, cl_uint count) {
    weft_transfer *items = &command->transfer;

    if (count == 1)
        memset(items, 0, sizeof(*items));
    else if (!(command->heap = items = weft_calloc(count, sizeof(*items))))
        return NULL;
    command->node.has_work = true;
    command->work.kind = WEFT_WORK_TRANSFER;
    command->work.transfer.items = items;
    command->work.transfer.count = count;
    return items;
}

void weft_command_host(weft_command *command, int32_t (*run)(void *user), void *user) {
    command->node.has_work = true;
    command->work.kind = WEFT_WORK_HOST;
    command->work.host.run = run;
    command->work.host.user = user;
}

void weft_command_hold(weft_command *command, cl_mem mem) {
    weft_retain(mem);
    command->mems[command->mem_count++] = mem;
}

/* Drops what the command kept alive while it ran. */
static void drop_holdings(weft_command *command) {
    if (command->release)
        command->release(command);
    if (command->kernel) {
        weft_args_finish(&command->args);
        weft_release(&command->kernel);
    }
    for (cl_uint i = 0; i < command->mem_count; i++)
        weft_release(&command->mems[i]);
    command->mem_count = 0;
    if (command->heap)
        weft_free(command->heap);
    command->heap = NULL;
}

void weft_command_discard(weft_command *command) {
    drop_holdings(command);
    weft_object_release(&command->base);
}

/* ---- the status ------------------------------------------------------------------------------ */

static void tell_callbacks(weft_command *command) {
    if (atomic_load(&command->callbacks))
        weft_callbacks_post_due(command);
}

static inline void advance(weft_command *command, cl_int status) {
    if (weft_node_advance(&command->node, status))
        tell_callbacks(command);
}

void weft_command_advance(weft_command *command, cl_int status) {
    advance(command, status);
}

/* The first that comes to it says when it was: a flush alone may have said that a command is
 * submitted, and several threads run its work. */
static void note_time(const weft_command *command, _Atomic cl_ulong *time) {
    cl_ulong none = 0;

    if (!atomic_load_explicit(time, memory_order_relaxed))
        atomic_compare_exchange_strong(time, &none, time_of(command));
}

static inline void mark_submitted(weft_command *command) {
    if (command->timed)
        note_time(command, &command->profile.submitted);
    advance(command, CL_SUBMITTED);
}

/* The thread that begins may be interrupted between taking the first chunk and saying so, while
 * others run all the rest. */
static void on_joined(weft_work *work) {
    weft_command *command = (weft_command *)((char *)work - offsetof(weft_command, work));

    note_time(command, &command->profile.started);
}

static void on_begin(weft_work *work) {
    weft_command *command = (weft_command *)((char *)work - offsetof(weft_command, work));

    if (command->timed)
        note_time(command, &command->profile.started);
    advance(command, CL_RUNNING);
}

/* The kernel's own work-items have ended, before its children. */
static void on_ended(weft_work *work) {
    weft_command *command = (weft_command *)((char *)work - offsetof(weft_command, work));

    if (command->timed)
        command->profile.ended = time_of(command);
}

/* Why compiled code gave a kernel up, for the debug log. */
static const char *fault_text(uint32_t fault) {
    switch (fault) {
    case WEFT_FAULT_TRAP:
        return "it came to a trap, or to code that cannot be reached";
    case WEFT_FAULT_MASK:
        return "linearise: a lane's mask is not where its own way leads";
    case WEFT_FAULT_SHAPE:
        return "widen: a value is not the same, or not strided, in all lanes";
    case WEFT_FAULT_EXIT:
        return "regions: an item comes to another barrier than was foretold";
    case WEFT_FAULT_GROUP:
        return "regions: a value of the whole group is another for some item";
    default:
        return "of a fault without a name";
    }
}

static void on_done(weft_work *work, int32_t status, weft_runner *runner) {
    weft_command *command = (weft_command *)((char *)work - offsetof(weft_command, work));

    if (status && work->kind == WEFT_WORK_KERNEL && atomic_load(&work->fault))
        weft_log(WEFT_LOG_KERNEL, "given up: %s", fault_text(atomic_load(&work->fault)));
    if (command->timed && !command->profile.ended)
        command->profile.ended = time_of(command);
    weft_command_end(command, status, runner);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Takes an ended command out of its queue's list. */
static void leave_queue(weft_command *command, weft_ready *ready) {
    cl_command_queue queue = command->queue;
    weft_command *head;
    bool wake;

    pthread_mutex_lock(&queue->lock);
    *(command->before ? &command->before->after : &queue->first) = command->after;
    *(command->after ? &command->after->before : &queue->last) = command->before;
    if (queue->unflushed == command)
        queue->unflushed = command->after;
    if (queue->barrier == command)
        queue->barrier = NULL;
    head = queue->first;
    wake = queue->finishers && (!head || head->number > queue->finish_number);
    if (wake) {
        queue->finish_number = UINT64_MAX; /* those who go on sleeping say so again */
        atomic_fetch_add(&queue->finish_word, 1);
    }
    /* The new head hears of it once: it leaves the list before another can come behind it. */
    if (head && head->needs_head && !command->before && weft_node_meet(&head->node))
        weft_ready_add(ready, &head->node); /* met under the lock: it may not end meanwhile */
    pthread_mutex_unlock(&queue->lock);
    if (wake)
        weft_futex_wake(&queue->finish_word, INT32_MAX);
}

static void complete_profile(weft_command *command) {
    weft_profile *profile = &command->profile;

    /* A command without work (an unmap) starts and ends here, but never in no time: applications
     * divide by the difference. The device's clock rises with every reading. */
    note_time(command, &profile->started);
    if (!profile->ended)
        profile->ended = time_of(command);
    profile->completed = time_of(command);
}

/* Into the timeline, if there is one. */
static void record(const weft_command *command, cl_int status) {
    weft_trace *trace = command->context->platform->trace;
    const weft_profile *profile = &command->profile;
    const uint64_t times[4] = {profile->queued, atomic_load(&profile->submitted),
                               atomic_load(&profile->started), profile->ended};

    if (command->queue->trace_number)
        weft_trace_add(trace, WEFT_TRACE_COMMAND,
                       command->kernel ? command->kernel->name : weft_timeline_name(command->type),
                       times, weft_trace_id(command->queue->trace_number, command->number),
                       (uint64_t)(int64_t)status);
}

/* Before the end is published: who sees it may count on what was used being free. */
static inline void on_ending(weft_node *node, int32_t status) {
    weft_command *command = weft_command_of(node);

    if (!command->queue)
        return;
    if (atomic_load_explicit(&node->status, memory_order_relaxed) > CL_SUBMITTED)
        advance(command, CL_SUBMITTED); /* it ends without having been handed over */
    if (command->timed) {
        note_time(command, &command->profile.submitted);
        complete_profile(command);
        record(command, status);
        weft_ran_note(command, status);
    }
    drop_holdings(command);
}

static inline void on_end(weft_node *node, int32_t status, weft_ready *ready) {
    weft_command *command = weft_command_of(node);

    tell_callbacks(command);
    if (atomic_load(&command->waiters))
        weft_futex_wake((_Atomic uint32_t *)&node->status, INT32_MAX);
    weft_log(WEFT_LOG_QUEUE, "command %#x of queue %p: ended with %d", command->type,
             (void *)command->queue, status);
    if (command->queue)
        leave_queue(command, ready);
    weft_object_release(&command->base); /* the reference of a command that has not ended */
}

/* The waiter behind a runner, if it may run the command; it has room for one. */
static weft_waiter *waiter_for(const weft_command *command, const weft_runner *runner) {
    weft_waiter *waiter = runner ? runner->waiter : NULL;

    return waiter && waiter->queue == command->queue && command->number <= waiter->number &&
                   !waiter->next
               ? waiter
               : NULL;
}

void weft_command_submit(weft_command *command, weft_runner *runner) {
    mark_submitted(command);
    ops_of(command)->submit(device_of(command), &command->work, runner);
}

/* Hands a ready command to the thread that waits for it, or to the device. */
static void on_start(weft_node *node, void *runner) {
    weft_command *command = weft_command_of(node);
    weft_waiter *waiter = waiter_for(command, runner);

    if (waiter)
        waiter->next = command;
    else
        weft_command_submit(command, runner);
}

static const weft_graph graph = {on_ending, on_end, on_start};

/* Once for all its callers: the most frequent of them have nothing to send. */
static __attribute__((noinline)) void send(weft_ready *ready, weft_runner *runner) {
    weft_ready_run(&graph, ready, runner);
}

bool weft_command_end(weft_command *command, cl_int status, weft_runner *runner) {
    weft_ready ready = {0};
    bool first = weft_node_end(&graph, &command->node, status, &ready);

    if (ready.first)
        send(&ready, runner);
    return first;
}

/* ---- enqueueing ------------------------------------------------------------------------------ */

/* Counts and links what the command waits for by its wait list. */
static void link_wait_list(weft_command *command, weft_edge *edges) {
    for (cl_uint i = 0; i < command->wait_count; i++) {
        weft_command *event = command->wait_list[i];
        /* The specification leaves it to the application to flush the other queue; a wait that
         * never ends would help nobody. */
        if (weft_node_await(&command->node, &edges[i], &event->node, false) && event->queue &&
            event->queue != command->queue)
            weft_queue_flush(event->queue);
    }
}

/* Puts the command at the end of the list. The queue's lock is held. */
static void append(weft_command *command, weft_edge *edges) {
    cl_command_queue queue = command->queue;

    command->number = ++queue->number;
    command->work.trace_id = weft_trace_id(queue->trace_number, command->number);
    command->before = queue->last;
    *(queue->last ? &queue->last->after : &queue->first) = command;
    queue->last = command;
    if (!queue->unflushed)
        queue->unflushed = command;
    if (!queue->deferred)
        queue->since_deferral = 0;
    queue->since_deferral++;
    if (command->needs_head && command->before)
        atomic_fetch_add_explicit(&command->node.unmet, 1, memory_order_relaxed);
    if (queue->barrier && !queue->in_order)
        weft_node_await(&command->node, &edges[command->wait_count], &queue->barrier->node, true);
    if (command->is_barrier)
        queue->barrier = command;
}

/* What becomes of a command that has just been enqueued. */
typedef enum fate { FATE_WAITS, FATE_DEFERRED, FATE_READY } fate;

static fate join_queue(weft_command *command, bool may_defer) {
    weft_edge *edges = command->more_edges ? command->more_edges : command->edges;
    cl_command_queue queue = command->queue;
    fate what = FATE_WAITS;

    atomic_init(&command->node.unmet, 1);
    if (command->wait_count)
        link_wait_list(command, edges);
    pthread_mutex_lock(&queue->lock);
    append(command, edges);
    if (weft_node_meet(&command->node)) {
        what = FATE_READY;
        if (may_defer && command->node.has_work &&
            !atomic_load_explicit(&command->node.failed, memory_order_relaxed)) {
            command->deferred = true;
            queue->deferred++;
            what = FATE_DEFERRED;
        }
    }
    may_defer = queue->deferred && queue->since_deferral >= WEFT_DEFER_LIMIT;
    pthread_mutex_unlock(&queue->lock);
    if (may_defer)
        weft_queue_flush(queue);
    return what;
}

/* Waits for the end of a blocking command, which the caller holds. */
static cl_int wait_blocking(weft_command *command) {
    weft_trace *trace = command->context->platform->trace;
    uint64_t start = weft_trace_begin(trace);

    weft_command_wait(command);
    weft_trace_end(trace, WEFT_TRACE_WAIT, "blocking call", start, 0, 0);
    cl_int status = atomic_load(&command->node.status);

    return status < 0 ? status : CL_SUCCESS;
}

cl_int weft_command_enqueue(weft_command *command, cl_bool blocking, cl_event *event) {
    weft_ready ready = {0};
    cl_int status = CL_SUCCESS;
    bool small;

    /* In an in-order queue the order of the list is all there is to know. */
    if (command->queue->in_order)
        command->needs_head = true;
    if (command->timed)
        command->profile.queued = time_of(command);
    if (event || blocking)
        atomic_store_explicit(&command->base.strong, 2, memory_order_relaxed);
    if (event)
        atomic_store_explicit(&command->base.application, 1, memory_order_relaxed);
    small = command->node.has_work &&
            (blocking ? command->work.kind != WEFT_WORK_HOST
                      : ops_of(command)->is_small(device_of(command), &command->work));
    if (join_queue(command, small) == FATE_READY) {
        weft_ready_add(&ready, &command->node);
        send(&ready, NULL);
    }
    if (blocking)
        status = wait_blocking(command);
    if (event && status == CL_SUCCESS)
        *event = command;
    else if (event)
        weft_object_app_release(&command->base); /* "does not return an event object" */
    else if (blocking)
        weft_object_release(&command->base);
    return status;
}

/* ---- waiting --------------------------------------------------------------------------------- */

void weft_command_run(weft_command *command, weft_waiter *waiter) {
    do {
        waiter->next = NULL;
        mark_submitted(command);
        if (!ops_of(command)->run(device_of(command), &command->work, waiter))
            ops_of(command)->submit(device_of(command), &command->work, NULL);
    } while ((command = waiter->next));
}

/*
 * A command that this thread may run on the way to the end of `command`: in an in-order queue the
 * first, otherwise the command itself. Claimed if it was deferred, else held by a new reference;
 * NULL: none. What else the queue has deferred is handed over, for this call is a flush.
 */
static weft_command *find_runnable(weft_command *command, bool *claimed) {
    cl_command_queue queue = command->queue;
    weft_command *found = command;

    pthread_mutex_lock(&queue->lock);
    if (queue->in_order)
        found = queue->first && queue->first->number <= command->number ? queue->first : NULL;
    *claimed = found && found->deferred;
    if (*claimed)
        weft_queue_claim(found);
    if (found)
        weft_object_retain(&found->base);
    bool rest = queue->deferred > 0;
    pthread_mutex_unlock(&queue->lock);
    if (rest)
        weft_queue_flush(queue);
    return found;
}

static void sleep_until_end(weft_command *command) {
    cl_int status = atomic_load(&command->node.status);

    if (status == CL_RUNNING &&
        weft_futex_spin((_Atomic uint32_t *)&command->node.status, (uint32_t)status))
        return;
    atomic_fetch_add(&command->waiters, 1);
    while ((status = atomic_load(&command->node.status)) > CL_COMPLETE)
        weft_futex_wait((_Atomic uint32_t *)&command->node.status, (uint32_t)status);
    atomic_fetch_sub(&command->waiters, 1);
}

void weft_command_wait(weft_command *command) {
    weft_waiter waiter = {command->queue, command->number, NULL};
    weft_command *found;
    bool claimed, ran;

    while (atomic_load_explicit(&command->node.status, memory_order_acquire) > CL_COMPLETE) {
        ran = false;
        found = command->queue ? find_runnable(command, &claimed) : NULL;
        if (found && claimed) {
            weft_command_run(found, &waiter);
            ran = true;
        } else if (found && found->node.has_work) {
            ran = ops_of(found)->help(device_of(found), &found->work, &waiter);
            if ((claimed = waiter.next))
                weft_command_run(waiter.next, &waiter);
        }
        if (found)
            weft_object_release(&found->base);
        if (!ran)
            sleep_until_end(command);
    }
}
