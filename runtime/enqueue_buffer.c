// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Linear transfers: clEnqueueReadBuffer, WriteBuffer, CopyBuffer, FillBuffer. */

#include "runtime/api.h"
#include "runtime/enqueue_common.h"

static bool fits(cl_mem buffer, size_t offset, size_t size) {
    return offset <= buffer->size && size <= buffer->size - offset;
}

/* ---- read and write -------------------------------------------------------------------------- */

static cl_int check_access(const char *function, cl_command_queue queue, cl_mem buffer, bool read,
                           size_t offset, size_t size, const void *ptr, cl_uint count,
                           const cl_event *list) {
    if (!weft_is_queue(queue))
        return weft_fail(NULL, function, CL_INVALID_COMMAND_QUEUE,
                         "if command_queue is not a valid host command-queue");
    WEFT_TRY(weft_check_buffer(function, queue, buffer));
    if (!ptr || !fits(buffer, offset, size))
        return weft_fail(queue->context, function, CL_INVALID_VALUE,
                         "if the region being read or written specified by (offset, size) is out "
                         "of bounds or if ptr is a NULL value");
    WEFT_TRY(weft_check_wait_list(function, queue->context, count, list));
    WEFT_TRY(weft_check_aligned(function, queue, buffer));
    return weft_check_host_access(function, buffer, read);
}

/* One linear copy as a command that keeps up to two memory objects. */
static cl_int enqueue_copy(cl_command_queue queue, cl_command_type type, cl_mem a, cl_mem b,
                           void *to, const void *from, size_t size, cl_bool blocking, cl_uint count,
                           const cl_event *list, cl_event *event) {
    weft_command *command = weft_command_create(queue, type, count, list);
    weft_transfer *transfer;

    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    weft_command_hold(command, a);
    if (b)
        weft_command_hold(command, b);
    if (size) {
        transfer = weft_command_transfer(command, 1);
        transfer->to = to;
        transfer->from = from;
        transfer->row_bytes = size;
        transfer->rows = transfer->planes = 1;
    }
    return weft_command_enqueue(command, blocking, event);
}

cl_int CL_API_CALL weft_clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
                                            cl_bool blocking_read, size_t offset, size_t size,
                                            void *ptr, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
    WEFT_TRY(check_access(__func__, command_queue, buffer, true, offset, size, ptr,
                          num_events_in_wait_list, event_wait_list));
    return enqueue_copy(command_queue, CL_COMMAND_READ_BUFFER, buffer, NULL, ptr,
                        buffer->data + offset, size, blocking_read, num_events_in_wait_list,
                        event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                             cl_bool blocking_write, size_t offset, size_t size,
                                             const void *ptr, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event) {
    WEFT_TRY(check_access(__func__, command_queue, buffer, false, offset, size, ptr,
                          num_events_in_wait_list, event_wait_list));
    return enqueue_copy(command_queue, CL_COMMAND_WRITE_BUFFER, buffer, NULL, buffer->data + offset,
                        ptr, size, blocking_write, num_events_in_wait_list, event_wait_list, event);
}

/* ---- copy ------------------------------------------------------------------------------------ */

cl_int CL_API_CALL weft_clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer,
                                            cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                            size_t size, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_TRY(weft_check_buffer(__func__, command_queue, src_buffer));
    WEFT_TRY(weft_check_buffer(__func__, command_queue, dst_buffer));
    WEFT_CHECK(context, fits(src_buffer, src_offset, size) && fits(dst_buffer, dst_offset, size),
               CL_INVALID_VALUE,
               "if src_offset, dst_offset, size, src_offset + size or dst_offset + size require "
               "accessing elements outside the src_buffer and dst_buffer buffer objects");
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);
    WEFT_TRY(weft_check_aligned(__func__, command_queue, src_buffer));
    WEFT_TRY(weft_check_aligned(__func__, command_queue, dst_buffer));
    WEFT_CHECK(context,
               !size || !weft_mem_overlaps(src_buffer, src_offset, dst_buffer, dst_offset, size),
               CL_MEM_COPY_OVERLAP,
               "if src_buffer and dst_buffer are the same buffer or sub-buffer object and the "
               "source and destination regions overlap");
    return enqueue_copy(command_queue, CL_COMMAND_COPY_BUFFER, src_buffer, dst_buffer,
                        dst_buffer->data + dst_offset, src_buffer->data + src_offset, size,
                        CL_FALSE, num_events_in_wait_list, event_wait_list, event);
}

/* ---- fill ------------------------------------------------------------------------------------ */

static cl_int enqueue_fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint count,
                           const cl_event *list, cl_event *event) {
    weft_command *command = weft_command_create(queue, CL_COMMAND_FILL_BUFFER, count, list);
    weft_transfer *transfer;

    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    weft_command_hold(command, buffer);
    if (size) {
        transfer = weft_command_transfer(command, 1);
        transfer->to = buffer->data + offset;
        transfer->row_bytes = size;
        transfer->rows = transfer->planes = 1;
        memcpy(transfer->pattern, pattern, pattern_size);
        transfer->pattern_bytes = (uint32_t)pattern_size;
    }
    return weft_command_enqueue(command, CL_FALSE, event);
}

cl_int CL_API_CALL weft_clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer,
                                            const void *pattern, size_t pattern_size, size_t offset,
                                            size_t size, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_TRY(weft_check_buffer(__func__, command_queue, buffer));
    WEFT_CHECK(context, fits(buffer, offset, size), CL_INVALID_VALUE,
               "if offset or offset + size require accessing elements outside the buffer buffer "
               "object respectively");
    WEFT_CHECK(context,
               pattern && pattern_size && pattern_size <= 128 &&
                   (pattern_size & (pattern_size - 1)) == 0,
               CL_INVALID_VALUE,
               "if pattern is NULL or if pattern_size is 0 or if pattern_size is not one of {1, "
               "2, 4, 8, 16, 32, 64, 128}");
    WEFT_CHECK(context, offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE,
               "if offset and size are not a multiple of pattern_size");
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);
    WEFT_TRY(weft_check_aligned(__func__, command_queue, buffer));
    return enqueue_fill(command_queue, buffer, pattern, pattern_size, offset, size,
                        num_events_in_wait_list, event_wait_list, event);
}
