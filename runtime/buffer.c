// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Buffers and sub-buffers, and what all memory objects share. */

#include "runtime/mem.h"

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/info.h"
#include "runtime/log.h"

#define ACCESS_FLAGS      (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define HOST_PTR_FLAGS    (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)
#define HOST_ACCESS_FLAGS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)

static void finish_mem(weft_object *object) {
    cl_mem mem = (cl_mem)object;
    /* "The user callback functions are called and then the memory object's resources are freed" */
    weft_destructor_run(&mem->destructors, mem);
    if (mem->owns_data) {
        cl_device_id device = weft_context_memory_device(mem->context);
        device->ops->memory_free(device->device, mem->data, mem->size);
    }
    while (mem->mappings) {
        weft_mapping *next = mem->mappings->next;
        weft_free(mem->mappings);
        mem->mappings = next;
    }
    weft_free(mem->properties);
    weft_free(mem->image);
    pthread_mutex_destroy(&mem->lock);
}

const weft_class weft_mem_class = {"memory object", CL_INVALID_MEM_OBJECT, finish_mem, NULL};

/* ---- buffers --------------------------------------------------------------------------------- */

static bool at_most_one(cl_mem_flags flags, cl_mem_flags of) {
    cl_mem_flags set = flags & of;
    return (set & (set - 1)) == 0;
}

cl_int weft_mem_check_flags(cl_context context, cl_mem_flags flags) {
    WEFT_CHECK(context, !(flags & ~(ACCESS_FLAGS | HOST_PTR_FLAGS | HOST_ACCESS_FLAGS)),
               CL_INVALID_VALUE, "if values specified in flags are not valid");
    WEFT_CHECK(context, at_most_one(flags, ACCESS_FLAGS), CL_INVALID_VALUE,
               "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY are mutually exclusive");
    WEFT_CHECK(context, at_most_one(flags, HOST_ACCESS_FLAGS), CL_INVALID_VALUE,
               "CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS are "
               "mutually exclusive");
    WEFT_CHECK(context,
               at_most_one(flags, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR) &&
                   at_most_one(flags, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR),
               CL_INVALID_VALUE,
               "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
    return CL_SUCCESS;
}

static size_t largest_allocation(cl_context context) {
    cl_ulong most = 0;
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i]->max_alloc_bytes > most)
            most = context->devices[i]->max_alloc_bytes;
    return most;
}

static cl_int check_clCreateBuffer(cl_context context, const cl_mem_properties *properties,
                                   cl_mem_flags flags, size_t size, const void *host_ptr) {
    bool wants_host_ptr = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, !properties || !properties[0], CL_INVALID_PROPERTY,
               "if a property name in properties is not a supported property name");
    WEFT_TRY(weft_mem_check_flags(context, flags));
    WEFT_CHECK(context, size > 0, CL_INVALID_BUFFER_SIZE, "if size is 0");
    WEFT_CHECK(context, size <= largest_allocation(context), CL_INVALID_BUFFER_SIZE,
               "if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in context");
    WEFT_CHECK(context, host_ptr || !wants_host_ptr, CL_INVALID_HOST_PTR,
               "if host_ptr is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set");
    WEFT_CHECK(context, !host_ptr || wants_host_ptr, CL_INVALID_HOST_PTR,
               "if host_ptr is not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR are not "
               "set");
    weft_svm_block block;
    WEFT_CHECK(context,
               !(flags & CL_MEM_USE_HOST_PTR) || !weft_svm_find(context, host_ptr, &block) ||
                   size <= block.size - (size_t)((const unsigned char *)host_ptr - block.data),
               CL_INVALID_BUFFER_SIZE,
               "as long as the size argument to clCreateBuffer is no larger than the size argument "
               "passed in the original clSVMAlloc call");
    return CL_SUCCESS;
}

