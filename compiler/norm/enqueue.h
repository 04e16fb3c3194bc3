// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Device-side enqueue: its functions become calls of the device's services. */
#ifndef WEFT_NORM_ENQUEUE_H
#define WEFT_NORM_ENQUEUE_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace weft {

/** Functions that call one of those that need a queue or an event. */
llvm::SmallPtrSet<llvm::Function *, 8> functionsThatEnqueue(llvm::Module &module);

/**
 * Lowers what Clang makes of enqueue_kernel and get_kernel_work_group_size, and the functions on
 * queues, events and ndrange_t. `reasons`: enqueueing says why it fails; otherwise it says
 * CLK_ENQUEUE_FAILURE, as it must without -g.
 */
void lowerEnqueue(llvm::Module &module, bool reasons);

} // namespace weft

#endif
