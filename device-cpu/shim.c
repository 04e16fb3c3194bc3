// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weft/shim.h"

#ifdef WEFT_FAULT_INJECTION

#include <stdatomic.h>

/* Counts belong to the process, not to a platform: what is tested includes creating the
 * platform. */
static _Atomic uint64_t calls;
static _Atomic uint64_t fail_at;
static _Atomic(weft_shim_schedule *) the_schedule;

int weft_shim_fails(void) {
    uint64_t call = atomic_fetch_add(&calls, 1) + 1;
    const char *wish = call == 1 ? secure_getenv("WEFT_FAIL_AT") : NULL;

    /* The first call of the process: before the settings are read, which may be what fails. */
    if (wish && !atomic_load(&fail_at))
        atomic_store(&fail_at, strtoull(wish, NULL, 10));
    return call == atomic_load(&fail_at);
}

void weft_shim_fail_at(uint64_t n) {
    atomic_store(&fail_at, n ? atomic_load(&calls) + n : 0);
}

uint64_t weft_shim_calls(void) {
    return atomic_load(&calls);
}

void weft_shim_set_schedule(weft_shim_schedule *schedule) {
    atomic_store(&the_schedule, schedule);
}

void weft_shim_point(const char *point) {
    weft_shim_schedule *schedule = atomic_load(&the_schedule);

    if (schedule)
        schedule(point);
}

#endif
