// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Commands on images. Pixels lie as docs/images.md says, in the host's memory: each command is one
 * rectangular transfer, and a mapping moves nothing.
 */

#include "runtime/api.h"
#include "runtime/enqueue_common.h"
#include "runtime/image.h"

/* A box of an image as a transfer wants it: bytes of a row, rows, slices. A 1D array's images are
 * slices of one row each. */
typedef struct box {
    size_t x, y, z; /* in pixels, rows, slices */
    size_t width, height, slices;
    unsigned char *first;
} box;

/* ---- checks ---------------------------------------------------------------------------------- */

static cl_int check_queue(const char *function, cl_command_queue queue) {
    if (!weft_is_queue(queue))
        return weft_fail(NULL, function, CL_INVALID_COMMAND_QUEUE,
                         "if command_queue is not a valid host command-queue");
    return CL_SUCCESS;
}

static cl_int check_image(const char *function, cl_command_queue queue, cl_mem image) {
    if (!weft_is_mem(image))
        return weft_fail(queue->context, function, CL_INVALID_MEM_OBJECT,
                         "if image is not a valid image object");
    if (image->context != queue->context)
        return weft_fail(queue->context, function, CL_INVALID_CONTEXT,
                         "if the context associated with command_queue and image are not the same");
    if (!image->image)
        return weft_fail(queue->context, function, CL_INVALID_MEM_OBJECT,
                         "if image is not a valid image object");
    return CL_SUCCESS;
}

static bool inside(size_t origin, size_t region, size_t size) {
    return region > 0 && origin < size && region <= size - origin;
}

/* Fills in *result. */
static cl_int check_box(const char *function, cl_mem image, const size_t *origin,
                        const size_t *region, box *result) {
    const weft_image_desc *desc = image->image;
    bool line_array = desc->object_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t slices = desc->depth > desc->array_size ? desc->depth : desc->array_size;

    if (!origin || !region)
        return weft_fail(image->context, function, CL_INVALID_VALUE,
                         "if origin or region is a NULL value");
    /* Dimensions that the image has not are of size 1: "origin[2] must be 0", "region[2] 1". */
    if (line_array && (origin[2] != 0 || region[2] != 1))
        return weft_fail(image->context, function, CL_INVALID_VALUE,
                         "If image is a 1D image array object, origin[2] must be 0 and region[2] "
                         "must be 1");
    *result = (box){origin[0], line_array ? 0 : origin[1], line_array ? origin[1] : origin[2],
                    region[0], line_array ? 1 : region[1], line_array ? region[1] : region[2],
                    NULL};
    if (!inside(result->x, result->width, desc->width) ||
        !inside(result->y, result->height, desc->height) ||
        !inside(result->z, result->slices, slices))
        return weft_fail(image->context, function, CL_INVALID_VALUE,
                         "if the region specified by origin and region is out of bounds, or if "
                         "values in origin and region do not follow rules described in the "
                         "argument description for origin and region");
    result->first = image->data + result->z * desc->slice_pitch + result->y * desc->row_pitch +
                    result->x * desc->element_bytes;
    return CL_SUCCESS;
}

/* Pitches of the application's memory: completed and checked. */
static cl_int check_pitches(const char *function, cl_mem image, const box *at, size_t *row_pitch,
                            size_t *slice_pitch) {
    const weft_image_desc *desc = image->image;
    size_t row = at->width * desc->element_bytes, slice;

    if (!*row_pitch)
        *row_pitch = row;
    if (*row_pitch < row || __builtin_mul_overflow(*row_pitch, at->height, &slice))
        return weft_fail(image->context, function, CL_INVALID_VALUE,
                         "row_pitch must be greater than or equal to the element size in bytes * "
                         "width");
    if (*slice_pitch && !weft_image_has_slices(desc->object_type))
        return weft_fail(image->context, function, CL_INVALID_VALUE,
                         "slice_pitch must be 0 if image is a 1D or 2D image");
    if (!*slice_pitch)
        *slice_pitch = slice;
    if (*slice_pitch < slice)
        return weft_fail(image->context, function, CL_INVALID_VALUE,
                         "slice_pitch must be greater than or equal to row_pitch * height");
    return CL_SUCCESS;
}

