// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The one way to memory and to system calls that can fail, for everything inside libweft.so.
 *
 * A build with -Dfault-injection=true makes the n-th such call of the process fail (setting
 * WEFT_FAIL_AT=n, or weft_shim_fail_at), which is how tests prove that a failure at any point
 * leaves nothing half made. In other builds these are plain calls. Thread-safe.
 *
 * Such a build also has points between two steps of one thread at which a test may decide who goes
 * on, so that it need not wait for luck to show what happens between them.
 */
#ifndef WEFT_SHIM_H
#define WEFT_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

#ifdef WEFT_FAULT_INJECTION

/** True if this call is to fail. Counts calls; monotone over the process. */
int weft_shim_fails(void);
/** The n-th call from now fails (once); 0: none. */
void weft_shim_fail_at(uint64_t n);
/** Calls counted so far. */
uint64_t weft_shim_calls(void);

/** Called with the point's name by the thread that has come there; NULL: nobody is. */
typedef void weft_shim_schedule(const char *point);
void weft_shim_set_schedule(weft_shim_schedule *schedule);
void weft_shim_point(const char *point);

#else

static inline int weft_shim_fails(void) {
    return 0;
}

#ifdef WEFT_INTERLEAVE
/* Built for the interleaving tests (tests/interleave/steps.h): one point more. */
#define weft_shim_point(point) step_point(point)
#else
static inline void weft_shim_point(const char *point) {
    (void)point;
}
#endif

#endif

static inline void *weft_malloc(size_t bytes) {
    return weft_shim_fails() ? NULL : malloc(bytes ? bytes : 1);
}

static inline void *weft_calloc(size_t count, size_t bytes) {
    return weft_shim_fails() ? NULL : calloc(count ? count : 1, bytes ? bytes : 1);
}

static inline void *weft_realloc(void *memory, size_t bytes) {
    return weft_shim_fails() ? NULL : realloc(memory, bytes ? bytes : 1);
}

/** `align` is a power of two. Freed with weft_free. */
static inline void *weft_aligned_alloc(size_t align, size_t bytes) {
    void *memory = NULL;
    if (weft_shim_fails() || bytes > SIZE_MAX / 2)
        return NULL;
    if (align < sizeof(void *))
        align = sizeof(void *);
    return posix_memalign(&memory, align, bytes ? bytes : 1) == 0 ? memory : NULL;
}

static inline void weft_free(void *memory) {
    free(memory);
}

static inline char *weft_strdup(const char *text) {
    return weft_shim_fails() ? NULL : strdup(text);
}

static inline void *weft_memdup(const void *data, size_t bytes) {
    void *copy = weft_malloc(bytes);
    if (copy && bytes)
        memcpy(copy, data, bytes);
    return copy;
}

/** MAP_FAILED on failure, as mmap. */
static inline void *weft_mmap(void *at, size_t bytes, int protection, int flags, int fd,
                              off_t offset) {
    return weft_shim_fails() ? MAP_FAILED : mmap(at, bytes, protection, flags, fd, offset);
}

/** Starts a thread with all signals blocked (the host's handlers stay the host's). 0 or an
 *  errno. */
static inline int weft_thread_create(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
                                     void *argument) {
    pthread_attr_t attributes;
    sigset_t all, before;
    int error;

    if (weft_shim_fails())
        return EAGAIN;
    error = pthread_attr_init(&attributes);
    if (error)
        return error;
    if (stack_bytes)
        pthread_attr_setstacksize(&attributes, stack_bytes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(thread, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

#endif
