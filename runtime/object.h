// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The base of every OpenCL object: ICD words, type, reference counts, parent.
 *
 * Three counts per object:
 *  - application: what clRetainX and clReleaseX move and CL_X_REFERENCE_COUNT reports;
 *  - strong: everyone who needs the object's contents, each application reference included.
 *    At zero the contents are finished (class->finish);
 *  - weak: everyone who only keeps the handle (a kernel's buffer arguments: "Implementations shall
 *    not allow cl_kernel objects to hold reference counts to cl_kernel arguments"). At zero the
 *    memory is freed. All strong references together hold one weak reference.
 *
 * All functions are thread-safe.
 */
#ifndef WEFT_OBJECT_H
#define WEFT_OBJECT_H

#include "weft/shim.h"

#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_object weft_object;

/** One constant per object type. Its address is the type tag in the object. */
typedef struct weft_class {
    const char *name; /* "context": for the debug log */
    cl_int invalid;   /* CL_INVALID_CONTEXT */
    /** Releases what the object holds; not the object's memory, not its parent. Never fails. */
    void (*finish)(weft_object *object);
    /** Frees the memory; NULL: weft_free. */
    void (*free)(weft_object *object);
} weft_class;

extern const weft_class weft_platform_class, weft_device_class, weft_context_class,
    weft_queue_class, weft_mem_class, weft_program_class, weft_kernel_class, weft_event_class,
    weft_sampler_class, weft_device_queue_class;

struct weft_object {
    const void *dispatch; /* ICD: the first word of every object */
    const weft_class *type;
    weft_object *parent; /* strong reference; NULL: none */
    weft_object *later;  /* in a list of those that are to be finished */
    _Atomic uint32_t application;
    _Atomic uint32_t strong;
    _Atomic uint32_t weak;
    uint32_t process; /* weft_process_number() when it was made; 0: valid in forked children too */
};

/**
 * First thing done to a zeroed object: the ICD word is taken over from `parent` (which gets a
 * strong reference), the application owns one reference.
 */
void weft_object_init(weft_object *object, const weft_class *type, weft_object *parent);

void weft_object_retain(weft_object *object);
void weft_object_release(weft_object *object);
/** Strong reference from a weak one. False: the contents are already finished. */
bool weft_object_try_retain(weft_object *object);
void weft_object_retain_weak(weft_object *object);
void weft_object_release_weak(weft_object *object);

/**
 * clRetainX and clReleaseX after the handle was checked. Release: the class's error (the
 * application owns no reference), else CL_SUCCESS; the object may be gone afterwards.
 */
cl_int weft_object_app_retain(weft_object *object);
cl_int weft_object_app_release(weft_object *object);

/**
 * Number of the process in the line of forks since the platform was made: 1, 2, ... 0: this is a
 * forked child that has not called weft_platform_refresh yet, so that no object is valid.
 */
extern _Atomic(_Atomic uint32_t *) weft_process_page;
static inline uint32_t weft_process_number(void) {
    _Atomic uint32_t *page = atomic_load_explicit(&weft_process_page, memory_order_acquire);
    return page ? atomic_load_explicit(page, memory_order_relaxed) : 0;
}

/**
 * Is this a live object of that type, made by this process? NULL, misaligned pointers, other
 * vendors' objects, objects of another type or inherited through fork: false. What is not even
 * readable memory cannot be told.
 */
static inline bool weft_object_is(const void *handle, const weft_class *type) {
    const weft_object *object = (const weft_object *)handle;
    return object && ((uintptr_t)object & (sizeof(void *) - 1)) == 0 && object->type == type &&
           (object->process == 0 || object->process == weft_process_number());
}

/** Typed forms: p is a `T *` whose first member is `weft_object base`. */
#define weft_retain(p) weft_object_retain(&(p)->base)
/** pp is a `T **`; nulls it; accepts a pointer to NULL. */
#define weft_release(pp)                                                                           \
    do {                                                                                           \
        __typeof__(*(pp)) weft_gone = *(pp);                                                       \
        *(pp) = NULL;                                                                              \
        if (weft_gone)                                                                             \
            weft_object_release(&weft_gone->base);                                                 \
    } while (0)

#define weft_is_platform(p)     weft_object_is((p), &weft_platform_class)
#define weft_is_device(p)       weft_object_is((p), &weft_device_class)
#define weft_is_context(p)      weft_object_is((p), &weft_context_class)
#define weft_is_queue(p)        weft_object_is((p), &weft_queue_class)
#define weft_is_device_queue(p) weft_object_is((p), &weft_device_queue_class)
#define weft_is_mem(p)          weft_object_is((p), &weft_mem_class)
#define weft_is_program(p)      weft_object_is((p), &weft_program_class)
#define weft_is_kernel(p)       weft_object_is((p), &weft_kernel_class)
#define weft_is_event(p)        weft_object_is((p), &weft_event_class)
#define weft_is_sampler(p)      weft_object_is((p), &weft_sampler_class)

#endif