/* ---- one transfer ---------------------------------------------------------------------------- */

/* One side of a transfer. */
typedef struct side {
    unsigned char *first;
    size_t row_pitch, slice_pitch;
} side;

static side of_image(cl_mem image, const box *at) {
    return (side){at->first, image->image->row_pitch, image->image->slice_pitch};
}

static weft_transfer *new_transfer(weft_command *command, cl_mem image, const box *at, side to) {
    weft_transfer *transfer = weft_command_transfer(command, 1);

    weft_command_hold(command, image);
    transfer->to = to.first;
    transfer->row_bytes = at->width * image->image->element_bytes;
    transfer->rows = at->height;
    transfer->planes = at->slices;
    transfer->to_row_pitch = to.row_pitch;
    transfer->to_plane_pitch = to.slice_pitch;
    return transfer;
}

/* The box's size is `at`'s, in pixels of `image`; `other` is kept too (NULL: none). */
static cl_int enqueue_copy(cl_command_queue queue, cl_command_type type, cl_mem image, cl_mem other,
                           const box *at, side to, side from, cl_bool blocking, cl_uint count,
                           const cl_event *list, cl_event *event) {
    weft_command *command = weft_command_create(queue, type, count, list);
    weft_transfer *transfer;

    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    transfer = new_transfer(command, image, at, to);
    transfer->from = from.first;
    transfer->from_row_pitch = from.row_pitch;
    transfer->from_plane_pitch = from.slice_pitch;
    if (other)
        weft_command_hold(command, other);
    return weft_command_enqueue(command, blocking, event);
}

/* ---- read and write -------------------------------------------------------------------------- */

static cl_int check_access(const char *function, cl_command_queue queue, cl_mem image, bool read,
                           const size_t *origin, const size_t *region, size_t *row_pitch,
                           size_t *slice_pitch, const void *ptr, cl_uint count,
                           const cl_event *list, box *at) {
    WEFT_TRY(check_queue(function, queue));
    WEFT_TRY(check_image(function, queue, image));
    WEFT_TRY(check_box(function, image, origin, region, at));
    WEFT_TRY(check_pitches(function, image, at, row_pitch, slice_pitch));
    if (!ptr)
        return weft_fail(queue->context, function, CL_INVALID_VALUE, "if ptr is a NULL value");
    WEFT_TRY(weft_check_wait_list(function, queue->context, count, list));
    return weft_check_host_access(function, image, read);
}

cl_int CL_API_CALL weft_clEnqueueReadImage(cl_command_queue command_queue, cl_mem image,
                                           cl_bool blocking_read, const size_t *origin,
                                           const size_t *region, size_t row_pitch,
                                           size_t slice_pitch, void *ptr,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event) {
    box at;

    WEFT_TRY(check_access(__func__, command_queue, image, true, origin, region, &row_pitch,
                          &slice_pitch, ptr, num_events_in_wait_list, event_wait_list, &at));
    return enqueue_copy(command_queue, CL_COMMAND_READ_IMAGE, image, NULL, &at,
                        (side){ptr, row_pitch, slice_pitch}, of_image(image, &at), blocking_read,
                        num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
                                            cl_bool blocking_write, const size_t *origin,
                                            const size_t *region, size_t input_row_pitch,
                                            size_t input_slice_pitch, const void *ptr,
                                            cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
    box at;

    WEFT_TRY(check_access(__func__, command_queue, image, false, origin, region, &input_row_pitch,
                          &input_slice_pitch, ptr, num_events_in_wait_list, event_wait_list, &at));
    return enqueue_copy(command_queue, CL_COMMAND_WRITE_IMAGE, image, NULL, &at,
                        of_image(image, &at),
                        (side){(unsigned char *)(uintptr_t)ptr, input_row_pitch, input_slice_pitch},
                        blocking_write, num_events_in_wait_list, event_wait_list, event);
}

/* ---- fill ------------------------------------------------------------------------------------ */

cl_int CL_API_CALL weft_clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                           const void *fill_color, const size_t *origin,
                                           const size_t *region, cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event) {
    box at;

    WEFT_CHECK_QUEUE(command_queue);
    WEFT_TRY(check_image(__func__, command_queue, image));
    WEFT_CHECK(command_queue->context, fill_color, CL_INVALID_VALUE, "if fill_color is NULL");
    WEFT_TRY(check_box(__func__, image, origin, region, &at));
    WEFT_CHECK_WAIT_LIST(command_queue->context, num_events_in_wait_list, event_wait_list);

    weft_command *command = weft_command_create(command_queue, CL_COMMAND_FILL_IMAGE,
                                                num_events_in_wait_list, event_wait_list);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    weft_transfer *transfer = new_transfer(command, image, &at, of_image(image, &at));
    transfer->pattern_bytes = weft_format_pack(image->image, fill_color, transfer->pattern);
    return weft_command_enqueue(command, CL_FALSE, event);
}

