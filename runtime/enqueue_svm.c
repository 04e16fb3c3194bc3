// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clEnqueueSVM* and clEnqueueMem*INTEL. Any address is valid: host and devices share all memory. */

#include "runtime/api.h"
#include "runtime/enqueue_common.h"
#include "runtime/svm.h"

static const cl_map_flags MAP_FLAGS = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
static const cl_mem_migration_flags MIGRATION_FLAGS =
    CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

/* ---- copy and fill --------------------------------------------------------------------------- */

static bool overlap(const void *a, const void *b, size_t size) {
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;

    return x < y ? y - x < size : x - y < size;
}

/* The command of a function, and where its event goes. */
typedef struct call {
    const char *function; /* __func__ */
    cl_command_queue queue;
    cl_command_type type;
    cl_uint count;
    const cl_event *list;
    cl_event *event;
} call;

static cl_int check_queue(const call *call) {
    if (weft_is_queue(call->queue))
        return CL_SUCCESS;
    return weft_fail(NULL, call->function, CL_INVALID_COMMAND_QUEUE,
                     "if command_queue is not a valid host command-queue");
}

static weft_command *create(const call *call) {
    return weft_command_create(call->queue, call->type, call->count, call->list);
}

static cl_int enqueue_copy(const call *call, cl_bool blocking, void *to, const void *from,
                           size_t size) {
    WEFT_TRY(check_queue(call));
    cl_context context = call->queue->context;
    if (!to || !from)
        return weft_fail(context, call->function, CL_INVALID_VALUE,
                         "if dst_ptr or src_ptr are NULL");
    WEFT_TRY(weft_check_wait_list(call->function, context, call->count, call->list));
    if (overlap(to, from, size))
        return weft_fail(context, call->function, CL_MEM_COPY_OVERLAP,
                         "if the values specified for dst_ptr, src_ptr and size result in an "
                         "overlapping copy");
    weft_command *command = create(call);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    if (size) {
        weft_transfer *transfer = weft_command_transfer(command, 1);
        transfer->to = to;
        transfer->from = from;
        transfer->row_bytes = size;
        transfer->rows = transfer->planes = 1;
    }
    return weft_command_enqueue(command, blocking, call->event);
}

cl_int CL_API_CALL weft_clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy,
                                           void *dst_ptr, const void *src_ptr, size_t size,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event) {
    const call call = {
        __func__,        command_queue, CL_COMMAND_SVM_MEMCPY, num_events_in_wait_list,
        event_wait_list, event};

    return enqueue_copy(&call, blocking_copy, dst_ptr, src_ptr, size);
}

cl_int CL_API_CALL weft_clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
                                             void *dst_ptr, const void *src_ptr, size_t size,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event) {
    const call call = {
        __func__,        command_queue, CL_COMMAND_MEMCPY_INTEL, num_events_in_wait_list,
        event_wait_list, event};

    return enqueue_copy(&call, blocking, dst_ptr, src_ptr, size);
}

static cl_int check_fill(const char *function, cl_context context, const void *svm_ptr,
                         const void *pattern, size_t pattern_size, size_t size) {
    if (!svm_ptr)
        return weft_fail(context, function, CL_INVALID_VALUE, "if the pointer is NULL");
    if (!pattern || !pattern_size || pattern_size > 128 || (pattern_size & (pattern_size - 1)))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if pattern is NULL or if pattern_size is 0 or if pattern_size is not one "
                         "of {1, 2, 4, 8, 16, 32, 64, 128}");
    if ((uintptr_t)svm_ptr % pattern_size)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if the pointer is not aligned to pattern_size bytes");
    if (size % pattern_size)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if size is not a multiple of pattern_size");
    return CL_SUCCESS;
}

