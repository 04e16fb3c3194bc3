// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Programs of built-in kernels. */

#include "runtime/api.h"
#include "runtime/builtin.h"
#include "runtime/check.h"
#include "runtime/program.h"

/* The next name of a list separated by ';': its length, and what follows. False: the list ends. */
static bool next_name(const char **list, const char **name, size_t *length) {
    if (!*list)
        return false;
    *name = *list;
    *length = strcspn(*list, ";");
    *list = (*name)[*length] ? *name + *length + 1 : NULL;
    return true;
}

static cl_int check_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                      const cl_device_id *devices,
                                                      const char *kernel_names, size_t *count) {
    const char *name;
    size_t length;

    WEFT_TRY(
        weft_check_device_list("clCreateProgramWithBuiltInKernels", context, num_devices, devices));
    WEFT_CHECK(context, kernel_names, CL_INVALID_VALUE, "if kernel_names is NULL");
    for (*count = 0; next_name(&kernel_names, &name, &length); ++*count)
        WEFT_CHECK(context, weft_builtin_find(context->platform, name, length), CL_INVALID_VALUE,
                   "if kernel_names contains a kernel name that is not supported by any of the "
                   "devices in device_list");
    return CL_SUCCESS;
}

/* The kernels of the names, each once; NULL: out of memory. */
static const weft_kernel_code **find_kernels(const weft_platform *platform, const char *names,
                                             size_t most, uint32_t *count) {
    const weft_kernel_code **list = weft_calloc(most, sizeof(*list));
    const char *name;
    size_t length;

    *count = 0;
    while (list && next_name(&names, &name, &length)) {
        const weft_kernel_code *code = &weft_builtin_find(platform, name, length)->code;
        bool again = false;
        for (uint32_t i = 0; i < *count; i++)
            again = again || list[i] == code;
        if (!again)
            list[(*count)++] = code;
    }
    return list;
}

static cl_program create(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                         const char *names, size_t most) {
    uint32_t count;
    const weft_kernel_code **list = find_kernels(context->platform, names, most, &count);
    cl_program program =
        list ? weft_program_create(context, WEFT_PROGRAM_BUILTIN, num_devices, devices) : NULL;

    if (!program) {
        weft_free(list);
        return NULL;
    }
    program->builtins = list;
    program->builtin_count = count;
    for (cl_uint i = 0; i < program->build_count; i++) {
        program->builds[i].builtins = list;
        program->builds[i].builtin_count = count;
        program->builds[i].status = CL_BUILD_SUCCESS;
        program->builds[i].type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    }
    return program;
}

cl_program weft_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                  const cl_device_id *device_list,
                                                  const char *kernel_names, cl_int *errcode_ret) {
    cl_program program = NULL;
    size_t count = 0;
    cl_int status = check_clCreateProgramWithBuiltInKernels(context, num_devices, device_list,
                                                            kernel_names, &count);

    if (status == CL_SUCCESS) {
        program = create(context, num_devices, device_list, kernel_names, count);
        status = program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (errcode_ret)
        *errcode_ret = status;
    return program;
}
