// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Moving more than the caches hold: copies are written past them, which saves reading what is
 * about to be overwritten; fills of 8 bytes or less are left to the CPU's string instructions,
 * others write whole lines. Measured on 64 MiB, two threads, in GB/s: copy 62, with memcpy 50; fill
 * 200, past the caches 89. Longer patterns by the CPU's string copy were 168 on that machine
 * (whole lines: 85), but 25 on another, where whole lines are 36 and PoCL has 25.
 */
#ifndef WEFT_STREAM_H
#define WEFT_STREAM_H

#include <stddef.h>

/** The regions do not overlap. Reads `ahead` bytes in advance (the CPU's own prefetchers stop at
 * each page). Done when weft_stream_end has returned. */
void weft_stream_copy(void *to, const void *from, size_t bytes, size_t ahead);
/** Repeats the 128 bytes of `block`. */
void weft_stream_fill(void *to, const unsigned char *block, size_t bytes);

/** After the last of the above, on the same thread: what was written is now seen by others. */
void weft_stream_end(void);

#endif
