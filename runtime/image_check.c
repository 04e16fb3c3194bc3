// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What clCreateImage checks. */

#include "runtime/check.h"
#include "runtime/image.h"

static const cl_mem_flags OWN_FLAGS = CL_MEM_KERNEL_READ_AND_WRITE;

/* ---- sizes ----------------------------------------------------------------------------------- */

static cl_int check_size(cl_context context, size_t size, size_t most) {
    WEFT_CHECK(context, size > 0, CL_INVALID_IMAGE_DESCRIPTOR,
               "if values specified in image_desc are not valid: a dimension is 0");
    WEFT_CHECK(context, size <= most, CL_INVALID_IMAGE_SIZE,
               "if image dimensions specified in image_desc exceed the maximum image dimensions "
               "for all devices in context");
    return CL_SUCCESS;
}

static cl_int check_sizes(cl_context context, const cl_image_desc *wanted) {
    switch (wanted->image_type) {
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        return check_size(context, wanted->image_width, WEFT_IMAGE_BUFFER);
    case CL_MEM_OBJECT_IMAGE3D:
        WEFT_TRY(check_size(context, wanted->image_width, WEFT_IMAGE_3D));
        WEFT_TRY(check_size(context, wanted->image_height, WEFT_IMAGE_3D));
        return check_size(context, wanted->image_depth, WEFT_IMAGE_3D);
    default:
        WEFT_TRY(check_size(context, wanted->image_width, WEFT_IMAGE_WIDTH));
        if (weft_image_has_height(wanted->image_type))
            WEFT_TRY(check_size(context, wanted->image_height, WEFT_IMAGE_WIDTH));
        if (weft_image_is_array(wanted->image_type))
            WEFT_TRY(check_size(context, wanted->image_array_size, WEFT_IMAGE_ARRAY));
        return CL_SUCCESS;
    }
}

static void fill_sizes(const cl_image_desc *wanted, weft_image_desc *desc) {
    cl_mem_object_type type = wanted->image_type;

    desc->object_type = type;
    desc->width = (uint32_t)wanted->image_width;
    desc->height = weft_image_has_height(type) ? (uint32_t)wanted->image_height : 1;
    desc->depth = type == CL_MEM_OBJECT_IMAGE3D ? (uint32_t)wanted->image_depth : 1;
    desc->array_size = weft_image_is_array(type) ? (uint32_t)wanted->image_array_size : 1;
}

/* ---- pitches --------------------------------------------------------------------------------- */

/* The limits on sizes keep all products below 2^63. */
static cl_int check_pitches(cl_context context, const cl_image_desc *wanted, bool given,
                            weft_image_desc *desc) {
    uint64_t row = (uint64_t)desc->width * desc->element_bytes, slice;
    bool slices = weft_image_has_slices(wanted->image_type);

    WEFT_CHECK(context, given || !wanted->image_row_pitch, CL_INVALID_IMAGE_DESCRIPTOR,
               "image_row_pitch must be 0 if host_ptr is NULL");
    WEFT_CHECK(context, given || !wanted->image_slice_pitch, CL_INVALID_IMAGE_DESCRIPTOR,
               "image_slice_pitch must be 0 if host_ptr is NULL");
    if (wanted->image_row_pitch) {
        WEFT_CHECK(context,
                   wanted->image_row_pitch >= row &&
                       wanted->image_row_pitch % desc->element_bytes == 0 &&
                       wanted->image_row_pitch <= UINT32_MAX,
                   CL_INVALID_IMAGE_DESCRIPTOR,
                   "image_row_pitch can be either 0 or >= image_width * size of element in bytes, "
                   "and must be a multiple of the image element size in bytes");
        row = wanted->image_row_pitch;
    }
    slice = row * desc->height;
    if (slices && wanted->image_slice_pitch) {
        WEFT_CHECK(context,
                   wanted->image_slice_pitch >= slice && wanted->image_slice_pitch % row == 0 &&
                       wanted->image_slice_pitch <= UINT64_MAX / 4096,
                   CL_INVALID_IMAGE_DESCRIPTOR,
                   "image_slice_pitch can be either 0 or >= image_row_pitch * image_height, and "
                   "must be a multiple of the image_row_pitch");
        slice = wanted->image_slice_pitch;
    }
    desc->row_pitch = row;
    desc->slice_pitch = slice;
    return CL_SUCCESS;
}

uint64_t weft_image_bytes(const weft_image_desc *desc) {
    uint64_t slices = desc->depth > desc->array_size ? desc->depth : desc->array_size;
    uint64_t bytes;

    return __builtin_mul_overflow(desc->slice_pitch, slices, &bytes) ? UINT64_MAX : bytes;
}

