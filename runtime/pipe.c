// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Pipes. No device supports them yet (CL_DEVICE_MAX_PIPE_ARGS is 0), so there is no pipe object. */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/mem.h"

static cl_int check_clCreatePipe(cl_context context, cl_mem_flags flags,
                                 const cl_pipe_properties *properties) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, !(flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)),
               CL_INVALID_VALUE, "if values specified in flags are not as defined above");
    WEFT_CHECK(context, !properties || !properties[0], CL_INVALID_VALUE,
               "if properties is not NULL (no property is defined)");
    return weft_fail(context, "clCreatePipe", CL_INVALID_OPERATION,
                     "if no devices in context support pipes");
}

cl_mem weft_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                         cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                         cl_int *errcode_ret) {
    (void)pipe_packet_size;
    (void)pipe_max_packets;
    cl_int status = check_clCreatePipe(context, flags, properties);
    if (errcode_ret)
        *errcode_ret = status;
    return NULL;
}

cl_int weft_clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
    (void)param_name;
    (void)param_value_size;
    (void)param_value;
    (void)param_value_size_ret;
    return weft_fail(weft_is_mem(pipe) ? pipe->context : NULL, __func__, CL_INVALID_MEM_OBJECT,
                     "if pipe is a not a valid pipe object");
}