cl_mem weft_mem_create(cl_context context, cl_mem parent) {
    cl_mem mem = weft_calloc(1, sizeof(*mem));
    if (!mem)
        return NULL;
    mem->context = context;
    mem->parent = parent;
    mem->type = CL_MEM_OBJECT_BUFFER;
    pthread_mutex_init(&mem->lock, NULL);
    weft_object_init(&mem->base, &weft_mem_class, parent ? &parent->base : &context->base);
    return mem;
}

static cl_int allocate(cl_mem mem, void *host_ptr) {
    if (mem->flags & CL_MEM_USE_HOST_PTR) {
        weft_svm_block block;
        mem->host_ptr = host_ptr;
        mem->data = host_ptr;
        mem->uses_svm = weft_svm_find(mem->context, host_ptr, &block);
        return CL_SUCCESS;
    }
    cl_device_id device = weft_context_memory_device(mem->context);
    mem->data = device->ops->memory_alloc(device->device, mem->size, WEFT_BLOCK_ALIGN);
    if (!mem->data)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    mem->owns_data = true;
    if (mem->flags & CL_MEM_COPY_HOST_PTR)
        memcpy(mem->data, host_ptr, mem->size);
    return CL_SUCCESS;
}

static cl_int create_buffer(cl_context context, const cl_mem_properties *properties,
                            cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *result) {
    cl_mem mem = weft_mem_create(context, NULL);
    if (!mem)
        return CL_OUT_OF_HOST_MEMORY;
    /* "If value specified for flags is 0, the default is used which is CL_MEM_READ_WRITE." */
    mem->flags = flags & ACCESS_FLAGS ? flags : flags | CL_MEM_READ_WRITE;
    mem->size = size;
    cl_int status = CL_SUCCESS;
    if (properties) {
        mem->property_bytes = sizeof(*properties);
        mem->properties = weft_memdup(properties, mem->property_bytes);
        status = mem->properties ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (status == CL_SUCCESS)
        status = allocate(mem, host_ptr);
    if (status != CL_SUCCESS)
        weft_release(&mem);
    *result = mem;
    return status;
}

cl_mem weft_clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                         cl_mem_flags flags, size_t size, void *host_ptr,
                                         cl_int *errcode_ret) {
    cl_mem mem = NULL;
    cl_int status = check_clCreateBuffer(context, properties, flags, size, host_ptr);
    if (status == CL_SUCCESS) {
        status = create_buffer(context, properties, flags, size, host_ptr, &mem);
        if (status != CL_SUCCESS)
            weft_fail(context, __func__, status, "if there is a failure to allocate memory");
    }
    if (errcode_ret)
        *errcode_ret = status;
    return mem;
}

cl_mem weft_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                           cl_int *errcode_ret) {
    return weft_clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

/* ---- sub-buffers ----------------------------------------------------------------------------- */

static cl_int check_sub_flags(cl_mem buffer, cl_mem_flags flags) {
    cl_context context = buffer->context;
    cl_mem_flags of = buffer->flags;
    WEFT_TRY(weft_mem_check_flags(context, flags));
    WEFT_CHECK(context, !(flags & HOST_PTR_FLAGS), CL_INVALID_VALUE,
               "if flags specifies CL_MEM_USE_HOST_PTR or CL_MEM_ALLOC_HOST_PTR or "
               "CL_MEM_COPY_HOST_PTR");
    WEFT_CHECK(context,
               !(of & CL_MEM_WRITE_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)),
               CL_INVALID_VALUE,
               "if buffer was created with CL_MEM_WRITE_ONLY and flags specifies "
               "CL_MEM_READ_WRITE or CL_MEM_READ_ONLY");
    WEFT_CHECK(context,
               !(of & CL_MEM_READ_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)),
               CL_INVALID_VALUE,
               "if buffer was created with CL_MEM_READ_ONLY and flags specifies "
               "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY");
    WEFT_CHECK(context, !(of & CL_MEM_HOST_WRITE_ONLY) || !(flags & CL_MEM_HOST_READ_ONLY),
               CL_INVALID_VALUE,
               "if buffer was created with CL_MEM_HOST_WRITE_ONLY and flags specify "
               "CL_MEM_HOST_READ_ONLY");
    WEFT_CHECK(context, !(of & CL_MEM_HOST_READ_ONLY) || !(flags & CL_MEM_HOST_WRITE_ONLY),
               CL_INVALID_VALUE,
               "if buffer was created with CL_MEM_HOST_READ_ONLY and flags specify "
               "CL_MEM_HOST_WRITE_ONLY");
    WEFT_CHECK(context,
               !(of & CL_MEM_HOST_NO_ACCESS) ||
                   !(flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)),
               CL_INVALID_VALUE,
               "if buffer was created with CL_MEM_HOST_NO_ACCESS and flags specify "
               "CL_MEM_HOST_READ_ONLY or CL_MEM_HOST_WRITE_ONLY");
    return CL_SUCCESS;
}

