// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Mapping. The host sees every buffer's bytes where kernels see them, so a mapping moves nothing:
 * the commands order, and the memory object keeps the list of what is mapped.
 */

#include "runtime/api.h"
#include "runtime/enqueue_common.h"

#define WRITE_FLAGS ((cl_map_flags)(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))

/* ---- the list of mappings -------------------------------------------------------------------- */

/* Do two boxes have a byte in common? */
static bool boxes_meet(const weft_mapping *a, const weft_mapping *b) {
    for (int i = 0; i < 3; i++)
        if (a->origin[i] >= b->origin[i] + b->region[i] ||
            b->origin[i] >= a->origin[i] + a->region[i])
            return false;
    return true;
}

/* Adds a mapping; false: "mapping would lead to overlapping regions being mapped for writing". */
static bool add_mapping(cl_mem mem, weft_mapping *mapping) {
    bool clash = false;

    pthread_mutex_lock(&mem->lock);
    for (const weft_mapping *m = mem->mappings; m && !clash; m = m->next)
        clash = m->flags & WRITE_FLAGS && mapping->flags & WRITE_FLAGS && boxes_meet(m, mapping);
    if (!clash) {
        mapping->next = mem->mappings;
        mem->mappings = mapping;
        mem->map_count++;
    }
    pthread_mutex_unlock(&mem->lock);
    return !clash;
}

/* Takes out the newest mapping with that pointer; NULL: there is none. */
static weft_mapping *take_mapping(cl_mem mem, const void *pointer) {
    weft_mapping *mapping, **at = &mem->mappings;

    pthread_mutex_lock(&mem->lock);
    while (*at && (*at)->pointer != pointer)
        at = &(*at)->next;
    mapping = *at;
    if (mapping) {
        *at = mapping->next;
        mem->map_count--;
    }
    pthread_mutex_unlock(&mem->lock);
    return mapping;
}

/* ---- map ------------------------------------------------------------------------------------- */

static cl_int check_map(const char *function, cl_command_queue queue, cl_mem buffer,
                        cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                        const cl_event *list) {
    if (!weft_is_queue(queue))
        return weft_fail(NULL, function, CL_INVALID_COMMAND_QUEUE,
                         "if command_queue is not a valid host command-queue");
    WEFT_TRY(weft_check_buffer(function, queue, buffer));
    if (size == 0 || offset > buffer->size || size > buffer->size - offset)
        return weft_fail(queue->context, function, CL_INVALID_VALUE,
                         "if region being mapped given by (offset, size) is out of bounds or if "
                         "size is 0");
    WEFT_TRY(weft_check_map_flags(function, queue->context, flags));
    WEFT_TRY(weft_check_wait_list(function, queue->context, count, list));
    WEFT_TRY(weft_check_aligned(function, queue, buffer));
    return weft_check_map_access(function, buffer, flags);
}

/* The mapping counts from here on: that the application may not use it before the command has ended
 * is its own affair. */
cl_int weft_mem_map(const char *function, cl_command_queue queue, cl_command_type type, cl_mem mem,
                    weft_mapping *mapping, cl_bool blocking, cl_uint count, const cl_event *list,
                    cl_event *event) {
    weft_command *command = weft_command_create(queue, type, count, list);
    void *pointer = mapping->pointer;
    cl_int status;

    if (!command) {
        weft_free(mapping);
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (!add_mapping(mem, mapping)) {
        weft_command_discard(command);
        weft_free(mapping);
        return weft_fail(queue->context, function, CL_INVALID_OPERATION,
                         "if mapping would lead to overlapping regions being mapped for writing");
    }
    weft_command_hold(command, mem);
    status = weft_command_enqueue(command, blocking, event);
    if (status != CL_SUCCESS)
        weft_free(take_mapping(mem, pointer));
    return status;
}

static cl_int enqueue_map(const char *function, cl_command_queue queue, cl_mem buffer,
                          cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
                          cl_uint count, const cl_event *list, cl_event *event) {
    weft_mapping *mapping = weft_malloc(sizeof(*mapping));

    if (!mapping)
        return CL_OUT_OF_HOST_MEMORY;
    *mapping = (weft_mapping){NULL, buffer->data + offset, {offset, 0, 0}, {size, 1, 1}, flags};
    return weft_mem_map(function, queue, CL_COMMAND_MAP_BUFFER, buffer, mapping, blocking, count,
                        list, event);
}

void *CL_API_CALL weft_clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer,
                                          cl_bool blocking_map, cl_map_flags map_flags,
                                          size_t offset, size_t size,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event,
                                          cl_int *errcode_ret) {
    cl_int status = check_map(__func__, command_queue, buffer, map_flags, offset, size,
                              num_events_in_wait_list, event_wait_list);

    if (status == CL_SUCCESS)
        status = enqueue_map(__func__, command_queue, buffer, blocking_map, map_flags, offset, size,
                             num_events_in_wait_list, event_wait_list, event);
    if (errcode_ret)
        *errcode_ret = status;
    return status == CL_SUCCESS ? buffer->data + offset : NULL;
}

/* ---- unmap ----------------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj,
                                                void *mapped_ptr, cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_CHECK_MEM(context, memobj);
    WEFT_CHECK(context, memobj->type != CL_MEM_OBJECT_PIPE, CL_INVALID_MEM_OBJECT,
               "if memobj is not a valid memory object or is a pipe object");
    WEFT_CHECK(context, memobj->context == context, CL_INVALID_CONTEXT,
               "if context associated with command_queue and memobj are not the same");
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);

    weft_command *command = weft_command_create(command_queue, CL_COMMAND_UNMAP_MEM_OBJECT,
                                                num_events_in_wait_list, event_wait_list);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    weft_mapping *mapping = take_mapping(memobj, mapped_ptr);
    if (!mapping)
        weft_command_discard(command);
    WEFT_CHECK(context, mapping, CL_INVALID_VALUE,
               "if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or "
               "clEnqueueMapImage for memobj");
    weft_free(mapping);
    weft_command_hold(command, memobj);
    return weft_command_enqueue(command, CL_FALSE, event);
}