/* ---- copy ------------------------------------------------------------------------------------ */

static bool apart(size_t a, size_t b, size_t length) {
    return a + length <= b || b + length <= a;
}

cl_int CL_API_CALL weft_clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                           cl_mem dst_image, const size_t *src_origin,
                                           const size_t *dst_origin, const size_t *region,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event) {
    box src, dst;

    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_TRY(check_image(__func__, command_queue, src_image));
    WEFT_TRY(check_image(__func__, command_queue, dst_image));
    WEFT_CHECK(context,
               src_image->image->channel_order == dst_image->image->channel_order &&
                   src_image->image->channel_type == dst_image->image->channel_type,
               CL_IMAGE_FORMAT_MISMATCH,
               "if src_image and dst_image do not use the same image format");
    WEFT_TRY(check_box(__func__, src_image, src_origin, region, &src));
    WEFT_TRY(check_box(__func__, dst_image, dst_origin, region, &dst));
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);
    WEFT_CHECK(context,
               src_image != dst_image || apart(src.x, dst.x, src.width) ||
                   apart(src.y, dst.y, src.height) || apart(src.z, dst.z, src.slices),
               CL_MEM_COPY_OVERLAP,
               "if src_image and dst_image are the same image object and the source and "
               "destination regions overlap");
    /* Between a 1D array and a 2D image, region[1] is slices on one side and rows on the other. */
    side from = of_image(src_image, &src), to = of_image(dst_image, &dst);
    if (src.height != dst.height) {
        side *rows = src.height > 1 ? &from : &to;
        rows->slice_pitch = rows->row_pitch;
        src.slices = src.height > 1 ? src.height : src.slices;
        src.height = 1;
    }
    return enqueue_copy(command_queue, CL_COMMAND_COPY_IMAGE, src_image, dst_image, &src, to, from,
                        CL_FALSE, num_events_in_wait_list, event_wait_list, event);
}

/* ---- images and buffers ---------------------------------------------------------------------- */

/* The box's pixels, one after the other, from `offset` on. */
static cl_int check_linear(const char *function, cl_command_queue queue, cl_mem image,
                           cl_mem buffer, const box *at, size_t offset, side *linear) {
    size_t row = at->width * image->image->element_bytes, bytes = row * at->height * at->slices;

    if (offset > buffer->size || bytes > buffer->size - offset)
        return weft_fail(queue->context, function, CL_INVALID_VALUE,
                         "if the region specified by the buffer's offset and offset + its size in "
                         "bytes refer to a region outside the buffer");
    *linear = (side){buffer->data + offset, row, row * at->height};
    return CL_SUCCESS;
}

static cl_int check_both(const char *function, cl_command_queue queue, cl_mem image, cl_mem buffer,
                         const size_t *origin, const size_t *region, size_t offset, cl_uint count,
                         const cl_event *list, box *at, side *linear) {
    WEFT_TRY(check_queue(function, queue));
    WEFT_TRY(check_image(function, queue, image));
    WEFT_TRY(weft_check_buffer(function, queue, buffer));
    if (image->image->object_type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image->parent == buffer)
        return weft_fail(queue->context, function, CL_INVALID_MEM_OBJECT,
                         "if the image is a 1D image buffer object created from the buffer");
    WEFT_TRY(check_box(function, image, origin, region, at));
    WEFT_TRY(check_linear(function, queue, image, buffer, at, offset, linear));
    WEFT_TRY(weft_check_wait_list(function, queue->context, count, list));
    return weft_check_aligned(function, queue, buffer);
}

