// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"

#define VERSION CL_MAKE_VERSION(1, 0, 0)

static const cl_built_in_kernel_weft kernels[] = {
    {.name = "weft.memcpy",
     .signature = "global void *to, global const void *from",
     .function = (void (*)(void))weft_kernel_memcpy,
     .flags = CL_BUILT_IN_KERNEL_GROUP_WEFT,
     .version = VERSION},
    {.name = "weft.sgemm",
     .signature = "uint k, float alpha, global const float *a, uint a_pitch, "
                  "global const float *b, uint b_pitch, float beta, global float *c, uint c_pitch",
     .function = (void (*)(void))weft_kernel_sgemm,
     .flags = CL_BUILT_IN_KERNEL_GROUP_WEFT,
     .version = VERSION,
     .local_bytes = WEFT_SGEMM_LOCAL,
     .local_size = {64, 64, 1}},
};

extern const cl_built_in_plugin_weft weft_own_kernels;
const cl_built_in_plugin_weft weft_own_kernels = {
    .abi = CL_BUILT_IN_KERNEL_ABI_WEFT,
    .kernel_bytes = sizeof(cl_built_in_kernel_weft),
    .kernel_count = sizeof(kernels) / sizeof(kernels[0]),
    .kernels = kernels,
};
