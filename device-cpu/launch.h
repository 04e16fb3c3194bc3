// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * One ND-range as chunks of groups: how large a chunk is (from the measured cost of the kernel),
 * which of its compiled shapes runs, and how one chunk is run on one thread.
 */
#ifndef WEFT_LAUNCH_H
#define WEFT_LAUNCH_H

#include "weft/device.h"

/** What launches of one kernel have cost. A lossy table: a collision only costs a guess. */
typedef struct weft_cost {
    _Atomic uintptr_t kernel;
    _Atomic uint32_t picoseconds; /* per work-item; 0: not measured */
    _Atomic uint32_t turn;        /* launches of one group, of which few are measured */
} weft_cost;

enum { WEFT_COSTS = 256 };

struct weft_pool;
struct weft_cpu_runner;

/** Fills in work->device: shape, groups, chunks, arena. Thread-safe for distinct works. */
void weft_launch_plan(struct weft_pool *pool, weft_work *work);
/** One chunk, and a short one as far as is known: waking a thread for it costs more. */
bool weft_launch_is_small(struct weft_pool *pool, const weft_work *work);
/** Before the first chunk on a thread: arena, floating-point environment is set per chunk. False:
 *  no memory; the work's status says so. */
bool weft_launch_prepare(struct weft_cpu_runner *runner, weft_work *work);
/** Runs chunk number `chunk`. */
void weft_launch_chunk(struct weft_cpu_runner *runner, weft_work *work, uint64_t chunk);
/**
 * A launch of several groups that was planned as one chunk, because the last ones were short or it
 * has few items: runs the first few groups and looks at the time. Plans the rest anew; true: it
 * should be shared now.
 */
bool weft_launch_probe(struct weft_cpu_runner *runner, weft_work *work);
/** A thread took `ns` for `chunks` chunks: remembered for the next launch. */
void weft_launch_measured(struct weft_pool *pool, const weft_work *work, uint64_t chunks,
                          uint64_t ns);

#endif
