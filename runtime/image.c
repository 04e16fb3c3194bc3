// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Images: creation and information. docs/images.md says how pixels lie in memory. */

#include "runtime/image.h"

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/info.h"

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)

/* ---- creation -------------------------------------------------------------------------------- */

static void copy_rows(const weft_image_desc *to, const unsigned char *from, uint64_t row_pitch,
                      uint64_t slice_pitch) {
    size_t row_bytes = (size_t)to->width * to->element_bytes;
    uint32_t slices = to->depth > to->array_size ? to->depth : to->array_size;

    for (uint32_t z = 0; z < slices; z++)
        for (uint32_t y = 0; y < to->height; y++)
            memcpy((unsigned char *)to->data + z * to->slice_pitch + y * to->row_pitch,
                   from + z * slice_pitch + y * row_pitch, row_bytes);
}

/* Pixels of its own: rows without gaps. */
static cl_int allocate(cl_mem mem, const void *host_ptr) {
    weft_image_desc *desc = mem->image;
    cl_device_id device = weft_context_memory_device(mem->context);
    uint64_t row_pitch = desc->row_pitch, slice_pitch = desc->slice_pitch, bytes;

    desc->row_pitch = (uint64_t)desc->width * desc->element_bytes;
    desc->slice_pitch = desc->row_pitch * desc->height;
    bytes = weft_image_bytes(desc);
    if (bytes > device->max_alloc_bytes)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    mem->size = bytes;
    mem->data = device->ops->memory_alloc(device->device, bytes, WEFT_BLOCK_ALIGN);
    if (!mem->data)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    mem->owns_data = true;
    desc->data = mem->data;
    if (host_ptr)
        copy_rows(desc, host_ptr, row_pitch, slice_pitch);
    return CL_SUCCESS;
}

static cl_int place(cl_mem mem, void *host_ptr) {
    weft_image_desc *desc = mem->image;

    mem->size = weft_image_bytes(desc);
    if (mem->parent) {
        mem->data = mem->parent->data;
        mem->host_ptr = mem->parent->host_ptr;
    } else if (mem->flags & CL_MEM_USE_HOST_PTR) {
        mem->data = mem->host_ptr = host_ptr;
    } else {
        return allocate(mem, host_ptr);
    }
    desc->data = mem->data;
    return CL_SUCCESS;
}

