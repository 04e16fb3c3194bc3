// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The floating-point environment that kernels run in: round to nearest, every exception masked,
 * denormals kept or flushed as the kernel was compiled. The host's own (a host may run with FTZ, or
 * with unmasked exceptions) is saved around each chunk and restored. Reading the control words is
 * cheap, writing them is not, so they are only written where they differ.
 */
#ifndef WEFT_FPENV_H
#define WEFT_FPENV_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)

typedef struct weft_fpenv {
    uint32_t mxcsr;
    uint16_t x87;
} weft_fpenv;

enum { WEFT_MXCSR_FLAGS = 0x3f, WEFT_MXCSR_NORMAL = 0x1f80, WEFT_MXCSR_FLUSH = 0x8040 };
enum { WEFT_X87_NORMAL = 0x037f };

static inline void weft_fpenv_enter(weft_fpenv *saved, bool flush_denormals) {
    uint32_t wanted = WEFT_MXCSR_NORMAL | (flush_denormals ? WEFT_MXCSR_FLUSH : 0);
    uint16_t x87 = WEFT_X87_NORMAL;

    __asm__ volatile("stmxcsr %0" : "=m"(saved->mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(saved->x87));
    if ((saved->mxcsr & ~(uint32_t)WEFT_MXCSR_FLAGS) != wanted)
        __asm__ volatile("ldmxcsr %0" : : "m"(wanted));
    if (saved->x87 != WEFT_X87_NORMAL)
        __asm__ volatile("fldcw %0" : : "m"(x87));
}

/** Puts back what enter saved; the host's sticky exception flags, too. */
static inline void weft_fpenv_leave(const weft_fpenv *saved) {
    uint32_t now;

    __asm__ volatile("stmxcsr %0" : "=m"(now));
    if (now != saved->mxcsr)
        __asm__ volatile("ldmxcsr %0" : : "m"(saved->mxcsr));
    if (saved->x87 != WEFT_X87_NORMAL)
        __asm__ volatile("fldcw %0" : : "m"(saved->x87));
}

#else
#error "this processor's floating-point control is not written yet"
#endif

#endif
