// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Images. No device supports them yet (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE): the functions check
 * their handles and return what the specification says for such devices.
 */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/mem.h"
#include "runtime/queue.h"

#define UNUSED __attribute__((unused))

static cl_int no_images(cl_context context, const char *function) {
    return weft_fail(context, function, CL_INVALID_OPERATION,
                     "if there are no devices in context that support images");
}

static cl_int check_queue(cl_command_queue queue, const char *function) {
    WEFT_CHECK_QUEUE(queue);
    return weft_fail(queue->context, function, CL_INVALID_OPERATION,
                     "if the device associated with command_queue does not support images");
}

static cl_mem create(cl_context context, const char *function, cl_int *errcode_ret) {
    cl_int status = CL_INVALID_CONTEXT;
    if (weft_is_context(context))
        status = no_images(context, function);
    if (errcode_ret)
        *errcode_ret = status;
    return NULL;
}

cl_mem weft_clCreateImage(cl_context context, UNUSED cl_mem_flags flags,
                          UNUSED const cl_image_format *image_format,
                          UNUSED const cl_image_desc *image_desc, UNUSED void *host_ptr,
                          cl_int *errcode_ret) {
    return create(context, __func__, errcode_ret);
}

cl_mem weft_clCreateImageWithProperties(cl_context context,
                                        UNUSED const cl_mem_properties *properties,
                                        UNUSED cl_mem_flags flags,
                                        UNUSED const cl_image_format *image_format,
                                        UNUSED const cl_image_desc *image_desc,
                                        UNUSED void *host_ptr, cl_int *errcode_ret) {
    return create(context, __func__, errcode_ret);
}

cl_mem weft_clCreateImage2D(cl_context context, UNUSED cl_mem_flags flags,
                            UNUSED const cl_image_format *image_format, UNUSED size_t width,
                            UNUSED size_t height, UNUSED size_t row_pitch, UNUSED void *host_ptr,
                            cl_int *errcode_ret) {
    return create(context, __func__, errcode_ret);
}

cl_mem weft_clCreateImage3D(cl_context context, UNUSED cl_mem_flags flags,
                            UNUSED const cl_image_format *image_format, UNUSED size_t width,
                            UNUSED size_t height, UNUSED size_t depth, UNUSED size_t row_pitch,
                            UNUSED size_t slice_pitch, UNUSED void *host_ptr, cl_int *errcode_ret) {
    return create(context, __func__, errcode_ret);
}

cl_int weft_clGetSupportedImageFormats(cl_context context, UNUSED cl_mem_flags flags,
                                       cl_mem_object_type image_type, cl_uint num_entries,
                                       cl_image_format *image_formats, cl_uint *num_image_formats) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context,
               image_type >= CL_MEM_OBJECT_IMAGE2D && image_type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
               CL_INVALID_VALUE, "if flags or image_type are not valid");
    WEFT_CHECK(context, !image_formats || num_entries > 0, CL_INVALID_VALUE,
               "if num_entries is 0 and image_formats is not NULL");
    if (num_image_formats)
        *num_image_formats = 0;
    return CL_SUCCESS;
}

cl_int weft_clGetImageInfo(cl_mem image, UNUSED cl_image_info param_name,
                           UNUSED size_t param_value_size, UNUSED void *param_value,
                           UNUSED size_t *param_value_size_ret) {
    cl_context context = weft_is_mem(image) ? image->context : NULL;
    return weft_fail(context, __func__, CL_INVALID_MEM_OBJECT,
                     "if image is a not a valid image object");
}

cl_int weft_clEnqueueReadImage(cl_command_queue queue, UNUSED cl_mem image,
                               UNUSED cl_bool blocking_read, UNUSED const size_t *origin,
                               UNUSED const size_t *region, UNUSED size_t row_pitch,
                               UNUSED size_t slice_pitch, UNUSED void *ptr, UNUSED cl_uint count,
                               UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueWriteImage(cl_command_queue queue, UNUSED cl_mem image,
                                UNUSED cl_bool blocking_write, UNUSED const size_t *origin,
                                UNUSED const size_t *region, UNUSED size_t row_pitch,
                                UNUSED size_t slice_pitch, UNUSED const void *ptr,
                                UNUSED cl_uint count, UNUSED const cl_event *wait_list,
                                UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueFillImage(cl_command_queue queue, UNUSED cl_mem image,
                               UNUSED const void *fill_color, UNUSED const size_t *origin,
                               UNUSED const size_t *region, UNUSED cl_uint count,
                               UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueCopyImage(cl_command_queue queue, UNUSED cl_mem from, UNUSED cl_mem to,
                               UNUSED const size_t *from_origin, UNUSED const size_t *to_origin,
                               UNUSED const size_t *region, UNUSED cl_uint count,
                               UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueCopyImageToBuffer(cl_command_queue queue, UNUSED cl_mem from, UNUSED cl_mem to,
                                       UNUSED const size_t *origin, UNUSED const size_t *region,
                                       UNUSED size_t offset, UNUSED cl_uint count,
                                       UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueCopyBufferToImage(cl_command_queue queue, UNUSED cl_mem from, UNUSED cl_mem to,
                                       UNUSED size_t offset, UNUSED const size_t *origin,
                                       UNUSED const size_t *region, UNUSED cl_uint count,
                                       UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

void *weft_clEnqueueMapImage(cl_command_queue queue, UNUSED cl_mem image,
                             UNUSED cl_bool blocking_map, UNUSED cl_map_flags flags,
                             UNUSED const size_t *origin, UNUSED const size_t *region,
                             UNUSED size_t *row_pitch, UNUSED size_t *slice_pitch,
                             UNUSED cl_uint count, UNUSED const cl_event *wait_list,
                             UNUSED cl_event *event, cl_int *errcode_ret) {
    cl_int status = check_queue(queue, __func__);
    if (errcode_ret)
        *errcode_ret = status;
    return NULL;
}
