// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Levels of x86-64. */
#ifndef WEFT_TESTS_LEVEL_H
#define WEFT_TESTS_LEVEL_H

#include <stdbool.h>

/** Whether this processor runs code of x86-64-v1, to v4. */
static inline bool weft_level_is_here(int level) {
    switch (level) {
    case 1:
        return true;
    case 2:
        return __builtin_cpu_supports("x86-64-v2");
    case 3:
        return __builtin_cpu_supports("x86-64-v3");
    default:
        return __builtin_cpu_supports("x86-64-v4");
    }
}

#endif
