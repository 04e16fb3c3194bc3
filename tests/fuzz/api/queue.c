// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Command queues, flush, finish, and the commands that only order. */

#include "rows.h"

/* ---- making ---------------------------------------------------------------------------------- */

static arg draw_owned_device(world *w, const object *context) {
    arg device = pick(w, DEVICE, NULL, NULL);
    if (!odd(w) && context && context->device_count) /* a sub-device may be released by now */
        device = arg_of(context->devices[draw(w, context->device_count)]);
    if (device.o && context && !has_device(context, device.o))
        fault(w, true, CL_INVALID_DEVICE);
    fault(w, !device.o, CL_INVALID_DEVICE);
    return device;
}

/* The default queue of a device is handed out again; anything else is new. */
static void made_queue(world *w, void *handle, object *context, object *device,
                       cl_command_queue_properties properties) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->objects[i]->kind == QUEUE && w->objects[i]->refs &&
            w->objects[i]->handle == handle) {
            if (!(properties & CL_QUEUE_ON_DEVICE_DEFAULT))
                wrong(w, "a queue was made that there was already");
            w->objects[i]->refs++;
            return;
        }
    object *queue = add(w, QUEUE, handle, context);
    queue->devices[0] = device;
    queue->device_count = 1;
    queue->in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    queue->profiles = properties & CL_QUEUE_PROFILING_ENABLE;
    queue->on_device = properties & CL_QUEUE_ON_DEVICE;
}

typedef cl_command_queue creates(cl_context, cl_device_id, const cl_queue_properties *, cl_int *);

static cl_command_queue_properties draw_bits(world *w) {
    const cl_command_queue_properties on_device =
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue_properties bits = draw(w, 4);
    if (odd(w))
        bits = draw(w, 32);
    else if (draw(w, 8) == 0)
        bits = on_device | (draw(w, 2) ? CL_QUEUE_ON_DEVICE_DEFAULT : 0);
    /* "if values specified in properties are not valid", or are "not supported by the device" */
    fault(w, bits & 16, CL_INVALID_VALUE);
    fault(w, bits & CL_QUEUE_ON_DEVICE_DEFAULT && !(bits & CL_QUEUE_ON_DEVICE), CL_INVALID_VALUE);
    fault(w, bits & CL_QUEUE_ON_DEVICE && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
          CL_INVALID_VALUE);
    return bits;
}

static void row_create_with(world *w, creates *create) {
    cl_queue_properties list[12];
    size_t at = 0;
    if (is_full(w, QUEUE))
        return;
    arg context = draw_context(w), device = draw_owned_device(w, context.o);
    cl_command_queue_properties bits = draw_bits(w);
    bool none = draw(w, 4) == 0;
    if (none)
        bits = 0, expect_nothing(w), fault(w, !context.o, CL_INVALID_CONTEXT),
        fault(w, !device.o || (context.o && !has_device(context.o, device.o)), CL_INVALID_DEVICE);
    list[at++] = CL_QUEUE_PROPERTIES;
    list[at++] = bits;
    bool on_device = bits & CL_QUEUE_ON_DEVICE;
    if (!none && (on_device ? draw(w, 2) : odd(w))) {
        size_t size = odd(w) ? draw_garbage(w) : 4096;
        list[at++] = CL_QUEUE_SIZE;
        list[at++] = size;
        fault(w, !on_device || !size, CL_INVALID_VALUE);
        fault(w, size > (1u << 24), CL_INVALID_QUEUE_PROPERTIES);
        may(w, size > (1u << 24), CL_INVALID_VALUE);
        may(w, size != 4096, CL_INVALID_QUEUE_PROPERTIES);
    }
    if (!none && draw(w, 4) == 0) {
        bool bad = odd(w);
        list[at++] = draw(w, 2) ? CL_QUEUE_PRIORITY_KHR : CL_QUEUE_THROTTLE_KHR;
        list[at++] = bad ? 3 : 1u << draw(w, 3);
        fault(w, bad, CL_INVALID_VALUE);
        fault(w, on_device, CL_INVALID_QUEUE_PROPERTIES);
    }
    if (!none && odd(w)) {
        list[at++] = draw(w, 2) ? 0x7777 : CL_QUEUE_PROPERTIES;
        list[at++] = bits;
        fault(w, true, CL_INVALID_VALUE);
    }
    list[at] = 0;
    SAY("%s, %s, %s {%#llx, %zu more}, &status", name_of(&context), name_of(&device),
        none ? "NULL" : "", (unsigned long long)bits, at / 2 - 1);
    cl_command_queue made = create(context.handle, device.handle, none ? NULL : list, errcode(w));
    if (judge_object(w, made))
        made_queue(w, made, context.o, device.o, bits);
}

