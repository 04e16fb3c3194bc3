// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Sleeping on a 32-bit word of this process. Spurious returns are normal; callers loop. */
#ifndef WEFT_FUTEX_H
#define WEFT_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/** Sleeps while *word is `expected`. */
static inline void weft_futex_wait(_Atomic uint32_t *word, uint32_t expected) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

/** Wakes up to `count` sleepers. */
static inline void weft_futex_wake(_Atomic uint32_t *word, int count) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

#endif
