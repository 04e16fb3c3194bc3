// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Built-in kernels: C functions that look like kernels of a compiled program. A registered kernel
 * is never taken away; it is immutable and lives as long as the process.
 */
#ifndef WEFT_BUILTIN_H
#define WEFT_BUILTIN_H

#include "CL/cl_ext_weft.h"
#include "runtime/platform.h"
#include "weft/device.h"

enum { WEFT_BUILTIN_ARGS = 64, WEFT_BUILTIN_WHY = 512, WEFT_BUILTIN_REASON = 256 };

/** A parameter list, understood. Texts are cut from it. */
typedef struct weft_signature {
    uint32_t count, block_bytes, text_bytes;
    weft_arg_info args[WEFT_BUILTIN_ARGS]; /* name and type_name: offsets into text, never 0 */
    char text[4096];
} weft_signature;

/** The call of a function through libffi; opaque. */
typedef struct weft_builtin_call weft_builtin_call;

typedef struct weft_builtin {
    _Atomic(struct weft_builtin *) next; /* as registered */
    weft_kernel_code code;
    weft_kernel_info info;
    cl_uint version;
    bool has_group;
    cl_uint vector_bytes; /* what the function is told */
    void (*function)(void);
    weft_builtin_call *call;
    weft_image_info *table; /* for its strings and arguments, laid out as in a compiled image */
} weft_builtin;

/** The built-in kernel that the code of a built-in program belongs to. */
static inline const weft_builtin *weft_builtin_of(const weft_kernel_code *code) {
    return (const weft_builtin *)((const char *)code - offsetof(weft_builtin, code));
}

/** By name (`length` bytes of it); NULL: none. Lock-free. */
const weft_builtin *weft_builtin_find(const weft_platform *platform, const char *name,
                                      size_t length);
/** The first of all, in the order of registration. Lock-free. */
const weft_builtin *weft_builtin_first(const weft_platform *platform);
/** The one after; NULL: none. Lock-free. */
const weft_builtin *weft_builtin_next(const weft_builtin *builtin);

/** Plug-ins that have been loaded; opaque. One block: weft_free ends it, the libraries stay. */
typedef struct weft_builtin_plugins weft_builtin_plugins;

/** Loads the plug-ins that WEFT_BUILTIN_KERNELS names. NULL: none, or out of memory. Never under a
 *  lock: what starts with a library may call OpenCL. */
weft_builtin_plugins *weft_builtin_open(const weft_platform *platform);
/** Registers Weft's own kernels. The platform's lock is held, and no device has been handed out
 *  yet. False: out of memory. */
bool weft_builtin_start(weft_platform *platform);
/** Registers those of the plug-ins (NULL: none), once; what is wrong with one is told to the debug
 *  log (topic "settings"). The platform's lock is held; there are devices. */
void weft_builtin_register(weft_platform *platform, const weft_builtin_plugins *plugins);

/** clRegisterBuiltInKernelsWEFT. */
cl_int CL_API_CALL weft_clRegisterBuiltInKernelsWEFT(cl_platform_id platform,
                                                     const cl_built_in_plugin_weft *plugin,
                                                     size_t why_size, char *why);

/* ---- between builtin*.c ---- */

/** Understands a parameter list. False: `why` (WEFT_BUILTIN_REASON bytes) says what is wrong. */
bool weft_signature_read(const char *text, weft_signature *signature, char *why);
/** Prepares the call of a function with these parameters. NULL: out of memory. */
weft_builtin_call *weft_builtin_call_make(const weft_signature *signature, bool has_group);
/** The entry of every built-in kernel; launch->program_data is the weft_builtin. */
void weft_builtin_run(const weft_launch *launch, weft_worker *worker, uint64_t first_group,
                      uint64_t group_count);

/** Weft's own kernels (device-cpu/builtin-kernels/). */
extern const cl_built_in_plugin_weft weft_own_kernels;

#endif
