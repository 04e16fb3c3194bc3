// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clEnqueueNDRangeKernel and clEnqueueTask. */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/command.h"
#include "runtime/kernel.h"
#include "device-cpu/local_size.h"
#include "runtime/log.h"
#include "runtime/program_start.h"
#include "runtime/queue.h"

/* An ND-range with every dimension filled in. */
typedef struct nd_range {
    cl_uint dimensions;
    bool empty;     /* no work-items: the kernel trivially succeeds */
    bool has_local; /* the application chose */
    uint64_t global[3], offset[3], local[3];
} nd_range;

static bool is_uniform(const weft_kernel_info *info) {
    return info->flags & WEFT_KERNEL_UNIFORM_GROUPS;
}

static cl_int read_range(const char *function, cl_context context, cl_uint dimensions,
                         const size_t *offset, const size_t *global, const size_t *local,
                         nd_range *range) {
    if (dimensions < 1 || dimensions > 3)
        return weft_fail(context, function, CL_INVALID_WORK_DIMENSION,
                         "if work_dim is not a valid value (i.e. a value between 1 and 3)");
    range->dimensions = dimensions;
    range->empty = !global;
    range->has_local = local != NULL;
    for (cl_uint i = 0; i < 3; i++) {
        bool there = i < dimensions;
        range->global[i] = !there ? 1 : global ? global[i] : 0;
        range->offset[i] = there && offset ? offset[i] : 0;
        range->local[i] = there && local ? local[i] : 1;
        range->empty = range->empty || range->global[i] == 0;
        if (range->global[i] > UINT64_MAX - range->offset[i])
            return weft_fail(context, function, CL_INVALID_GLOBAL_OFFSET,
                             "if the value specified in global_work_size + the corresponding "
                             "values in global_work_offset for any dimensions is greater than the "
                             "maximum value representable by size t on the device");
    }
    return CL_SUCCESS;
}

static bool is_required(const weft_kernel_info *info) {
    return info->reqd_local_size[0] != 0;
}

static bool same_size(const uint64_t *a, const uint64_t *b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* A local size of the application's. */
static cl_int check_local(const char *function, cl_device_id device, cl_kernel kernel,
                          const nd_range *range) {
    cl_context context = kernel->context;
    uint64_t items = 1;

    if (is_required(kernel->info) && !same_size(range->local, kernel->info->reqd_local_size))
        return weft_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                         "if local_work_size is specified and does not match the required "
                         "work-group size for kernel in the program source");
    for (cl_uint i = 0; i < 3; i++) {
        if (range->local[i] == 0)
            return weft_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                             "if local_work_size is specified and is 0 in a dimension");
        if (range->local[i] > device->max_item_sizes[i])
            return weft_fail(context, function, CL_INVALID_WORK_ITEM_SIZE,
                             "if the number of work-items specified in any of local_work_size is "
                             "greater than the corresponding CL_DEVICE_MAX_WORK_ITEM_SIZES");
        items *= range->local[i]; /* cannot overflow: the factors are limited */
    }
    if (items > weft_kernel_group_limit(kernel->info, device))
        return weft_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                         "if local_work_size is specified and the total number of work-items in "
                         "the work-group is greater than CL_KERNEL_WORK_GROUP_SIZE");
    size_t size = weft_sub_group_size(kernel->info);
    uint64_t count = (items + size - 1) / size;
    if (kernel->info->reqd_sub_groups && count != kernel->info->reqd_sub_groups)
        return weft_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                         "if local_work_size is specified and is not consistent with the required "
                         "number of sub-groups for kernel in the program source");
    return CL_SUCCESS;
}

/* Required or given: must it divide the global size? */
static cl_int check_division(const char *function, cl_kernel kernel, const nd_range *range) {
    for (cl_uint i = 0; i < 3 && is_uniform(kernel->info); i++)
        if (range->global[i] % range->local[i])
            return weft_fail(kernel->context, function, CL_INVALID_WORK_GROUP_SIZE,
                             "if the program was compiled with cl-uniform-work-group-size and the "
                             "number of work-items specified by global_work_size is not evenly "
                             "divisible by local_work_size or by the required work-group size");
    return CL_SUCCESS;
}

static void choose_local(cl_device_id device, const weft_kernel_info *info, nd_range *range) {
    weft_local_size_rules rules = {
        .limit = weft_kernel_group_limit(info, device),
        .compute_units = device->compute_units,
        .width = info->width,
        .uniform = is_uniform(info),
        .barrier = info->flags & WEFT_KERNEL_BARRIER,
    };

    for (int i = 0; i < 3; i++)
        rules.dimension_limit[i] = device->max_item_sizes[i];
    weft_choose_local_size(&rules, range->global, range->local);
}

/* What a built-in kernel wants: its function is called once for each group. */
static bool take_wish(cl_kernel kernel, nd_range *range) {
    const uint64_t *wish = kernel->info->local_size_hint;

    if (kernel->program->origin != WEFT_PROGRAM_BUILTIN || !wish[0])
        return false;
    for (cl_uint i = 0; i < 3; i++)
        range->local[i] = wish[i] < range->global[i] ? wish[i] : range->global[i];
    return true;
}

