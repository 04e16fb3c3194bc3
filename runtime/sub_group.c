// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** clGetKernelSubGroupInfo. A sub-group is as many work-items as the kernel runs at once. */
#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/info.h"
#include "runtime/kernel.h"

#include "weft/ndrange.h"

#include <string.h>

/** A query: the kernel on a device, and what the application gave for input. */
typedef struct sub_group_query {
    const weft_kernel_info *info;
    size_t group_limit;     /* CL_KERNEL_WORK_GROUP_SIZE */
    size_t items;           /* of the local size given */
    size_t count;           /* sub-groups asked for */
    cl_uint out_dimensions; /* of the answer, from its size */
} sub_group_query;

static size_t size_of(const sub_group_query *query) {
    return weft_sub_group_size(query->info);
}

static cl_int put_size(weft_info_out *out, size_t value) {
    weft_info_put(out, &value, sizeof(value));
    return CL_SUCCESS;
}

static cl_int get_max_size(const void *object, weft_info_out *out) {
    return put_size(out, size_of(object));
}

static cl_int get_count(const void *object, weft_info_out *out) {
    const sub_group_query *query = object;
    return put_size(out, weft_sub_group_count(query->info, query->items));
}

static cl_int get_local_size(const void *object, weft_info_out *out) {
    const sub_group_query *query = object;
    size_t items = weft_items_for_sub_groups(query->info, query->group_limit, query->count);

    put_size(out, items);
    for (cl_uint i = 1; i < query->out_dimensions; i++)
        put_size(out, items ? 1 : 0);
    return CL_SUCCESS;
}

static cl_int get_max_count(const void *object, weft_info_out *out) {
    const sub_group_query *query = object;
    return put_size(out, weft_max_sub_groups(query->info, query->group_limit));
}

static cl_int get_compile_count(const void *object, weft_info_out *out) {
    return put_size(out, ((const sub_group_query *)object)->info->reqd_sub_groups);
}

static cl_int get_compile_size(const void *object, weft_info_out *out) {
    return put_size(out, ((const sub_group_query *)object)->info->reqd_sub_group_size);
}

static const weft_info_row rows[] = {
    WEFT_INFO_GETTER(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, get_max_size),
    WEFT_INFO_GETTER(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, get_count),
    WEFT_INFO_GETTER(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, get_local_size),
    WEFT_INFO_GETTER(CL_KERNEL_MAX_NUM_SUB_GROUPS, get_max_count),
    WEFT_INFO_GETTER(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, get_compile_count),
    WEFT_INFO_GETTER(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, get_compile_size),
};

/** "The number of dimensions ... will be inferred from the value specified for
 *  input_value_size." */
static cl_int read_local_size(cl_context context, size_t bytes, const void *input,
                              sub_group_query *query) {
    size_t local[3] = {1, 1, 1};

    WEFT_CHECK(context, input && bytes && bytes <= sizeof(local) && bytes % sizeof(size_t) == 0,
               CL_INVALID_VALUE,
               "if param_name is CL_KERNEL_SUB_GROUP_SIZE_FOR_NDRANGE and the size in bytes "
               "specified by input_value_size is not valid or if input_value is NULL");
    memcpy(local, input, bytes);
    if (__builtin_mul_overflow(local[0], local[1], &query->items) ||
        __builtin_mul_overflow(query->items, local[2], &query->items))
        query->items = SIZE_MAX;
    return CL_SUCCESS;
}

static cl_int read_input(cl_context context, cl_kernel_sub_group_info name, size_t bytes,
                         const void *input, sub_group_query *query) {
    switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        return read_local_size(context, bytes, input, query);
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        WEFT_CHECK(context, input && bytes == sizeof(query->count), CL_INVALID_VALUE,
                   "if the size in bytes specified by input_value_size is not that of a size_t or "
                   "if input_value is NULL");
        memcpy(&query->count, input, sizeof(query->count));
        return CL_SUCCESS;
    default:
        return CL_SUCCESS; /* "ignored" */
    }
}

cl_int weft_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                    cl_kernel_sub_group_info param_name, size_t input_value_size,
                                    const void *input_value, size_t param_value_size,
                                    void *param_value, size_t *param_value_size_ret) {
    sub_group_query query = {0};
    size_t dimensions = param_value_size / sizeof(size_t);

    WEFT_TRY(weft_kernel_on_device(kernel, &device, &query.info));
    query.group_limit = weft_kernel_group_limit(query.info, device);
    query.out_dimensions = dimensions < 1 ? 1 : dimensions > 3 ? 3 : (cl_uint)dimensions;
    WEFT_TRY(read_input(kernel->context, param_name, input_value_size, input_value, &query));
    return WEFT_INFO_GET(kernel->context, rows, &query, param_name, param_value_size, param_value,
                         param_value_size_ret);
}
