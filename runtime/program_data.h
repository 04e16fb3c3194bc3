// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Program-scope variables that kernels may write: one block per (program, device). */
#ifndef WEFT_PROGRAM_DATA_H
#define WEFT_PROGRAM_DATA_H

#include "runtime/program.h"

/**
 * Makes the block of a build that has an image, with its initial bytes and pointers, unless it is
 * there already or the image has none. The program's lock is held. False: out of memory.
 */
bool weft_program_data_make(weft_build *build);
/** Frees the block; accepts none. No kernel of the program is left. */
void weft_program_data_free(weft_build *build);

#endif
