// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clEnqueueNativeKernel: a function of the application's on a thread of the device. */

#include "runtime/api.h"
#include "runtime/enqueue_common.h"

/* The function, a copy of its arguments and the memory objects in them: one block, freed by the
 * command. The copy of the arguments lies behind the list, aligned for any type. */
typedef struct native_call {
    void(CL_CALLBACK *function)(void *args);
    void *args;
    cl_uint mem_count;
    cl_mem mems[];
} native_call;

enum { ARGS_ALIGN = 16 };

static int32_t run_native(void *user) {
    native_call *call = user;

    call->function(call->args);
    return CL_SUCCESS;
}

static void release_native(weft_command *command) {
    native_call *call = command->heap;

    for (cl_uint i = 0; i < call->mem_count; i++)
        if (call->mems[i])
            weft_release(&call->mems[i]);
}

static cl_int check_native(const char *function, cl_context context,
                           void(CL_CALLBACK *user_func)(void *), const void *args, size_t cb_args,
                           cl_uint num_mem_objects, const cl_mem *mem_list,
                           const void **args_mem_loc) {
    if (!user_func)
        return weft_fail(context, function, CL_INVALID_VALUE, "if user_func is NULL");
    if (!args && (cb_args > 0 || num_mem_objects > 0))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if args is a NULL value and cb_args > 0, or if args is a NULL value and "
                         "num_mem_objects > 0");
    if (args && !cb_args)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if args is not NULL and cb_args is 0");
    if (num_mem_objects ? !mem_list || !args_mem_loc : mem_list || args_mem_loc)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if num_mem_objects > 0 and mem_list or args_mem_loc are NULL, or if "
                         "num_mem_objects = 0 and mem_list or args_mem_loc are not NULL");
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        size_t at = (size_t)((const char *)args_mem_loc[i] - (const char *)args);
        if (mem_list[i] && (!weft_is_mem(mem_list[i]) || mem_list[i]->type != CL_MEM_OBJECT_BUFFER))
            return weft_fail(context, function, CL_INVALID_MEM_OBJECT,
                             "if one or more memory objects specified in mem_list are not valid "
                             "or are not buffer objects");
        if (cb_args < sizeof(void *) || at > cb_args - sizeof(void *))
            return weft_fail(context, function, CL_INVALID_VALUE,
                             "args_mem_loc is a pointer to appropriate locations that args points "
                             "to");
    }
    return CL_SUCCESS;
}

/* Copies the arguments, with addresses in the place of memory objects. NULL: out of memory. */
static native_call *make_call(void(CL_CALLBACK *function)(void *), const void *args, size_t cb_args,
                              cl_uint num_mem_objects, const cl_mem *mem_list,
                              const void **args_mem_loc) {
    size_t head = sizeof(native_call) + num_mem_objects * sizeof(cl_mem);
    native_call *call;

    head = (head + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
    if (cb_args > SIZE_MAX - head || !(call = weft_aligned_alloc(ARGS_ALIGN, head + cb_args)))
        return NULL;
    call->function = function;
    call->args = args ? (char *)call + head : NULL;
    call->mem_count = num_mem_objects;
    if (args)
        memcpy(call->args, args, cb_args);
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        const void *address = mem_list[i] ? mem_list[i]->data : NULL;
        size_t at = (size_t)((const char *)args_mem_loc[i] - (const char *)args);
        memcpy((char *)call->args + at, &address, sizeof(address));
        call->mems[i] = mem_list[i];
        if (mem_list[i])
            weft_retain(mem_list[i]);
    }
    return call;
}

cl_int CL_API_CALL weft_clEnqueueNativeKernel(cl_command_queue command_queue,
                                              void(CL_CALLBACK *user_func)(void *), void *args,
                                              size_t cb_args, cl_uint num_mem_objects,
                                              const cl_mem *mem_list, const void **args_mem_loc,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event) {
    weft_command *command;
    native_call *call;

    WEFT_CHECK_QUEUE(command_queue);
    cl_context context = command_queue->context;
    WEFT_TRY(check_native(__func__, context, user_func, args, cb_args, num_mem_objects, mem_list,
                          args_mem_loc));
    WEFT_CHECK_WAIT_LIST(context, num_events_in_wait_list, event_wait_list);
    command = weft_command_create(command_queue, CL_COMMAND_NATIVE_KERNEL, num_events_in_wait_list,
                                  event_wait_list);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    call = make_call(user_func, args, cb_args, num_mem_objects, mem_list, args_mem_loc);
    if (!call) {
        weft_command_discard(command);
        return CL_OUT_OF_HOST_MEMORY;
    }
    command->heap = call;
    command->release = release_native;
    weft_command_host(command, run_native, call);
    return weft_command_enqueue(command, CL_FALSE, event);
}
