// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** cl_program. */
#ifndef WEFT_PROGRAM_H
#define WEFT_PROGRAM_H

#include "compiler/client/client.h"
#include "runtime/context.h"

typedef enum weft_program_origin {
    WEFT_PROGRAM_SOURCE,
    WEFT_PROGRAM_IL,
    WEFT_PROGRAM_BINARY,
    WEFT_PROGRAM_LINKED, /* clLinkProgram */
    WEFT_PROGRAM_BUILTIN /* clCreateProgramWithBuiltInKernels */
} weft_program_origin;

/** What a program is for one of its devices. Guarded by the program's lock. */
typedef struct weft_build {
    cl_device_id device;
    cl_build_status status;
    cl_program_binary_type type;
    char *options;           /* of the last build, compile or link; NULL: "" */
    weft_blob *log;          /* NULL: "" */
    weft_blob *ir;           /* compiled object, library, or kept beside an executable */
    weft_blob *code;         /* the compiled image's bytes; NULL unless executable */
    weft_image *image;       /* loaded; NULL unless executable */
    uint64_t source_hash[2]; /* of what it was made from: weft_content_hash; 0: unknown */
    const weft_kernel_code *const *builtins; /* the program's; NULL: not of built-in kernels */
    uint32_t builtin_count;
    void *data; /* program-scope variables (program_data.h); made for the first kernel */
    size_t data_bytes;
    struct weft_program_start *start; /* constructors and destructors; NULL: none, or no kernel */
} weft_build;

struct _cl_program {
    weft_object base;
    cl_context context;
    weft_program_origin origin;
    char *source; /* concatenated, NUL-terminated; NULL unless SOURCE */
    size_t source_bytes;
    struct weft_il *il; /* owned; NULL unless IL */
    pthread_mutex_t lock;
    _Atomic uint32_t kernels;          /* kernel objects attached: no rebuild while there are any */
    bool busy;                         /* a build, compile or link runs */
    weft_destructor *destructors;      /* clSetProgramReleaseCallback */
    const weft_kernel_code **builtins; /* BUILTIN: its kernels */
    uint32_t builtin_count;
    cl_uint build_count;
    weft_build *builds; /* one per device of the program */
};

/** A program with `device_count` unbuilt devices of the context. NULL: out of memory. */
cl_program weft_program_create(cl_context context, weft_program_origin origin, cl_uint device_count,
                               const cl_device_id *devices);

/** Has the device got kernels: an image, or built-in ones? The program's lock is held, here and in
 *  the next two. */
bool weft_build_is_executable(const weft_build *build);
/** Those that clCreateKernel finds. */
uint32_t weft_build_kernel_count(const weft_build *build);
/** Kernel number `index` of an executable. */
const weft_kernel_code *weft_build_kernel(const weft_build *build, uint32_t index);

/** CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_DEVICE for the functions that make programs
 *  from a list of devices. */
cl_int weft_check_device_list(const char *function, cl_context context, cl_uint num_devices,
                              const cl_device_id *devices);

/** Frees what a build holds and makes it CL_BUILD_NONE; the device stays. */
void weft_build_clear(weft_build *build);

/**
 * The job that a build of this source or IL with these options is. `inputs`, with room for
 * WEFT_SOURCE_INPUTS, are filled in; both refer to the program's and the device's memory, and to
 * `constants`, which has room for all of an IL's and may be NULL where there is no IL or where
 * their values do not matter.
 */
#define WEFT_SOURCE_INPUTS 2
void weft_source_job(cl_program program, cl_device_id device, const char *options,
                     weft_job_kind kind, weft_job_input *inputs, weft_spec_constant *constants,
                     weft_job *job);

/** Starts the compiler process, without waiting, unless a plain build would come from the cache. */
void weft_program_prepare(cl_program program);

/** The program's build for a device; NULL: not a device of the program. Lock-free (the set of
 *  devices is fixed); what it points to is guarded by the program's lock. */
weft_build *weft_program_build(cl_program program, cl_device_id device);

#endif
