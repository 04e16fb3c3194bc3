// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Kernel arguments: clSetKernelArg, and the snapshot that a command takes of them. */

#include "runtime/kernel.h"

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/device_queue.h"
#include "runtime/image.h"
#include "runtime/sampler.h"
#include "runtime/svm.h"

/* ---- clSetKernelArg -------------------------------------------------------------------------- */

static cl_int check_value(cl_kernel kernel, const weft_arg_info *info, size_t size,
                          const void *value) {
    WEFT_CHECK(kernel->context, value, CL_INVALID_ARG_VALUE,
               "if arg_value specified is not a valid value");
    WEFT_CHECK(kernel->context, size == info->bytes, CL_INVALID_ARG_SIZE,
               "if arg_size does not match the size of the data type for an argument that is not "
               "a memory object");
    return CL_SUCCESS;
}

/** "the arg_value pointer can be NULL or point to a NULL value" */
static cl_int check_buffer(cl_kernel kernel, size_t size, const void *value, cl_mem *mem) {
    WEFT_CHECK(kernel->context, size == sizeof(cl_mem), CL_INVALID_ARG_SIZE,
               "if the argument is a memory object and arg_size != sizeof(cl_mem)");
    *mem = NULL;
    if (value)
        memcpy(mem, value, sizeof(*mem));
    if (!*mem)
        return CL_SUCCESS;
    WEFT_CHECK(kernel->context, weft_is_mem(*mem) && (*mem)->type == CL_MEM_OBJECT_BUFFER,
               CL_INVALID_MEM_OBJECT,
               "for an argument declared to be a memory object when the specified arg_value is "
               "not a valid memory object");
    WEFT_CHECK(kernel->context, (*mem)->context == kernel->context, CL_INVALID_MEM_OBJECT,
               "The memory object must be created with the context associated with the kernel "
               "object");
    return CL_SUCCESS;
}

static cl_int check_local(cl_kernel kernel, size_t size, const void *value) {
    WEFT_CHECK(kernel->context, !value, CL_INVALID_ARG_VALUE,
               "If the argument is declared with the local qualifier, the arg_value entry must be "
               "NULL");
    WEFT_CHECK(kernel->context, size > 0, CL_INVALID_ARG_SIZE,
               "if arg_size is zero and the argument is declared with the local qualifier");
    return CL_SUCCESS;
}

/** "if the argument is an image declared with the read_only qualifier and arg_value refers to an
 *  image object created with cl_mem_flags of CL_MEM_WRITE", and so on. */
static cl_int check_image_access(cl_kernel kernel, const weft_arg_info *info, cl_mem image) {
    cl_mem_flags forbidden = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    if (info->access_qualifier == CL_KERNEL_ARG_ACCESS_READ_ONLY)
        forbidden = CL_MEM_WRITE_ONLY;
    else if (info->access_qualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY)
        forbidden = CL_MEM_READ_ONLY;
    WEFT_CHECK(kernel->context, !(image->flags & forbidden), CL_INVALID_ARG_VALUE,
               "if the argument is an image declared with the read_only qualifier and arg_value "
               "refers to an image object created with CL_MEM_WRITE_ONLY, or with the write_only "
               "qualifier and CL_MEM_READ_ONLY, or with the read_write qualifier and either");
    WEFT_CHECK(kernel->context, !info->image_type || info->image_type == image->type,
               CL_INVALID_ARG_VALUE,
               "if arg_value specified is not a valid value: an image of another type");
    return CL_SUCCESS;
}

static cl_int check_image(cl_kernel kernel, const weft_arg_info *info, size_t size,
                          const void *value, cl_mem *mem) {
    WEFT_CHECK(kernel->context, value, CL_INVALID_ARG_VALUE,
               "if arg_value specified is not a valid value");
    WEFT_CHECK(kernel->context, size == sizeof(cl_mem), CL_INVALID_ARG_SIZE,
               "if the argument is a memory object and arg_size != sizeof(cl_mem)");
    memcpy(mem, value, sizeof(*mem));
    WEFT_CHECK(kernel->context, weft_is_image(*mem) && (*mem)->context == kernel->context,
               CL_INVALID_MEM_OBJECT,
               "for an argument declared to be a memory object when the specified arg_value is "
               "not a valid memory object");
    return check_image_access(kernel, info, *mem);
}

