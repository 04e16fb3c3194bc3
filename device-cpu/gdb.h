// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Compiled images as gdb sees them: its JIT interface ("JIT Compilation Interface" in its
 *  manual). */
#ifndef WEFT_GDB_H
#define WEFT_GDB_H

#include <stddef.h>

typedef struct weft_gdb_entry weft_gdb_entry; /* one registered image; opaque */

/**
 * Shows gdb a copy of the image at its load address `base`; source files that it carries are
 * written to `folder` ("": nowhere, gdb then knows lines but not their text). NULL where that is
 * not possible: a name is not worth a failure. Thread-safe.
 */
weft_gdb_entry *weft_gdb_register(const void *bytes, size_t size, const unsigned char *base,
                                  const char *folder);
/** Before the image is unmapped. Accepts NULL. */
void weft_gdb_unregister(weft_gdb_entry *entry);

#endif
