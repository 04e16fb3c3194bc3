// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Rectangular transfers: clEnqueueReadBufferRect, WriteBufferRect, CopyBufferRect. */

#include "runtime/api.h"
#include "runtime/enqueue_common.h"

/* One side of a rectangular transfer, pitches filled in. */
typedef struct rect_side {
    const size_t *origin;
    size_t row_pitch, slice_pitch;
    size_t offset; /* of the first byte */
} rect_side;

static bool product(size_t a, size_t b, size_t *result) {
    return !__builtin_mul_overflow(a, b, result);
}

/* Where byte (x, y, z) lies; false: not in the address space. */
static bool locate(const rect_side *side, size_t x, size_t y, size_t z, size_t *at) {
    size_t rows, slices;

    return product(y, side->row_pitch, &rows) && product(z, side->slice_pitch, &slices) &&
           !__builtin_add_overflow(rows, slices, at) && !__builtin_add_overflow(*at, x, at);
}

/* "If row_pitch is 0, it is computed as region[0]", and the rules for those that are given. */
static cl_int fill_side(const char *function, cl_context context, const size_t *region,
                        rect_side *side) {
    size_t slice;

    if (!side->row_pitch)
        side->row_pitch = region[0];
    if (side->row_pitch < region[0] || !product(region[1], side->row_pitch, &slice))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if row_pitch is not 0 and is less than region[0]");
    if (!side->slice_pitch)
        side->slice_pitch = slice;
    if (side->slice_pitch < slice || side->slice_pitch % side->row_pitch)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if slice_pitch is not 0 and is less than region[1] * row_pitch or is "
                         "not a multiple of row_pitch");
    return CL_SUCCESS;
}

/* Finds the first byte; the last one must lie below `size`. */
static cl_int check_side(const char *function, cl_context context, const size_t *region,
                         size_t size, rect_side *side) {
    size_t x, y, z, last;
    bool fits = locate(side, side->origin[0], side->origin[1], side->origin[2], &side->offset) &&
                !__builtin_add_overflow(side->origin[0], region[0] - 1, &x) &&
                !__builtin_add_overflow(side->origin[1], region[1] - 1, &y) &&
                !__builtin_add_overflow(side->origin[2], region[2] - 1, &z) &&
                locate(side, x, y, z, &last) && last < size;

    if (!fits)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if the region specified by (origin, region, row_pitch, slice_pitch) is "
                         "out of bounds");
    return CL_SUCCESS;
}

static cl_int check_region(const char *function, cl_context context, const size_t *a,
                           const size_t *b, const size_t *region) {
    if (!a || !b || !region)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if an origin or region is a NULL value");
    if (!region[0] || !region[1] || !region[2])
        return weft_fail(context, function, CL_INVALID_VALUE, "if any region array element is 0");
    return CL_SUCCESS;
}

static cl_int enqueue(cl_command_queue queue, cl_command_type type, cl_mem a, cl_mem b,
                      unsigned char *to, const rect_side *to_side, const unsigned char *from,
                      const rect_side *from_side, const size_t *region, cl_bool blocking,
                      cl_uint count, const cl_event *list, cl_event *event) {
    weft_command *command = weft_command_create(queue, type, count, list);
    weft_transfer *transfer;

    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    weft_command_hold(command, a);
    if (b)
        weft_command_hold(command, b);
    transfer = weft_command_transfer(command, 1);
    transfer->to = to + to_side->offset;
    transfer->from = from + from_side->offset;
    transfer->row_bytes = region[0];
    transfer->rows = region[1];
    transfer->planes = region[2];
    transfer->to_row_pitch = to_side->row_pitch;
    transfer->to_plane_pitch = to_side->slice_pitch;
    transfer->from_row_pitch = from_side->row_pitch;
    transfer->from_plane_pitch = from_side->slice_pitch;
    return weft_command_enqueue(command, blocking, event);
}

/* ---- read and write -------------------------------------------------------------------------- */

