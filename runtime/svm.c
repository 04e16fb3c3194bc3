// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Shared virtual memory. No device reports it yet (CL_DEVICE_SVM_CAPABILITIES is 0): there are no
 * SVM allocations, and commands on them fail as the specification says for such devices.
 */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/kernel.h"
#include "runtime/queue.h"

#define UNUSED __attribute__((unused))

void *weft_clSVMAlloc(UNUSED cl_context context, UNUSED cl_svm_mem_flags flags, UNUSED size_t size,
                      UNUSED cl_uint alignment) {
    weft_fail(weft_is_context(context) ? context : NULL, __func__, CL_INVALID_OPERATION,
              "returns NULL if no device in context supports SVM");
    return NULL;
}

void weft_clSVMFree(UNUSED cl_context context, UNUSED void *svm_pointer) {
    /* "If svm_pointer is NULL, clSVMFree does nothing"; any other pointer is not ours. */
}

static cl_int check_queue(cl_command_queue queue, const char *function) {
    WEFT_CHECK_QUEUE(queue);
    return weft_fail(queue->context, function, CL_INVALID_OPERATION,
                     "if the device associated with command_queue does not support SVM");
}

cl_int weft_clEnqueueSVMFree(cl_command_queue queue, UNUSED cl_uint pointer_count,
                             UNUSED void *pointers[],
                             UNUSED void(CL_CALLBACK *free_function)(cl_command_queue, cl_uint,
                                                                     void *[], void *),
                             UNUSED void *user_data, UNUSED cl_uint count,
                             UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueSVMMemcpy(cl_command_queue queue, UNUSED cl_bool blocking_copy,
                               UNUSED void *to, UNUSED const void *from, UNUSED size_t size,
                               UNUSED cl_uint count, UNUSED const cl_event *wait_list,
                               UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueSVMMemFill(cl_command_queue queue, UNUSED void *pointer,
                                UNUSED const void *pattern, UNUSED size_t pattern_size,
                                UNUSED size_t size, UNUSED cl_uint count,
                                UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueSVMMap(cl_command_queue queue, UNUSED cl_bool blocking_map,
                            UNUSED cl_map_flags flags, UNUSED void *pointer, UNUSED size_t size,
                            UNUSED cl_uint count, UNUSED const cl_event *wait_list,
                            UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueSVMUnmap(cl_command_queue queue, UNUSED void *pointer, UNUSED cl_uint count,
                              UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

cl_int weft_clEnqueueSVMMigrateMem(cl_command_queue queue, UNUSED cl_uint pointer_count,
                                   UNUSED const void **pointers, UNUSED const size_t *sizes,
                                   UNUSED cl_mem_migration_flags flags, UNUSED cl_uint count,
                                   UNUSED const cl_event *wait_list, UNUSED cl_event *event) {
    return check_queue(queue, __func__);
}

#define NO_SVM "if no devices in the context associated with kernel support SVM"

cl_int weft_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                     UNUSED const void *arg_value) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    WEFT_CHECK(kernel->context, arg_index < kernel->info->arg_count, CL_INVALID_ARG_INDEX,
               "if arg_index is not a valid argument index");
    return weft_fail(kernel->context, __func__, CL_INVALID_OPERATION, NO_SVM);
}

cl_int weft_clSetKernelExecInfo(cl_kernel kernel, UNUSED cl_kernel_exec_info param_name,
                                UNUSED size_t param_value_size, UNUSED const void *param_value) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    return weft_fail(kernel->context, __func__, CL_INVALID_OPERATION, NO_SVM);
}