static cl_int fix_local(const char *function, cl_device_id device, cl_kernel kernel,
                        nd_range *range) {
    if (range->has_local) {
        WEFT_TRY(check_local(function, device, kernel, range));
    } else if (is_required(kernel->info)) {
        memcpy(range->local, kernel->info->reqd_local_size, sizeof(range->local));
        WEFT_TRY(check_local(function, device, kernel, range));
    } else if (kernel->info->reqd_sub_groups) {
        range->local[0] = kernel->info->reqd_sub_groups * weft_sub_group_size(kernel->info);
        range->local[1] = range->local[2] = 1;
        WEFT_TRY(check_local(function, device, kernel, range));
    } else {
        if (!take_wish(kernel, range))
            choose_local(device, kernel->info, range);
        return CL_SUCCESS;
    }
    return check_division(function, kernel, range);
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
                        const nd_range *range) {
    weft_launch *launch = &command->work.kernel.launch;
    uint64_t items = range->local[0] * range->local[1] * range->local[2];

    memset(launch, 0, sizeof(*launch));
    command->work.kind = WEFT_WORK_KERNEL;
    command->work.kernel.code = code;
    command->work.kernel.default_queue = command->args.default_queue;
    atomic_init(&command->work.kernel.family, NULL);
    launch->abi_version = WEFT_ABI_VERSION;
    launch->work_dim = range->dimensions;
    launch->args = command->args.block;
    launch->apart = command->args.apart;
    for (int i = 0; i < 3; i++) {
        launch->global_size[i] = range->global[i];
        launch->global_offset[i] = range->offset[i];
        launch->local_size[i] = range->local[i];
        launch->num_groups[i] =
            range->global[i] / range->local[i] + (range->global[i] % range->local[i] != 0);
    }
    launch->local_bytes = command->args.local_bytes;
    launch->program_data = command->kernel->slots[command->queue->slot].data;
    launch->sub_group_size = code->info->sub_group_size;
    if (launch->sub_group_size)
        launch->max_sub_groups =
            (uint32_t)((items + launch->sub_group_size - 1) / launch->sub_group_size);
    command->node.has_work = true;
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_command_type type,
                      const nd_range *range, cl_uint count, const cl_event *list, cl_event *event) {
    weft_program_start *start = kernel->slots[queue->slot].start;
    cl_int status;

    if (start && !range->empty && weft_program_start_run(start) != CL_SUCCESS)
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
    if (!range->empty)
        fill_launch(command, kernel->slots[queue->slot].code, range);
    weft_log(WEFT_LOG_KERNEL, "%s: global %llu %llu %llu local %llu %llu %llu", kernel->name,
             (unsigned long long)range->global[0], (unsigned long long)range->global[1],
             (unsigned long long)range->global[2], (unsigned long long)range->local[0],
             (unsigned long long)range->local[1], (unsigned long long)range->local[2]);
    return weft_command_enqueue(command, CL_FALSE, event);
}

cl_int CL_API_CALL weft_clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                               cl_uint work_dim, const size_t *global_work_offset,
                                               const size_t *global_work_size,
                                               const size_t *local_work_size,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
    nd_range range;

    WEFT_TRY(check_kernel(__func__, command_queue, kernel));
    WEFT_TRY(read_range(__func__, kernel->context, work_dim, global_work_offset, global_work_size,
                        local_work_size, &range));
    if (!range.empty)
        WEFT_TRY(fix_local(__func__, command_queue->device, kernel, &range));
    WEFT_CHECK_WAIT_LIST(kernel->context, num_events_in_wait_list, event_wait_list);
    return enqueue(command_queue, kernel, CL_COMMAND_NDRANGE_KERNEL, &range,
                   num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL weft_clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event) {
    static const size_t one = 1;
    nd_range range;

    WEFT_TRY(check_kernel(__func__, command_queue, kernel));
    /* "equivalent to calling clEnqueueNDRangeKernel with work_dim = 1, global_work_offset = NULL,
     * global_work_size[0] set to 1, and local_work_size[0] set to 1" */
    WEFT_TRY(read_range(__func__, kernel->context, 1, NULL, &one, &one, &range));
    WEFT_TRY(fix_local(__func__, command_queue->device, kernel, &range));
    WEFT_CHECK_WAIT_LIST(kernel->context, num_events_in_wait_list, event_wait_list);
    return enqueue(command_queue, kernel, CL_COMMAND_TASK, &range, num_events_in_wait_list,
                   event_wait_list, event);
}

/* ---- cl_khr_suggested_local_work_size -------------------------------------------------------- */

static cl_int check_suggestion(const char *function, cl_kernel kernel, cl_uint dimensions,
                               const size_t *offset, const size_t *global, const size_t *suggested,
                               nd_range *range) {
    cl_context context = kernel->context;

    WEFT_TRY(read_range(function, context, dimensions, offset, global, NULL, range));
    if (range->empty)
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
    nd_range range;

    WEFT_TRY(check_kernel(__func__, command_queue, kernel));
    WEFT_TRY(check_suggestion(__func__, kernel, work_dim, global_work_offset, global_work_size,
                              suggested_local_work_size, &range));
    /* What a launch would find wrong with the arguments is wrong here. */
    WEFT_TRY(weft_args_snapshot(kernel, command_queue->slot, &args));
    weft_args_finish(&args);
    WEFT_TRY(fix_local(__func__, command_queue->device, kernel, &range));
    for (cl_uint i = 0; i < work_dim; i++)
        suggested_local_work_size[i] = range.local[i];
    return CL_SUCCESS;
}
