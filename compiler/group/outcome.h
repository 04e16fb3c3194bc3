// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What a region leaves for the whole group, computed where the region begins. */
#ifndef WEFT_GROUP_OUTCOME_H
#define WEFT_GROUP_OUTCOME_H

#include "group/plan.h"

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace weft {

/**
 * Group slots and the number of the barrier that is reached are the same for all items of a group.
 * As long as each item computes them on its way, the loop over items carries values out, and no
 * vectoriser takes it. Where they follow from what is known at the region's start, they are
 * computed there, and leave the loop as invariants.
 */
class Outcome {
  public:
    /** `values` maps the kernel's blocks and instructions to the region's. */
    Outcome(const Plan &plan, const Region &region, llvm::BasicBlock &entry,
            llvm::ValueToValueMapTy &values)
        : plan(plan), region(region), entry(entry), values(values) {}

    /** Moves a store of a group value to the region's start if its value is known there. */
    void hoist(llvm::StoreInst &store);

    /** Makes all items return one value known at the start, if the exit is uniform and can be. */
    void hoistExit(llvm::Function &function);

  private:
    llvm::Value *atStart(llvm::Value *value);
    llvm::Value *phiAtStart(llvm::PHINode &phi);
    llvm::Value *exitFrom(llvm::BasicBlock *block, const class MeetingPoints &points);

    const Plan &plan;
    const Region &region;
    llvm::BasicBlock &entry;
    llvm::ValueToValueMapTy &values;
    llvm::DenseMap<llvm::Value *, llvm::Value *> known; /* null: not at the start, or on the path */
    llvm::SmallPtrSet<llvm::BasicBlock *, 8> path;
    unsigned decisions = 0;
};

} // namespace weft

#endif
