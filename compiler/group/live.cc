// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/plan.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace weft {

namespace {

using RegionAt = DenseMap<BasicBlock *, unsigned>;

/** Walks from the uses of `value` back to its definition; notes the region entries on the way. */
void findLiveRange(Plan &plan, Instruction &value, const RegionAt &regionAt) {
    BasicBlock *home = value.getParent();
    SmallSetVector<BasicBlock *, 16> liveIn;
    for (Use &use : value.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
        if (block != home)
            liveIn.insert(block);
    }
    for (unsigned index = 0; index < liveIn.size(); index++) {
        auto region = regionAt.find(liveIn[index]);
        if (region != regionAt.end())
            plan.regions[region->second].liveIn.insert(&value);
        for (BasicBlock *before : predecessors(liveIn[index]))
            if (before != home)
                liveIn.insert(before);
    }
}

bool leavesBlock(const Instruction &value) {
    for (const User *user : value.users()) {
        auto *instruction = cast<Instruction>(user);
        if (instruction->getParent() != value.getParent() || isa<PHINode>(instruction))
            return true;
    }
    return false;
}

} // namespace

void findLiveValues(Plan &plan) {
    RegionAt regionAt;
    for (Region &region : plan.regions)
        if (region.id)
            regionAt[region.entry] = region.id;
    for (Instruction &value : instructions(plan.kernel))
        if (!isa<AllocaInst>(value) && leavesBlock(value))
            findLiveRange(plan, value, regionAt);
}

} // namespace weft
