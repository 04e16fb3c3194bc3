// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "herald.h"

#include "cpu.h"
#include "weft/futex.h"
#include "worker.h"

#include "weft/shim.h"

#include <sched.h>

enum { STACK_BYTES = 64 * 1024 };

bool weft_herald_helps(const weft_pool *pool) {
    const weft_device *device = pool->device;

    return device->isa.is_virtual && pool->size > 1 && !device->settings.pin_threads &&
           !device->settings.no_herald;
}

static void *run_herald(void *argument) {
    weft_pool *pool = argument;
    weft_herald *herald = &pool->herald;
    weft_cpu_runner *whom;

    pthread_setname_np(pthread_self(), "weft-herald");
    herald->tid = (pid_t)syscall(SYS_gettid); /* glibc has a function since 2.30 */
    atomic_store(&herald->state, WEFT_HERALD_FREE);
    do {
        while (!atomic_exchange(&herald->token, 0))
            weft_futex_wait(&herald->token, 0);
        whom = atomic_exchange(&herald->whom, NULL);
        if (whom) {
            atomic_store(&herald->state, WEFT_HERALD_FREE);
            weft_runner_wake(whom);
        }
    } while (!atomic_load(&herald->stopping));
    weft_device_drop(pool->device);
    return NULL;
}

static void start_herald(weft_pool *pool) {
    weft_herald *herald = &pool->herald;
    weft_herald_state absent = WEFT_HERALD_ABSENT;

    if (!atomic_compare_exchange_strong(&herald->state, &absent, WEFT_HERALD_STARTING))
        return;
    weft_device_hold(pool->device);
    herald->has_thread = weft_thread_create(&herald->thread, STACK_BYTES, run_herald, pool) == 0;
    if (!herald->has_thread) {
        weft_device_drop(pool->device); /* the caller holds it too */
        atomic_store(&herald->state, WEFT_HERALD_REFUSED);
    }
}

/* Keeps it off the calling thread's CPU, on one where `whom` may run, if some of these are idle. */
static bool keep_off(const weft_herald *herald, const weft_cpu_runner *whom, bool *refused) {
    int cpu = sched_getcpu();
    cpu_set_t set;

    if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(whom->tid, sizeof(set), &set) ||
        !CPU_ISSET(cpu, &set) || weft_limits_running_threads() >= (uint32_t)CPU_COUNT(&set))
        return false;
    CPU_CLR(cpu, &set);
    *refused = sched_setaffinity(herald->tid, sizeof(set), &set) != 0;
    return !*refused;
}

bool weft_herald_send(weft_pool *pool, weft_cpu_runner *whom) {
    weft_herald *herald = &pool->herald;
    weft_herald_state free = WEFT_HERALD_FREE;
    bool refused = false;

    if (!atomic_compare_exchange_strong(&herald->state, &free, WEFT_HERALD_TAKEN)) {
        if (free == WEFT_HERALD_ABSENT)
            start_herald(pool);
        return false;
    }
    if (!keep_off(herald, whom, &refused)) {
        atomic_store(&herald->state, refused ? WEFT_HERALD_REFUSED : WEFT_HERALD_FREE);
        return false;
    }
    atomic_fetch_add(&herald->sent, 1);
    atomic_store(&herald->whom, whom);
    atomic_store(&herald->token, 1);
    weft_futex_wake(&herald->token, 1);
    return true;
}

void weft_herald_stop(weft_pool *pool, bool join) {
    weft_herald *herald = &pool->herald;
    pthread_t thread = herald->thread;

    if (!herald->has_thread)
        return;
    if (!join)
        pthread_detach(thread);
    atomic_store(&herald->stopping, true);
    atomic_store(&herald->token, 1);
    weft_futex_wake(&herald->token, 1);
    if (join)
        pthread_join(thread, NULL);
}
