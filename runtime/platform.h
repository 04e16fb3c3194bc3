// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The platform: the only global state. Made by the first call of weft_platform_get, never
 *  freed. */
#ifndef WEFT_PLATFORM_H
#define WEFT_PLATFORM_H

#include "compiler/client/client.h"
#include "runtime/kept_images.h"
#include "runtime/object.h"
#include "runtime/settings.h"
#include "runtime/trace.h"

#define WEFT_MAX_DEVICES 16

typedef struct _cl_platform_id weft_platform;

struct _cl_platform_id {
    weft_object base;
    weft_settings settings;
    uint32_t log_topics;
    uint32_t version; /* CL_MAKE_VERSION that is reported: 2.2, by setting 3.0 */
    char version_text[64];
    _Atomic uint32_t ran_process;       /* runtime/ran.c: who has written its line */
    weft_trace *trace;                  /* records the run; NULL: nobody asked for it */
    char switches[WEFT_SWITCHES_BYTES]; /* of every job */

    uint32_t process;              /* weft_process_number of the process that last refreshed */
    pthread_mutex_t lock;          /* guards making devices and compiler */
    _Atomic uint32_t device_count; /* 0: not made yet */
    uint32_t threads;              /* of each device; 0: as many as CPUs are available */
    bool has_plugins;              /* runtime/builtin.c: those of the setting are registered */
    cl_device_id devices[WEFT_MAX_DEVICES];
    _Atomic(weft_compiler *) compiler; /* through weft_platform_compiler */
    weft_kept_images kept_images;
    _Atomic(struct weft_builtin *) builtins;          /* runtime/builtin.c */
    _Atomic(struct weft_callback_thread *) callbacks; /* runtime/callback.c */
};

/**
 * The platform; the first call makes it: no thread, no process, no file but what cpuid does not
 * tell. `dispatch` is the ICD table for its objects (only the first call's counts). NULL: out of
 * memory.
 */
weft_platform *weft_platform_get(const void *dispatch);
/** The platform if it was made, else NULL. */
weft_platform *weft_platform_current(void);

/**
 * Makes what is made late: the devices; in a forked child new devices and a new compiler, because
 * the parent's threads and process are not ours. CL_SUCCESS or CL_OUT_OF_HOST_MEMORY.
 */
cl_int weft_platform_refresh(weft_platform *platform);

/** Finishes with CL_SUCCESS, CL_INVALID_PLATFORM or CL_INVALID_VALUE, as clGetPlatformIDs. */
cl_int weft_platform_list(const void *dispatch, cl_uint num_entries, cl_platform_id *platforms,
                          cl_uint *num_platforms);

/** The compiler client, made at the first call. NULL: out of memory. */
weft_compiler *weft_platform_compiler(weft_platform *platform);

#endif