static cl_int enqueue_fill(const call *call, void *to, const void *pattern, size_t pattern_size,
                           size_t size) {
    WEFT_TRY(check_queue(call));
    cl_context context = call->queue->context;
    WEFT_TRY(check_fill(call->function, context, to, pattern, pattern_size, size));
    WEFT_TRY(weft_check_wait_list(call->function, context, call->count, call->list));
    weft_command *command = create(call);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    if (size) {
        weft_transfer *transfer = weft_command_transfer(command, 1);
        transfer->to = to;
        transfer->row_bytes = size;
        transfer->rows = transfer->planes = 1;
        memcpy(transfer->pattern, pattern, pattern_size);
        transfer->pattern_bytes = (uint32_t)pattern_size;
    }
    return weft_command_enqueue(command, CL_FALSE, call->event);
}

cl_int CL_API_CALL weft_clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr,
                                            const void *pattern, size_t pattern_size, size_t size,
                                            cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
    const call call = {
        __func__,        command_queue, CL_COMMAND_SVM_MEMFILL, num_events_in_wait_list,
        event_wait_list, event};

    return enqueue_fill(&call, svm_ptr, pattern, pattern_size, size);
}

cl_int CL_API_CALL weft_clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr,
                                              const void *pattern, size_t pattern_size, size_t size,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event) {
    const call call = {
        __func__,        command_queue, CL_COMMAND_MEMFILL_INTEL, num_events_in_wait_list,
        event_wait_list, event};

    return enqueue_fill(&call, dst_ptr, pattern, pattern_size, size);
}

/* Deprecated before the extension's first version; the header still has it, and older programs look
 * it up. "value" is a byte, as for memset. */
cl_int CL_API_CALL weft_clEnqueueMemsetINTEL(cl_command_queue command_queue, void *dst_ptr,
                                             cl_int value, size_t size,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event) {
    const call call = {
        __func__,        command_queue, CL_COMMAND_MEMFILL_INTEL, num_events_in_wait_list,
        event_wait_list, event};
    const cl_uchar byte = (cl_uchar)value;

    return enqueue_fill(&call, dst_ptr, &byte, 1, size);
}

/* ---- map, unmap, migrate, advise: they only order -------------------------------------------- */

static cl_int enqueue_order(cl_command_queue queue, cl_command_type type, cl_bool blocking,
                            cl_uint count, const cl_event *list, cl_event *event) {
    weft_command *command = weft_command_create(queue, type, count, list);

    return command ? weft_command_enqueue(command, blocking, event) : CL_OUT_OF_HOST_MEMORY;
}

