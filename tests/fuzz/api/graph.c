// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The model of commands: what waits for what, what is held back by user events, how things end. */

#include "api.h"

/* ---- settling -------------------------------------------------------------------------------- */

bool is_settled(command *c) {
    if (c->settled)
        return true;
    if (c->is_user)
        return false;
    for (unsigned i = 0; i < c->edge_count; i++)
        if (!is_settled(c->edges[i].to))
            return false;
    for (unsigned i = 0; i < c->edge_count; i++) {
        const command *before = c->edges[i].to;
        if (!c->edges[i].passes_errors)
            continue;
        if (before->unsure)
            c->unsure = true;
        else if (before->final < 0)
            c->final = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    if (c->final < 0) /* sure, whatever the others do */
        c->unsure = false;
    c->settled = true;
    free(c->edges);
    c->edges = NULL;
    c->edge_count = 0;
    return true;
}

command *new_command(world *w, cl_command_type type) {
    command *c = calloc(1, sizeof(*c));
    if (!c)
        wrong(w, "the fuzzer is out of memory");
    c->type = type;
    c->index = w->command_count++;
    c->made_at = ++w->clock;
    c->next = w->commands;
    w->commands = c;
    return c;
}

static void append(world *w, edge **list, unsigned *count, edge e) {
    *list = realloc(*list, (*count + 1) * sizeof(e));
    if (!*list)
        wrong(w, "the fuzzer is out of memory");
    (*list)[(*count)++] = e;
}

static void add_edge(world *w, command *from, command *to, bool passes_errors) {
    append(w, &from->edges, &from->edge_count, (edge){to, passes_errors});
}

void seen_done(world *w, command *c) {
    if (!c->done_at)
        c->done_at = ++w->clock;
}

/* ---- wait lists ------------------------------------------------------------------------------ */

void draw_waits(world *w, object *context, waits *list) {
    memset(list, 0, sizeof(*list));
    list->event = draw(w, 2) && !is_full(w, EVENT) ? &list->out : NULL;
    w->skipped = false;
    list->count = draw(w, 3) ? 0 : (cl_uint)(1 + draw(w, MOST_WAITS));
    for (cl_uint i = 0; i < list->count; i++) {
        arg a = pick(w, EVENT, context, NULL);
        if (!a.o && w->valid) {
            list->count = i;
            break;
        }
        list->events[i] = a.handle;
        list->objects[i] = a.o;
        fault(w, !a.o, CL_INVALID_EVENT_WAIT_LIST);
        fault(w, a.o && context && a.o->context != context, CL_INVALID_CONTEXT);
        may(w, a.o && !context, CL_INVALID_CONTEXT);
    }
    list->list = list->count ? list->events : NULL;
    if (odd(w)) /* a count without a list, or the other way round */
        list->list = list->list ? NULL : list->events;
    fault(w, !list->list != !list->count, CL_INVALID_EVENT_WAIT_LIST);
    if (!list->list)
        list->count = list->count ? list->count : 0;
}

const char *waits_text(const waits *list) {
    static _Thread_local char text[300];
    size_t used =
        (size_t)snprintf(text, sizeof(text), "%u, %s", list->count, list->list ? "{" : "NULL");
    for (cl_uint i = 0; list->list && i < list->count && used < sizeof(text) - 80; i++) {
        const arg a = {list->events[i], list->objects[i]};
        used +=
            (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "", name_of(&a));
    }
    snprintf(text + used, sizeof(text) - used, "%s, %s", list->list ? "}" : "",
             list->event ? "&event" : "NULL");
    return text;
}

bool is_held_back(object *queue, const waits *list) {
    for (cl_uint i = 0; list->list && i < list->count; i++)
        if (list->objects[i] && !is_settled(list->objects[i]->command))
            return true;
    if (!queue)
        return false;
    command *before = queue->in_order ? queue->last : queue->barrier;
    return before && !is_settled(before);
}

void fault_of_blocking(world *w, const waits *list) {
    for (cl_uint i = 0; list->list && i < list->count; i++) {
        command *c = list->objects[i] ? list->objects[i]->command : NULL;
        if (!c || !is_settled(c))
            continue;
        fault(w, c->final < 0 && !c->unsure, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        may(w, c->unsure, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
}

/* ---- enqueueing ------------------------------------------------------------------------------ */

arg draw_queue(world *w) {
    arg queue = pick(w, QUEUE, NULL, is_host_queue);
    fault(w, !IS(queue, is_host_queue), CL_INVALID_COMMAND_QUEUE);
    if (queue.o && queue.o->on_device)
        queue.o = NULL; /* as good as none */
    return queue;
}

/* What in the queue has not ended for sure. */
static void sweep(object *queue) {
    unsigned kept = 0;
    for (unsigned i = 0; i < queue->pending_count; i++)
        if (!is_settled(queue->pending[i]))
            queue->pending[kept++] = queue->pending[i];
    queue->pending_count = kept;
}

/* What comes before it by the queue's rules, whether that has ended or not. */
static void come_after(world *w, object *queue, command *c, int how) {
    command *last = queue->in_order ? queue->last : queue->barrier;
    c->queue = queue;
    if (last)
        append(w, &c->before, &c->before_count, (edge){last, false});
    for (command *o = w->commands; o && how & ORDER_ALL; o = o->next)
        if (o->queue == queue && o != c)
            append(w, &c->before, &c->before_count, (edge){o, false});
}

static void order(world *w, object *queue, command *c, int how) {
    come_after(w, queue, c, how);
    sweep(queue);
    if (queue->in_order) {
        if (queue->last && !is_settled(queue->last))
            add_edge(w, c, queue->last, false);
    } else {
        if (queue->barrier && !is_settled(queue->barrier))
            add_edge(w, c, queue->barrier, false);
        for (unsigned i = 0; how & ORDER_ALL && i < queue->pending_count; i++)
            add_edge(w, c, queue->pending[i], false);
    }
    queue->last = c;
    if (how & ORDER_BARRIER)
        queue->barrier = c;
    queue->pending = realloc(queue->pending, (queue->pending_count + 1) * sizeof(*queue->pending));
    if (!queue->pending)
        wrong(w, "the fuzzer is out of memory");
    queue->pending[queue->pending_count++] = c;
}

command *enqueued(world *w, object *queue, const waits *list, cl_command_type type, int how,
                  bool unsure) {
    command *c = new_command(w, type);
    c->unsure = unsure;
    for (cl_uint i = 0; i < list->count; i++) {
        object *before = list->objects[i];
        add_edge(w, c, before->command, true);
        append(w, &c->before, &c->before_count, (edge){before->command, true});
        if (!is_settled(before->command))
            before->has_waiters = true;
    }
    order(w, queue, c, how);
    if (list->event) {
        if (!list->out)
            wrong(w, "success, but no event");
        object *event = add(w, EVENT, list->out, queue->context);
        event->command = c;
        event->parent = queue;
        event->profiles = queue->profiles;
    }
    return c;
}
