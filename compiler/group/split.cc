// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/plan.h"
#include "group/uniformity.h"
#include "norm/internals.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

Plan::Plan(Function &kernel) : kernel(kernel) {}

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

bool endsItem(const BasicBlock &block) {
    return isa<ReturnInst, UnreachableInst>(block.getTerminator());
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

/**
 * Where paths of one region meet again. Nodes: `all`, which every way out leads to; `end`, which all
 * ends of items lead to; and the blocks from which a way out exists.
 */
class MeetingPoints {
public:
    MeetingPoints(const Plan &plan, const Region &region);

    /** True if all ways from `block` lead to one block or one exit. */
    bool meetAgain(BasicBlock *block) const {
        auto node = numbers.find(block);
        return node == numbers.end() || meeting[node->second] != all;
    }

private:
    static constexpr unsigned all = 0, end = 1, none = ~0u;

    unsigned common(unsigned a, unsigned b) const;

    DenseMap<BasicBlock *, unsigned> numbers; /* in reverse post-order from the exits */
    SmallVector<BasicBlock *, 16> order;
    SmallVector<unsigned, 16> meeting; /* nearest node that all ways pass; always a lower number */
};

unsigned MeetingPoints::common(unsigned a, unsigned b) const {
    if (a == none)
        return b;
    while (a != b) {
        if (a > b)
            a = meeting[a];
        else
            b = meeting[b];
    }
    return a;
}

/** Dominators of the reversed graph, by Cooper, Harvey and Kennedy's iteration. */
MeetingPoints::MeetingPoints(const Plan &plan, const Region &region) {
    auto isExit = [&](BasicBlock *block) { return plan.barrierAt.count(block) || endsItem(*block); };
    // Reverse post-order from the exits: depth first, numbered when left.
    SmallVector<std::pair<BasicBlock *, bool>, 16> open;
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<BasicBlock *, 16> left;
    for (BasicBlock *block : region.blocks)
        if (isExit(block))
            open.push_back({block, false});
    while (!open.empty()) {
        auto [block, leaving] = open.pop_back_val();
        if (leaving) {
            left.push_back(block);
            continue;
        }
        if (!seen.insert(block).second)
            continue;
        open.push_back({block, true});
        for (BasicBlock *before : predecessors(block))
            if (region.blocks.contains(before) && !plan.barrierAt.count(before))
                open.push_back({before, false});
    }
    for (BasicBlock *block : reverse(left)) {
        numbers[block] = static_cast<unsigned>(order.size() + 2);
        order.push_back(block);
    }
    meeting.assign(order.size() + 2, none);
    meeting[all] = meeting[end] = all;
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : order) {
            unsigned nearest = none;
            if (isExit(block)) {
                nearest = endsItem(*block) ? end : all;
            } else {
                for (BasicBlock *next : successors(block)) {
                    auto node = numbers.find(next);
                    if (node != numbers.end() && meeting[node->second] != none)
                        nearest = common(nearest, node->second);
                }
            }
            unsigned &known = meeting[numbers[block]];
            changed |= known != nearest;
            known = nearest;
        }
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
