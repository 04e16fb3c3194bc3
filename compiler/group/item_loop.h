// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Loops over the work-items of a group, for stage group-loops. */
#ifndef WEFT_GROUP_ITEM_LOOP_H
#define WEFT_GROUP_ITEM_LOOP_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace weft {

/** do { } while (++index != end): sizes are never 0. `linear` counts items over all loops. */
struct ItemLoop {
    llvm::BasicBlock *header;
    llvm::PHINode *index;
    llvm::Value *linear, *end;
};

/** An innermost loop has one counter only: the item's number is its start plus that. */
ItemLoop openLoop(llvm::IRBuilder<> &builder, const llvm::Twine &name, llvm::Value *end,
                  llvm::Value *linear, bool innermost);

/** Leaves the builder behind the loop; `linear` is where its next trip starts counting items. */
llvm::BranchInst *closeLoop(llvm::IRBuilder<> &builder, const ItemLoop &loop, llvm::Value *linear);

/**
 * Work-items of one region are independent of each other except through atomics and fences: what
 * they share otherwise would be a race. Private variables in the frame are one copy for all items,
 * one after the other, and stay unmarked.
 */
void markIndependent(llvm::Function &region, llvm::BranchInst &latch);

/** A loop over rows, in which loops over items are, that is not to be copied for what they ask. */
void markRows(llvm::BranchInst &latch);

/** Of its metadata. */
constexpr llvm::StringLiteral rowsMetadata = "weft.rows";

/** A loop over few items, which no vector would hold. */
void markShort(llvm::BranchInst &latch);

} // namespace weft

#endif