/* What is not given is the other object's. */
static cl_mem_flags complete_flags(cl_mem_flags flags, cl_mem parent) {
    const cl_mem_flags host_access =
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

    if (!(flags & ACCESS_FLAGS))
        flags |= parent ? parent->flags & ACCESS_FLAGS : CL_MEM_READ_WRITE;
    if (!parent)
        return flags;
    if (!(flags & host_access))
        flags |= parent->flags & host_access;
    return flags |
           (parent->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

static cl_int make_image(cl_context context, const cl_mem_properties *properties,
                         cl_mem_flags flags, const weft_image_desc *desc, cl_mem parent,
                         void *host_ptr, cl_mem *result) {
    cl_int status = CL_OUT_OF_HOST_MEMORY;
    cl_mem mem = weft_mem_create(context, parent);

    if (!mem)
        return status;
    mem->type = desc->object_type;
    mem->flags = complete_flags(flags, parent);
    mem->image = weft_memdup(desc, sizeof(*desc));
    if (properties) {
        mem->property_bytes = sizeof(*properties);
        mem->properties = weft_memdup(properties, mem->property_bytes);
    }
    if (mem->image && (!properties || mem->properties))
        status = place(mem, host_ptr);
    if (status != CL_SUCCESS)
        weft_release(&mem);
    *result = mem;
    return status;
}

static cl_int create(const char *function, cl_context context, const cl_mem_properties *properties,
                     cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *wanted,
                     void *host_ptr, cl_mem *result) {
    weft_image_desc desc;
    cl_int status;

    if (!weft_is_context(context))
        return weft_fail(NULL, function, CL_INVALID_CONTEXT, "if context is not a valid context");
    if (properties && properties[0])
        return weft_fail(context, function, CL_INVALID_PROPERTY,
                         "if a property name in properties is not a supported property name");
    WEFT_TRY(weft_image_check(context, flags, format, wanted, host_ptr, &desc));
    status = make_image(context, properties, flags, &desc, wanted->mem_object, host_ptr, result);
    if (status != CL_SUCCESS)
        weft_fail(context, function, status,
                  "if there is a failure to allocate memory for image object");
    return status;
}

cl_mem weft_clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                        cl_mem_flags flags, const cl_image_format *image_format,
                                        const cl_image_desc *image_desc, void *host_ptr,
                                        cl_int *errcode_ret) {
    cl_mem mem = NULL;
    cl_int status =
        create(__func__, context, properties, flags, image_format, image_desc, host_ptr, &mem);
    if (errcode_ret)
        *errcode_ret = status;
    return mem;
}

cl_mem weft_clCreateImage(cl_context context, cl_mem_flags flags,
                          const cl_image_format *image_format, const cl_image_desc *image_desc,
                          void *host_ptr, cl_int *errcode_ret) {
    return weft_clCreateImageWithProperties(context, NULL, flags, image_format, image_desc,
                                            host_ptr, errcode_ret);
}

/* OpenCL 1.1: "CL_INVALID_IMAGE_SIZE if image_width or image_height are 0 or if they exceed values
 * specified ... or if values specified by image_row_pitch do not follow rules" */
static cl_mem create_1_1(const char *function, cl_context context, cl_mem_flags flags,
                         const cl_image_format *format, const cl_image_desc *desc, void *host_ptr,
                         cl_int *errcode_ret) {
    cl_mem mem = NULL;
    cl_int status = create(function, context, NULL, flags, format, desc, host_ptr, &mem);

    if (status == CL_INVALID_IMAGE_DESCRIPTOR)
        status = CL_INVALID_IMAGE_SIZE;
    if (errcode_ret)
        *errcode_ret = status;
    return mem;
}

cl_mem weft_clCreateImage2D(cl_context context, cl_mem_flags flags,
                            const cl_image_format *image_format, size_t image_width,
                            size_t image_height, size_t image_row_pitch, void *host_ptr,
                            cl_int *errcode_ret) {
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = image_width,
                                .image_height = image_height,
                                .image_row_pitch = image_row_pitch};
    return create_1_1(__func__, context, flags, image_format, &desc, host_ptr, errcode_ret);
}

cl_mem weft_clCreateImage3D(cl_context context, cl_mem_flags flags,
                            const cl_image_format *image_format, size_t image_width,
                            size_t image_height, size_t image_depth, size_t image_row_pitch,
                            size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret) {
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = image_width,
                                .image_height = image_height,
                                .image_depth = image_depth,
                                .image_row_pitch = image_row_pitch,
                                .image_slice_pitch = image_slice_pitch};
    return create_1_1(__func__, context, flags, image_format, &desc, host_ptr, errcode_ret);
}

/* ---- formats --------------------------------------------------------------------------------- */

cl_int weft_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                       cl_mem_object_type image_type, cl_uint num_entries,
                                       cl_image_format *image_formats, cl_uint *num_image_formats) {
    uint32_t uses = 0;

    WEFT_CHECK_CONTEXT(context);
    WEFT_TRY(weft_mem_check_flags(context, flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE));
    WEFT_CHECK(context,
               image_type >= CL_MEM_OBJECT_IMAGE2D && image_type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
               CL_INVALID_VALUE, "if flags or image_type are not valid");
    WEFT_CHECK(context, !image_formats || num_entries > 0, CL_INVALID_VALUE,
               "if num_entries is 0 and image_formats is not NULL");
    if (flags & CL_MEM_KERNEL_READ_AND_WRITE)
        uses = WEFT_FORMAT_BOTH;
    else if (flags & CL_MEM_READ_ONLY)
        uses = WEFT_FORMAT_READ;
    else if (flags & CL_MEM_WRITE_ONLY)
        uses = WEFT_FORMAT_WRITE;
    else
        uses = WEFT_FORMAT_READ | WEFT_FORMAT_WRITE;

    cl_uint count = weft_format_list(image_type, uses, num_entries, image_formats);
    if (num_image_formats)
        *num_image_formats = count;
    return CL_SUCCESS;
}

