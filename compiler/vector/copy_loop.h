// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Loops that are there twice. */
#ifndef WEFT_VECTOR_COPY_LOOP_H
#define WEFT_VECTOR_COPY_LOOP_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace weft {

/**
 * Has the loop, in simple form and with LCSSA, run only where `condition` holds, which is likely,
 * and a copy elsewhere. The condition is known at the end of the preheader. The copy's blocks are
 * added to `blocks`. Both loops are in simple form, and what is known of them is up to date.
 */
void copyLoop(llvm::Loop &loop, llvm::Value &condition, const llvm::Twine &suffix,
              llvm::LoopInfo &loops, llvm::DominatorTree &tree,
              llvm::SmallVectorImpl<llvm::BasicBlock *> &blocks);

} // namespace weft

#endif
