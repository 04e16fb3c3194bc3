// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Sleeping on a 32-bit word of this process. Spurious returns are normal; callers loop. */
#ifndef WEFT_FUTEX_H
#define WEFT_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void weft_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/** Looks for about a microsecond whether *word changes from `expected`: less than sleeping
 *  takes. */
static inline bool weft_futex_spin(_Atomic uint32_t *word, uint32_t expected) {
    for (int i = 0; i < 100; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != expected)
            return true;
        weft_pause();
    }
    return false;
}

/** Sleeps while *word is `expected`. */
static inline void weft_futex_wait(_Atomic uint32_t *word, uint32_t expected) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

/** Wakes up to `count` sleepers. */
static inline void weft_futex_wake(_Atomic uint32_t *word, int count) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

#endif
