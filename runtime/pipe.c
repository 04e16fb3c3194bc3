// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Pipes: memory objects whose bytes are a weft_pipe and its packets, which the device's services
 * read and write for kernels. */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/info.h"
#include "runtime/mem.h"

static cl_int check_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                 cl_uint max_packets, const cl_pipe_properties *properties) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, !(flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)),
               CL_INVALID_VALUE, "if values specified in flags are not as defined above");
    WEFT_CHECK(context, !properties, CL_INVALID_VALUE, "if properties is not NULL");
    WEFT_CHECK(context, packet_size > 0 && packet_size <= WEFT_PIPE_PACKET_BYTES,
               CL_INVALID_PIPE_SIZE,
               "if pipe_packet_size is 0 or the pipe_packet_size exceeds "
               "CL_DEVICE_PIPE_MAX_PACKET_SIZE value for all devices in context");
    WEFT_CHECK(context, max_packets > 0, CL_INVALID_PIPE_SIZE, "if pipe_max_packets is 0");
    return CL_SUCCESS;
}

static cl_int create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                          cl_uint max_packets, cl_mem *result) {
    cl_device_id device = weft_context_memory_device(context);
    uint64_t bytes = device->ops->pipe_bytes(packet_size, max_packets);
    cl_mem mem = weft_mem_create(context, NULL);

    if (!mem)
        return CL_OUT_OF_HOST_MEMORY;
    mem->type = CL_MEM_OBJECT_PIPE;
    /* "If the value specified for flags is 0, the default is used" */
    mem->flags = flags ? flags | CL_MEM_READ_WRITE : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    mem->size = bytes;
    if (bytes <= device->max_alloc_bytes)
        mem->data = device->ops->memory_alloc(device->device, bytes, WEFT_BLOCK_ALIGN);
    if (!mem->data) {
        weft_release(&mem);
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }
    mem->owns_data = true;
    weft_pipe *pipe = (weft_pipe *)(void *)mem->data;
    pipe->packet_size = packet_size;
    pipe->max_packets = max_packets;
    *result = mem;
    return CL_SUCCESS;
}

cl_mem weft_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                         cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                         cl_int *errcode_ret) {
    cl_mem mem = NULL;
    cl_int status =
        check_clCreatePipe(context, flags, pipe_packet_size, pipe_max_packets, properties);
    if (status == CL_SUCCESS) {
        status = create_pipe(context, flags, pipe_packet_size, pipe_max_packets, &mem);
        if (status != CL_SUCCESS)
            weft_fail(context, __func__, status, "if there is a failure to allocate memory");
    }
    if (errcode_ret)
        *errcode_ret = status;
    return mem;
}

/** clGetMemObjectInfo's CL_PIPE_PROPERTIES: "If properties [...] is NULL": nothing. */
static cl_int get_properties(const void *object, weft_info_out *out) {
    (void)object;
    (void)out;
    return CL_SUCCESS;
}

static const weft_info_row pipe_rows[] = {
    WEFT_INFO_FIELD(CL_PIPE_PACKET_SIZE, weft_pipe, packet_size),
    WEFT_INFO_FIELD(CL_PIPE_MAX_PACKETS, weft_pipe, max_packets),
    WEFT_INFO_GETTER(CL_PIPE_PROPERTIES, get_properties),
};

cl_int weft_clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
    WEFT_CHECK(weft_is_mem(pipe) ? pipe->context : NULL,
               weft_is_mem(pipe) && pipe->type == CL_MEM_OBJECT_PIPE, CL_INVALID_MEM_OBJECT,
               "if pipe is a not a valid pipe object");
    return WEFT_INFO_GET(pipe->context, pipe_rows, pipe->data, param_name, param_value_size,
                         param_value, param_value_size_ret);
}
