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

/* cl_ext_float_atomics */
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
typedef cl_bitfield cl_device_fp_atomic_capabilities_ext;
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT   0x4233
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT   (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT          (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT      (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT    (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT           (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT       (1 << 18)
#endif

#endif
