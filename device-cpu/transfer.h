// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Copies and fills, linear and rectangular, as chunks of bytes. */
#ifndef WEFT_TRANSFER_H
#define WEFT_TRANSFER_H

#include "weft/device.h"

/** Fills in work->device: pieces and chunks for `threads` threads. */
void weft_transfer_plan(weft_work *work, uint32_t threads);
/** How many chunks weft_transfer_plan would make. */
uint64_t weft_transfer_chunks(const weft_work *work, uint32_t threads);
/** Moves the bytes of chunk number `chunk`. */
void weft_transfer_chunk(const weft_work *work, uint64_t chunk);

#endif