static cl_int check_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                      const cl_buffer_region *region) {
    WEFT_CHECK(NULL, weft_is_mem(buffer), CL_INVALID_MEM_OBJECT,
               "if buffer is not a valid buffer object");
    cl_context context = buffer->context;
    WEFT_CHECK(context, buffer->type == CL_MEM_OBJECT_BUFFER && !buffer->parent,
               CL_INVALID_MEM_OBJECT, "if buffer is a sub-buffer object");
    WEFT_TRY(check_sub_flags(buffer, flags));
    WEFT_CHECK(context, type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE,
               "if value specified in buffer_create_type is not valid");
    WEFT_CHECK(context, region, CL_INVALID_VALUE, "if buffer_create_info is NULL");
    WEFT_CHECK(context, region->size > 0, CL_INVALID_BUFFER_SIZE, "if size is 0");
    WEFT_CHECK(
        context, region->origin < buffer->size && region->size <= buffer->size - region->origin,
        CL_INVALID_VALUE, "if the region specified by (origin, size) is out of bounds in buffer");
    WEFT_CHECK(context, region->origin % WEFT_BASE_ALIGN == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET,
               "if there are no devices in context associated with buffer for which the origin "
               "value is aligned to the CL_DEVICE_MEM_BASE_ADDR_ALIGN value");
    return CL_SUCCESS;
}

/** Flags that are not given are the buffer's; the host pointer's are always. */
static cl_mem_flags inherit(cl_mem_flags flags, cl_mem_flags of) {
    if (!(flags & ACCESS_FLAGS))
        flags |= of & ACCESS_FLAGS;
    if (!(flags & HOST_ACCESS_FLAGS))
        flags |= of & HOST_ACCESS_FLAGS;
    return flags | (of & HOST_PTR_FLAGS);
}