static cl_int check_sampler(cl_kernel kernel, size_t size, const void *value) {
    cl_sampler sampler = NULL;
    WEFT_CHECK(kernel->context, size == sizeof(cl_sampler), CL_INVALID_ARG_SIZE,
               "if the argument is a sampler and arg_size != sizeof(cl_sampler)");
    if (value)
        memcpy(&sampler, value, sizeof(sampler));
    WEFT_CHECK(kernel->context, weft_is_sampler(sampler) && sampler->context == kernel->context,
               CL_INVALID_SAMPLER,
               "for an argument declared to be of type sampler_t when the specified arg_value is "
               "not a valid sampler object");
    return CL_SUCCESS;
}

static cl_int check_pipe(cl_kernel kernel, size_t size, const void *value, cl_mem *mem) {
    WEFT_CHECK(kernel->context, value, CL_INVALID_ARG_VALUE,
               "if arg_value specified is not a valid value");
    WEFT_CHECK(kernel->context, size == sizeof(cl_mem), CL_INVALID_ARG_SIZE,
               "if the argument is a memory object and arg_size != sizeof(cl_mem)");
    memcpy(mem, value, sizeof(*mem));
    WEFT_CHECK(kernel->context,
               weft_is_mem(*mem) && (*mem)->type == CL_MEM_OBJECT_PIPE &&
                   (*mem)->context == kernel->context,
               CL_INVALID_MEM_OBJECT,
               "for an argument declared to be a memory object when the specified arg_value is "
               "not a valid memory object");
    return CL_SUCCESS;
}

static cl_int check_queue(cl_kernel kernel, size_t size, const void *value,
                          cl_command_queue *queue) {
    WEFT_CHECK(kernel->context, value, CL_INVALID_ARG_VALUE,
               "if arg_value specified is not a valid value");
    WEFT_CHECK(kernel->context, size == sizeof(void *), CL_INVALID_ARG_SIZE,
               "if the argument is of type queue_t and arg_size != sizeof(cl_command_queue)");
    memcpy(queue, value, sizeof(*queue));
    WEFT_CHECK(kernel->context,
               weft_is_device_queue(*queue) && (*queue)->context == kernel->context,
               CL_INVALID_DEVICE_QUEUE,
               "for an argument declared to be of type queue_t when the specified arg_value is not "
               "a valid device queue object");
    return CL_SUCCESS;
}

static cl_int check_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                                   cl_mem *mem, cl_command_queue *queue) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    WEFT_CHECK(kernel->context, index < kernel->info->arg_count, CL_INVALID_ARG_INDEX,
               "if arg_index is not a valid argument index");
    const weft_arg_info *info = &kernel->arg_info[index];
    switch (info->kind) {
    case WEFT_ARG_VALUE:
        return check_value(kernel, info, size, value);
    case WEFT_ARG_GLOBAL:
    case WEFT_ARG_CONSTANT:
        return check_buffer(kernel, size, value, mem);
    case WEFT_ARG_LOCAL:
        return check_local(kernel, size, value);
    case WEFT_ARG_IMAGE:
        return check_image(kernel, info, size, value, mem);
    case WEFT_ARG_SAMPLER:
        return check_sampler(kernel, size, value);
    case WEFT_ARG_PIPE:
        return check_pipe(kernel, size, value, mem);
    default:
        return check_queue(kernel, size, value, queue);
    }
}

/** The argument has a value from here on. The kernel's lock is held. */
static void mark_set(cl_kernel kernel, weft_kernel_arg *arg) {
    if (arg->set)
        return;
    arg->set = true;
    kernel->args_unset--;
}

void weft_args_set_address(cl_kernel kernel, cl_uint index, weft_object *object, uint64_t address) {
    weft_kernel_arg *arg = &kernel->args[index];
    if (object)
        weft_object_retain_weak(object);
    pthread_mutex_lock(&kernel->lock);
    weft_object *old = arg->object;
    arg->object = object;
    memcpy(kernel->block + kernel->arg_info[index].offset, &address, sizeof(address));
    mark_set(kernel, arg);
    pthread_mutex_unlock(&kernel->lock);
    if (old)
        weft_object_release_weak(old);
}

/** What kernels get for a memory object. */
static uint64_t address_of(cl_mem mem) {
    if (!mem)
        return 0;
    return mem->image ? (uint64_t)(uintptr_t)mem->image : (uint64_t)(uintptr_t)mem->data;
}

