// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BENCH_SETUP_H
#define WEFT_BENCH_SETUP_H

#include "parent.h"

// Makes the temporary folder and participant 0, the hand-written C.
bool set_up(struct bench *bench);
// Removes the temporary folder with all that was left in it.
void tear_down(struct bench *bench);

// Adds an ICD and asks it for its device; says on stderr why it cannot be used.
bool add_icd(struct bench *bench, const char *name, const char *icd);
bool add_installed_icds(struct bench *bench);

// Adds the hand-written C once more, with this library in front of the C library's functions.
bool add_preloaded(struct bench *bench, const char *name, const char *library);

#endif
