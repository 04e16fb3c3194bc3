// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Weft's own built-in kernels; what their parameters mean is in docs/built-in-kernels.md. */
#ifndef WEFT_OWN_KERNELS_H
#define WEFT_OWN_KERNELS_H

#include <CL/cl_ext_weft.h>
#include <stddef.h>

/** Each group copies the bytes of its work-items. */
void weft_kernel_memcpy(const cl_built_in_group_weft *group, void *to, const void *from);

/** Memory that sgemm works in, per group. */
enum { WEFT_SGEMM_LOCAL = 32 * 1024 };
/** c = alpha a b + beta c, row by row; each group computes the elements of its work-items. */
void weft_kernel_sgemm(const cl_built_in_group_weft *group, cl_uint k, float alpha, const float *a,
                       cl_uint a_pitch, const float *b, cl_uint b_pitch, float beta, float *c,
                       cl_uint c_pitch);

#endif
