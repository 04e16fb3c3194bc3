// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clEnqueueNDRangeKernel and clEnqueueTask. */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/command.h"
#include "runtime/kernel.h"
#include "runtime/log.h"
#include "runtime/program_start.h"
#include "runtime/queue.h"

#include "weft/ndrange.h"

/* What the application is told of a range that is not valid. */
static cl_int fail_range(const char *function, cl_context context, weft_ndrange_fault fault) {
    static const struct {
        cl_int status;
        const char *sentence;
    } reasons[] = {
        [WEFT_NDRANGE_DIMENSIONS] = {CL_INVALID_WORK_DIMENSION,
                                     "if work_dim is not a valid value (i.e. a value between 1 and "
                                     "3)"},
        [WEFT_NDRANGE_OFFSET] =
            {CL_INVALID_GLOBAL_OFFSET,
             "if the value specified in global_work_size + the corresponding values in "
             "global_work_offset for any dimensions is greater than the maximum value "
             "representable by size t on the device"},
        [WEFT_NDRANGE_REQUIRED] = {CL_INVALID_WORK_GROUP_SIZE,
                                   "if local_work_size is specified and does not match the "
                                   "required work-group size for kernel in the program source"},
        [WEFT_NDRANGE_ZERO] = {CL_INVALID_WORK_GROUP_SIZE,
                               "if local_work_size is specified and is 0 in a dimension"},
        [WEFT_NDRANGE_ITEM_SIZE] =
            {CL_INVALID_WORK_ITEM_SIZE,
             "if the number of work-items specified in any of local_work_size is greater than the "
             "corresponding CL_DEVICE_MAX_WORK_ITEM_SIZES"},
        [WEFT_NDRANGE_GROUP_SIZE] =
            {CL_INVALID_WORK_GROUP_SIZE,
             "if local_work_size is specified and the total number of work-items in the "
             "work-group is greater than CL_KERNEL_WORK_GROUP_SIZE"},
        [WEFT_NDRANGE_SUB_GROUPS] =
            {CL_INVALID_WORK_GROUP_SIZE,
             "if local_work_size is specified and is not consistent with the required number of "
             "sub-groups for kernel in the program source"},
        [WEFT_NDRANGE_UNEVEN] =
            {CL_INVALID_WORK_GROUP_SIZE,
             "if the program was compiled with cl-uniform-work-group-size and the number of "
             "work-items specified by global_work_size is not evenly divisible by local_work_size "
             "or by the required work-group size"},
    };

    return weft_fail(context, function, reasons[fault].status, reasons[fault].sentence);
}

/* Every dimension filled in; the local size is fixed later. */
static cl_int read_range(const char *function, cl_context context, cl_uint dimensions,
                         const size_t *offset, const size_t *global, const size_t *local,
                         weft_ndrange *range) {
    weft_ndrange_fault fault;

    range->work_dim = dimensions;
    for (cl_uint i = 0; i < dimensions && i < 3; i++) {
        range->global_size[i] = global ? global[i] : 0;
        range->global_offset[i] = offset ? offset[i] : 0;
        range->local_size[i] = local ? local[i] : 1;
    }
    fault = weft_ndrange_complete(range);
    return fault ? fail_range(function, context, fault) : CL_SUCCESS;
}

/* What a built-in kernel wants: its function is called once for each group. */
static bool take_wish(cl_kernel kernel, weft_ndrange *range) {
    const uint64_t *wish = kernel->info->local_size_hint;

    if (kernel->program->origin != WEFT_PROGRAM_BUILTIN || !wish[0] ||
        weft_ndrange_is_fixed(kernel->info))
        return false;
    for (cl_uint i = 0; i < 3; i++)
        range->local_size[i] = wish[i] < range->global_size[i] ? wish[i] : range->global_size[i];
    return true;
}

static cl_int fix_local(const char *function, cl_device_id device, cl_kernel kernel, bool given,
                        weft_ndrange *range) {
    const size_t *sizes = device->max_item_sizes;
    weft_ndrange_limits limits = {
        device->max_group_items, {sizes[0], sizes[1], sizes[2]}, device->compute_units};
    weft_ndrange_fault fault;

    if (!given && take_wish(kernel, range))
        return CL_SUCCESS;
    fault = weft_ndrange_fix_local(range, given, kernel->info, &limits);
    return fault ? fail_range(function, kernel->context, fault) : CL_SUCCESS;
}

static cl_int check_kernel(const char *function, cl_command_queue queue, cl_kernel kernel) {
    if (!weft_is_queue(queue))
        return weft_fail(NULL, function, CL_INVALID_COMMAND_QUEUE,
                         "if command_queue is not a valid host command-queue");
    if (!weft_is_kernel(kernel))
        return weft_fail(queue->context, function, CL_INVALID_KERNEL,
                         "if kernel is not a valid kernel object");
    if (kernel->context != queue->context)
        return weft_fail(queue->context, function, CL_INVALID_CONTEXT,
                         "if context associated with command_queue and kernel are not the same");
    if (!kernel->slots[queue->slot].code)
        return weft_fail(queue->context, function, CL_INVALID_PROGRAM_EXECUTABLE,
                         "if there is no successfully built program executable available for "
                         "device associated with command_queue");
    return CL_SUCCESS;
}

