// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What libweft.so exports: exactly what an ICD loader looks up by name (exports.map). */

#include "icd/dispatch.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                     cl_uint *num_platforms) {
    return weft_clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

EXPORT void *clGetExtensionFunctionAddress(const char *func_name) {
    return weft_clGetExtensionFunctionAddress(func_name);
}

EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                size_t param_value_size, void *param_value,
                                size_t *param_value_size_ret) {
    return weft_clGetPlatformInfo(platform, param_name, param_value_size, param_value,
                                  param_value_size_ret);
}
