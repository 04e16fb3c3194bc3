// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Every API function's implementation is named weft_<API name> and has the prototype that the CL
 * headers give the API function. The list is icd/entrypoints.def.
 */
#ifndef WEFT_API_H
#define WEFT_API_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

#define WEFT_ENTRY(name) extern __typeof__(name) weft_##name;
#include "icd/entrypoints.def"

/* Functions of extensions, found by name only. */
extern __typeof__(clCreateCommandQueueWithPropertiesKHR) weft_clCreateCommandQueueWithPropertiesKHR;
extern __typeof__(clGetKernelSuggestedLocalWorkSizeKHR) weft_clGetKernelSuggestedLocalWorkSizeKHR;

/* cl_intel_unified_shared_memory: X(name). */
#define WEFT_USM_FUNCTIONS(X)                                                                      \
    X(clHostMemAllocINTEL)                                                                         \
    X(clDeviceMemAllocINTEL)                                                                       \
    X(clSharedMemAllocINTEL)                                                                       \
    X(clMemFreeINTEL)                                                                              \
    X(clMemBlockingFreeINTEL)                                                                      \
    X(clGetMemAllocInfoINTEL)                                                                      \
    X(clSetKernelArgMemPointerINTEL)                                                               \
    X(clEnqueueMemFillINTEL)                                                                       \
    X(clEnqueueMemsetINTEL)                                                                        \
    X(clEnqueueMemcpyINTEL)                                                                        \
    X(clEnqueueMigrateMemINTEL)                                                                    \
    X(clEnqueueMemAdviseINTEL)
#define WEFT_DECLARE_(name) extern __typeof__(name) weft_##name;
WEFT_USM_FUNCTIONS(WEFT_DECLARE_)

#endif
