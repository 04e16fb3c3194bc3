// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Shared virtual memory: clSVMAlloc, clSVMFree, pointers as kernel arguments. */

#include "runtime/svm.h"

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/kernel.h"

#include <string.h>

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define SVM_FLAGS    (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)

/* ---- the table of blocks --------------------------------------------------------------------- */

void weft_svm_init(weft_svm_table *table) {
    pthread_mutex_init(&table->lock, NULL);
}

/* The number of blocks that start at or below `pointer`. The lock is held. */
static size_t count_up_to(const weft_svm_table *table, const void *pointer) {
    size_t low = 0, high = table->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)table->blocks[middle].data <= (uintptr_t)pointer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool weft_svm_find(cl_context context, const void *pointer, weft_svm_block *block) {
    weft_svm_table *table = &context->svm;
    bool found = false;

    pthread_mutex_lock(&table->lock);
    size_t above = count_up_to(table, pointer);
    if (above > 0) {
        *block = table->blocks[above - 1];
        found = (uintptr_t)pointer - (uintptr_t)block->data < block->size;
    }
    pthread_mutex_unlock(&table->lock);
    return found;
}

static bool add_block(weft_svm_table *table, const weft_svm_block *block) {
    bool there = true;

    pthread_mutex_lock(&table->lock);
    if (table->count == table->room) {
        size_t room = table->room ? table->room * 2 : 16;
        weft_svm_block *more = weft_realloc(table->blocks, room * sizeof(*more));
        there = more != NULL;
        if (there) {
            table->blocks = more;
            table->room = room;
        }
    }
    if (there) {
        size_t at = count_up_to(table, block->data);
        memmove(&table->blocks[at + 1], &table->blocks[at],
                (table->count - at) * sizeof(*table->blocks));
        table->blocks[at] = *block;
        table->count++;
    }
    pthread_mutex_unlock(&table->lock);
    return there;
}

/* Takes out the block of this kind that starts at `pointer`. */
static bool take_block(weft_svm_table *table, const void *pointer, bool usm,
                       weft_svm_block *block) {
    bool found = false;

    pthread_mutex_lock(&table->lock);
    size_t above = count_up_to(table, pointer);
    if (above > 0 && table->blocks[above - 1].data == pointer &&
        (table->blocks[above - 1].type != 0) == usm) {
        found = true;
        *block = table->blocks[above - 1];
        memmove(&table->blocks[above - 1], &table->blocks[above],
                (table->count - above) * sizeof(*table->blocks));
        table->count--;
    }
    pthread_mutex_unlock(&table->lock);
    return found;
}

/* Whose memory a block is made of. */
static cl_device_id home_of(cl_context context, const weft_svm_block *block) {
    return block->device ? block->device : weft_context_memory_device(context);
}

static void free_block(cl_context context, const weft_svm_block *block) {
    cl_device_id device = home_of(context, block);

    device->ops->memory_free(device->device, block->data, block->size);
}

void *weft_svm_alloc(cl_context context, weft_svm_block *block) {
    cl_device_id device = home_of(context, block);

    block->data = device->ops->memory_alloc(device->device, block->size, WEFT_SVM_ALIGN);
    if (block->data && !add_block(&context->svm, block)) {
        free_block(context, block);
        block->data = NULL;
    }
    return block->data;
}

bool weft_svm_free(cl_context context, void *pointer, bool usm) {
    weft_svm_block block;

    if (!pointer || !take_block(&context->svm, pointer, usm, &block))
        return false;
    free_block(context, &block);
    return true;
}

void weft_svm_finish(cl_context context) {
    weft_svm_table *table = &context->svm;

    /* Freeing needs the context: what is left now could never be freed. */
    for (size_t i = 0; i < table->count; i++)
        free_block(context, &table->blocks[i]);
    weft_free(table->blocks);
    pthread_mutex_destroy(&table->lock);
}

/* ---- clSVMAlloc, clSVMFree ------------------------------------------------------------------- */

