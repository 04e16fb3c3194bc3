// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Post-dominators inside of one region. */
#ifndef WEFT_GROUP_MEETING_H
#define WEFT_GROUP_MEETING_H

#include "group/plan.h"

namespace weft {

/** True if a work-item ends in this block: it returns, or faults. */
inline bool endsItem(const llvm::BasicBlock &block) {
    return llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(block.getTerminator());
}

/**
 * Where paths of one region meet again. Nodes: `all`, which every way out leads to; `end`, which
 * all ends of items lead to; and the blocks from which a way out exists.
 */
class MeetingPoints {
  public:
    MeetingPoints(const Plan &plan, const Region &region);

    /** True if all ways from `block` lead to one block or one exit. */
    bool meetAgain(llvm::BasicBlock *block) const {
        auto node = numbers.find(block);
        return node == numbers.end() || nearest[node->second] != all;
    }

    /** That block; null if the ways lead to exits without meeting in a block. */
    llvm::BasicBlock *meeting(llvm::BasicBlock *block) const {
        auto node = numbers.find(block);
        unsigned where = node == numbers.end() ? all : nearest[node->second];
        return where < firstBlock ? nullptr : order[where - firstBlock];
    }

    /** All ways lead to the end of the item. */
    bool endsSurely(llvm::BasicBlock *block) const {
        auto node = numbers.find(block);
        return node != numbers.end() && nearest[node->second] == end;
    }

  private:
    static constexpr unsigned all = 0, end = 1, firstBlock = 2, none = ~0u;

    unsigned common(unsigned a, unsigned b) const;

    llvm::DenseMap<llvm::BasicBlock *, unsigned> numbers; /* in reverse post-order from the exits */
    llvm::SmallVector<llvm::BasicBlock *, 16> order;
    llvm::SmallVector<unsigned, 16> nearest; /* node that all ways pass: a lower number */
};

} // namespace weft

#endif