/* ---- images of other objects ----------------------------------------------------------------- */

static cl_int check_parent_flags(cl_context context, cl_mem_flags flags, cl_mem_flags of) {
    WEFT_CHECK(context,
               !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
               CL_INVALID_VALUE,
               "if an image is being created from another memory object and flags specifies "
               "CL_MEM_USE_HOST_PTR or CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR");
    WEFT_CHECK(context,
               !(of & CL_MEM_WRITE_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) &&
                   !(of & CL_MEM_READ_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)),
               CL_INVALID_VALUE,
               "if mem_object was created with CL_MEM_WRITE_ONLY and flags specifies "
               "CL_MEM_READ_WRITE or CL_MEM_READ_ONLY, or if mem_object was created with "
               "CL_MEM_READ_ONLY and flags specifies CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY");
    WEFT_CHECK(context,
               !(of & CL_MEM_HOST_WRITE_ONLY && flags & CL_MEM_HOST_READ_ONLY) &&
                   !(of & CL_MEM_HOST_READ_ONLY && flags & CL_MEM_HOST_WRITE_ONLY) &&
                   !(of & CL_MEM_HOST_NO_ACCESS &&
                     flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)),
               CL_INVALID_VALUE,
               "if mem_object object was created with CL_MEM_HOST_WRITE_ONLY and flags specifies "
               "CL_MEM_HOST_READ_ONLY, or the other way round, or with CL_MEM_HOST_NO_ACCESS and "
               "flags specifies CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_WRITE_ONLY");
    return CL_SUCCESS;
}

static cl_int check_in_buffer(cl_context context, cl_mem buffer, const weft_image_desc *desc) {
    uint64_t bytes = desc->row_pitch * (desc->height - 1);

    bytes += desc->object_type == CL_MEM_OBJECT_IMAGE2D
                 ? desc->row_pitch
                 : (uint64_t)desc->width * desc->element_bytes;
    if (desc->object_type == CL_MEM_OBJECT_IMAGE2D)
        WEFT_CHECK(context, desc->row_pitch % (WEFT_IMAGE_PITCH_PIXELS * desc->element_bytes) == 0,
                   CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                   "if a 2D image is created from a buffer and the row pitch and base address "
                   "alignment does not follow the rules described");
    WEFT_CHECK(context, bytes <= buffer->size, CL_INVALID_IMAGE_DESCRIPTOR,
               "For a 2D image created from a buffer object, the image_row_pitch * image_height "
               "must be <= size of the buffer object; for a 1D image buffer, the image_width * "
               "size of element in bytes");
    return CL_SUCCESS;
}