static cl_int check_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                               cl_uint alignment) {
    cl_svm_mem_flags access = flags & ACCESS_FLAGS;

    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, !(flags & ~(cl_svm_mem_flags)(ACCESS_FLAGS | SVM_FLAGS)), CL_INVALID_VALUE,
               "if the values specified in flags are not valid");
    WEFT_CHECK(context, !(access & (access - 1)), CL_INVALID_VALUE,
               "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY are mutually exclusive");
    WEFT_CHECK(context, !(flags & CL_MEM_SVM_ATOMICS) || flags & CL_MEM_SVM_FINE_GRAIN_BUFFER,
               CL_INVALID_VALUE,
               "if flags does not contain CL_MEM_SVM_FINE_GRAIN_BUFFER but does contain "
               "CL_MEM_SVM_ATOMICS");
    WEFT_CHECK(context, size > 0, CL_INVALID_BUFFER_SIZE, "if size is 0");
    for (cl_uint i = 0; i < context->device_count; i++)
        WEFT_CHECK(context, size <= context->devices[i]->max_alloc_bytes, CL_INVALID_BUFFER_SIZE,
                   "if size is > CL_DEVICE_MAX_MEM_ALLOC_SIZE value for any device in context");
    WEFT_CHECK(context, !(alignment & (alignment - 1)) && alignment <= WEFT_SVM_ALIGN,
               CL_INVALID_VALUE,
               "if alignment is not a power of two or the OpenCL implementation cannot support the "
               "specified alignment");
    return CL_SUCCESS;
}

void *weft_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
    if (check_clSVMAlloc(context, flags, size, alignment) != CL_SUCCESS)
        return NULL;
    weft_svm_block block = {.size = size};
    if (!weft_svm_alloc(context, &block))
        weft_fail(context, __func__, CL_OUT_OF_RESOURCES,
                  "if there was a failure to allocate resources");
    return block.data;
}

void weft_clSVMFree(cl_context context, void *svm_pointer) {
    if (weft_is_context(context))
        weft_svm_free(context, svm_pointer, false);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* clSetKernelArgSVMPointer and clSetKernelArgMemPointerINTEL: "any pointer value is valid". */
static cl_int set_arg_pointer(const char *function, cl_kernel kernel, cl_uint index,
                              const void *value) {
    if (!weft_is_kernel(kernel))
        return weft_fail(NULL, function, CL_INVALID_KERNEL,
                         "if kernel is not a valid kernel object");
    if (index >= kernel->info->arg_count)
        return weft_fail(kernel->context, function, CL_INVALID_ARG_INDEX,
                         "if arg_index is not a valid argument index");
    uint8_t kind = kernel->arg_info[index].kind;
    if (kind != WEFT_ARG_GLOBAL && kind != WEFT_ARG_CONSTANT)
        return weft_fail(kernel->context, function, CL_INVALID_ARG_VALUE,
                         "The pointer can only be used for arguments that are declared to be a "
                         "pointer to global or constant memory");
    weft_args_set_address(kernel, index, NULL, (uint64_t)(uintptr_t)value);
    return CL_SUCCESS;
}

cl_int weft_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
    return set_arg_pointer(__func__, kernel, arg_index, arg_value);
}

cl_int CL_API_CALL weft_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                      const void *arg_value) {
    return set_arg_pointer(__func__, kernel, arg_index, arg_value);
}

/* Lists of pointers, as against single truth values; false: there is no such parameter. */
static bool is_exec_info(cl_kernel_exec_info name, bool *is_list) {
    *is_list = name == CL_KERNEL_EXEC_INFO_SVM_PTRS || name == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL;
    return *is_list || name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM ||
           name == CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL ||
           name == CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL ||
           name == CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL;
}

/*
 * Kernels reach all of the host's memory whether or not it is announced: there is nothing to keep.
 */
cl_int weft_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                size_t param_value_size, const void *param_value) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    bool pointers;
    WEFT_CHECK(kernel->context, is_exec_info(param_name, &pointers), CL_INVALID_VALUE,
               "if param_name is not valid");
    /* "param_value_size is 0": an empty list replaces what was set. So later specifications say,
     * and so the conformance tests want it. */
    WEFT_CHECK(kernel->context, param_value || (pointers && !param_value_size), CL_INVALID_VALUE,
               "if param_value is NULL");
    WEFT_CHECK(kernel->context,
               pointers ? param_value_size % sizeof(void *) == 0
                        : param_value_size == sizeof(cl_bool),
               CL_INVALID_VALUE, "if the size specified by param_value_size is not valid");
    return CL_SUCCESS;
}
