// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The way from C into compiled kernels. */
#ifndef WEFT_CPU_ENTER_H
#define WEFT_CPU_ENTER_H

#include <weft/abi.h>

/** Calls `entry` with the four arguments, its stack aligned to WEFT_STACK_ALIGN. Debuggers and
 * profilers find their way back out. */
void weft_enter(const struct weft_launch *launch, struct weft_worker *worker, uint64_t first_group,
                uint64_t group_count, weft_entry_fn *entry);

#endif