cl_mem weft_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                              cl_buffer_create_type buffer_create_type,
                              const void *buffer_create_info, cl_int *errcode_ret) {
    const cl_buffer_region *region = buffer_create_info;
    cl_mem mem = NULL;
    cl_int status = check_clCreateSubBuffer(buffer, flags, buffer_create_type, region);
    if (status == CL_SUCCESS) {
        mem = weft_mem_create(buffer->context, buffer);
        status = mem ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (mem) {
        mem->flags = inherit(flags, buffer->flags);
        mem->origin = region->origin;
        mem->size = region->size;
        mem->data = buffer->data + region->origin;
        if (buffer->host_ptr)
            mem->host_ptr = (unsigned char *)buffer->host_ptr + region->origin;
        mem->uses_svm = buffer->uses_svm;
    }
    if (errcode_ret)
        *errcode_ret = status;
    return mem;
}

bool weft_mem_overlaps(cl_mem a, size_t a_at, cl_mem b, size_t b_at, size_t bytes) {
    if ((a->parent ? a->parent : a) != (b->parent ? b->parent : b))
        return false;
    a_at += a->origin;
    b_at += b->origin;
    return a_at < b_at + bytes && b_at < a_at + bytes;
}

/* ---- all memory objects ---------------------------------------------------------------------- */

cl_int weft_clRetainMemObject(cl_mem memobj) {
    WEFT_CHECK_MEM(NULL, memobj);
    return weft_object_app_retain(&memobj->base);
}

cl_int weft_clReleaseMemObject(cl_mem memobj) {
    WEFT_CHECK_MEM(NULL, memobj);
    return weft_object_app_release(&memobj->base);
}

cl_int weft_clSetMemObjectDestructorCallback(cl_mem memobj,
                                             void(CL_CALLBACK *pfn_notify)(cl_mem, void *),
                                             void *user_data) {
    WEFT_CHECK_MEM(NULL, memobj);
    WEFT_CHECK(memobj->context, pfn_notify, CL_INVALID_VALUE, "if pfn_notify is NULL");
    return weft_destructor_push(&memobj->lock, &memobj->destructors,
                                (void(CL_CALLBACK *)(void *, void *))(void (*)(void))pfn_notify,
                                user_data)
               ? CL_SUCCESS
               : CL_OUT_OF_HOST_MEMORY;
}

static cl_int get_map_count(const void *object, weft_info_out *out) {
    cl_mem mem = (cl_mem)(uintptr_t)object;
    pthread_mutex_lock(&mem->lock);
    cl_uint count = mem->map_count;
    pthread_mutex_unlock(&mem->lock);
    weft_info_put(out, &count, sizeof(count));
    return CL_SUCCESS;
}

static cl_int get_properties(const void *object, weft_info_out *out) {
    const struct _cl_mem *mem = object;
    weft_info_put(out, mem->properties, mem->property_bytes);
    return CL_SUCCESS;
}

/**
 * "CL_TRUE if memobj is a buffer object that was created with CL_MEM_USE_HOST_PTR [...] and the
 * host_ptr specified when the buffer object was created is a SVM pointer". With fine-grain system
 * sharing every pointer could pass for one; who asks wants to know where the memory came from.
 */
static cl_int get_uses_svm(const void *object, weft_info_out *out) {
    cl_bool uses = ((const struct _cl_mem *)object)->uses_svm ? CL_TRUE : CL_FALSE;
    weft_info_put(out, &uses, sizeof(uses));
    return CL_SUCCESS;
}

static const weft_info_row mem_rows[] = {
    WEFT_INFO_FIELD(CL_MEM_TYPE, struct _cl_mem, type),
    WEFT_INFO_FIELD(CL_MEM_FLAGS, struct _cl_mem, flags),
    WEFT_INFO_FIELD(CL_MEM_SIZE, struct _cl_mem, size),
    WEFT_INFO_FIELD(CL_MEM_HOST_PTR, struct _cl_mem, host_ptr),
    WEFT_INFO_GETTER(CL_MEM_MAP_COUNT, get_map_count),
    WEFT_INFO_GETTER(CL_MEM_REFERENCE_COUNT, weft_info_references),
    WEFT_INFO_FIELD(CL_MEM_CONTEXT, struct _cl_mem, context),
    WEFT_INFO_FIELD(CL_MEM_ASSOCIATED_MEMOBJECT, struct _cl_mem, parent),
    WEFT_INFO_FIELD(CL_MEM_OFFSET, struct _cl_mem, origin),
    WEFT_INFO_GETTER(CL_MEM_USES_SVM_POINTER, get_uses_svm),
    WEFT_INFO_GETTER(CL_MEM_PROPERTIES, get_properties),
};

cl_int weft_clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size,
                               void *param_value, size_t *param_value_size_ret) {
    WEFT_CHECK_MEM(NULL, memobj);
    return WEFT_INFO_GET(memobj->context, mem_rows, memobj, param_name, param_value_size,
                         param_value, param_value_size_ret);
}