void row_clCreateCommandQueueWithProperties(world *w) {
    row_create_with(w, cl.clCreateCommandQueueWithProperties);
}

void row_clCreateCommandQueueWithPropertiesKHR(world *w) {
    row_create_with(w, cl.clCreateCommandQueueWithPropertiesKHR);
}

void row_clCreateCommandQueue(world *w) {
    if (is_full(w, QUEUE))
        return;
    arg context = draw_context(w), device = draw_owned_device(w, context.o);
    cl_command_queue_properties bits = draw(w, 4);
    if (odd(w)) {
        bits |= draw(w, 2) ? CL_QUEUE_ON_DEVICE : 1 << 9;
        fault(w, true, CL_INVALID_VALUE);
        may(w, true, CL_INVALID_QUEUE_PROPERTIES);
    }
    SAY("%s, %s, %#llx, &status", name_of(&context), name_of(&device), (unsigned long long)bits);
    cl_command_queue made =
        cl.clCreateCommandQueue(context.handle, device.handle, bits, errcode(w));
    if (judge_object(w, made))
        made_queue(w, made, context.o, device.o, bits);
}

/* "CL_INVALID_OPERATION if no devices in the context ... support modifying the properties" */
void row_clSetCommandQueueProperty(world *w) {
    cl_command_queue_properties old, bits = odd(w) ? 1 << 9 : draw(w, 4);
    arg queue = pick(w, QUEUE, NULL, is_host_queue);
    fault(w, !queue.o, CL_INVALID_COMMAND_QUEUE);
    may(w, IS(queue, is_device_queue), CL_INVALID_COMMAND_QUEUE);
    fault(w, bits > 3, CL_INVALID_VALUE);
    fault(w, true, CL_INVALID_OPERATION);
    SAY("%s, %#llx, CL_TRUE, &old", name_of(&queue), (unsigned long long)bits);
    judge(w, cl.clSetCommandQueueProperty(queue.handle, bits, CL_TRUE, &old));
}

void row_clSetDefaultDeviceCommandQueue(world *w) {
    arg context = draw_context(w), device = draw_owned_device(w, context.o);
    arg queue = pick(w, QUEUE, context.o, is_device_queue);
    bool good = IS(queue, is_device_queue) && context.o && queue.o->context == context.o &&
                queue.o->devices[0] == device.o;
    fault(w, !good, CL_INVALID_COMMAND_QUEUE);
    SAY("%s, %s, %s", name_of(&context), name_of(&device), name_of(&queue));
    judge(w, cl.clSetDefaultDeviceCommandQueue(context.handle, device.handle, queue.handle));
}

/* ---- flush and finish ------------------------------------------------------------------------ */

void row_clFlush(world *w) {
    arg queue = draw_queue(w);
    SAY("%s", name_of(&queue));
    judge(w, cl.clFlush(queue.handle));
}

static bool is_idle(object *queue) {
    for (unsigned i = 0; i < queue->pending_count; i++)
        if (!is_settled(queue->pending[i]))
            return false;
    return true;
}

void row_clFinish(world *w) {
    arg queue = draw_queue(w);
    if (queue.o && !is_idle(queue.o))
        return;
    SAY("%s", name_of(&queue));
    if (!judge(w, cl.clFinish(queue.handle)))
        return;
    for (unsigned i = 0; i < w->count; i++)
        if (w->objects[i]->kind == SVM && w->objects[i]->used_by == queue.o)
            w->objects[i]->used = false;
    for (command *c = w->commands; c; c = c->next)
        if (c->queue == queue.o)
            seen_done(w, c);
}

