// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Programs from an intermediate language: what the runtime itself must know of SPIR-V, which is its
 * outer form and its specialisation constants. Everything else is the compiler's.
 */
#ifndef WEFT_IL_H
#define WEFT_IL_H

#include "compiler/client/client.h"

/** Version numbers that this build takes, as CL_DEVICE_IL_VERSION writes them, oldest first. */
#ifdef WEFT_HAS_SPIRV
#define WEFT_IL_VERSION_TEXT                                                                       \
    "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4 SPIR-V_1.5 SPIR-V_1.6"
#else
#define WEFT_IL_VERSION_TEXT ""
#endif
#define WEFT_IL_MAX_MINOR 6u

/** A specialisation constant of a module, and the value it was given. */
typedef struct weft_il_constant {
    uint32_t id;
    uint32_t bytes; /* 1 (also for booleans), 2, 4 or 8 */
    uint64_t value;
    bool given;
} weft_il_constant;

/** The bytes of clCreateProgramWithIL; lives as long as its program. */
typedef struct weft_il {
    void *bytes;
    size_t size;
    uint32_t constant_count;
    weft_il_constant *constants; /* by id; values are guarded by the program's lock */
} weft_il;

/**
 * NULL if the bytes are a chain of SPIR-V instructions of a version that is taken, in this
 * machine's order of bytes; else a sentence (static) that says what they are not.
 */
const char *weft_il_check(const void *bytes, size_t size);

/** Copies bytes that weft_il_check takes and finds their constants. NULL: out of memory. */
weft_il *weft_il_create(const void *bytes, size_t size);
/** Accepts NULL. */
void weft_il_destroy(weft_il *il);

/** NULL: no constant has this id. */
weft_il_constant *weft_il_find(weft_il *il, uint32_t id);

/** Writes the constants that were given values to `to`, which has room for all; their number. */
uint32_t weft_il_given(const weft_il *il, weft_spec_constant *to);

#endif
