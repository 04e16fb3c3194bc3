// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* cl_intel_unified_shared_memory: allocating, freeing, asking about memory. The commands are in
 * enqueue_svm.c, kernel arguments in svm.c: to kernels this is memory like any other. */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/info.h"
#include "runtime/queue.h"
#include "runtime/svm.h"

static const cl_mem_alloc_flags_intel PLACEMENT =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

/* ---- allocating ------------------------------------------------------------------------------ */

/* The list has one property that may be there. All its flags are wishes that ask for nothing: the
 * memory is the host's in any case, and cached. */
static cl_int read_properties(const char *function, cl_context context,
                              const cl_mem_properties_intel *list, weft_svm_block *block) {
    bool said = false;

    for (; list && list[0]; list += 2) {
        if (list[0] != CL_MEM_ALLOC_FLAGS_INTEL || said)
            return weft_fail(context, function, CL_INVALID_PROPERTY,
                             "if a memory property name in properties is not a supported property "
                             "name, or if the same property name is specified more than once");
        said = true;
        block->flags = list[1];
    }
    if (block->flags & ~(PLACEMENT | CL_MEM_ALLOC_WRITE_COMBINED_INTEL))
        return weft_fail(context, function, CL_INVALID_PROPERTY,
                         "if the value specified for a supported property name is not valid");
    if (block->type != CL_MEM_TYPE_SHARED_INTEL && block->flags & PLACEMENT)
        return weft_fail(context, function, CL_INVALID_PROPERTY,
                         "if either the CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL or "
                         "CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL flags are specified");
    if ((block->flags & PLACEMENT) == PLACEMENT)
        return weft_fail(context, function, CL_INVALID_PROPERTY,
                         "if both CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL and "
                         "CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL flags are specified");
    return CL_SUCCESS;
}

static cl_int check_size(const char *function, cl_context context, const weft_svm_block *block) {
    if (!block->size)
        return weft_fail(context, function, CL_INVALID_BUFFER_SIZE, "if size is zero");
    for (cl_uint i = 0; i < context->device_count; i++) {
        cl_device_id device = block->device ? block->device : context->devices[i];
        if (block->size > device->max_alloc_bytes)
            return weft_fail(context, function, CL_INVALID_BUFFER_SIZE,
                             "if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for device, or "
                             "without one for any device in context");
    }
    return CL_SUCCESS;
}

static cl_int check(const char *function, cl_context context, const cl_mem_properties_intel *list,
                    cl_uint alignment, weft_svm_block *block) {
    if (!weft_is_context(context))
        return weft_fail(NULL, function, CL_INVALID_CONTEXT, "if context is not a valid context");
    bool wants_device = block->device || block->type == CL_MEM_TYPE_DEVICE_INTEL;
    if (wants_device &&
        (!weft_is_device(block->device) || weft_context_slot(context, block->device) < 0))
        return weft_fail(context, function, CL_INVALID_DEVICE,
                         "if device is not a valid device or is not associated with context");
    if (alignment & (alignment - 1) || alignment > WEFT_SVM_ALIGN)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if alignment is not zero or a power of two, or is greater than the size "
                         "of the largest data type supported by device");
    WEFT_TRY(read_properties(function, context, list, block));
    return check_size(function, context, block);
}

static void *allocate(const char *function, cl_context context, const cl_mem_properties_intel *list,
                      cl_uint alignment, weft_svm_block block, cl_int *errcode_ret) {
    cl_int status = check(function, context, list, alignment, &block);
    if (status == CL_SUCCESS && !weft_svm_alloc(context, &block))
        status = weft_fail(context, function, CL_OUT_OF_RESOURCES,
                           "if there is a failure to allocate resources required by the OpenCL "
                           "implementation on the device");
    if (errcode_ret)
        *errcode_ret = status;
    return status == CL_SUCCESS ? block.data : NULL;
}

