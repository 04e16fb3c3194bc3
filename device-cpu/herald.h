// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * A thread that wakes another one from a CPU that does nothing.
 *
 * Linux puts a woken thread where it ran before, if that CPU is idle, or where its waker runs. In a
 * virtual machine a CPU that went idle was given back to the hypervisor and counts as preempted,
 * not as idle (vcpu_is_preempted, KVM's steal time), so after a pause the woken thread takes its
 * waker's place or waits behind it, until the balancer comes by after some milliseconds: both share
 * one CPU beside another that does nothing. The herald has no work of its own, so it alone can be
 * kept off the waker's CPU by its affinity; and it wakes the other from there. Threads that run
 * kernels keep the CPUs that the application gave them.
 */
#ifndef WEFT_HERALD_H
#define WEFT_HERALD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct weft_pool;
struct weft_cpu_runner;

typedef enum weft_herald_state {
    WEFT_HERALD_ABSENT,
    WEFT_HERALD_STARTING,
    WEFT_HERALD_FREE,
    WEFT_HERALD_TAKEN,
    WEFT_HERALD_REFUSED /* no thread, or it may not choose its CPUs */
} weft_herald_state;

typedef struct weft_herald {
    _Atomic weft_herald_state state;
    _Atomic(struct weft_cpu_runner *) whom; /* to be woken */
    _Atomic bool stopping;
    bool has_thread;
    pthread_t thread;
    pid_t tid;              /* written before it is FREE for the first time */
    _Atomic uint32_t token; /* 1: there is something to do */
    _Atomic uint32_t sent;  /* how often (tests) */
} weft_herald;

/** Whether threads of this pool may need it: those of a virtual machine's several CPUs. */
bool weft_herald_helps(const struct weft_pool *pool);

/**
 * Where weft_herald_helps(): has `whom` woken, which the caller took from those that sleep, from
 * another CPU. False: it was not, and the caller does it: the first time, where other threads wait
 * for a CPU already, where whom may not run elsewhere, or the herald is on its way for another.
 * Costs about 25 us. Any thread; whoever calls it must not rely on whom alone, since the herald may
 * have to wait for its CPU.
 */
bool weft_herald_send(struct weft_pool *pool, struct weft_cpu_runner *whom);

/** Ends the thread, which wakes first whom it was sent for. Nobody sends it any more. */
void weft_herald_stop(struct weft_pool *pool, bool join);

#endif
