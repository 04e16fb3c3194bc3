// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* User events, waiting, callbacks and what callbacks do. */

#include "rows.h"

/* ---- callbacks ------------------------------------------------------------------------------- */

/* The reference is one that the application had: it may be the last. What is older than the
 * callback's object cannot itself wait for that to go. */
loan *draw_loan(world *w, kind kind, const object *of) {
    loan *l = calloc(1, sizeof(*l));
    object *o = kind == KIND_NONE ? NULL : find(w, kind, NULL, NULL);
    if (o && of && o->name >= of->name)
        o = NULL;
    if (!l)
        wrong(w, "the fuzzer is out of memory");
    l->w = w;
    atomic_fetch_add(&w->callbacks_due, 1);
    if (!o || (o->kind == EVENT && is_user_event(o)))
        return l;
    l->kind = kind;
    l->handle = o->handle;
    l->lent = o->lent;
    atomic_fetch_add(o->lent, 1);
    o->refs--;
    return l;
}

void give_back(loan *l) {
    world *w = l->w;
    if (l->handle) {
        if (release_handle(l->kind, l->handle) != CL_SUCCESS)
            wrong(w, "a callback cannot release what was lent to it");
        atomic_fetch_sub(l->lent, 1);
    }
    free(l);
    atomic_fetch_add(&w->callbacks_done, 1);
}

void call_from_callback(world *w, void *event) {
    cl_context context = NULL;
    cl_command_type type = 0;
    cl_event other;
    cl_int status = 1;
    if (cl.clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(context), &context, NULL) ||
        cl.clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL) ||
        cl.clRetainEvent(event) || cl.clReleaseEvent(event))
        wrong(w, "an event's callback cannot use the event");
    other = cl.clCreateUserEvent(context, &status);
    if (status || cl.clSetUserEventStatus(other, CL_COMPLETE) || cl.clWaitForEvents(1, &other) ||
        cl.clReleaseEvent(other))
        wrong(w, "an event's callback cannot make an event");
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user) {
    loan *l = user;
    world *w = l->w;
    if (status > CL_SUBMITTED)
        wrong(w, "a callback is told status %d", status);
    call_from_callback(w, event);
    give_back(l);
}

void row_clSetEventCallback(world *w) {
    arg event = pick(w, EVENT, NULL, NULL);
    cl_int type = (cl_int)draw(w, 3);
    bool none = odd(w), bad = odd(w);
    if (bad)
        type = draw(w, 2) ? CL_QUEUED : -1;
    fault(w, !event.o, CL_INVALID_EVENT);
    fault(w, none || bad, CL_INVALID_VALUE);
    SAY("%s, %d, %s, lent", name_of(&event), type, none ? "NULL" : "on_event");
    loan *lent = draw_loan(w, draw(w, 2) || w->must_fail ? KIND_NONE : MEM, NULL);
    if (judge(w, cl.clSetEventCallback(event.handle, type, none ? NULL : on_event, lent)))
        event.o->has_waiters = true;
    else
        give_back(lent);
}

/* ---- user events ----------------------------------------------------------------------------- */

void row_clCreateUserEvent(world *w) {
    if (is_full(w, EVENT))
        return;
    arg context = draw_context(w);
    SAY("%s, &status", name_of(&context));
    cl_event made = cl.clCreateUserEvent(context.handle, errcode(w));
    if (!judge_object(w, made))
        return;
    object *event = add(w, EVENT, made, context.o);
    event->command = new_command(w, CL_COMMAND_USER);
    event->command->is_user = true;
}

void row_clSetUserEventStatus(world *w) {
    arg event = pick(w, EVENT, NULL, is_user_event);
    cl_int status = draw(w, 3) ? CL_COMPLETE : draw(w, 2) ? -1 - (cl_int)draw(w, 70) : INT32_MIN;
    if (odd(w))
        status = (cl_int)(1 + draw(w, 5));
    fault(w, !IS(event, is_user_event), CL_INVALID_EVENT);
    fault(w, status > CL_COMPLETE, CL_INVALID_VALUE);
    fault(w, IS(event, is_user_event) && event.o->command->settled, CL_INVALID_OPERATION);
    SAY("%s, %d", name_of(&event), status);
    if (!judge(w, cl.clSetUserEventStatus(event.handle, status)))
        return;
    event.o->command->settled = true;
    event.o->command->final = status;
}

/* ---- waiting --------------------------------------------------------------------------------- */

void row_clWaitForEvents(world *w) {
    waits list = {0};
    const object *context = find(w, CONTEXT, NULL, NULL);
    list.count = odd(w) ? 0 : (cl_uint)(1 + draw(w, MOST_WAITS));
    for (cl_uint i = 0; i < list.count; i++) {
        arg event = pick(w, EVENT, context, NULL);
        list.events[i] = event.handle;
        list.objects[i] = event.o;
        fault(w, !event.o, CL_INVALID_EVENT);
        fault(w, event.o && list.objects[0] && event.o->context != list.objects[0]->context,
              CL_INVALID_CONTEXT);
    }
    list.list = odd(w) ? NULL : list.events;
    fault(w, !list.count || !list.list, CL_INVALID_VALUE);
    if (!w->must_fail && is_held_back(NULL, &list))
        return;
    fault_of_blocking(w, &list);
    SAY("%s", waits_text(&list));
    if (!judge(w, cl.clWaitForEvents(list.count, list.list)))
        return;
    for (cl_uint i = 0; i < list.count; i++) {
        cl_int status = 1;
        cl.clGetEventInfo(list.events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                          &status, NULL);
        if (status != CL_COMPLETE)
            wrong(w, "an event has status %d after its end", status);
        seen_done(w, list.objects[i]->command);
    }
}