static cl_int check_access(const char *function, cl_command_queue queue, cl_mem buffer, bool read,
                           rect_side *inside, rect_side *outside, const size_t *region,
                           const void *ptr, cl_uint count, const cl_event *list) {
    if (!weft_is_queue(queue))
        return weft_fail(NULL, function, CL_INVALID_COMMAND_QUEUE,
                         "if command_queue is not a valid host command-queue");
    WEFT_TRY(weft_check_buffer(function, queue, buffer));
    WEFT_TRY(check_region(function, queue->context, inside->origin, outside->origin, region));
    WEFT_TRY(fill_side(function, queue->context, region, inside));
    WEFT_TRY(fill_side(function, queue->context, region, outside));
    WEFT_TRY(check_side(function, queue->context, region, buffer->size, inside));
    WEFT_TRY(check_side(function, queue->context, region, SIZE_MAX, outside));
    if (!ptr)
        return weft_fail(queue->context, function, CL_INVALID_VALUE, "if ptr is a NULL value");
    WEFT_TRY(weft_check_wait_list(function, queue->context, count, list));
    WEFT_TRY(weft_check_aligned(function, queue, buffer));
    return weft_check_host_access(function, buffer, read);
}

cl_int CL_API_CALL weft_clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                                cl_bool blocking_read, const size_t *buffer_origin,
                                                const size_t *host_origin, const size_t *region,
                                                size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                size_t host_row_pitch, size_t host_slice_pitch,
                                                void *ptr, cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
    rect_side inside = {buffer_origin, buffer_row_pitch, buffer_slice_pitch, 0};
    rect_side outside = {host_origin, host_row_pitch, host_slice_pitch, 0};

    WEFT_TRY(check_access(__func__, command_queue, buffer, true, &inside, &outside, region, ptr,
                          num_events_in_wait_list, event_wait_list));
    return enqueue(command_queue, CL_COMMAND_READ_BUFFER_RECT, buffer, NULL, ptr, &outside,
                   buffer->data, &inside, region, blocking_read, num_events_in_wait_list,
                   event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                                 cl_bool blocking_write,
                                                 const size_t *buffer_origin,
                                                 const size_t *host_origin, const size_t *region,
                                                 size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                 size_t host_row_pitch, size_t host_slice_pitch,
                                                 const void *ptr, cl_uint num_events_in_wait_list,
                                                 const cl_event *event_wait_list, cl_event *event) {
    rect_side inside = {buffer_origin, buffer_row_pitch, buffer_slice_pitch, 0};
    rect_side outside = {host_origin, host_row_pitch, host_slice_pitch, 0};

    WEFT_TRY(check_access(__func__, command_queue, buffer, false, &inside, &outside, region, ptr,
                          num_events_in_wait_list, event_wait_list));
    return enqueue(command_queue, CL_COMMAND_WRITE_BUFFER_RECT, buffer, NULL, buffer->data, &inside,
                   ptr, &outside, region, blocking_write, num_events_in_wait_list, event_wait_list,
                   event);
}

/* ---- copy ------------------------------------------------------------------------------------ */

/* Bytes from the first to behind the last one of a region. */
static size_t extent(const rect_side *side, const size_t *region) {
    return (region[2] - 1) * side->slice_pitch + (region[1] - 1) * side->row_pitch + region[0];
}

/* Does [b, b + length) lie in the gap behind [a, a + length) before a repeats after `pitch`? */
static bool in_gap(size_t a, size_t b, size_t length, size_t pitch) {
    return b >= a + length && b + length <= a + pitch;
}

