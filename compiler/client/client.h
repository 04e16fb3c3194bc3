// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The runtime's side of the compiler: starts the compiler process, sends it jobs, keeps results.
 *
 * Nothing here links LLVM. Every function may be called from any thread; jobs of different threads
 * run in parallel. No lock is held while a job runs.
 */
#ifndef WEFT_CLIENT_H
#define WEFT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_compiler weft_compiler;

/** Immutable bytes with a count of holders: IR, images and logs are shared with the cache. */
typedef struct weft_blob {
    _Atomic uint32_t holders;
    size_t bytes;
    unsigned char data[]; /* and a NUL behind the last byte */
} weft_blob;

/** NULL: out of memory. `data` may be NULL (bytes are then to be filled in by the only holder). */
weft_blob *weft_blob_create(const void *data, size_t bytes);
weft_blob *weft_blob_retain(weft_blob *blob);
/** Accepts a pointer to NULL; sets *blob to NULL. */
void weft_blob_release(weft_blob **blob);

typedef enum weft_job_kind {
    WEFT_JOB_COMPILE = 1, /* source (+ headers) -> IR */
    WEFT_JOB_LINK = 2,    /* IR... -> image, or a library's IR with -create-library */
    WEFT_JOB_BUILD = 3    /* source -> IR and image */
} weft_job_kind;

typedef enum weft_input_kind {
    WEFT_INPUT_SOURCE = 1,
    WEFT_INPUT_HEADER = 2, /* found by `name` in #include */
    WEFT_INPUT_IR = 3,
    WEFT_INPUT_SPIRV = 4,
    WEFT_INPUT_SPEC_CONSTANTS = 5 /* weft_spec_constant[] for the SPIR-V */
} weft_input_kind;

/** One value of clSetProgramSpecializationConstant. */
typedef struct weft_spec_constant {
    uint32_t id;
    uint32_t bytes; /* 1, 2, 4 or 8 */
    uint64_t value; /* zero-extended */
} weft_spec_constant;

typedef struct weft_job_input {
    weft_input_kind kind;
    const char *name; /* header's include name; else NULL */
    const void *data;
    size_t bytes;
} weft_job_input;

typedef struct weft_job {
    weft_job_kind kind;
    const char *options;    /* as the application gave them; NULL: none */
    const char *isa;        /* weft_device_caps.isa */
    const char *extensions; /* CL_DEVICE_EXTENSIONS: what Clang is told to know */
    const weft_job_input *inputs;
    size_t input_count;
    const char *switches; /* how to compile, from settings for tests (switches.h); NULL: none */
    bool untrusted;       /* a source reads inputs and files beneath folders of -I, nothing else */
} weft_job;

typedef struct weft_job_result {
    int32_t status; /* CL_SUCCESS or the error that clBuild/Compile/LinkProgram returns */
    bool cached;
    bool is_library;  /* LINK with -create-library: only `ir` is set */
    weft_blob *log;   /* never NULL when status != CL_OUT_OF_HOST_MEMORY; may be empty */
    weft_blob *ir;    /* LLVM bitcode, spir64 form; NULL on failure */
    weft_blob *image; /* compiled image; NULL on failure and for COMPILE */
} weft_job_result;

/** Limits and switches, from the runtime's table of settings. */
typedef struct weft_compiler_settings {
    const char *compiler_path;     /* NULL: found relative to libweft.so */
    uint32_t job_seconds;          /* processor time of one job, 0: default */
    uint32_t job_megabytes;        /* memory limit of one job, 0: default */
    uint32_t idle_seconds;         /* the process ends after so long without a job, 0: default */
    uint32_t memory_cache_bytes;   /* in-memory cache of results, 0: off */
    bool disk_cache;               /* keep results on disk, for other processes */
    const char *disk_cache_folder; /* NULL: below XDG_CACHE_HOME or HOME */
    uint64_t disk_cache_bytes;     /* 0: off */
    struct weft_trace *trace;      /* records what the compiler process does; NULL: no */
    void (*debug)(void *user, const char *line); /* NULL: none */
    void *debug_user;
} weft_compiler_settings;

/** No process, descriptor or thread yet. NULL: out of memory. */
weft_compiler *weft_compiler_create(const weft_compiler_settings *settings);
/** Ends the process, frees the cache. Nobody may be in weft_compiler_run. Accepts NULL. */
void weft_compiler_destroy(weft_compiler *compiler);

/** Starts the process, if there is none, without waiting for it. Never fails visibly. */
void weft_compiler_prepare(weft_compiler *compiler);
/** clUnloadPlatformCompiler: the process ends when its running jobs have ended. */
void weft_compiler_unload(weft_compiler *compiler);
/** True if a job of these inputs is in a cache, whatever its kind and options (which are not known
 * when a program is created): prepare is then not needed. */
bool weft_compiler_has(weft_compiler *compiler, const weft_job *job);

/**
 * Runs a job and waits for it. The result's blobs belong to the caller (weft_job_result_finish).
 * Every failure (no process, crash, time-out, limit) is a status with a log that says why;
 * CL_COMPILER_NOT_AVAILABLE where processes cannot be started.
 */
void weft_compiler_run(weft_compiler *compiler, const weft_job *job, weft_job_result *result);
void weft_job_result_finish(weft_job_result *result);

#endif