static void fill_launch(weft_command *command, const weft_kernel_code *code,
                        const weft_ndrange *range) {
    weft_launch *launch = &command->work.kernel.launch;

    memset(launch, 0, sizeof(*launch));
    command->work.kind = WEFT_WORK_KERNEL;
    command->work.kernel.code = code;
    command->work.kernel.default_queue = command->args.default_queue;
    atomic_init(&command->work.kernel.family, NULL);
    weft_ndrange_launch(range, code->info, launch);
    launch->args = command->args.block;
    launch->apart = command->args.apart;
    launch->local_bytes = command->args.local_bytes;
    launch->program_data = command->kernel->slots[command->queue->slot].data;
    command->node.has_work = true;
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_command_type type,
                      const weft_ndrange *range, cl_uint count, const cl_event *list,
                      cl_event *event) {
    weft_program_start *start = kernel->slots[queue->slot].start;
    bool empty = weft_ndrange_is_empty(range);
    cl_int status;

    if (start && !empty && weft_program_start_run(start) != CL_SUCCESS)
        return weft_fail(kernel->context, "clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES,
                         "if there is a failure to queue the execution instance of kernel because "
                         "of insufficient resources: the program's constructors ended by an error");
    weft_command *command = weft_command_create(queue, type, count, list);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    status = weft_args_snapshot(kernel, queue->slot, &command->args);
    if (status != CL_SUCCESS) {
        weft_command_discard(command);
        return status;
    }
    weft_retain(kernel);
    command->kernel = kernel;
    if (!empty)
        fill_launch(command, kernel->slots[queue->slot].code, range);
    weft_log(WEFT_LOG_KERNEL, "%s: global %llu %llu %llu local %llu %llu %llu", kernel->name,
             (unsigned long long)range->global_size[0], (unsigned long long)range->global_size[1],
             (unsigned long long)range->global_size[2], (unsigned long long)range->local_size[0],
             (unsigned long long)range->local_size[1], (unsigned long long)range->local_size[2]);
    return weft_command_enqueue(command, CL_FALSE, event);
}

cl_int CL_API_CALL weft_clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                               cl_uint work_dim, const size_t *global_work_offset,
                                               const size_t *global_work_size,
                                               const size_t *local_work_size,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
    weft_ndrange range;

    WEFT_TRY(check_kernel(__func__, command_queue, kernel));
    WEFT_TRY(read_range(__func__, kernel->context, work_dim, global_work_offset, global_work_size,
                        local_work_size, &range));
    if (!weft_ndrange_is_empty(&range))
        WEFT_TRY(fix_local(__func__, command_queue->device, kernel, local_work_size, &range));
    WEFT_CHECK_WAIT_LIST(kernel->context, num_events_in_wait_list, event_wait_list);
    return enqueue(command_queue, kernel, CL_COMMAND_NDRANGE_KERNEL, &range,
                   num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event) {
    static const size_t one = 1;
    weft_ndrange range;

    WEFT_TRY(check_kernel(__func__, command_queue, kernel));
    /* "equivalent to calling clEnqueueNDRangeKernel with work_dim = 1, global_work_offset = NULL,
     * global_work_size[0] set to 1, and local_work_size[0] set to 1" */
    WEFT_TRY(read_range(__func__, kernel->context, 1, NULL, &one, &one, &range));
    WEFT_TRY(fix_local(__func__, command_queue->device, kernel, true, &range));
    WEFT_CHECK_WAIT_LIST(kernel->context, num_events_in_wait_list, event_wait_list);
    return enqueue(command_queue, kernel, CL_COMMAND_TASK, &range, num_events_in_wait_list,
                   event_wait_list, event);
}

/* ---- cl_khr_suggested_local_work_size -------------------------------------------------------- */

static cl_int check_suggestion(const char *function, cl_kernel kernel, cl_uint dimensions,
                               const size_t *offset, const size_t *global, const size_t *suggested,
                               weft_ndrange *range) {
    cl_context context = kernel->context;

    WEFT_TRY(read_range(function, context, dimensions, offset, global, NULL, range));
    if (weft_ndrange_is_empty(range))
        return weft_fail(context, function, CL_INVALID_GLOBAL_WORK_SIZE,
                         "if global_work_size is NULL or if any of the values specified in "
                         "global_work_size are 0");
    if (!suggested)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if suggested_local_work_size is NULL");
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
                                                             cl_kernel kernel, cl_uint work_dim,
                                                             const size_t *global_work_offset,
                                                             const size_t *global_work_size,
                                                             size_t *suggested_local_work_size) {
    weft_args args;
    weft_ndrange range;

    WEFT_TRY(check_kernel(__func__, command_queue, kernel));
    WEFT_TRY(check_suggestion(__func__, kernel, work_dim, global_work_offset, global_work_size,
                              suggested_local_work_size, &range));
    /* What a launch would find wrong with the arguments is wrong here. */
    WEFT_TRY(weft_args_snapshot(kernel, command_queue->slot, &args));
    weft_args_finish(&args);
    WEFT_TRY(fix_local(__func__, command_queue->device, kernel, false, &range));
    for (cl_uint i = 0; i < work_dim; i++)
        suggested_local_work_size[i] = range.local_size[i];
    return CL_SUCCESS;
}
