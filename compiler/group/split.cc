// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/meeting.h"
#include "group/plan.h"
#include "group/uniformity.h"
#include "norm/internals.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

Plan::Plan(Function &kernel, const Switches &switches) : kernel(kernel), switches(switches) {}

Plan::~Plan() = default;

namespace {

/** Each barrier becomes the last instruction before an unconditional branch. */
void splitAtBarriers(Plan &plan) {
    SmallVector<Instruction *, 8> barriers;
    for (Instruction &instruction : instructions(plan.kernel))
        if (internalOf(instruction) == Internal::Barrier)
            barriers.push_back(&instruction);
    plan.regions.resize(barriers.size() + 1);
    plan.regions[0].entry = &plan.kernel.getEntryBlock();
    for (unsigned id = 1; id <= barriers.size(); id++) {
        Instruction *barrier = barriers[id - 1];
        BasicBlock *block = barrier->getParent();
        plan.regions[id].entry = block->splitBasicBlock(std::next(barrier->getIterator()));
        plan.barrierAt[block] = id;
    }
    for (unsigned id = 0; id < plan.regions.size(); id++)
        plan.regions[id].id = id;
}

void collectBlocks(Plan &plan, Region &region) {
    region.blocks.insert(region.entry);
    for (unsigned index = 0; index < region.blocks.size(); index++) {
        BasicBlock *block = region.blocks[index];
        auto barrier = plan.barrierAt.find(block);
        if (barrier != plan.barrierAt.end()) {
            region.exits.insert(barrier->second);
            continue;
        }
        if (endsItem(*block))
            region.exits.insert(endOfItem);
        region.blocks.insert(succ_begin(block), succ_end(block));
    }
}

/** Items part where a branch is not uniform and its ways do not meet again inside the region. */
bool hasUniformExit(const Plan &plan, const Region &region, const Uniformity &uniformity) {
    if (region.exits.size() < 2)
        return true;
    MeetingPoints points(plan, region);
    for (BasicBlock *block : region.blocks)
        if (!plan.barrierAt.count(block) && !endsItem(*block) &&
            !uniformity.branchesUniformly(*block) && !points.meetAgain(block))
            return false;
    return true;
}

/** Behind a region whose items may part, every region must ask who is there. */
void markChecks(Plan &plan) {
    SmallVector<unsigned, 8> open;
    for (Region &region : plan.regions)
        if (!region.uniformExit)
            open.push_back(region.id);
    plan.hasState = !open.empty();
    while (!open.empty()) {
        Region &region = plan.regions[open.pop_back_val()];
        for (unsigned exit : region.exits)
            if (exit != endOfItem && !plan.regions[exit].checks) {
                plan.regions[exit].checks = true;
                open.push_back(exit);
            }
    }
    // Whoever may be asked for must have said where it went.
    for (Region &region : plan.regions) {
        region.keepsState = !region.uniformExit || region.checks;
        for (unsigned exit : region.exits)
            region.keepsState |= exit != endOfItem && plan.regions[exit].checks;
    }
}

} // namespace

void findRegions(Plan &plan) {
    EliminateUnreachableBlocks(plan.kernel);
    splitAtBarriers(plan);
    for (Region &region : plan.regions)
        collectBlocks(plan, region);
    if (plan.regions.size() == 1)
        return;
    plan.uniformity = std::make_unique<Uniformity>(plan.kernel);
    for (Region &region : plan.regions)
        region.uniformExit = hasUniformExit(plan, region, *plan.uniformity);
    markChecks(plan);
}

} // namespace weft
