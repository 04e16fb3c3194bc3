// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Loops in which an item may wait for another one. */
#ifndef WEFT_VECTOR_WAITS_H
#define WEFT_VECTOR_WAITS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"

namespace weft {

/**
 * Whether the loop is left depends on what an atomic or volatile access in it gave: items may wait
 * for each other. An over-approximation: whatever is decided by such a value is taken for such a
 * value, and so is what is read where one was written, and from objects in which the loop
 * exchanges words.
 */
bool mayWait(const llvm::Loop &loop, const llvm::PostDominatorTree &after);

/** Whether a function that the kernel calls, and that was not inlined, has such a loop: each lane
 * runs it to its end before the next lane does. */
bool callsMayWait(llvm::Function &kernel);

/**
 * Whether `loop` is like `do { old = *p; new = f(old); } while (atomic_cmpxchg(p, old, new) !=
 * old)` and ends although several items run it in step, by the argument that retry.cc begins with.
 * False also where nobody knows.
 */
bool isRetryLoop(const llvm::Loop &loop, const llvm::LoopInfo &loops);

} // namespace weft

#endif
