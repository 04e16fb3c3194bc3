// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Objects that kernels carry from thread to thread.
 *
 * A handle that a kernel got may go through memory to a work-item on another thread. What orders
 * the two are atomics and barriers of kernels, which are compiled without instrumentation, so that
 * ThreadSanitizer would see a race between what a service did with the object for one and for the
 * other. It is told here when an object comes from a kernel and when it goes back; what other
 * threads do with it meanwhile is looked at as ever. Nothing in other builds. The object is not
 * touched.
 */
#ifndef WEFT_HANDOVER_H
#define WEFT_HANDOVER_H

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

/** The calling service is done with it; the next may be called on any thread. */
static inline void weft_hand_to_kernel(void *object) {
#ifdef __SANITIZE_THREAD__
    __tsan_release(object);
#else
    (void)object;
#endif
}

/** A kernel came with it: whatever services did with it for others that told the kernel is over. */
static inline void weft_take_from_kernel(void *object) {
#ifdef __SANITIZE_THREAD__
    __tsan_acquire(object);
#else
    (void)object;
#endif
}

#endif
