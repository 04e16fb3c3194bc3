// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The embedded objects of called.def's functions. */
#ifndef WEFT_KERNEL_LIBRARY_CALLED_H
#define WEFT_KERNEL_LIBRARY_CALLED_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The relocatable object for a level of x86-64, 1 to 4 (others are clamped), and its size. It
 * refers to kernel-lib/rt only. Constant data of the process; callable from any thread.
 */
const unsigned char *weft_called_object(unsigned level, size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
