// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/meeting.h"

#include "llvm/IR/CFG.h"

using namespace llvm;

namespace weft {

unsigned MeetingPoints::common(unsigned a, unsigned b) const {
    if (a == none)
        return b;
    while (a != b) {
        if (a > b)
            a = nearest[a];
        else
            b = nearest[b];
    }
    return a;
}

/** Dominators of the reversed graph, by Cooper, Harvey and Kennedy's iteration. */
MeetingPoints::MeetingPoints(const Plan &plan, const Region &region) {
    auto isExit = [&](BasicBlock *block) {
        return plan.barrierAt.count(block) || endsItem(*block);
    };
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
        numbers[block] = static_cast<unsigned>(order.size() + firstBlock);
        order.push_back(block);
    }
    nearest.assign(order.size() + firstBlock, none);
    nearest[all] = nearest[end] = all;
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : order) {
            unsigned here = none;
            if (isExit(block)) {
                here = endsItem(*block) ? end : all;
            } else {
                for (BasicBlock *next : successors(block)) {
                    auto node = numbers.find(next);
                    if (node != numbers.end() && nearest[node->second] != none)
                        here = common(here, node->second);
                }
            }
            unsigned &known = nearest[numbers[block]];
            changed |= known != here;
            known = here;
        }
    }
}

} // namespace weft