/* "supported are": the order wanted and the order of mem_object. */
static bool may_view(cl_channel_order as, cl_channel_order of) {
    static const cl_channel_order pairs[][2] = {
        {CL_sBGRA, CL_BGRA}, {CL_BGRA, CL_sBGRA}, {CL_sRGBA, CL_RGBA},
        {CL_RGBA, CL_sRGBA}, {CL_sRGB, CL_RGB},   {CL_RGB, CL_sRGB},
        {CL_sRGBx, CL_RGBx}, {CL_RGBx, CL_sRGBx}, {CL_DEPTH, CL_R},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (pairs[i][0] == as && pairs[i][1] == of)
            return true;
    return as == of;
}

static cl_int check_of_image(cl_context context, cl_mem image, const cl_image_desc *wanted,
                             const cl_image_format *format) {
    const weft_image_desc *of = image->image;

    WEFT_CHECK(context, of->object_type == CL_MEM_OBJECT_IMAGE2D, CL_INVALID_IMAGE_DESCRIPTOR,
               "mem_object can be an image object if image_type is CL_MEM_OBJECT_IMAGE2D");
    WEFT_CHECK(context,
               wanted->image_width == of->width && wanted->image_height == of->height &&
                   (!wanted->image_row_pitch || wanted->image_row_pitch == of->row_pitch) &&
                   !wanted->image_slice_pitch,
               CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               "all the values specified in image_desc except for mem_object must match the image "
               "descriptor information associated with mem_object");
    WEFT_CHECK(context,
               format->image_channel_data_type == of->channel_type &&
                   may_view(format->image_channel_order, of->channel_order),
               CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               "if a 2D image is created from a 2D image object and the rules described above are "
               "not followed: channel data types must match, and the order be one of the table");
    return CL_SUCCESS;
}

static cl_int check_mem_object(cl_context context, const cl_image_desc *wanted) {
    cl_mem of = wanted->mem_object;
    cl_mem_object_type type = wanted->image_type;

    WEFT_CHECK(context, type != CL_MEM_OBJECT_IMAGE1D_BUFFER || of, CL_INVALID_IMAGE_DESCRIPTOR,
               "if values specified in image_desc are not valid: a 1D image buffer needs a buffer");
    if (!of)
        return CL_SUCCESS;
    WEFT_CHECK(context,
               weft_is_mem(of) && of->context == context &&
                   (type == CL_MEM_OBJECT_IMAGE1D_BUFFER
                        ? of->type == CL_MEM_OBJECT_BUFFER
                        : type == CL_MEM_OBJECT_IMAGE2D &&
                              (of->type == CL_MEM_OBJECT_BUFFER || of->image)),
               CL_INVALID_IMAGE_DESCRIPTOR,
               "mem_object can be a buffer memory object if image_type is "
               "CL_MEM_OBJECT_IMAGE1D_BUFFER or CL_MEM_OBJECT_IMAGE2D, or an image object if "
               "image_type is CL_MEM_OBJECT_IMAGE2D. Otherwise it must be NULL");
    return CL_SUCCESS;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static cl_int check_desc(cl_context context, const cl_image_desc *wanted) {
    WEFT_CHECK(context, wanted, CL_INVALID_IMAGE_DESCRIPTOR, "if image_desc is NULL");
    WEFT_CHECK(context,
               wanted->image_type >= CL_MEM_OBJECT_IMAGE2D &&
                   wanted->image_type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
               CL_INVALID_IMAGE_DESCRIPTOR,
               "if values specified in image_desc are not valid: image_type");
    WEFT_CHECK(context, !wanted->num_mip_levels && !wanted->num_samples,
               CL_INVALID_IMAGE_DESCRIPTOR, "num_mip_levels and num_samples must be 0");
    return check_mem_object(context, wanted);
}

static cl_int check_host_ptr(cl_context context, cl_mem_flags flags, const void *host_ptr) {
    bool wants = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

    WEFT_CHECK(context, (host_ptr != NULL) == wants, CL_INVALID_HOST_PTR,
               "if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in "
               "flags or if host_ptr is not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR "
               "are not set in flags");
    return CL_SUCCESS;
}

/* How it is stored; where it cannot be, sizes are checked as for one byte a pixel. */
static bool fill_format(const cl_image_format *format, cl_mem_object_type type,
                        weft_image_desc *desc) {
    weft_format found;

    desc->channel_order = format->image_channel_order;
    desc->channel_type = format->image_channel_data_type;
    desc->element_bytes = 1;
    if (!weft_format_find(format, type, &found))
        return false;
    desc->element_bytes = found.element_bytes;
    desc->texel = found.texel;
    desc->read_map = found.read_map;
    desc->write_map = found.write_map;
    return true;
}

cl_int weft_image_check(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                        const cl_image_desc *wanted, const void *host_ptr, weft_image_desc *desc) {
    bool has_format;

    memset(desc, 0, sizeof(*desc));
    WEFT_TRY(weft_mem_check_flags(context, flags & ~OWN_FLAGS));
    WEFT_CHECK(context, format && weft_format_is_valid(format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
               "if values specified in image_format are not valid or if image_format is NULL");
    WEFT_TRY(check_desc(context, wanted));
    WEFT_TRY(check_sizes(context, wanted));
    has_format = fill_format(format, wanted->image_type, desc);
    fill_sizes(wanted, desc);
    WEFT_TRY(check_pitches(context, wanted, host_ptr || wanted->mem_object, desc));
    if (wanted->mem_object) {
        cl_mem of = wanted->mem_object;
        WEFT_CHECK(context, !host_ptr, CL_INVALID_HOST_PTR,
                   "if host_ptr is not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR are "
                   "not set in flags");
        WEFT_TRY(check_parent_flags(context, flags, of->flags));
        WEFT_TRY(of->image ? check_of_image(context, of, wanted, format)
                           : check_in_buffer(context, of, desc));
        if (of->image) {
            desc->row_pitch = of->image->row_pitch;
            desc->slice_pitch = of->image->slice_pitch;
        }
    } else {
        WEFT_TRY(check_host_ptr(context, flags, host_ptr));
    }
    WEFT_CHECK(context, has_format, CL_IMAGE_FORMAT_NOT_SUPPORTED,
               "if the image_format is not supported");
    return CL_SUCCESS;
}