/* ---- information ----------------------------------------------------------------------------- */

static const weft_image_desc *desc_of(const void *object) {
    return ((const struct _cl_mem *)object)->image;
}

static cl_int get_format(const void *object, weft_info_out *out) {
    cl_image_format format = {desc_of(object)->channel_order, desc_of(object)->channel_type};

    weft_info_put(out, &format, sizeof(format));
    return CL_SUCCESS;
}

static cl_int put_size(weft_info_out *out, bool there, uint64_t value) {
    size_t size = there ? value : 0;

    weft_info_put(out, &size, sizeof(size));
    return CL_SUCCESS;
}

static cl_int get_element_size(const void *object, weft_info_out *out) {
    return put_size(out, true, desc_of(object)->element_bytes);
}

static cl_int get_row_pitch(const void *object, weft_info_out *out) {
    return put_size(out, true, desc_of(object)->row_pitch);
}

static cl_int get_slice_pitch(const void *object, weft_info_out *out) {
    return put_size(out, weft_image_has_slices(desc_of(object)->object_type),
                    desc_of(object)->slice_pitch);
}

static cl_int get_width(const void *object, weft_info_out *out) {
    return put_size(out, true, desc_of(object)->width);
}

static cl_int get_height(const void *object, weft_info_out *out) {
    return put_size(out, weft_image_has_height(desc_of(object)->object_type),
                    desc_of(object)->height);
}

static cl_int get_depth(const void *object, weft_info_out *out) {
    return put_size(out, desc_of(object)->object_type == CL_MEM_OBJECT_IMAGE3D,
                    desc_of(object)->depth);
}

static cl_int get_array_size(const void *object, weft_info_out *out) {
    return put_size(out, weft_image_is_array(desc_of(object)->object_type),
                    desc_of(object)->array_size);
}

static cl_int get_buffer(const void *object, weft_info_out *out) {
    cl_mem parent = ((const struct _cl_mem *)object)->parent;

    if (parent && parent->image)
        parent = NULL;
    weft_info_put(out, &parent, sizeof(parent));
    return CL_SUCCESS;
}

static const weft_info_row image_rows[] = {
    WEFT_INFO_GETTER(CL_IMAGE_FORMAT, get_format),
    WEFT_INFO_GETTER(CL_IMAGE_ELEMENT_SIZE, get_element_size),
    WEFT_INFO_GETTER(CL_IMAGE_ROW_PITCH, get_row_pitch),
    WEFT_INFO_GETTER(CL_IMAGE_SLICE_PITCH, get_slice_pitch),
    WEFT_INFO_GETTER(CL_IMAGE_WIDTH, get_width),
    WEFT_INFO_GETTER(CL_IMAGE_HEIGHT, get_height),
    WEFT_INFO_GETTER(CL_IMAGE_DEPTH, get_depth),
    WEFT_INFO_GETTER(CL_IMAGE_ARRAY_SIZE, get_array_size),
    WEFT_INFO_GETTER(CL_IMAGE_BUFFER, get_buffer),
    WEFT_INFO_CONSTANT(CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0),
    WEFT_INFO_CONSTANT(CL_IMAGE_NUM_SAMPLES, cl_uint, 0),
};

cl_int weft_clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
    WEFT_CHECK(weft_is_mem(image) ? image->context : NULL, weft_is_image(image),
               CL_INVALID_MEM_OBJECT, "if image is a not a valid image object");
    return WEFT_INFO_GET(image->context, image_rows, image, param_name, param_value_size,
                         param_value, param_value_size_ret);
}