cl_int CL_API_CALL weft_clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                                   cl_mem dst_buffer, const size_t *src_origin,
                                                   const size_t *region, size_t dst_offset,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list,
                                                   cl_event *event) {
    box at;
    side linear;

    WEFT_TRY(check_both(__func__, command_queue, src_image, dst_buffer, src_origin, region,
                        dst_offset, num_events_in_wait_list, event_wait_list, &at, &linear));
    return enqueue_copy(command_queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, src_image, dst_buffer, &at,
                        linear, of_image(src_image, &at), CL_FALSE, num_events_in_wait_list,
                        event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueCopyBufferToImage(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event) {
    box at;
    side linear;

    WEFT_TRY(check_both(__func__, command_queue, dst_image, src_buffer, dst_origin, region,
                        src_offset, num_events_in_wait_list, event_wait_list, &at, &linear));
    return enqueue_copy(command_queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, dst_image, src_buffer, &at,
                        of_image(dst_image, &at), linear, CL_FALSE, num_events_in_wait_list,
                        event_wait_list, event);
}

/* ---- map ------------------------------------------------------------------------------------- */

static cl_int check_map(const char *function, cl_command_queue queue, cl_mem image,
                        cl_map_flags flags, const size_t *origin, const size_t *region,
                        const size_t *row_pitch, const size_t *slice_pitch, cl_uint count,
                        const cl_event *list, box *at) {
    WEFT_TRY(check_queue(function, queue));
    WEFT_TRY(check_image(function, queue, image));
    WEFT_TRY(check_box(function, image, origin, region, at));
    WEFT_TRY(weft_check_map_flags(function, queue->context, flags));
    if (!row_pitch)
        return weft_fail(queue->context, function, CL_INVALID_VALUE, "if image_row_pitch is NULL");
    if (!slice_pitch && weft_image_has_slices(image->image->object_type))
        return weft_fail(queue->context, function, CL_INVALID_VALUE,
                         "if image is a 3D image, 1D or 2D image array object and "
                         "image_slice_pitch is NULL");
    WEFT_TRY(weft_check_wait_list(function, queue->context, count, list));
    return weft_check_map_access(function, image, flags);
}

static cl_int enqueue_map(const char *function, cl_command_queue queue, cl_mem image, const box *at,
                          cl_bool blocking, cl_map_flags flags, cl_uint count, const cl_event *list,
                          cl_event *event) {
    size_t pixel = image->image->element_bytes;
    weft_mapping *mapping = weft_malloc(sizeof(*mapping));

    if (!mapping)
        return CL_OUT_OF_HOST_MEMORY;
    *mapping = (weft_mapping){.pointer = at->first,
                              .origin = {at->x * pixel, at->y, at->z},
                              .region = {at->width * pixel, at->height, at->slices},
                              .flags = flags};
    return weft_mem_map(function, queue, CL_COMMAND_MAP_IMAGE, image, mapping, blocking, count,
                        list, event);
}

void *CL_API_CALL weft_clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
                                         cl_bool blocking_map, cl_map_flags map_flags,
                                         const size_t *origin, const size_t *region,
                                         size_t *image_row_pitch, size_t *image_slice_pitch,
                                         cl_uint num_events_in_wait_list,
                                         const cl_event *event_wait_list, cl_event *event,
                                         cl_int *errcode_ret) {
    box at;
    cl_int status =
        check_map(__func__, command_queue, image, map_flags, origin, region, image_row_pitch,
                  image_slice_pitch, num_events_in_wait_list, event_wait_list, &at);

    if (status == CL_SUCCESS)
        status = enqueue_map(__func__, command_queue, image, &at, blocking_map, map_flags,
                             num_events_in_wait_list, event_wait_list, event);
    if (errcode_ret)
        *errcode_ret = status;
    if (status != CL_SUCCESS)
        return NULL;
    *image_row_pitch = image->image->row_pitch;
    if (image_slice_pitch)
        *image_slice_pitch =
            weft_image_has_slices(image->image->object_type) ? image->image->slice_pitch : 0;
    return at.first;
}