cl_int CL_API_CALL weft_clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                                        cl_map_flags map_flags, void *svm_ptr, size_t size,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_CHECK(context, svm_ptr, CL_INVALID_VALUE, "if svm_ptr is NULL");
    WEFT_CHECK(context, size > 0, CL_INVALID_VALUE, "if size is 0");
    WEFT_CHECK(context,
               !(map_flags & ~MAP_FLAGS) && (!(map_flags & CL_MAP_WRITE_INVALIDATE_REGION) ||
                                             map_flags == CL_MAP_WRITE_INVALIDATE_REGION),
               CL_INVALID_VALUE, "if values specified in map_flags are not valid");
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);
    return enqueue_order(command_queue, CL_COMMAND_SVM_MAP, blocking_map, num_events_in_wait_list,
                         event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    WEFT_CHECK(command_queue->context, svm_ptr, CL_INVALID_VALUE, "if svm_ptr is NULL");
    WEFT_CHECK_WAIT_LIST(command_queue->context, num_events_in_wait_list, event_wait_list);
    return enqueue_order(command_queue, CL_COMMAND_SVM_UNMAP, CL_FALSE, num_events_in_wait_list,
                         event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueSVMMigrateMem(cl_command_queue command_queue,
                                               cl_uint num_svm_pointers, const void **svm_pointers,
                                               const size_t *sizes, cl_mem_migration_flags flags,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_CHECK(context, num_svm_pointers > 0 && svm_pointers, CL_INVALID_VALUE,
               "if num_svm_pointers is zero or svm_pointers is NULL");
    WEFT_CHECK(context, !(flags & ~MIGRATION_FLAGS), CL_INVALID_VALUE,
               "if flags is not any of the values that are described");
    for (cl_uint i = 0; i < num_svm_pointers; i++) {
        weft_svm_block block;
        bool inside = weft_svm_find(context, svm_pointers[i], &block) && !block.type;
        size_t at = inside ? (size_t)((const unsigned char *)svm_pointers[i] - block.data) : 0;
        WEFT_CHECK(context, inside && (!sizes || sizes[i] <= block.size - at), CL_INVALID_VALUE,
                   "if the range [svm_pointers[i], svm_pointers[i]+sizes[i]) is not contained "
                   "within an existing clSVMAlloc allocation");
    }
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);
    return enqueue_order(command_queue, CL_COMMAND_SVM_MIGRATE_MEM, CL_FALSE,
                         num_events_in_wait_list, event_wait_list, event);
}

/* "ptr" and "size" may be anything: the extension names no error of theirs. */
cl_int CL_API_CALL weft_clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr,
                                                 size_t size, cl_mem_migration_flags flags,
                                                 cl_uint num_events_in_wait_list,
                                                 const cl_event *event_wait_list, cl_event *event) {
    (void)ptr;
    (void)size;
    WEFT_CHECK_QUEUE(command_queue);
    WEFT_CHECK(command_queue->context, !(flags & ~MIGRATION_FLAGS), CL_INVALID_VALUE,
               "if flags is not a supported combination of memory migration flags");
    WEFT_CHECK_WAIT_LIST(command_queue->context, num_events_in_wait_list, event_wait_list);
    return enqueue_order(command_queue, CL_COMMAND_MIGRATEMEM_INTEL, CL_FALSE,
                         num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr,
                                                size_t size, cl_mem_advice_intel advice,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
    (void)ptr;
    (void)size;
    WEFT_CHECK_QUEUE(command_queue);
    /* "Enum values 0x4208-0x420F are reserved for future memory advices": there are none yet. */
    WEFT_CHECK(command_queue->context, advice == 0, CL_INVALID_VALUE,
               "if advice is not supported advice for the device associated with command_queue");
    WEFT_CHECK_WAIT_LIST(command_queue->context, num_events_in_wait_list, event_wait_list);
    return enqueue_order(command_queue, CL_COMMAND_MEMADVISE_INTEL, CL_FALSE,
                         num_events_in_wait_list, event_wait_list, event);
}

/* ---- free ------------------------------------------------------------------------------------ */

/* What an enqueued free needs: one block, freed by the command. */
typedef struct svm_free {
    cl_command_queue queue;
    void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void *[], void *);
    void *user_data;
    cl_uint count;
    void *pointers[];
} svm_free;

static int32_t call_back(void *user) {
    svm_free *what = user;

    what->function(what->queue, what->count, what->pointers, what->user_data);
    return CL_SUCCESS;
}

/* At the end of a command without a callback; one that failed has not run. */
static void free_pointers(weft_command *command) {
    svm_free *what = command->heap;

    for (cl_uint i = 0; i < what->count && !atomic_load(&command->node.failed); i++)
        weft_svm_free(command->context, what->pointers[i], false);
}

cl_int CL_API_CALL weft_clEnqueueSVMFree(
    cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
    void(CL_CALLBACK *pfn_free_func)(cl_command_queue, cl_uint, void *[], void *), void *user_data,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_CHECK(context, !num_svm_pointers == !svm_pointers, CL_INVALID_VALUE,
               "if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is NULL "
               "and num_svm_pointers is not 0");
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);

    weft_command *command = weft_command_create(command_queue, CL_COMMAND_SVM_FREE,
                                                num_events_in_wait_list, event_wait_list);
    svm_free *what = weft_malloc(sizeof(*what) + num_svm_pointers * sizeof(void *));
    if (!command || !what) {
        if (command)
            weft_command_discard(command);
        weft_free(what);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *what = (svm_free){command_queue, pfn_free_func, user_data, num_svm_pointers};
    if (num_svm_pointers)
        memcpy(what->pointers, svm_pointers, num_svm_pointers * sizeof(void *));
    command->heap = what;
    if (pfn_free_func)
        weft_command_host(command, call_back, what);
    else
        command->release = free_pointers;
    return weft_command_enqueue(command, CL_FALSE, event);
}
