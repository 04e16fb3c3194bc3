// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Weft's extensions of OpenCL.
 *
 * cl_weft_untrusted_source: a property of contexts, for applications that build the text of others
 * (docs/security.md).
 *
 * cl_weft_built_in_kernels: C functions as built-in kernels (docs/built-in-kernels.md). They come
 * from the application, which calls clRegisterBuiltInKernelsWEFT
 *
 *     clRegisterBuiltInKernelsWEFT_fn add = (clRegisterBuiltInKernelsWEFT_fn)
 *         clGetExtensionFunctionAddressForPlatform(platform, "clRegisterBuiltInKernelsWEFT");
 *
 * or from a plug-in: a shared object named in WEFT_BUILTIN_KERNELS=/path/a.so:/path/b.so that
 * exports the variable `weft_built_in_kernels`. The header needs no library and is C99 and C++.
 */
#ifndef CL_EXT_WEFT_H
#define CL_EXT_WEFT_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define cl_weft_untrusted_source                1
#define CL_WEFT_UNTRUSTED_SOURCE_EXTENSION_NAME "cl_weft_untrusted_source"

/**
 * A property of clCreateContext, CL_TRUE or CL_FALSE (the default). With CL_TRUE, OpenCL C of this
 * context's programs includes and embeds only the headers that clCompileProgram is given and files
 * beneath the folders that options name with -I; `..` and symbolic links do not lead out of these,
 * and the working directory is none of them. Everything else is as if it did not exist. SPIR-V and
 * binaries name no files. Options are the application's own: whoever writes them names the folders.
 * The setting WEFT_UNTRUSTED_SOURCE=1 does the same for all contexts, whatever they ask for.
 */
#define CL_CONTEXT_UNTRUSTED_SOURCE_WEFT 0x57460001

#define cl_weft_built_in_kernels                1
#define CL_WEFT_BUILT_IN_KERNELS_EXTENSION_NAME "cl_weft_built_in_kernels"

/** The version of the structures below. */
#define CL_BUILT_IN_KERNEL_ABI_WEFT 1

/** A work-group, as a function sees it that asks for it (CL_BUILT_IN_KERNEL_GROUP_WEFT). */
typedef struct cl_built_in_group_weft {
    size_t bytes; /* of this structure: members are only ever appended */
    cl_uint work_dim;
    cl_uint vector_bytes; /* of the widest registers to use: 64 AVX-512, 32 AVX2 with FMA, 16 SSE */
    size_t global_size[3];
    size_t global_offset[3];
    size_t group_id[3];
    size_t num_groups[3];
    size_t first_item[3];    /* global id of the group's first work-item, offset included */
    size_t local_size[3];    /* of this group: the last ones of a row may be smaller */
    size_t enqueued_size[3]; /* of a whole group */
    void *local_memory;      /* local_bytes of the kernel, 128-byte aligned; NULL: none */
} cl_built_in_group_weft;

/** The function's first parameter is a `const cl_built_in_group_weft *`; the signature does not
 *  name it. */
#define CL_BUILT_IN_KERNEL_GROUP_WEFT (1 << 0)

/**
 * One kernel. `function` is called once for each work-group, by any thread of the device, many at a
 * time; it does the work of all work-items of its group. There are no barriers. What it returns is
 * ignored; it must return, must not throw, and has 128 KiB of stack.
 *
 * `signature` is a parameter list as in OpenCL C: "global float *out, constant int *in, local
 * float *scratch, float scale, uint n". Values may be char, uchar, short, ushort, int, uint, long,
 * ulong, size_t, float, double; pointers need an address space and may point to anything.
 */
typedef struct cl_built_in_kernel_weft {
    const char *name; /* letters, digits, '_' and '.': "vendor.function" */
    const char *signature;
    void (*function)(void); /* cast to this type; valid as long as the process */
    cl_bitfield flags;
    cl_uint version;      /* as CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION has it */
    size_t local_bytes;   /* local memory of a group beside that of local parameters */
    size_t local_size[3]; /* for launches that leave it open; 0 0 0: Weft chooses */
} cl_built_in_kernel_weft;

/** What a plug-in exports, as the variable `weft_built_in_kernels`. */
typedef struct cl_built_in_plugin_weft {
    cl_uint abi;          /* CL_BUILT_IN_KERNEL_ABI_WEFT */
    cl_uint kernel_bytes; /* sizeof(cl_built_in_kernel_weft) */
    cl_uint kernel_count;
    const cl_built_in_kernel_weft *kernels;
} cl_built_in_plugin_weft;

/**
 * Registers all kernels of `plugin`, or none. From then on every device of the platform has them.
 * What the structures point to is copied. On errors `why` (may be NULL) receives a sentence of at
 * most `why_size` bytes.
 *
 *  - CL_INVALID_PLATFORM   `platform` is not a platform of Weft's
 *  - CL_INVALID_VALUE      `plugin` is NULL or of another version, or an unknown flag is set
 *  - CL_INVALID_KERNEL_NAME  a name is missing, has other characters, or is taken
 *  - CL_INVALID_KERNEL_DEFINITION  no function, a signature that is not understood, or more local
 *                          memory or a larger local size than devices have
 *  - CL_OUT_OF_HOST_MEMORY
 */
typedef cl_int(CL_API_CALL *clRegisterBuiltInKernelsWEFT_fn)(cl_platform_id platform,
                                                             const cl_built_in_plugin_weft *plugin,
                                                             size_t why_size, char *why);

#ifdef __cplusplus
}
#endif

#endif