cl_int weft_clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                           const void *arg_value) {
    cl_mem mem = NULL;
    cl_command_queue queue = NULL;
    WEFT_TRY(check_clSetKernelArg(kernel, arg_index, arg_size, arg_value, &mem, &queue));

    const weft_arg_info *info = &kernel->arg_info[arg_index];
    weft_kernel_arg *arg = &kernel->args[arg_index];
    if (mem || info->kind == WEFT_ARG_GLOBAL || info->kind == WEFT_ARG_CONSTANT) {
        weft_args_set_address(kernel, arg_index, mem ? &mem->base : NULL, address_of(mem));
        return CL_SUCCESS;
    }
    if (queue) {
        weft_args_set_address(kernel, arg_index, &queue->base,
                              (uint64_t)(uintptr_t)queue->on_device);
        return CL_SUCCESS;
    }
    cl_sampler sampler = NULL;
    if (info->kind == WEFT_ARG_SAMPLER)
        memcpy(&sampler, arg_value, sizeof(sampler));
    pthread_mutex_lock(&kernel->lock);
    if (info->kind == WEFT_ARG_VALUE)
        memcpy(kernel->block + info->offset, arg_value, arg_size);
    else if (sampler)
        memcpy(kernel->block + info->offset, &sampler->bits, sizeof(sampler->bits));
    else
        arg->local_bytes = arg_size; /* the slot is filled in by the snapshot */
    mark_set(kernel, arg);
    pthread_mutex_unlock(&kernel->lock);
    return CL_SUCCESS;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

/** Gives each local argument its place behind the static part; `block` NULL: only adds up. The sum
 *  saturates: a size that wraps round must not look small. */
static uint64_t place_locals(cl_kernel kernel, const weft_kernel_info *info, unsigned char *block) {
    uint64_t end = info->local_bytes;
    for (cl_uint i = 0; i < info->arg_count; i++) {
        const weft_arg_info *arg = &kernel->arg_info[i];
        if (arg->kind != WEFT_ARG_LOCAL)
            continue;
        uint64_t at = weft_block_align(end);
        if (block)
            memcpy(block + arg->offset, &at, sizeof(at));
        if (__builtin_add_overflow(at, (uint64_t)kernel->args[i].local_bytes, &end) ||
            end > UINT64_MAX / 2)
            return UINT64_MAX / 2;
    }
    return end;
}

uint64_t weft_args_local_bytes(cl_kernel kernel) {
    return place_locals(kernel, kernel->info, NULL);
}

/** Objects of arguments, and the default queue. */
static uint32_t count_objects(cl_kernel kernel) {
    uint32_t count = kernel->info->flags & WEFT_KERNEL_ENQUEUES ? 1 : 0;
    for (cl_uint i = 0; i < kernel->info->arg_count; i++)
        count += kernel->args[i].object != NULL;
    return count;
}

/** Room for block and list, embedded if it suffices. False: out of memory. */
static bool make_room(cl_kernel kernel, uint32_t object_count, weft_args *args) {
    size_t block_bytes = kernel->info->args_bytes;
    uintptr_t room = (uintptr_t)args->room;
    args->heap = NULL;
    args->object_count = 0;
    args->objects = args->object_room;
    args->block = (void *)weft_block_align(room);
    if (block_bytes <= WEFT_ARGS_ROOM && object_count <= WEFT_ARGS_OBJECTS)
        return true;
    size_t list_at = weft_block_align(block_bytes);
    args->heap =
        weft_aligned_alloc(WEFT_BLOCK_ALIGN, list_at + object_count * sizeof(weft_object *));
    if (!args->heap)
        return false;
    args->block = args->heap;
    args->objects = (weft_object **)(void *)((unsigned char *)args->heap + list_at);
    return true;
}

/** Retains buffers and queues. What fails is told by the caller, outside the lock. */
static cl_int take_objects(cl_kernel kernel, cl_device_id device, weft_args *args) {
    for (cl_uint i = 0; i < kernel->info->arg_count; i++) {
        weft_object *object = kernel->args[i].object;
        if (!object)
            continue;
        bool is_mem = kernel->arg_info[i].kind != WEFT_ARG_QUEUE;
        if (!weft_object_try_retain(object))
            return is_mem ? CL_INVALID_MEM_OBJECT : CL_INVALID_KERNEL_ARGS;
        args->objects[args->object_count++] = object;
        if (is_mem && !weft_mem_aligned_for((cl_mem)object, device))
            return CL_MISALIGNED_SUB_BUFFER_OFFSET;
    }
    return CL_SUCCESS;
}

/** The memory that an argument, a pointer, gives access to. False: nobody knows how much. */
static bool find_memory(cl_kernel kernel, cl_uint index, uint64_t *first, uint64_t *end) {
    cl_mem mem = (cl_mem)kernel->args[index].object;
    weft_svm_block block;
    memcpy(first, kernel->block + kernel->arg_info[index].offset, sizeof(*first));
    *end = *first;
    if (mem) {
        *end += mem->size;
    } else if (*first) {
        if (!weft_svm_find(kernel->context, (void *)(uintptr_t)*first, &block))
            return false;
        *first = (uint64_t)(uintptr_t)block.data;
        *end = *first + block.size;
    }
    return true;
}

/** weft_launch.apart: of the buffers that the kernel asks for, none shares a byte with one that it
 *  writes. */
static bool are_apart(cl_kernel kernel, const weft_kernel_info *info) {
    uint64_t first[64], end[64];
    bool written[64];
    unsigned count = 0;
    for (cl_uint i = 0; i < info->arg_count && i < 64; i++) {
        if (!(info->apart >> i & 1) || kernel->arg_info[i].kind != WEFT_ARG_GLOBAL)
            continue;
        if (!find_memory(kernel, i, &first[count], &end[count]))
            return false;
        written[count] = !info->apart_written || (info->apart_written >> i & 1);
        for (unsigned other = 0; other < count; other++)
            if ((written[count] || written[other]) && first[count] < end[other] &&
                first[other] < end[count])
                return false;
        count++;
    }
    return count > 0;
}

/** What get_default_queue() will say, if the kernel or what it enqueues may ask. */
static void take_default_queue(cl_kernel kernel, cl_device_id device, weft_args *args) {
    cl_command_queue queue = NULL;
    if (kernel->info->flags & WEFT_KERNEL_ENQUEUES)
        queue = weft_default_queue_retain(kernel->context, device);
    args->default_queue = queue ? queue->on_device : NULL;
    if (queue)
        args->objects[args->object_count++] = &queue->base;
}

static cl_int snapshot(cl_kernel kernel, cl_device_id device, const weft_kernel_info *info,
                       weft_args *args) {
    if (kernel->args_unset)
        return CL_INVALID_KERNEL_ARGS;
    if (!make_room(kernel, count_objects(kernel), args))
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(args->block, kernel->block, info->args_bytes);
    args->local_bytes = place_locals(kernel, info, args->block);
    if (args->local_bytes > device->local_bytes)
        return CL_OUT_OF_RESOURCES;
    args->apart = info->apart && are_apart(kernel, info);
    take_default_queue(kernel, device, args);
    return take_objects(kernel, device, args);
}

static cl_int tell(cl_context context, cl_int status) {
    static const struct {
        cl_int status;
        const char *sentence;
    } reasons[] = {
        {CL_INVALID_PROGRAM_EXECUTABLE, "if there is no successfully built program executable "
                                        "available for device associated with command_queue"},
        {CL_INVALID_KERNEL_ARGS, "if the kernel argument values have not been specified (or a "
                                 "queue that is one was deleted)"},
        {CL_INVALID_MEM_OBJECT, "a memory object that is a kernel argument was deleted"},
        {CL_MISALIGNED_SUB_BUFFER_OFFSET,
         "if a sub-buffer object is specified as the value for an argument and its offset is not "
         "aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN value for device associated with queue"},
        {CL_OUT_OF_RESOURCES, "the kernel needs more local memory than CL_DEVICE_LOCAL_MEM_SIZE"}};
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (reasons[i].status == status)
            return weft_fail(context, "clEnqueueNDRangeKernel", status, reasons[i].sentence);
    return status;
}

cl_int weft_args_snapshot(cl_kernel kernel, cl_uint slot, weft_args *args) {
    const weft_kernel_code *code = kernel->slots[slot].code;
    args->heap = NULL;
    args->object_count = 0;
    if (!code)
        return tell(kernel->context, CL_INVALID_PROGRAM_EXECUTABLE);
    pthread_mutex_lock(&kernel->lock);
    cl_int status = snapshot(kernel, kernel->context->devices[slot], code->info, args);
    pthread_mutex_unlock(&kernel->lock);
    if (status == CL_SUCCESS)
        return CL_SUCCESS;
    weft_args_finish(args);
    return tell(kernel->context, status);
}

void weft_args_finish(weft_args *args) {
    for (uint32_t i = 0; i < args->object_count; i++)
        weft_object_release(args->objects[i]);
    args->object_count = 0;
    weft_free(args->heap);
    args->heap = NULL;
}