/* ---- markers and barriers -------------------------------------------------------------------- */

void row_clEnqueueMarkerWithWaitList(world *w) {
    waits list;
    arg queue = draw_queue(w);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s", name_of(&queue), waits_text(&list));
    if (judge(w, cl.clEnqueueMarkerWithWaitList(queue.handle, list.count, list.list, list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_MARKER, list.count ? ORDER_PLAIN : ORDER_ALL, false);
}

void row_clEnqueueBarrierWithWaitList(world *w) {
    waits list;
    arg queue = draw_queue(w);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s", name_of(&queue), waits_text(&list));
    if (judge(w, cl.clEnqueueBarrierWithWaitList(queue.handle, list.count, list.list, list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_BARRIER,
                 ORDER_BARRIER | (list.count ? ORDER_PLAIN : ORDER_ALL), false);
}

void row_clEnqueueMarker(world *w) {
    waits list = {0};
    arg queue = draw_queue(w);
    list.event = odd(w) ? NULL : &list.out;
    if (is_full(w, EVENT))
        return;
    fault(w, !list.event, CL_INVALID_VALUE);
    SAY("%s, %s", name_of(&queue), list.event ? "&event" : "NULL");
    if (judge(w, cl.clEnqueueMarker(queue.handle, list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_MARKER, ORDER_ALL, false);
}

void row_clEnqueueBarrier(world *w) {
    waits list = {0};
    arg queue = draw_queue(w);
    SAY("%s", name_of(&queue));
    if (judge(w, cl.clEnqueueBarrier(queue.handle)))
        enqueued(w, queue.o, &list, CL_COMMAND_BARRIER, ORDER_ALL | ORDER_BARRIER, false);
}

void row_clEnqueueWaitForEvents(world *w) {
    waits list = {0};
    arg queue = draw_queue(w);
    list.count = odd(w) ? 0 : (cl_uint)(1 + draw(w, MOST_WAITS));
    for (cl_uint i = 0; i < list.count; i++) {
        arg event = pick(w, EVENT, queue.o ? queue.o->context : NULL, NULL);
        list.events[i] = event.handle;
        list.objects[i] = event.o;
        fault(w, !event.o, CL_INVALID_EVENT);
        fault(w, event.o && queue.o && event.o->context != queue.o->context, CL_INVALID_CONTEXT);
    }
    list.list = odd(w) ? NULL : list.events;
    fault(w, !list.count || !list.list, CL_INVALID_VALUE);
    SAY("%s, %s", name_of(&queue), waits_text(&list));
    if (judge(w, cl.clEnqueueWaitForEvents(queue.handle, list.count, list.list)))
        enqueued(w, queue.o, &list, CL_COMMAND_BARRIER, ORDER_BARRIER, false);
}

void row_clEnqueueMigrateMemObjects(world *w) {
    waits list;
    cl_mem mems[2];
    arg picked[2] = {{0}};
    arg queue = draw_queue(w);
    cl_uint count = odd(w) ? 0 : (cl_uint)(1 + draw(w, 2));
    for (cl_uint i = 0; i < count; i++) {
        picked[i] = draw_mem(w, queue.o, NULL);
        mems[i] = picked[i].handle;
    }
    const cl_mem *given = odd(w) ? NULL : mems;
    cl_mem_migration_flags flags = draw(w, 4) << 0;
    if (odd(w))
        flags = 1 << 5;
    fault(w, !count || !given || flags > 3, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %u, %s {%s, %s}, %#llx, %s", name_of(&queue), count, given ? "" : "NULL",
        name_of(&picked[0]), name_of(&picked[1]), (unsigned long long)flags, waits_text(&list));
    if (!judge(w, cl.clEnqueueMigrateMemObjects(queue.handle, count, given, flags, list.count,
                                                list.list, list.event)))
        return;
    command *c = enqueued(w, queue.o, &list, CL_COMMAND_MIGRATE_MEM_OBJECTS, ORDER_PLAIN, false);
    for (cl_uint i = 0; i < count && flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED; i++)
        touch_spoil(w, c, picked[i].o);
}
