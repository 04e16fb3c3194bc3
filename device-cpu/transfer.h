// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Copies and fills, linear and rectangular, as chunks of bytes. */
#ifndef WEFT_TRANSFER_H
#define WEFT_TRANSFER_H

#include "weft/device.h"

struct weft_pool;

/** Fills in work->device: pieces and chunks for the pool's threads. */
void weft_transfer_plan(struct weft_pool *pool, weft_work *work);
/** One chunk: waking a thread for it costs more. */
bool weft_transfer_is_small(struct weft_pool *pool, const weft_work *work);
/** Moves the bytes of chunk number `chunk`. Returns about how many they were. */
uint64_t weft_transfer_chunk(struct weft_pool *pool, const weft_work *work, uint64_t chunk);
/** A thread took `ns` for `bytes`: remembered for the next transfer. */
void weft_transfer_measured(struct weft_pool *pool, uint64_t bytes, uint64_t ns);

#endif