void *CL_API_CALL weft_clHostMemAllocINTEL(cl_context context,
                                           const cl_mem_properties_intel *properties, size_t size,
                                           cl_uint alignment, cl_int *errcode_ret) {
    const weft_svm_block block = {.size = size, .type = CL_MEM_TYPE_HOST_INTEL};

    return allocate(__func__, context, properties, alignment, block, errcode_ret);
}

void *CL_API_CALL weft_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                             const cl_mem_properties_intel *properties, size_t size,
                                             cl_uint alignment, cl_int *errcode_ret) {
    const weft_svm_block block = {.size = size, .type = CL_MEM_TYPE_DEVICE_INTEL, .device = device};

    return allocate(__func__, context, properties, alignment, block, errcode_ret);
}

void *CL_API_CALL weft_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                             const cl_mem_properties_intel *properties, size_t size,
                                             cl_uint alignment, cl_int *errcode_ret) {
    const weft_svm_block block = {.size = size, .type = CL_MEM_TYPE_SHARED_INTEL, .device = device};

    return allocate(__func__, context, properties, alignment, block, errcode_ret);
}

/* ---- freeing --------------------------------------------------------------------------------- */

static const char *const NOT_OURS =
    "if ptr is not a value returned by clHostMemAllocINTEL, clDeviceMemAllocINTEL, "
    "clSharedMemAllocINTEL, or a NULL pointer";

cl_int CL_API_CALL weft_clMemFreeINTEL(cl_context context, void *ptr) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, !ptr || weft_svm_free(context, ptr, true), CL_INVALID_VALUE, NOT_OURS);
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clMemBlockingFreeINTEL(cl_context context, void *ptr) {
    weft_svm_block block = {0};

    WEFT_CHECK_CONTEXT(context);
    if (!ptr)
        return CL_SUCCESS;
    bool ours = weft_svm_find(context, ptr, &block) && block.type && block.data == ptr;
    WEFT_CHECK(context, ours, CL_INVALID_VALUE, NOT_OURS);
    WEFT_CHECK(context, weft_context_await_users(context, ptr, block.size), CL_OUT_OF_HOST_MEMORY,
               "if there is a failure to allocate resources required by the OpenCL implementation "
               "on the host");
    /* Two threads that free the same block: one of them comes too late. */
    WEFT_CHECK(context, weft_svm_free(context, ptr, true), CL_INVALID_VALUE, NOT_OURS);
    return CL_SUCCESS;
}

/* ---- information ----------------------------------------------------------------------------- */

static const weft_info_row USM_INFO[] = {
    WEFT_INFO_FIELD(CL_MEM_ALLOC_TYPE_INTEL, weft_svm_block, type),
    WEFT_INFO_FIELD(CL_MEM_ALLOC_BASE_PTR_INTEL, weft_svm_block, data),
    WEFT_INFO_FIELD(CL_MEM_ALLOC_SIZE_INTEL, weft_svm_block, size),
    WEFT_INFO_FIELD(CL_MEM_ALLOC_DEVICE_INTEL, weft_svm_block, device),
    WEFT_INFO_FIELD(CL_MEM_ALLOC_FLAGS_INTEL, weft_svm_block, flags),
};

cl_int CL_API_CALL weft_clGetMemAllocInfoINTEL(cl_context context, const void *ptr,
                                               cl_mem_info_intel param_name,
                                               size_t param_value_size, void *param_value,
                                               size_t *param_value_size_ret) {
    weft_svm_block block;

    WEFT_CHECK_CONTEXT(context);
    /* All zero but the type, "if ptr does not point into a Unified Shared Memory allocation". */
    if (!weft_svm_find(context, ptr, &block) || !block.type)
        block = (weft_svm_block){.type = CL_MEM_TYPE_UNKNOWN_INTEL};
    return WEFT_INFO_GET(context, USM_INFO, &block, param_name, param_value_size, param_value,
                         param_value_size_ret);
}