/* Appendix D of the specification: both regions in one buffer, with the same pitches. */
static bool regions_overlap(const rect_side *src, const rect_side *dst, const size_t *region) {
    size_t row = src->row_pitch, slice = src->slice_pitch;
    size_t slice_size = (region[1] - 1) * row + region[0];
    size_t src_dx = src->origin[0] % row, dst_dx = dst->origin[0] % row;
    size_t src_dy = (src->origin[1] * row + src->origin[0]) % slice;
    size_t dst_dy = (dst->origin[1] * row + dst->origin[0]) % slice;

    /* "No overlap if dst ends before src starts or if src ends before dst starts." */
    if (dst->offset + extent(dst, region) <= src->offset ||
        src->offset + extent(src, region) <= dst->offset)
        return false;
    /* "No overlap if region[0] for dst or src fits in the gap between region[0] and row_pitch." */
    if (in_gap(src_dx, dst_dx, region[0], row) || in_gap(dst_dx, src_dx, region[0], row))
        return false;
    /* "No overlap if region[1] for dst or src fits in the gap between region[1] and
     * slice_pitch." */
    return !in_gap(src_dy, dst_dy, slice_size, slice) && !in_gap(dst_dy, src_dy, slice_size, slice);
}

static bool copy_overlaps(cl_mem a, const rect_side *src, cl_mem b, const rect_side *dst,
                          const size_t *region) {
    size_t src_bytes = extent(src, region), dst_bytes = extent(dst, region);

    if (a == b)
        return regions_overlap(src, dst, region);
    return weft_mem_overlaps(a, src->offset, b, dst->offset,
                             src_bytes > dst_bytes ? src_bytes : dst_bytes);
}

static cl_int check_copy(const char *function, cl_command_queue queue, cl_mem src_buffer,
                         cl_mem dst_buffer, rect_side *src, rect_side *dst, const size_t *region) {
    cl_context context;

    if (!weft_is_queue(queue))
        return weft_fail(NULL, function, CL_INVALID_COMMAND_QUEUE,
                         "if command_queue is not a valid host command-queue");
    context = queue->context;
    WEFT_TRY(weft_check_buffer(function, queue, src_buffer));
    WEFT_TRY(weft_check_buffer(function, queue, dst_buffer));
    WEFT_TRY(check_region(function, context, src->origin, dst->origin, region));
    WEFT_TRY(fill_side(function, context, region, src));
    WEFT_TRY(fill_side(function, context, region, dst));
    WEFT_TRY(check_side(function, context, region, src_buffer->size, src));
    WEFT_TRY(check_side(function, context, region, dst_buffer->size, dst));
    if (src_buffer == dst_buffer &&
        (src->row_pitch != dst->row_pitch || src->slice_pitch != dst->slice_pitch))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "If src_buffer and dst_buffer are the same buffer object, src_row_pitch "
                         "must equal dst_row_pitch and src_slice_pitch must equal "
                         "dst_slice_pitch");
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer,
                                                cl_mem dst_buffer, const size_t *src_origin,
                                                const size_t *dst_origin, const size_t *region,
                                                size_t src_row_pitch, size_t src_slice_pitch,
                                                size_t dst_row_pitch, size_t dst_slice_pitch,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
    rect_side src = {src_origin, src_row_pitch, src_slice_pitch, 0};
    rect_side dst = {dst_origin, dst_row_pitch, dst_slice_pitch, 0};

    WEFT_TRY(check_copy(__func__, command_queue, src_buffer, dst_buffer, &src, &dst, region));
    WEFT_CHECK_WAIT_LIST(command_queue->context, num_events_in_wait_list, event_wait_list);
    WEFT_CHECK(command_queue->context, !copy_overlaps(src_buffer, &src, dst_buffer, &dst, region),
               CL_MEM_COPY_OVERLAP,
               "if src_buffer and dst_buffer are the same buffer or sub-buffer object and the "
               "source and destination regions overlap or if src_buffer and dst_buffer are "
               "different sub-buffers of the same associated buffer object and they overlap");
    WEFT_TRY(weft_check_aligned(__func__, command_queue, src_buffer));
    WEFT_TRY(weft_check_aligned(__func__, command_queue, dst_buffer));
    return enqueue(command_queue, CL_COMMAND_COPY_BUFFER_RECT, src_buffer, dst_buffer,
                   dst_buffer->data, &dst, src_buffer->data, &src, region, CL_FALSE,
                   num_events_in_wait_list, event_wait_list, event);
}
