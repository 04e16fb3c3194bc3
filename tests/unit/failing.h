// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Lives in which the n-th allocation or system call fails: what the tests of that share. */
#ifndef WEFT_TEST_FAILING_H
#define WEFT_TEST_FAILING_H

#include "harness.h"

#include "icd/dispatch.h"
#include "weft/shim.h"

#include <unistd.h>

/** Errors that are not OpenCL's: an object and an error, or neither; a wrong result. */
enum { HALF_MADE = -9999, WRONG_RESULT = -9998 };

#define STEP(call)                                                                                 \
    do {                                                                                           \
        cl_int step_error = (call);                                                                \
        if (step_error != CL_SUCCESS)                                                              \
            return step_error;                                                                     \
    } while (0)

#define MAKE(to, call)                                                                             \
    do {                                                                                           \
        cl_int error = 1;                                                                          \
        (to) = (call);                                                                             \
        if ((error == CL_SUCCESS) != ((to) != NULL))                                               \
            return HALF_MADE;                                                                      \
        if (error != CL_SUCCESS)                                                                   \
            return error;                                                                          \
    } while (0)

static inline void CL_CALLBACK heard(cl_event event, cl_int status, void *user) {
    (void)event;
    (void)status;
    (void)user;
}

/** What a call may answer when memory or the like is short. */
static inline bool is_shortage(cl_int error) {
    return error == CL_SUCCESS || error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES ||
           error == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
           error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

#ifdef WEFT_FAULT_INJECTION

/**
 * Lets each fallible call of `live` fail once, then lives again without a failure. `end` releases
 * what there is, in any state. Ends the test where an error is no shortage, or the second life does
 * not succeed. Returns how many calls there are.
 */
static inline uint64_t fail_each_call(cl_int (*live)(void *), void (*end)(void *), void *life) {
    uint64_t calls = 0, n = 1;
    do {
        uint64_t before = weft_shim_calls();
        alarm(60);
        weft_shim_fail_at(n);
        cl_int error = live(life);
        calls = weft_shim_calls() - before;
        weft_shim_fail_at(0);
        end(life);
        if (!is_shortage(error))
            FAIL("call %llu failed: error %d", (unsigned long long)n, error);
        error = live(life);
        end(life);
        if (error)
            FAIL("call %llu failed: then error %d", (unsigned long long)n, error);
    } while (n++ <= calls);
    return n;
}

#endif
#endif
