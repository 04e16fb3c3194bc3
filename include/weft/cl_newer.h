// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Names of extensions that are newer than the oldest headers that Weft is built with (Debian 12's
 *  of 2023). Include it behind CL/cl_ext.h. */
#ifndef WEFT_CL_NEWER_H
#define WEFT_CL_NEWER_H

/* cl_khr_spirv_queries */
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR                0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR              0x12BB
#endif

#endif
